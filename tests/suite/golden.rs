//! Outputs over whole models, compared byte by byte with files in `tests/golden`. `SNAPSHOTS=overwrite` writes them
//! anew.

#![expect(
    clippy::expect_used,
    reason = "clippy.toml lets tests do it, and means the functions marked so; these help them"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lifecycle::Sources;
use lifecycle::evaluate::{Evaluation, Range};
use lifecycle::render::formats::{PICTURE_FORMATS, PLAN_FORMATS, PlanOutput};
use lifecycle::render::notes::built_in_templates;
use lifecycle::render::{Style, json};

use crate::support::{difference_from_snapshot, evaluate};

/// A folder in `tests/golden`, and the model its files are made from.
const MODELS: [(&str, &str); 2] = [
    ("widget", "examples/widget-timeline.toml"),
    ("kubernetes", "tests/golden/kubernetes/lifecycle.toml"),
];

/// Makes an output.
type Make = fn(&Evaluation, &Sources<'_>) -> String;

/// The drafts, and the data that templates see.
const DRAFTS: [(&str, Make); 8] = [
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
        declared: false,
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

const STYLE: Style = Style {
    width: 100,
    color: false,
};

/// What a repository can bear.
const MOST_BYTES: usize = 1_200_000;

/// The files of each folder: the drafts, and a plan and a timeline in every format.
fn outputs(evaluation: &Evaluation, sources: &Sources<'_>) -> BTreeMap<String, String> {
    let drafts = DRAFTS
        .iter()
        .map(|(file, make)| ((*file).to_owned(), make(evaluation, sources)));
    let plans = PLAN_FORMATS.iter().map(|format| {
        let report = evaluation.report(sources);
        let plan = text(|out| (format.write)(PlanOutput::whole(&report, sources, STYLE), out).map(|_| ()));
        (format!("plan.{}", format.name), plan)
    });
    let timelines = PICTURE_FORMATS.iter().map(|format| {
        let drawn = text(|out| (format.write)(&evaluation.picture(sources), out).map(|_| ()));
        let drawn = if format.name == "html" {
            without_looks(&drawn)
        } else {
            drawn
        };
        (format!("timeline.{}", format.name), drawn)
    });
    let glance = [("plan.overview".to_owned(), overview(evaluation, sources))];
    drafts.chain(plans).chain(glance).chain(timelines).collect()
}

/// The plan at a glance.
fn overview(evaluation: &Evaluation, sources: &Sources<'_>) -> String {
    let (report, overview) = (evaluation.report(sources), evaluation.overview());
    let plan = PlanOutput {
        overview: Some(&overview),
        ..PlanOutput::whole(&report, sources, STYLE)
    };
    text(|out| (PLAN_FORMATS[0].write)(plan, out).map(|_| ()))
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
fn every_output_has_its_golden_file_and_every_file_its_output() {
    let mut wrong = Vec::new();
    for (name, model) in MODELS {
        let text = read(&root().join(model));
        let mut sources = Sources::new();
        sources.add(model, &text);
        let evaluation = evaluate(&text).expect("the model can be read");
        let made = outputs(&evaluation, &sources);
        assert!(made == outputs(&evaluation, &sources), "{name} is not made alike twice");
        for (file, text) in &made {
            assert!(text.len() <= MOST_BYTES, "{name}/{file} has {} bytes", text.len());
            let difference = difference_from_snapshot(&folder(name).join(file), text);
            wrong.extend(difference.map(|difference| format!("{name}/{file}: {difference}")));
        }
        for entry in std::fs::read_dir(folder(name)).expect("the folder is there") {
            let file = entry.expect("the folder can be read").file_name();
            let file = file.to_string_lossy();
            if file != "lifecycle.toml" && !made.contains_key(&*file) {
                wrong.push(format!("{name}/{file}: nothing makes it"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "SNAPSHOTS=overwrite writes them anew\n{}",
        wrong.join("\n")
    );
}
