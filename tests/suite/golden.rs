//! Outputs over whole models, compared byte by byte with files in `tests/golden`. `SNAPSHOTS=overwrite` writes them
//! anew.

#![expect(
    clippy::expect_used,
    reason = "clippy.toml lets tests do it, and means the functions marked so; these help them"
)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lifecycle::Sources;
use lifecycle::evaluate::{Evaluation, Range};
use lifecycle::render::notes::built_in_templates;
use lifecycle::render::{csv, dot, html, ics, json, markdown, mermaid, svg};

use crate::support::{difference_from_snapshot, evaluate};

/// A folder in `tests/golden`, and the model its files are made from.
const MODELS: [(&str, &str); 2] = [
    ("widget", "examples/widget-timeline.toml"),
    ("kubernetes", "tests/golden/kubernetes/lifecycle.toml"),
];

/// Makes an output.
type Make = fn(&Evaluation, &Sources<'_>) -> String;

/// The files of each folder.
const OUTPUTS: [(&str, Make); 16] = [
    ("announcement.md", |evaluation, sources| {
        draft(evaluation, sources, "announcement.md", Coverage::One)
    }),
    ("changelog.md", |evaluation, sources| {
        draft(evaluation, sources, "changelog.md", Coverage::All)
    }),
    ("context.json", context),
    ("deprecations.md", |evaluation, sources| {
        draft(evaluation, sources, "deprecations.md", Coverage::All)
    }),
    ("migration-guide.md", |evaluation, sources| {
        draft(evaluation, sources, "migration-guide.md", Coverage::All)
    }),
    ("notes-of-a-range.md", |evaluation, sources| {
        draft(evaluation, sources, "notes.md", Coverage::Range)
    }),
    ("notes.md", |evaluation, sources| {
        draft(evaluation, sources, "notes.md", Coverage::One)
    }),
    ("picture.json", |evaluation, sources| {
        text(|out| json::value(&evaluation.picture(sources), out))
    }),
    ("plan.csv", plan_csv),
    ("plan.ics", plan_ics),
    ("plan.md", |evaluation, sources| {
        markdown::plan(&evaluation.report(sources)).expect("the template fits")
    }),
    ("timeline.dot", |evaluation, sources| {
        text(|out| dot::picture(&evaluation.picture(sources), out))
    }),
    ("timeline.html", |evaluation, sources| {
        without_looks(&html::picture(&evaluation.picture(sources)).expect("the template fits"))
    }),
    ("timeline.mmd", |evaluation, sources| {
        text(|out| mermaid::picture(&evaluation.picture(sources), out).map(|_| ()))
    }),
    ("timeline.svg", |evaluation, sources| {
        text(|out| svg::picture(&evaluation.picture(sources), out))
    }),
    ("warnings.md", |evaluation, sources| {
        draft(evaluation, sources, "warnings.md", Coverage::All)
    }),
];

/// Which releases a draft covers.
#[derive(Clone, Copy)]
enum Coverage {
    One,
    Range,
    All,
}

/// The releases that drafts cover: in the worked example and in Kubernetes, the first and the last of a range.
const RELEASES: [(&str, &str); 2] = [("X+8", "X+12"), ("1.22", "1.25")];

fn range(evaluation: &Evaluation, coverage: Coverage) -> Range {
    let find = |name: &str| evaluation.find_covered(name).ok();
    let (first, last) = RELEASES
        .iter()
        .find_map(|(first, last)| Some((find(first)?, find(last)?)))
        .expect("the model has the releases of a draft");
    Range {
        release: (!matches!(coverage, Coverage::All)).then_some(last),
        since: matches!(coverage, Coverage::Range).then_some(first),
        tentative: false,
    }
}

fn draft(evaluation: &Evaluation, sources: &Sources<'_>, template: &str, coverage: Coverage) -> String {
    let notes = evaluation.notes(sources, range(evaluation, coverage));
    let draft = built_in_templates().render(template, &notes);
    draft.expect("the template fits")
}

fn context(evaluation: &Evaluation, sources: &Sources<'_>) -> String {
    text(|out| json::value(&evaluation.notes(sources, range(evaluation, Coverage::One)), out))
}

/// What a repository can bear.
const MOST_BYTES: usize = 1_000_000;

fn plan_csv(evaluation: &Evaluation, sources: &Sources<'_>) -> String {
    text(|out| csv::plan(&evaluation.report(sources), out))
}

fn plan_ics(evaluation: &Evaluation, sources: &Sources<'_>) -> String {
    text(|out| ics::Calendar::of(&evaluation.report(sources)).write(out))
}

fn text(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).expect("memory can be written to");
    String::from_utf8(bytes).expect("the output is UTF-8")
}

/// The page without its style and its script, which are in `templates/`.
fn without_looks(page: &str) -> String {
    let mut text = page.to_owned();
    for (begin, end) in [("<style>", "</style>"), ("<script>", "</script>")] {
        let start = text.find(begin).expect("the page has it") + begin.len();
        let length = text[start..].find(end).expect("it ends");
        text.replace_range(start..start + length, "\u{2026}");
    }
    text
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn folder(name: &str) -> PathBuf {
    root().join("tests/golden").join(name)
}

#[expect(clippy::disallowed_methods, reason = "models and golden files are in the tree")]
fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

#[test]
fn outputs_over_whole_models_are_those_of_the_golden_files() {
    let mut wrong = Vec::new();
    for (name, model) in MODELS {
        let text = read(&root().join(model));
        let mut sources = Sources::new();
        sources.add(model, &text);
        let evaluation = evaluate(&text).expect("the model can be read");
        for (file, make) in OUTPUTS {
            let path = folder(name).join(file);
            let made = make(&evaluation, &sources);
            assert!(made.len() <= MOST_BYTES, "{name}/{file} has {} bytes", made.len());
            assert_eq!(
                made,
                make(&evaluation, &sources),
                "{name}/{file} is not made alike twice"
            );
            let difference = difference_from_snapshot(&path, &made);
            wrong.extend(difference.map(|difference| format!("{name}/{file}: {difference}")));
        }
    }
    assert!(
        wrong.is_empty(),
        "SNAPSHOTS=overwrite writes them anew\n{}",
        wrong.join("\n")
    );
}

#[test]
fn every_golden_file_is_the_model_or_is_made() {
    let made: BTreeSet<&str> = OUTPUTS.iter().map(|(file, _)| *file).collect();
    for (name, _) in MODELS {
        let entries = std::fs::read_dir(folder(name)).expect("the folder is there");
        for entry in entries {
            let file = entry.expect("the folder can be read").file_name();
            let file = file.to_string_lossy();
            assert!(file == "lifecycle.toml" || made.contains(&*file), "{name}/{file}");
        }
    }
}
