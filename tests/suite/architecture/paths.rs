//! What each file of a crate refers to: the modules of its own crate, and other crates.

use std::collections::{BTreeMap, BTreeSet};

use super::source::{Token, after_bracket, tokens, without_tests};

/// The path of a module from the root of its crate: `["plan", "solve"]`.
pub type Module = Vec<String>;

/// What a path leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A module of the same crate that has a file; the one that defines the item, if others re-export it.
    Module(Module),
    /// Another crate.
    Crate(String),
}

/// A path in a file: where it leads and on which line it stands.
#[derive(Clone, Debug)]
pub struct Reference {
    pub to: Target,
    pub line: usize,
}

/// A path as it is written, with the module it stands in.
struct Written {
    within: Module,
    path: Vec<String>,
    line: usize,
    imported: Option<Import>,
}

/// What an import is called here, and whether others see it.
struct Import {
    name: String,
    is_public: bool,
}

#[derive(Default)]
struct File {
    children: BTreeSet<String>,
    written: Vec<Written>,
    reexports: BTreeMap<String, Vec<String>>,
}

/// The files of a crate by their modules.
pub struct Crate {
    files: BTreeMap<Module, File>,
    /// The other crates that may be named.
    others: BTreeSet<String>,
}

impl Crate {
    /// A crate of these files, by their paths below its root: `plan/solve.rs`.
    pub fn of<'t>(files: impl IntoIterator<Item = (&'t str, &'t str)>, others: &BTreeSet<String>) -> Self {
        let files = files.into_iter().map(|(path, text)| {
            let module = module_of(path);
            let file = File::read(&module, &without_tests(&tokens(text)));
            (module, file)
        });
        let mut own = Self {
            files: files.collect(),
            others: others.clone(),
        };
        own.find_reexports();
        own
    }

    /// The modules that have a file, the root included.
    pub fn modules(&self) -> impl Iterator<Item = &Module> {
        self.files.keys()
    }

    /// What a file refers to, itself and re-exports of its own children left out.
    pub fn references(&self, module: &Module) -> Vec<Reference> {
        let file = &self.files[module];
        let imported: BTreeSet<&str> = file.imports().map(|(_, import)| import.name.as_str()).collect();
        let mut references = Vec::new();
        for written in &file.written {
            // What begins with an imported name was counted where that was imported.
            if written.imported.is_none() && imported.contains(written.path[0].as_str()) {
                continue;
            }
            let Some(to) = self.resolve(module, written) else {
                continue;
            };
            let is_own = match &to {
                Target::Module(found) => {
                    let is_public = written.imported.as_ref().is_some_and(|import| import.is_public);
                    found == module || is_public && found.starts_with(module)
                }
                Target::Crate(_) => false,
            };
            if !is_own {
                references.push(Reference { to, line: written.line });
            }
        }
        references
    }

    fn resolve(&self, module: &Module, written: &Written) -> Option<Target> {
        match self.absolute(module, written) {
            Some(path) => self.defining(&path).map(Target::Module),
            None => {
                let first = &written.path[0];
                self.others.contains(first).then(|| Target::Crate(first.clone()))
            }
        }
    }

    /// A path from the root of the crate; `None` if it leads out of it.
    fn absolute(&self, module: &Module, written: &Written) -> Option<Vec<String>> {
        let mut base = written.within.clone();
        let mut rest = written.path.as_slice();
        match rest[0].as_str() {
            "crate" => return Some(rest[1..].to_vec()),
            "self" | "super" => {
                while let [first, others @ ..] = rest {
                    match first.as_str() {
                        "self" => {}
                        "super" => drop(base.pop()),
                        _ => break,
                    }
                    rest = others;
                }
            }
            child if written.within == *module && self.files[module].children.contains(child) => {}
            _ => return None,
        }
        base.extend_from_slice(rest);
        Some(base)
    }

    /// The module whose file defines what a path from the root names, re-exports followed.
    fn defining(&self, path: &[String]) -> Option<Module> {
        let mut path = path.to_vec();
        // No chain of re-exports is longer; one that goes round ends here.
        for _ in 0..8 {
            let length = (0..=path.len())
                .rev()
                .find(|length| self.files.contains_key(&path[..*length]))?;
            let (module, rest) = path.split_at(length);
            let Some((name, rest)) = rest.split_first() else {
                return Some(module.to_vec());
            };
            match self.files[module].reexports.get(name) {
                Some(next) if next != module => path = [next, rest].concat(),
                _ => return Some(module.to_vec()),
            }
        }
        None
    }

    fn find_reexports(&mut self) {
        let mut found = Vec::new();
        for (module, file) in &self.files {
            for (written, import) in file.imports().filter(|(_, import)| import.is_public) {
                if let Some(path) = self.absolute(module, written) {
                    found.push((module.clone(), import.name.clone(), path));
                }
            }
        }
        for (module, name, path) in found {
            self.files.entry(module).or_default().reexports.insert(name, path);
        }
    }
}

