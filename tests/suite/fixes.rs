//! What `fix` changes, in any text: its edits help, and everything else stays as it is.

// Clippy allows `expect` in helpers only below `cfg(test)`.
#![cfg(test)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use lifecycle::diagnostic::{Diagnostic, Missed, Severity};
use lifecycle::evaluate::{Evaluation, Fixed, fix};
use lifecycle::release::Release;
use proptest::prelude::*;
use tempfile::TempDir;

use crate::program::{finish, folder, program, run_in, run_on};
use crate::worlds::{World, cases, load, world, world_with_moves};

// Models, in many ways of writing them.

/// The ways in which a text is written: a number for each line, taken in turn.
type Ways = Vec<u8>;

fn ways() -> impl Strategy<Value = Ways> {
    prop::collection::vec(any::<u8>(), 1..40)
}

/// The model's text with more to fix: missing warnings, help texts, removed fields.
fn with_more_to_fix(world: &World, ways: &Ways) -> String {
    let mut way = ways.iter().cycle();
    let release = |way: u8| world.dates.name(usize::from(way) % world.dates.listed());
    let mut lines = Vec::new();
    for line in world.text().lines() {
        let way = *way.next().expect("a cycle does not end");
        match line {
            "warning = \"it goes\"" if way.is_multiple_of(2) => {}
            "field.\"spec.size\" = {}" if way.is_multiple_of(3) => {
                lines.push(format!("field.\"spec.size\" = {{ removed = \"{}\" }}", release(way)));
            }
            "enum.\"spec.day\".Tuesday = {}" if way.is_multiple_of(4) => {
                lines.push(format!("enum.\"spec.day\".Tuesday.removed = \"{}\"", release(way)));
            }
            line => lines.push(line.to_owned()),
        }
        if line.starts_with("[metric.") {
            lines.extend(match way % 4 {
                0 => Some("help = \"(Deprecated from 1.1) Größe, in \\\"Bytes\\\"\"".to_owned()),
                1 => Some("help = 'C:\\Größe # nicht \"Bytes\"'".to_owned()),
                2 => Some("help = \"\"\"\nover\n  lines\"\"\"".to_owned()),
                _ => None,
            });
        }
    }
    lines.join("\n") + "\n"
}

/// A line `key = { a = 1, b = 2 }` in its parts.
fn inline_table(line: &str) -> Option<(&str, Vec<&str>)> {
    let (key, rest) = line.split_once(" = { ")?;
    let inner = rest.strip_suffix(" }")?.trim();
    let plain = !inner.is_empty() && !inner.contains(['{', '[', '\t']) && !key.contains("specs");
    plain.then(|| (key, inner.split(", ").collect()))
}

const COMMENTS: &[&str] = &[
    "",
    "",
    " # früh, } , ]",
    "\t# removed = \"1.0\"",
    "# 'ё\u{1f980}",
    "  #, deprecated = \"1.9\"",
    "   ",
];

/// The same model, otherwise written.
fn rewritten(text: &str, ways: &Ways) -> String {
    let first = ways.first().copied().unwrap_or_default();
    let mut way = ways.iter().rev().cycle();
    let mut way = move || usize::from(*way.next().expect("a cycle does not end"));
    let mut out = String::new();
    let mut header = String::new();
    let mut in_text = false;
    for line in text.lines() {
        let comment = COMMENTS[way() % COMMENTS.len()];
        let quotes = line.matches("\"\"\"").count();
        if in_text || quotes == 1 {
            in_text ^= quotes == 1;
            let _ = writeln!(out, "{line}");
            continue;
        }
        if line.starts_with('[') {
            line.trim_matches(['[', ']']).clone_into(&mut header);
        }
        let indent = ["", "", "  ", "\t"][way() % 4];
        match (inline_table(line), way() % 6) {
            (Some((key, parts)), 0) if !header.starts_with("calendar") => {
                let parts = parts.join(&format!(",{comment}\n{indent}"));
                let trailing = [",", ""][way() % 2];
                let _ = writeln!(out, "{key} = {{{comment}\n{indent}{parts}{trailing}{comment}\n}}");
            }
            (Some((key, parts)), 1) => {
                for part in parts {
                    let (name, value) = part.split_once(" = ").expect("an entry has a value");
                    let _ = writeln!(out, "{indent}{key} . {name}\t=  {value}{comment}");
                }
            }
            (Some((key, parts)), 2 | 3) => {
                let parts = parts.join(" ,\t");
                let _ = writeln!(out, "{indent}{key} = {{{parts}  }}{comment}");
            }
            _ => drop(writeln!(out, "{indent}{line}{comment}")),
        }
    }
    if first % 3 == 0 {
        out = with_headers(&out);
    }
    if first % 4 == 1 {
        out = literal(&out);
    }
    if first % 2 == 1 {
        out = out.replace('\n', "\r\n");
    }
    match first % 5 {
        2 => out.trim_end().to_owned(),
        3 => format!("{out}\n\n# Ende"),
        _ => out,
    }
}

