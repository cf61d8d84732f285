//! The rules of the house: levels, rings, and which module may name which crate.

use std::collections::{BTreeMap, BTreeSet};

use super::paths::{Crate, Module, Target};

/// Which modules of the library and of the program may name a crate.
pub type Permissions = BTreeMap<String, [BTreeSet<String>; 2]>;

/// The rows of the tables below a heading, each cell without its marks for code.
fn rows<'t>(page: &'t str, heading: &str) -> impl Iterator<Item = Vec<String>> + use<'t> {
    let (_, below) = page.split_once(&format!("{heading}\n")).expect("the heading is there");
    let section = below.split("\n## ").next().unwrap_or(below);
    section.lines().filter_map(|line| {
        let row = line.strip_prefix('|')?.strip_suffix('|')?;
        Some(
            row.split('|')
                .map(|cell| cell.replace('`', "").trim().to_owned())
                .collect(),
        )
    })
}

/// The level of each module, by the table below a heading.
pub fn levels(page: &str, heading: &str) -> BTreeMap<String, u32> {
    let levels = rows(page, heading).filter_map(|row| match &row[..] {
        [level, module, ..] => Some((module.trim_end_matches('/').to_owned(), level.parse().ok()?)),
        _ => None,
    });
    levels.collect()
}

/// The table of crates.
pub fn permissions(page: &str) -> Permissions {
    let modules = |cell: &str| {
        cell.split(", ")
            .map(str::to_owned)
            .filter(|name| !name.is_empty())
            .collect()
    };
    let rows = rows(page, "## Which module names which crate").filter_map(|row| match &row[..] {
        [name, library, program] if !name.starts_with('-') && name != "crate" => {
            Some((name.clone(), [modules(library), modules(program)]))
        }
        _ => None,
    });
    rows.collect()
}

/// What tables call the file at the root of a crate.
const ROOT: &str = "main";

/// The module of the root in which a module is; the root itself is `main`.
fn top(module: &Module) -> &str {
    module.first().map_or(ROOT, String::as_str)
}

/// Each import of a module on the same level or above, and each module that the table lacks or invents.
pub fn upward(of: &Crate, levels: &BTreeMap<String, u32>) -> Vec<String> {
    let tops: BTreeSet<&String> = of.modules().filter_map(|module| module.first()).collect();
    let mut wrong: Vec<String> = tops
        .iter()
        .filter(|top| !levels.contains_key(**top))
        .map(|top| format!("{top} has no level"))
        .collect();
    let invented = levels.keys().filter(|listed| *listed != ROOT && !tops.contains(listed));
    wrong.extend(invented.map(|listed| format!("{listed} is no module")));
    for module in of.modules() {
        let Some(own) = levels.get(top(module)) else { continue };
        for reference in of.references(module) {
            let Target::Module(to) = reference.to else { continue };
            let is_own = to.first() == module.first();
            let is_below = levels.get(top(&to)).is_some_and(|level| level < own);
            if !is_own && !is_below {
                wrong.push(format!(
                    "{} imports crate::{} in line {}",
                    module.join("::"),
                    to.join("::"),
                    reference.line
                ));
            }
        }
    }
    wrong
}

/// The files and folders in one folder, each with those of the same folder that it refers to.
type Neighbours = BTreeMap<String, BTreeSet<String>>;

/// What the files of each folder refer to among each other; the folder's own `mod.rs` is named `mod`.
fn folders(of: &Crate) -> BTreeMap<Module, Neighbours> {
    let mut folders: BTreeMap<Module, Neighbours> = BTreeMap::new();
    for module in of.modules() {
        for reference in of.references(module) {
            let Target::Module(to) = reference.to else { continue };
            let common = module.iter().zip(&to).take_while(|(one, other)| one == other).count();
            let name = |module: &Module| module.get(common).map_or("mod", String::as_str).to_owned();
            let neighbours = folders.entry(module[..common].to_vec()).or_default();
            neighbours.entry(name(module)).or_default().insert(name(&to));
        }
    }
    folders
}

/// Each file that is in a ring among the files of a folder, with that folder.
pub fn rings(of: &Crate) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (folder, mut neighbours) in folders(of) {
        neighbours.remove("mod");
        // What refers to nothing that is left is in no ring, nor what nothing that is left refers to.
        loop {
            let left: BTreeSet<String> = neighbours.keys().cloned().collect();
            for others in neighbours.values_mut() {
                others.retain(|other| left.contains(other));
            }
            let named: BTreeSet<String> = neighbours.values().flatten().cloned().collect();
            neighbours.retain(|name, others| !others.is_empty() && named.contains(name));
            if neighbours.len() == left.len() {
                break;
            }
        }
        for (one, others) in neighbours {
            let others: Vec<String> = others.into_iter().collect();
            found.push((folder.join("::"), format!("{one} imports {}", others.join(", "))));
        }
    }
    found
}

/// The folders whose `mod.rs` uses its files and is used by them.
pub fn both_ways(of: &Crate) -> Vec<String> {
    let folders = folders(of).into_iter().filter(|(folder, neighbours)| {
        let uses = neighbours.get("mod").is_some_and(|files| !files.is_empty());
        let is_used = neighbours
            .iter()
            .any(|(name, others)| name != "mod" && others.contains("mod"));
        !folder.is_empty() && uses && is_used
    });
    folders.map(|(folder, _)| folder.join("::")).collect()
}

