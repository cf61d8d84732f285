//! The surface through the releases, as data and drawn.

#![expect(
    clippy::expect_used,
    reason = "clippy.toml lets tests do it, and means the functions marked so; these help them"
)]

use std::fmt::Write as _;

use lifecycle::evaluate::Evaluation;
use lifecycle::report::{PictureReport, RowReport, SpanReport};
use lifecycle::source::Sources;

use crate::support::evaluate;

const WIDGET: &str = include_str!("../../examples/widget-timeline.toml");

/// One of each: two lives, a class that changes, three stages, a hidden metric, a value tolerated, a deprecation taken back.
const SMALL: &str = r#"
[calendar]
current = "1.4"
cadence = { months = 4 }
[calendar.releases]
"1.0" = 2022-01-01
"1.1" = 2022-05-01
"1.2" = 2022-09-01
"1.3" = 2023-01-01
"1.4" = 2023-05-01
"1.5" = 2023-09-01

[group."g.example".version]
v1 = { introduced = "1.0", deprecated = ["1.1"], undeprecated = "1.3" }
v1alpha1 = { lives = [{ introduced = "1.0", removed = "1.1" }, { introduced = "1.3", removed = "1.4" }] }
[group."g.example".kind.Widget.enum."spec.policy"]
OnMonday = { tolerated = "1.1", introduced = "1.2" }
[group."h.example".version]
v1 = { introduced = "1.1" }
v1beta1 = { introduced = "1.0", deprecated = "1.1", removed = "1.5" }
[group."h.example".kind.Cog]
[group."h.example".kind.Gear.version]
v1 = { introduced = "1.3" }
v1beta1 = { introduced = "1.0", deprecated = "1.3", removed = "1.6" }
[metric.queue_total]
specs = [{ stage = "ALPHA", since = "1.0" }, { stage = "STABLE", since = "1.2" }]
deprecated = "1.3"
hidden = "1.6"
removed = "1.7"
[gate.Fast]
specs = [
  { stage = "alpha", since = "1.0", default = false },
  { stage = "beta", since = "1.2", default = true },
  { stage = "GA", since = "1.4", default = true, locked = true },
]
[cli.tool]
audience = "user"
[cli.tool.command.run.flag."--fast"]
introduced = "1.1"
removed = "1.2"
"#;