/// The tables of versions that are written `v1 = { … }` under headers of their own.
fn with_headers(text: &str) -> String {
    let mut out = String::new();
    for section in text
        .split_inclusive('\n')
        .fold(Vec::<Vec<&str>>::new(), |mut sections, line| {
            if line.trim_start().starts_with('[') || sections.is_empty() {
                sections.push(Vec::new());
            }
            sections.last_mut().expect("there is one").push(line);
            sections
        })
    {
        let header = section[0].split('#').next().unwrap_or_default().trim();
        let entries: Option<Vec<_>> = section[1..].iter().map(|line| inline_table(line.trim())).collect();
        match entries.filter(|entries| header.ends_with(".version]") && !entries.is_empty()) {
            Some(entries) => {
                for (key, parts) in entries {
                    let header = header.trim_matches(['[', ']']);
                    let lines = parts.join(" # so\n");
                    let _ = writeln!(out, "[{header}.{key}] # neu\n{lines}\n");
                }
            }
            None => section.iter().for_each(|line| out.push_str(line)),
        }
    }
    out
}

/// Strings in single quotes, where they may be.
fn literal(text: &str) -> String {
    let lines = text.split_inclusive('\n').map(|line| {
        let code = line.split('#').next().unwrap_or_default();
        let plain = !code.contains(['\'', '\\']) && !code.contains("\"\"\"") && code.matches('"').count() % 2 == 0;
        if plain {
            format!("{}{}", code.replace('"', "'"), &line[code.len()..])
        } else {
            line.to_owned()
        }
    });
    lines.collect()
}

// What is looked at.

fn fixed_by(world: &World, text: &str) -> Option<Fixed> {
    fix(vec![text.to_owned()], |texts| load(world, &texts[0], None)).ok()
}

type Told = (String, String, String);

fn identity(finding: &Diagnostic) -> Told {
    let about = finding.element.clone().unwrap_or_default();
    (finding.rule.to_owned(), finding.code.to_string(), about)
}

/// Errors by what they are about: how many, and by how much the worst misses its bound.
fn errors(evaluation: &Evaluation) -> BTreeMap<Told, (usize, Option<Missed>)> {
    let mut errors = BTreeMap::new();
    let findings = evaluation.findings().iter();
    for finding in findings.filter(|finding| finding.severity == Severity::Error) {
        let (count, missed): &mut (usize, Option<Missed>) = errors.entry(identity(finding)).or_default();
        *count += 1;
        *missed = (*missed).max(finding.missed_by);
    }
    errors
}

/// What is declared of releases that have shipped.
fn shipped(evaluation: &Evaluation) -> BTreeSet<(String, String)> {
    let model = evaluation.model();
    let Some(current) = model.calendar.current() else {
        return BTreeSet::new();
    };
    let declared = model.elements().flat_map(|(id, _)| {
        let own = model
            .declared_of(id)
            .iter()
            .filter(|declared| declared.release <= current);
        own.map(move |declared| {
            (
                model.id(id).to_owned(),
                format!("{:?} {}", declared.event, declared.release.0),
            )
        })
    });
    declared.collect()
}

/// A string at the head of a text, quotes included.
fn string(text: &str) -> Option<&str> {
    for quotes in ["\"\"\"", "'''", "\"", "'"] {
        if let Some(rest) = text.strip_prefix(quotes) {
            let mut from = 0;
            loop {
                let at = from + rest[from..].find(quotes)?;
                let escapes = rest[..at].chars().rev().take_while(|c| *c == '\\').count();
                if escapes % 2 == 0 || quotes.starts_with('\'') {
                    return Some(&text[..quotes.len() + at + quotes.len()]);
                }
                from = at + quotes.len();
            }
        }
    }
    None
}

/// What may be put in at the head of a text: another key of an inline table, or a line.
fn addition(text: &str) -> Option<usize> {
    let line_break = ["\r\n", "\n"].into_iter().find(|end| text.starts_with(end));
    let key_at = match line_break {
        Some(line_break) => {
            let line = text[line_break.len()..].lines().next()?;
            let (key, _) = line.split_once(" = ")?;
            let name = key.rsplit(['.', ' ', '\t']).next()?;
            line_break.len() + key.len() - name.len()
        }
        None => text.strip_prefix(", ").map(|_| 2)?,
    };
    let (key, value) = text[key_at..].split_once(" = ")?;
    let value = match key {
        "tombstone" => value.strip_prefix("true").map(|_| 4),
        "deprecated" | "warning" => string(value).map(str::len),
        _ => None,
    };
    Some(key_at + key.len() + 3 + value?)
}