/// The module of a file: `plan/mod.rs` is `plan`, `lib.rs` and `main.rs` are the root.
pub fn module_of(path: &str) -> Module {
    let mut module: Module = path.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if module.last().is_some_and(|last| last == "mod") || matches!(module.join("/").as_str(), "lib" | "main") {
        module.pop();
    }
    module
}

impl File {
    fn imports(&self) -> impl Iterator<Item = (&Written, &Import)> {
        self.written
            .iter()
            .filter_map(|written| Some((written, written.imported.as_ref()?)))
    }

    fn read(module: &Module, tokens: &[Token<'_>]) -> Self {
        let mut file = Self::default();
        // The modules written out in the file that are open, each with the depth of its braces.
        let mut open: Vec<(usize, String)> = Vec::new();
        let (mut depth, mut at, mut is_public) = (0, 0, false);
        while let Some(token) = tokens.get(at) {
            let next = tokens.get(at + 1).map_or("", |next| next.text);
            let was_public = std::mem::take(&mut is_public);
            let mut within = module.clone();
            within.extend(open.iter().map(|(_, name)| name.clone()));
            at += 1;
            match token.text {
                "{" => depth += 1,
                "}" => {
                    depth -= 1;
                    open.pop_if(|(at, _)| *at == depth);
                }
                "pub" => {
                    is_public = true;
                    // What follows in brackets says who may see it, and is no reference.
                    at = if next == "(" { after_bracket(tokens, at) } else { at };
                }
                "mod" if tokens.get(at + 1).is_some_and(|after| after.text == ";") => {
                    file.children.insert(next.to_owned());
                }
                "mod" => open.push((depth, next.to_owned())),
                "use" => at = file.import(tokens, at, &[], (&within, was_public)),
                _ if token.is_word && next == "::" && !is_continued(tokens, at - 1) => {
                    let mut path = vec![token.text.to_owned()];
                    while let [sign, word, ..] = &tokens[at..]
                        && sign.text == "::"
                        && word.is_word
                    {
                        path.push(word.text.to_owned());
                        at += 2;
                    }
                    file.write(&within, path, token.line, None);
                }
                _ => {}
            }
        }
        file
    }

    /// Reads a tree of imports at a position; returns the position after it.
    fn import(&mut self, tokens: &[Token<'_>], mut at: usize, prefix: &[String], of: (&Module, bool)) -> usize {
        let mut path = prefix.to_vec();
        let mut name = None;
        let line = tokens[at].line;
        while let Some(token) = tokens.get(at) {
            at += 1;
            match token.text {
                "as" => {
                    name = Some(tokens[at].text.to_owned());
                    at += 1;
                }
                "{" => {
                    while tokens[at].text != "}" {
                        at = self.import(tokens, at, &path, of);
                        at += usize::from(tokens[at].text == ",");
                    }
                    return at + 1;
                }
                "self" if !path.is_empty() => {}
                "::" | "*" => {}
                _ if token.is_word => path.push(token.text.to_owned()),
                _ => {
                    at -= 1;
                    break;
                }
            }
        }
        if let Some(last) = path.last().cloned() {
            let import = Import {
                name: name.unwrap_or(last),
                is_public: of.1,
            };
            self.write(of.0, path, line, Some(import));
        }
        at
    }

    fn write(&mut self, within: &Module, path: Vec<String>, line: usize, imported: Option<Import>) {
        self.written.push(Written {
            within: within.clone(),
            path,
            line,
            imported,
        });
    }
}

/// Whether the word at a position continues a path or a method call.
fn is_continued(tokens: &[Token<'_>], at: usize) -> bool {
    at > 0 && matches!(tokens[at - 1].text, "::" | ".")
}