/// What a test does with the picture of a model.
fn with_picture<T>(text: &str, look: impl FnOnce(&PictureReport<'_>) -> T) -> T {
    let mut sources = Sources::new();
    sources.add("lifecycle.toml", text);
    let evaluation: Evaluation = evaluate(text).expect("the model can be read");
    look(&evaluation.picture(&sources))
}

/// A row's bands in short: `alpha served 1.0 to 1.2` with `~` before what was not declared.
fn bands(picture: &PictureReport<'_>, id: &str) -> String {
    let row = row(picture, id);
    let name = |at: usize| picture.releases[at].release;
    let mut text = String::new();
    for band in &row.bands {
        let level = band.level.map(|level| format!("{level} ")).unwrap_or_default();
        let planned = if band.declared { "" } else { "~" };
        let _ = write!(text, "{level}{} {planned}{}, ", band.state, name(band.from));
    }
    text.trim_end_matches(", ").to_owned()
}

fn row<'p, 'a>(picture: &'p PictureReport<'a>, id: &str) -> &'p RowReport<'a> {
    let mut rows = picture.groups.iter().flat_map(|group| &group.rows);
    rows.find(|row| row.id == id).expect("there is such a row")
}

fn span(from: usize, until: Option<usize>) -> SpanReport {
    SpanReport { from, until }
}

#[test]
fn a_row_has_the_states_of_all_its_lives() {
    with_picture(SMALL, |picture| {
        let states = |id| bands(picture, id);
        assert_eq!(
            states("g.example/v1alpha1"),
            "served 1.0, gone 1.1, served 1.3, gone 1.4"
        );
        assert_eq!(states("g.example/v1 Widget"), "served 1.0, deprecated 1.1, served 1.3");
        assert_eq!(states("g.example/v1"), "served 1.0, deprecated 1.1, served 1.3");
        assert_eq!(states("h.example/v1beta1 Cog"), "served 1.0, deprecated 1.1, gone 1.5");
        assert_eq!(states("h.example/v1beta1"), "served 1.0, deprecated 1.3, gone 1.6");
        assert_eq!(
            states("g.example/v1 Widget .spec.policy=OnMonday"),
            "tolerated 1.1, deprecated 1.2, served 1.3"
        );
        assert_eq!(states("cli tool run --fast"), "served 1.1, gone 1.2");
        assert_eq!(states("cli tool run"), "served ~1.0");
    });
}

#[test]
fn stages_and_classes_divide_bands() {
    with_picture(SMALL, |picture| {
        let metric = "alpha served 1.0, stable served 1.2, stable deprecated 1.3, stable hidden 1.6, gone 1.7";
        assert_eq!(bands(picture, "metric queue_total"), metric);
        let gate = "alpha served 1.0, beta served 1.2, ga deprecated 1.4, gone ~1.6";
        assert_eq!(bands(picture, "gate Fast"), gate);
    });
}

#[test]
fn rows_know_their_group_their_depth_and_what_is_wrong_with_them() {
    with_picture(SMALL, |picture| {
        let groups: Vec<_> = picture.groups.iter().map(|group| group.group.as_str()).collect();
        assert_eq!(groups, ["g.example", "h.example", "cli tool", "gates", "metrics"]);
        let labels = |id| (row(picture, id).label, row(picture, id).depth);
        assert_eq!(labels("g.example/v1"), ("v1", 0));
        assert_eq!(labels("g.example/v1 Widget"), ("v1 Widget", 1));
        let value = "g.example/v1 Widget .spec.policy=OnMonday";
        assert_eq!(labels(value), ("v1 Widget .spec.policy=OnMonday", 2));
        assert_eq!(labels("cli tool run"), ("run", 0));
        assert_eq!(labels("cli tool run --fast"), ("run --fast", 1));
        assert_eq!(labels("gate Fast"), ("Fast", 0));
        let flag = row(picture, "cli tool run --fast");
        let codes: Vec<_> = flag
            .violations
            .iter()
            .map(|found| (found.severity, found.code))
            .collect();
        assert_eq!(codes, [("error", "early")]);
        assert_eq!(flag.violations[0].file.as_deref(), Some("lifecycle.toml"));
        assert!(picture.violations.is_empty());
    });
}

#[test]
fn the_axis_goes_on_to_the_last_thing_planned() {
    with_picture(SMALL, |picture| {
        let names: Vec<_> = picture.releases.iter().map(|moment| moment.release).collect();
        assert_eq!(names[0], "1.0");
        assert_eq!(names[picture.current.expect("there is a current one")], "1.4");
        assert_eq!(names.last(), Some(&"1.7"));
    });
    with_picture(WIDGET, |picture| {
        assert_eq!(picture.releases.len(), 16);
        assert_eq!(picture.current, None);
    });
    let short = WIDGET.replace("count = 16", "count = 10");
    with_picture(&short, |picture| {
        assert_eq!(picture.releases.len(), 16, "X+15 removes v2beta2");
        assert_eq!(row(picture, "widgets.example.com/v2").preferred, [span(13, None)]);
    });
}

#[test]
fn reigns_of_versions_are_those_of_the_timeline() {
    with_picture(WIDGET, |picture| {
        let version = |name: &str| row(picture, &format!("widgets.example.com/{name}"));
        assert_eq!(version("v1beta1").preferred, [span(2, Some(4))]);
        assert_eq!(version("v1").preferred, [span(6, Some(13))]);
        assert_eq!(version("v2").preferred, [span(13, None)]);
        assert_eq!(version("v1").stored, [span(6, Some(13))], "then the kinds differ");
        assert_eq!(row(picture, "widgets.example.com/v1 Widget").stored, [span(6, None)]);
        assert_eq!(row(picture, "widgets.example.com/v2 Gadget").stored, [span(13, None)]);
        assert_eq!(
            bands(picture, "widgets.example.com/v1beta1"),
            "served X+2, deprecated ~X+3, gone ~X+6"
        );
    });
}