/// A string, a comment, or else a character.
fn token(text: &str) -> Option<&str> {
    let comment = || text.starts_with('#').then(|| text.lines().next()).flatten();
    let character = || text.chars().next().map(|c| &text[..c.len_utf8()]);
    string(text).or_else(comment).or_else(character)
}

/// How many edits make one text of another, if each of them is a string for a string, or a key put in. `strings` gets
/// the strings that were there before.
fn edits<'t>(before: &'t str, after: &str, strings: &mut Vec<&'t str>) -> Option<usize> {
    let mut choices: Vec<(usize, usize, usize, usize)> = Vec::new();
    let (mut i, mut j, mut count) = (0, 0, 0);
    loop {
        if i == before.len() && j == after.len() {
            return Some(count);
        }
        if let Some(length) = addition(&after[j..]) {
            choices.push((i, j + length, count + 1, strings.len()));
        }
        match (token(&before[i..]), token(&after[j..])) {
            (Some(old), Some(new)) if old == new => (i, j) = (i + old.len(), j + new.len()),
            (Some(old), Some(new)) if string(old).is_some() && string(new).is_some() => {
                strings.push(old);
                (i, j, count) = (i + old.len(), j + new.len(), count + 1);
            }
            _ => {
                let (was_i, was_j, was_count, known) = choices.pop()?;
                strings.truncate(known);
                (i, j, count) = (was_i, was_j, was_count);
            }
        }
    }
}

/// Whether a release of the calendar that a string names has shipped.
fn names_shipped(evaluation: &Evaluation, string: &str) -> bool {
    let calendar = &evaluation.model().calendar;
    let found: Option<Release> = calendar.find(string.trim_matches(['"', '\''])).ok();
    calendar
        .current()
        .is_some_and(|current| found.is_some_and(|release| release <= current))
}