/// Each crate that is named without a permission, and each permission without use.
pub fn unlawful_crates(library: &Crate, program: &Crate, permissions: &Permissions) -> Vec<String> {
    let mut unused = permissions.clone();
    let mut wrong = Vec::new();
    for (side, of) in [library, program].into_iter().enumerate() {
        for module in of.modules() {
            for reference in of.references(module) {
                let Target::Crate(name) = reference.to else { continue };
                if !permissions[&name][side].contains(top(module)) {
                    wrong.push(format!("{} names {name} in line {}", module.join("::"), reference.line));
                }
                if let Some(sides) = unused.get_mut(&name) {
                    sides[side].remove(top(module));
                }
            }
        }
    }
    for (name, sides) in unused {
        wrong.extend(
            sides
                .iter()
                .flatten()
                .map(|module| format!("{module} is permitted {name}, and does not name it")),
        );
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "## The library\n\n| level | module | what |\n| --- | --- | --- |\n| 0 | `low` | x |\n\
                        | 1 | `mid/` | y |\n| 1 | `side` | y |\n| 2 | `top` | z |\n\n## Which module names which crate\n\n\
                        | crate | library | program |\n| --- | --- | --- |\n| `toml` | `low`, `mid` | `io` |\n";

    fn planted(path: &str, text: &str) -> Crate {
        let others = BTreeSet::from(["toml".to_owned()]);
        let rest = [
            ("lib.rs", "mod low; mod mid; mod side; mod top; pub use low::Deep;"),
            ("low.rs", "pub struct Deep;"),
            ("mid/mod.rs", "mod a; mod b; pub use a::A; pub(crate) use b::B as C;"),
            ("mid/a.rs", "pub struct A;"),
            ("mid/b.rs", "use super::A; pub struct B;"),
            ("mid/b/c.rs", "use crate::low::Deep;"),
            ("side.rs", "use crate::low;"),
            ("top.rs", "use crate::{low::Deep, mid::{self, A}};"),
        ];
        let kept = rest.into_iter().filter(|(other, _)| *other != path);
        Crate::of(kept.chain([(path, text)]), &others)
    }

    #[test]
    fn upward_imports_are_found_however_they_are_written() {
        let levels = levels(PAGE, "## The library");
        assert_eq!(
            upward(&planted("top.rs", "use crate::mid;"), &levels),
            Vec::<String>::new()
        );
        for (path, text) in [
            ("low.rs", "use crate::top;"),
            ("low.rs", "use crate::{side::X};"),
            ("low.rs", "fn f() { crate::mid::g(); }"),
            ("low.rs", "use super::top::T as U;"),
            ("low.rs", "mod inner { use super::super::top::T; }"),
            ("low.rs", "#[cfg(test)] mod tests { use crate::low; } use crate::top;"),
            ("low.rs", "use crate::Deep as D; use super::{self};"),
            ("mid/b/c.rs", "use super::super::super::top::{T};"),
            ("mid/a.rs", "pub(in crate::top) fn f(x: &crate::side::S) {}"),
            ("side.rs", "use crate::mid::A;"),
        ] {
            assert_eq!(upward(&planted(path, text), &levels).len(), 1, "{path}: {text}");
        }
        for text in [
            "// use crate::top;",
            "const A: &str = \"crate::top\";",
            "#[cfg(test)] mod tests { use crate::top; }",
        ] {
            assert_none(&upward(&planted("low.rs", text), &levels), text);
        }
        let other = upward(&planted("new.rs", ""), &levels);
        assert_eq!(other, ["new has no level"]);
    }

    #[test]
    fn rings_are_found_through_re_exports_and_inside_of_folders() {
        assert_eq!(rings(&planted("x.rs", "")).len(), 0);
        assert_eq!(rings(&planted("mid/a.rs", "use super::b::B;")).len(), 2);
        assert_eq!(rings(&planted("mid/a.rs", "use super::C;")).len(), 2);
        assert_eq!(rings(&planted("mid/a.rs", "fn f() { crate::mid::C::g() }")).len(), 2);
        assert_eq!(rings(&planted("low.rs", "use super::top;")).len(), 3);
        assert_eq!(
            rings(&planted("mid/a.rs", "#[cfg(test)] mod t { use super::super::C; }")).len(),
            0
        );
    }

    #[test]
    fn a_folder_that_uses_its_files_and_is_used_by_them_is_found() {
        assert_none(&both_ways(&planted("x.rs", "")), "nothing is planted");
        let text = "mod a; mod b; pub use a::A; use b::B; pub struct M; fn f() { a::g(); }";
        assert_none(&both_ways(&planted("mid/mod.rs", text)), "files do not use it");
        let text = "mod a; mod b; use a::B; struct A; fn f() { b::f() }";
        assert_eq!(both_ways(&planted("mid/mod.rs", text)), ["mid"]);
    }

    #[test]
    fn crates_are_found_where_they_may_not_be_named_and_permissions_that_nobody_needs() {
        let permissions = permissions(PAGE);
        let none = || planted("x.rs", "");
        let library = planted("low.rs", "fn f() -> toml::Value {}");
        let program = Crate::of(
            [("main.rs", "mod io;"), ("io/mod.rs", "use toml::Value;")],
            &["toml".to_owned()].into(),
        );
        let unneeded = ["mid is permitted toml, and does not name it"];
        assert_eq!(unlawful_crates(&library, &program, &permissions), unneeded);
        let library = planted("mid/b/c.rs", "use ::toml::{Value};");
        assert_eq!(unlawful_crates(&library, &program, &permissions).len(), 1);
        let library = planted("side.rs", "use {crate::low, toml::Value as V};");
        let wrong = unlawful_crates(&library, &none(), &permissions);
        assert_eq!(wrong[0], "side names toml in line 1");
        assert_eq!(wrong.len(), 4);
    }

    #[track_caller]
    fn assert_none(wrong: &[String], why: &str) {
        assert!(wrong.is_empty(), "{why}: {}", wrong.join("\n"));
    }
}
