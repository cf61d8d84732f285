//! What the tests share: evaluating a text, and reading the marks in it.

#![cfg(test)]
#![allow(dead_code, reason = "two test binaries share this file, and each uses a part of it")]

use std::path::Path;

use lifecycle::Document;
use lifecycle::diagnostic::Diagnostic;
use lifecycle::evaluate::{Evaluation, Load};
use lifecycle::import::{Imported, Topic};
use lifecycle::{FileId, Sources};

/// Evaluates a model given as text; the errors if it cannot be read.
pub fn evaluate(text: &str) -> Result<Evaluation, Vec<Diagnostic>> {
    Load::new(&[Document::parse(FileId(0), text)]).evaluate()
}

/// Evaluates a model under a policy given as text, which may extend a built-in one.
pub fn evaluate_under(policy: &str, text: &str) -> Result<Evaluation, Vec<Diagnostic>> {
    let documents = [Document::parse(FileId(0), text)];
    let mut load = Load::new(&documents);
    load.add_policy("test-policy.toml", Document::parse(FileId(1), policy));
    load.choose_policy("test-policy.toml");
    load.evaluate()
}

/// All findings of a model, or the errors that prevent its evaluation.
pub fn findings(text: &str) -> Vec<Diagnostic> {
    match evaluate(text) {
        Ok(evaluation) => evaluation.findings().to_vec(),
        Err(errors) => errors,
    }
}

/// A finding as a mark: the line, the severity, the rule and the code.
pub type Mark = (u32, String, String, String);

/// The findings that the marks of a text expect: `# error: [slug] code` at the end of the line of the finding.
pub fn marks(text: &str) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        for severity in ["error", "warning", "note"] {
            for part in content.split(&format!("# {severity}: [")).skip(1) {
                let (slug, rest) = part.split_once(']').expect("a mark names a slug in brackets");
                let code = rest.split('#').next().unwrap_or_default().trim();
                assert!(!code.is_empty(), "a mark names a code: {content}");
                marks.push((line, severity.to_owned(), slug.to_owned(), code.to_owned()));
            }
        }
    }
    marks.sort();
    marks
}

/// The findings of a text, as marks.
pub fn marks_found(text: &str) -> Vec<Mark> {
    in_marks(text, &findings(text))
}

/// The new findings of a text compared with another one, as marks.
pub fn marks_of_change(base: &str, text: &str) -> Vec<Mark> {
    let document = [Document::parse(Sources::BASE, base)];
    let base = Load::new(&document).evaluate().expect("the base can be read");
    let mut evaluation = evaluate(text).expect("the change can be read");
    evaluation.compare_with("base", &base);
    let new = evaluation.findings().iter().filter(|finding| finding.known.is_none());
    in_marks(text, &new.cloned().collect::<Vec<_>>())
}

/// The new findings of a text compared with another one: severity, rule, code, element.
pub fn new_since(base: &str, text: &str) -> Vec<String> {
    let document = [Document::parse(Sources::BASE, base)];
    let base = Load::new(&document).evaluate().expect("the base can be read");
    let mut evaluation = evaluate(text).unwrap_or_else(|errors| panic!("{errors:?}"));
    evaluation.compare_with("base", &base);
    let new = evaluation.findings().iter().filter(|finding| finding.known.is_none());
    new.map(|finding| {
        let element = finding.element.as_deref().unwrap_or("-");
        format!("{} {} {} {element}", finding.severity, finding.rule, finding.code)
    })
    .collect()
}

/// Findings in a text, as marks.
pub fn in_marks(text: &str, findings: &[Diagnostic]) -> Vec<Mark> {
    let mut sources = Sources::new();
    sources.add("model.toml", text);
    let mut found: Vec<Mark> = findings
        .iter()
        .map(|finding| {
            let place = finding.primary.as_ref().expect("a finding has a place");
            let (_, location) = sources.locate(place.span).expect("the place is in the text");
            (
                location.line,
                finding.severity.to_string(),
                finding.rule.to_owned(),
                finding.code.to_string(),
            )
        })
        .collect();
    found.sort();
    found
}

/// Asserts that a text equals its file; or writes the file, with `SNAPSHOTS=overwrite`.
pub fn agrees_with_snapshot(path: &Path, found: &str) {
    let difference = difference_from_snapshot(path, found);
    assert!(
        difference.is_none(),
        "{}: {}; SNAPSHOTS=overwrite rewrites it",
        path.display(),
        difference.unwrap_or_default()
    );
}

/// The first line in which a text differs from its file. With `SNAPSHOTS=overwrite`, the file is written instead.
#[expect(clippy::disallowed_methods, reason = "snapshots are files next to the tests")]
pub fn difference_from_snapshot(path: &Path, found: &str) -> Option<String> {
    if std::env::var("SNAPSHOTS").is_ok_and(|how| how == "overwrite") {
        std::fs::write(path, found).expect("the snapshot can be written");
        return None;
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    if kept == found {
        return None;
    }
    let mut lines = (1..).zip(kept.split('\n').zip(found.split('\n')));
    let differing = lines.find(|(_, (kept, found))| kept != found);
    Some(match differing {
        Some((line, (kept, found))) => format!("line {line}: {kept:?} in the file, {found:?} was made"),
        None => "one is longer than the other".to_owned(),
    })
}

/// What an import reports about a topic.
pub fn reported(imported: &Imported, topic: Topic) -> Vec<&str> {
    let notices = imported.notices.iter().filter(|notice| notice.topic == topic);
    notices.map(|notice| notice.text.as_str()).collect()
}