fn holds(world: &World, text: &str) -> Result<(), TestCaseError> {
    let Ok(before) = load(world, text, None) else {
        return Err(TestCaseError::reject("it cannot be read"));
    };
    let fixed = fixed_by(world, text).expect("what can be read can be fixed");
    let after = &fixed.texts[0];
    let gone: BTreeSet<Told> = fixed.fixed.iter().map(identity).collect();
    let left: BTreeSet<Told> = fixed.evaluation.findings().iter().map(identity).collect();
    prop_assert!(
        gone.is_disjoint(&left),
        "{:?} and {:?}\n{}\nbecame\n{}",
        gone,
        left,
        text,
        after
    );

    let read = load(world, after, None);
    prop_assert!(read.is_ok(), "{:?}\n{}\nbecame\n{}", read.err(), text, after);
    let read = read.expect("it can be read");
    prop_assert_eq!(read.findings(), fixed.evaluation.findings());
    let known = errors(&before);
    for (error, (count, missed)) in errors(&read) {
        let (was, had_missed) = known.get(&error).copied().unwrap_or_default();
        prop_assert!(
            count <= was && missed <= had_missed,
            "{:?}\n{}\nbecame\n{}",
            error,
            text,
            after
        );
    }
    prop_assert_eq!(shipped(&before), shipped(&read), "{}\nbecame\n{}", text, after);

    let again = fixed_by(world, after).expect("it can be read");
    prop_assert_eq!(&again.texts[0], after, "fixed again, from\n{}", text);
    prop_assert!(again.fixed.is_empty());

    let mut strings = Vec::new();
    let made = edits(text, after, &mut strings);
    prop_assert!(made.is_some(), "more than edits:\n{}\nbecame\n{}", text, after);
    for string in strings {
        prop_assert!(
            !names_shipped(&before, string),
            "{}\n{}\nbecame\n{}",
            string,
            text,
            after
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn fixed_findings_stay_fixed_and_nothing_else_changes(world in world(), ways in ways()) {
        holds(&world, &with_more_to_fix(&world, &ways))?;
    }

    #[test]
    fn the_rest_of_a_text_stays_in_any_format(world in world(), ways in ways()) {
        holds(&world, &rewritten(&with_more_to_fix(&world, &ways), &ways))?;
    }

    #[test]
    fn moves_too_are_put_off_and_nothing_else(world in world_with_moves(), ways in ways()) {
        holds(&world, &rewritten(&with_more_to_fix(&world, &ways), &ways))?;
    }

    /// As many findings are fixed in any format.
    #[test]
    fn a_finding_is_fixed_in_any_format(world in world(), ways in ways()) {
        let plain = with_more_to_fix(&world, &ways);
        let other = rewritten(&plain, &ways);
        let identities = |text: &str| fixed_by(&world, text).map(|fixed| fixed.fixed.iter().map(identity).collect::<BTreeSet<_>>());
        prop_assert_eq!(identities(&plain), identities(&other), "{}\nor\n{}", plain, other);
    }
}

// Through the program.

const CALENDAR: &str = calendar!(current "1.3", to "1.5");

/// Many findings that can be fixed, and one that cannot.
fn flags(count: u32) -> String {
    let mut text = format!("{CALENDAR}[cli.tool]\naudience = \"user\"\n");
    for n in 0..count {
        let _ = writeln!(
            text,
            "flag.\"--f{n}\" = {{ introduced = \"1.0\", deprecated = \"1.3\" }} # f{n}"
        );
    }
    text
}

#[expect(clippy::disallowed_methods, reason = "the test is about what was written")]
fn read(folder: &TempDir, name: &str) -> String {
    std::fs::read_to_string(folder.path().join(name)).expect("the file can be read")
}

fn names(folder: &TempDir) -> BTreeSet<String> {
    let entries = folder.path().read_dir().expect("the folder can be read");
    let name = |entry: std::io::Result<std::fs::DirEntry>| {
        let entry = entry.expect("the folder can be read");
        entry.file_name().to_string_lossy().into_owned()
    };
    entries.map(name).collect()
}

/// The lines that `fix --write` leaves instead of these, under the calendar.
#[track_caller]
fn becomes(before: &str, after: &str) {
    let folder = folder(&[("lifecycle.toml", &format!("{CALENDAR}{before}"))]);
    run_in(&folder, &["fix", "--write", "-q"]).ended(0);
    let text = read(&folder, "lifecycle.toml");
    assert_eq!(text.strip_prefix(CALENDAR), Some(after));
    run_in(&folder, &["fix"]).ended(0).says(&["nothing to fix"]);
    assert_eq!(read(&folder, "lifecycle.toml"), text);
}

#[track_caller]
fn stays(text: &str) {
    becomes(text, text);
}

/// Applies a unified diff of one file strictly: every line of context has to match.
fn patched(text: &str, diff: &str) -> String {
    let old: Vec<&str> = text.split_inclusive('\n').collect();
    let (mut new, mut at) = (String::new(), 0);
    let mut lines = diff.split_inclusive('\n').peekable();
    assert!(lines.next().is_some_and(|line| line.starts_with("--- a/")), "{diff}");
    assert!(lines.next().is_some_and(|line| line.starts_with("+++ b/")), "{diff}");
    while let Some(head) = lines.next() {
        let numbers = head
            .strip_prefix("@@ -")
            .and_then(|rest| rest.split_once(" @@"))
            .expect("a hunk has a head")
            .0;
        let (from, to) = numbers.split_once(" +").expect("a hunk has two sides");
        let side = |side: &str| -> (usize, usize) {
            let (start, count) = side.split_once(',').unwrap_or((side, "1"));
            (start.parse().expect("a line"), count.parse().expect("a count"))
        };
        let ((start, mut removed), (begin, mut added)) = (side(from), side(to));
        while at + 1 < start {
            new.push_str(old[at]);
            at += 1;
        }
        assert_eq!(new.split_inclusive('\n').count() + 1, begin, "{head}");
        while removed > 0 || added > 0 {
            let line = lines.next().expect("a hunk is as long as it says");
            let open = lines.next_if(|next| next.starts_with('\\')).is_some();
            let content = if open {
                line[1..].trim_end_matches('\n')
            } else {
                &line[1..]
            };
            if line.starts_with([' ', '-']) {
                assert_eq!(old.get(at), Some(&content), "{diff}");
                (at, removed) = (at + 1, removed - 1);
            }
            if line.starts_with([' ', '+']) {
                new.push_str(content);
                added -= 1;
            }
            assert!(line.starts_with([' ', '-', '+']), "{line}");
        }
    }
    new.push_str(&old[at..].concat());
    new
}

mod by_kind {
    use super::*;

    #[test]
    fn a_removal_moves_to_the_earliest_legal_release() {
        becomes(
            "[group.\"example.com\".version]\n\
             v1beta1 = { introduced = \"1.0\", deprecated = \"1.3\", removed = \"1.4\", replacement = \"v1\" } # früh\n\
             v1 = { introduced = \"1.1\" }\n",
            "[group.\"example.com\".version]\n\
             v1beta1 = { introduced = \"1.0\", deprecated = \"1.3\", removed = \"1.6\", replacement = \"v1\" } # früh\n\
             v1 = { introduced = \"1.1\" }\n",
        );
        becomes(
            "[cli.tool]\naudience = \"user\"\n[cli.tool.flag.\"--f\"]\nintroduced = \"1.0\"\ndeprecated = '1.3'\nremoved = '1.5'\nwarning = \"w\"\n",
            "[cli.tool]\naudience = \"user\"\n[cli.tool.flag.\"--f\"]\nintroduced = \"1.0\"\ndeprecated = '1.3'\nremoved = \"1.6\"\nwarning = \"w\"\n",
        );
    }

    #[test]
    fn a_removal_that_was_not_announced_is_announced_with_its_successor_and_put_off() {
        becomes(
            "[group.\"example.com\".version]\n\
             v1beta1 = { introduced = \"1.3\", removed = \"1.6\" }\n\
             v1 = { introduced = \"1.5\" }\n",
            "[group.\"example.com\".version]\n\
             v1beta1 = { introduced = \"1.3\", deprecated = \"1.5\", removed = \"1.8\" }\n\
             v1 = { introduced = \"1.5\" }\n",
        );
    }

    #[test]
    fn a_removal_without_a_successor_to_announce_is_nobodys_guess() {
        stays("[group.\"example.com\".version]\nv1beta1 = { introduced = \"1.3\", removed = \"1.5\" }\n");
    }

    #[test]
    fn moves_are_put_off_until_both_versions_were_served() {
        becomes(
            "[group.\"example.com\".version]\n\
             v1beta1 = { introduced = \"1.0\" }\nv1 = { introduced = \"1.4\" }\n\
             [group.\"example.com\".preferred]\nv1beta1 = \"1.0\"\nv1 = \"1.4\" # bevorzugt\n\
             [group.\"example.com\".kind.Widget]\nstorage = { v1beta1 = \"1.0\", v1 = \"1.4\" }\n",
            "[group.\"example.com\".version]\n\
             v1beta1 = { introduced = \"1.0\" }\nv1 = { introduced = \"1.4\" }\n\
             [group.\"example.com\".preferred]\nv1beta1 = \"1.0\"\nv1 = \"1.5\" # bevorzugt\n\
             [group.\"example.com\".kind.Widget]\nstorage = { v1beta1 = \"1.0\", v1 = \"1.5\" }\n",
        );
    }

    #[test]
    fn a_warning_that_is_missing_is_written() {
        becomes(
            "[cli.tool]\naudience = \"user\"\n\
             flag.\"--a\" = { introduced = \"1.0\", deprecated = \"1.3\", replacement = \"--b\" }\n\
             flag.\"--b\" = { introduced = \"1.0\" }\n\
             command.drain.deprecated = \"1.2\"\n",
            "[cli.tool]\naudience = \"user\"\n\
             flag.\"--a\" = { introduced = \"1.0\", deprecated = \"1.3\", warning = \"--a is deprecated since 1.3; use --b instead\", replacement = \"--b\" }\n\
             flag.\"--b\" = { introduced = \"1.0\" }\n\
             command.drain.deprecated = \"1.2\"\n\
             command.drain.warning = \"drain is deprecated since 1.2 and will be removed in a later release\"\n",
        );
        becomes(
            "[gate.Glow]\noperational = false\ndeprecated = \"1.3\" # weg\nspecs = [{ stage = \"alpha\", since = \"1.0\", default = false }]\n",
            "[gate.Glow]\noperational = false\ndeprecated = \"1.3\" # weg\n\
             warning = \"feature gate Glow is deprecated since 1.3 and will be removed in a later release\"\n\
             specs = [{ stage = \"alpha\", since = \"1.0\", default = false }]\n",
        );
    }

    #[test]
    fn the_warning_of_a_gate_stands_beside_its_stages() {
        let stages = "{ stage = \"beta\", since = \"1.0\", default = true }, { stage = \"deprecated\", since = \"1.4\", default = false }";
        let gate = |warning: &str| format!("[gate.G]\nspecs = [{stages}] # why\n{warning}operational = true\n");
        let warning = "warning = \"feature gate G is deprecated since 1.4 and will be removed in a later release\"\n";
        becomes(&gate(""), &gate(warning));
        let stages = stages.replace("}, {", "},\n  {");
        let gate = |warning: &str| format!("[gate.G]\nspecs = [\n  {stages},\n]\n{warning}operational = true\n");
        becomes(&gate(""), &gate(warning));
    }

    /// It is due in the release in which its successor is introduced: putting it off leaves a warning instead of an error.
    #[test]
    fn a_removal_is_put_off_beyond_its_deadline_where_nothing_else_is_legal() {
        let model = |removed: &str| {
            format!(
                "[group.\"g.example\".version]\nv1beta1 = {{ introduced = \"1.0\", deprecated = \"1.1\", removed = \"{removed}\" }}\n\
                 v1 = {{ introduced = \"1.4\" }}\n[group.\"g.example\".kind.Widget]\n"
            )
        };
        becomes(&model("1.4"), &model("1.5"));
    }

    #[test]
    fn a_removed_field_gets_a_tombstone() {
        let model = |more: &str| {
            format!(
                "[group.\"example.com\".version]\nv1 = {{ introduced = \"1.0\" }}\n\
                 [group.\"example.com\".kind.Widget]\n\
                 field.\"spec.hum\" = {{ introduced = \"1.1\", removed = \"1.4\"{more}, gated-by = \"Glow\" }}\n\
                 enum.\"spec.way\".Up = {{ introduced = \"1.1\", removed = \"1.2\"{more}, gated-by = \"Glow\" }}\n\
                 [gate.Glow]\nspecs = [{{ stage = \"alpha\", since = \"1.1\", default = false }}]\n"
            )
        };
        becomes(&model(""), &model(", tombstone = true"));
    }

    #[test]
    fn the_help_of_a_deprecated_metric_gets_its_prefix() {
        let model = |help: &str| {
            format!(
                "[metric.m]\nspecs = [{{ stage = \"STABLE\", since = \"1.0\" }}]\ndeprecated = \"1.3\"\nhelp = {help} # Größe\n"
            )
        };
        becomes(&model("\"All of it\""), &model("\"(Deprecated from 1.3) All of it\""));
        becomes(&model("'C:\\all'"), &model("'(Deprecated from 1.3) C:\\all'"));
        becomes(
            &model("\"(Deprecated from 1.1) All of it\""),
            &model("\"(Deprecated from 1.3) All of it\""),
        );
        becomes(
            &model("\"(Deprecated from 1.1)\""),
            &model("\"(Deprecated from 1.3) \""),
        );
    }

    #[test]
    fn included_files_are_fixed_in_place() {
        let folder = folder(&[
            ("lifecycle.toml", &format!("include = [\"parts/*.toml\"]\n{CALENDAR}")),
            (
                "parts/a.toml",
                "[cli.a]\naudience = \"user\"\nflag.\"--x\" = { introduced = \"1.0\", deprecated = \"1.3\" }\n",
            ),
            (
                "parts/b.toml",
                "[gate.G]\ndeprecated = \"1.3\"\noperational = true\nspecs = [{ stage = \"alpha\", since = \"1.0\", default = false }]\r\n",
            ),
            ("parts/c.toml", "[behavior.c]\nintroduced = \"1.0\"\n"),
        ]);
        let main = read(&folder, "lifecycle.toml");
        let shown = run_in(&folder, &["fix"])
            .ended(1)
            .says(&["2 findings can be fixed in 2 files"]);
        assert!(
            shown.out.contains("--- a/parts/a.toml\n+++ b/parts/a.toml\n"),
            "{}",
            shown.out
        );
        run_in(&folder, &["fix", "--write"])
            .ended(0)
            .says(&["fixed 2 findings in 2 files"]);
        assert_eq!(read(&folder, "lifecycle.toml"), main);
        assert!(read(&folder, "parts/a.toml").contains("warning = \"--x is"));
        assert!(read(&folder, "parts/b.toml").contains("\nwarning = \"feature gate G is"));
        assert!(read(&folder, "parts/b.toml").ends_with("\r\n"));
        run_in(&folder, &["check"]).ended(0);
    }

    #[test]
    fn nothing_that_has_shipped_is_edited() {
        stays(
            "[group.\"example.com\".version]\n\
             v1beta1 = { introduced = \"1.0\", deprecated = \"1.2\", removed = \"1.3\", replacement = \"v1\" }\n\
             v1 = { introduced = \"1.1\" }\n\
             [group.\"example.com\".preferred]\nv1beta1 = \"1.0\"\nv1 = \"1.1\"\n\
             [cli.tool]\naudience = \"user\"\n\
             flag.\"--f\" = { introduced = \"1.0\", deprecated = \"1.2\", removed = \"1.3\", warning = \"w\" }\n",
        );
    }

    #[test]
    fn findings_with_an_exception_are_not_fixed() {
        stays(
            "[group.\"example.com\".version]\n\
             v1beta1 = { introduced = \"1.0\", deprecated = \"1.3\", removed = \"1.4\", replacement = \"v1\" }\n\
             v1 = { introduced = \"1.1\" }\n\
             [[exception]]\nrule = \"4a:early\"\nelement = \"example.com/v1beta1\"\nreason = \"nobody uses it\"\napproved-by = \"reviewers\"\n",
        );
    }

    #[test]
    fn an_exception_without_a_code_gets_the_only_one_that_is_found() {
        let model = |rule: &str| {
            format!(
                "[group.\"example.com\".version]\n\
                 v1beta1 = {{ introduced = \"1.0\", deprecated = \"1.2\", removed = \"1.3\", replacement = \"v1\" }}\n\
                 v1 = {{ introduced = \"1.1\" }}\n\
                 [[exception]]\nrule = \"{rule}\"\nelement = \"example.com/v1beta1\"\nreason = \"nobody uses it\"\napproved-by = \"reviewers\"\n"
            )
        };
        becomes(&model("4a"), &model("4a:early"));
    }

    #[test]
    fn findings_that_are_turned_off_are_left_alone() {
        let text = flags(2);
        let folder = folder(&[("lifecycle.toml", &text)]);
        for level in ["cli-warning", "6", "#6", "6:no-warning"] {
            run_in(&folder, &["fix", "--write", "-A", level])
                .ended(0)
                .says(&["nothing to fix"]);
        }
        assert_eq!(read(&folder, "lifecycle.toml"), text);
        run_in(&folder, &["fix", "--write", "-W", "6"])
            .ended(0)
            .says(&["fixed 2 findings in 1 file"]);
    }
}

mod files {
    use super::*;

    #[test]
    fn without_write_it_prints_a_diff_that_can_be_applied() {
        for text in [
            flags(30),
            flags(3).trim_end().to_owned(),
            flags(3).replace('\n', "\r\n"),
            flags(3).replace('\n', "\r\n").trim_end().to_owned(),
            flags(3)
                .replace(" = { introduced = \"1.0\", deprecated", ".deprecated")
                .replace(" } #", " #")
                .trim_end()
                .to_owned(),
            flags(3).replace("# f", "# ß\tf"),
        ] {
            let folder = folder(&[("lifecycle.toml", &text)]);
            let shown = run_in(&folder, &["fix"]).ended(1);
            assert_eq!(read(&folder, "lifecycle.toml"), text);
            assert_eq!(names(&folder).len(), 1);
            run_in(&folder, &["fix", "--write"]).ended(0);
            assert_eq!(patched(&text, &shown.out), read(&folder, "lifecycle.toml"));
            assert_eq!(names(&folder).len(), 1);
        }
    }

    #[test]
    fn after_fixing_check_and_fix_find_nothing() {
        let folder = folder(&[("lifecycle.toml", &flags(5))]);
        run_in(&folder, &["check"])
            .ended(1)
            .says(&["`lifecycle fix` tries to fix them"]);
        run_in(&folder, &["fix", "--write"])
            .ended(0)
            .says(&["fixed 5 findings in 1 file"]);
        let text = read(&folder, "lifecycle.toml");
        run_in(&folder, &["check"]).ended(0);
        for arguments in [&["fix"][..], &["fix", "--write"]] {
            let run = run_in(&folder, arguments).ended(0).says(&["nothing to fix"]);
            assert_eq!(run.out, "");
            assert_eq!(read(&folder, "lifecycle.toml"), text);
        }
    }

    #[test]
    fn a_byte_order_mark_stays() {
        let text = format!("\u{feff}{}", flags(1));
        let folder = folder(&[("lifecycle.toml", &text)]);
        run_in(&folder, &["fix", "--write"]).ended(0);
        let now = read(&folder, "lifecycle.toml");
        assert!(
            now.starts_with("\u{feff}[calendar]") && now.contains("warning"),
            "{now}"
        );
        let again = run_on(&text, &["fix", "--write", "-"]).ended(0);
        assert_eq!(again.out, now);
    }

    #[test]
    fn a_model_from_standard_input_is_answered_on_standard_output_alone() {
        let text = flags(2);
        let shown = run_on(&text, &["fix", "-"]).ended(1);
        let written = run_on(&text, &["fix", "-", "--write"]).ended(0);
        assert_eq!(patched(&text, &shown.out), written.out);
        assert_eq!(run_on(&written.out, &["fix", "-", "--write"]).ended(0).out, written.out);
    }

    #[test]
    fn files_that_standard_input_includes_are_not_part_of_the_answer() {
        let more = "[cli.more]\naudience = \"user\"\nflag.\"--x\" = { introduced = \"1.0\", deprecated = \"1.3\" }\n";
        let folder = folder(&[("more.toml", more)]);
        let text = format!("include = [\"more.toml\"]\n{}", flags(1));
        let run = finish(program(folder.path(), &["fix", "-", "--write"]), text.as_bytes()).ended(0);
        assert!(
            run.out.starts_with("include") && !run.out.contains("cli.more"),
            "{}",
            run.out
        );
        assert!(read(&folder, "more.toml").contains("warning = \"--x is"));
    }

    #[test]
    fn errors_are_reported_and_nothing_is_written() {
        let text = format!("{}x = 1\n", flags(1));
        let folder = folder(&[("lifecycle.toml", &text)]);
        for arguments in [&["fix"][..], &["fix", "--write"]] {
            run_in(&folder, arguments)
                .ended(2)
                .says(&["unknown key", "aborting due to"]);
            assert_eq!(read(&folder, "lifecycle.toml"), text);
        }
    }

    #[cfg(unix)]
    fn set_mode(folder: &TempDir, name: &str, mode: u32) {
        use std::os::unix::fs::PermissionsExt;
        let path = folder.path().join(name);
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("it is ours");
    }

    #[cfg(unix)]
    #[test]
    fn permissions_stay() {
        use std::os::unix::fs::PermissionsExt;
        for mode in [0o600, 0o640, 0o664, 0o755] {
            let folder = folder(&[("lifecycle.toml", &flags(1))]);
            set_mode(&folder, "lifecycle.toml", mode);
            run_in(&folder, &["fix", "--write"]).ended(0);
            let now = folder
                .path()
                .join("lifecycle.toml")
                .metadata()
                .expect("it is there")
                .permissions();
            assert_eq!(now.mode() & 0o777, mode);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_read_only_folder_is_an_error_and_the_file_stays() {
        let folder = folder(&[("here/lifecycle.toml", &flags(1))]);
        set_mode(&folder, "here", 0o555);
        let here = folder.path().join("here");
        let run = finish(program(&here, &["fix", "--write"]), b"");
        // Root may write where it may not.
        let holds = tempfile::tempfile_in(&here).is_err();
        set_mode(&folder, "here", 0o755);
        if holds {
            run.ended(2).says(&["cannot write lifecycle.toml", "help: "]);
            assert_eq!(read(&folder, "here/lifecycle.toml"), flags(1));
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_read_only_file_is_an_error_and_stays() {
        let folder = folder(&[("lifecycle.toml", &flags(1))]);
        set_mode(&folder, "lifecycle.toml", 0o444);
        run_in(&folder, &["fix", "--write"])
            .ended(2)
            .says(&["cannot write lifecycle.toml", "read-only", "help: "]);
        assert_eq!(read(&folder, "lifecycle.toml"), flags(1));
        assert_eq!(names(&folder).len(), 1);
    }

    /// Either all files are fixed or, if one cannot be, none.
    #[cfg(unix)]
    #[test]
    fn where_one_file_cannot_be_written_none_is() {
        let more = "[cli.more]\naudience = \"user\"\nflag.\"--x\" = { introduced = \"1.0\", deprecated = \"1.3\" }\n";
        let main = format!("include = [\"more.toml\"]\n{}", flags(1));
        let folder = folder(&[("lifecycle.toml", &main), ("more.toml", more)]);
        set_mode(&folder, "more.toml", 0o444);
        run_in(&folder, &["fix", "--write"])
            .ended(2)
            .says(&["cannot write more.toml"]);
        assert_eq!(read(&folder, "lifecycle.toml"), main);
        assert_eq!(names(&folder).len(), 2);
    }

    /// The program reads the model, and then waits for its policy: meanwhile the model is changed.
    #[cfg(unix)]
    #[test]
    fn a_file_that_has_changed_since_it_was_read_is_not_overwritten() {
        let folder = folder(&[("lifecycle.toml", &flags(1))]);
        let mut command = program(folder.path(), &["fix", "--write", "--policy", "/dev/stdin"]);
        let mut run = command.spawn().expect("the program starts");
        let mut policy = run.stdin.take().expect("standard input is piped");
        // A pipe holds less than this, so writing it ends once the program reads its policy.
        let comment = format!("# {}\n", "long ".repeat(1 << 20));
        std::io::Write::write_all(&mut policy, comment.as_bytes()).expect("it is read");
        let changed = format!("# mine\n{}", flags(1));
        crate::program::write(&folder, "lifecycle.toml", changed.as_bytes());
        std::io::Write::write_all(&mut policy, b"name = \"p\"\nextends = \"kubernetes\"\n").expect("it is read");
        drop(policy);
        let run = run.wait_with_output().expect("the program was run");
        let error = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{error}");
        for words in [
            "lifecycle.toml has changed since it was read",
            "help: nothing was written",
        ] {
            assert!(error.contains(words), "{error}");
        }
        assert_eq!(read(&folder, "lifecycle.toml"), changed);
        assert_eq!(names(&folder).len(), 1);
    }

    #[test]
    #[expect(
        clippy::disallowed_methods,
        reason = "moments are spread over as long as a run takes"
    )]
    fn a_process_that_is_ended_at_any_moment_leaves_the_old_file_or_the_new_one() {
        let old = flags(400);
        let folder = folder(&[("lifecycle.toml", &old)]);
        let begun = std::time::Instant::now();
        let started = run_in(&folder, &["fix", "--write"]).ended(0);
        let takes = begun.elapsed();
        assert!(started.err.contains("fixed 400 findings"), "{}", started.err);
        let new = read(&folder, "lifecycle.toml");
        let (mut before, mut after) = (0, 0);
        for round in 0..60_u32 {
            crate::program::write(&folder, "lifecycle.toml", old.as_bytes());
            let mut child = program(folder.path(), &["fix", "--write", "-q"])
                .spawn()
                .expect("the program starts");
            std::thread::sleep(takes * round / 45);
            child.kill().expect("a child can be ended");
            child.wait().expect("a child that was ended ends");
            let now = read(&folder, "lifecycle.toml");
            assert!(
                now == old || now == new,
                "round {round}: neither the old file nor the new one"
            );
            if now == old { before += 1 } else { after += 1 }
        }
        assert!(before > 0, "no round was ended before it had written: {after}");
        crate::program::write(&folder, "lifecycle.toml", old.as_bytes());
        run_in(&folder, &["fix", "--write"]).ended(0);
        assert_eq!(read(&folder, "lifecycle.toml"), new);
    }
}
