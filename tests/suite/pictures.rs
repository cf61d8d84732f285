//! The surface through the releases, as data and drawn.

#![expect(
    clippy::expect_used,
    reason = "clippy.toml lets tests do it, and means the functions marked so; these help them"
)]

use std::fmt::Write as _;

use lifecycle::Sources;
use lifecycle::diagnostic::Severity;
use lifecycle::evaluate::Evaluation;
use lifecycle::render::formats::PICTURE_FORMATS;
use lifecycle::report::{ElementReport, GroupReport, Moment, PictureReport, RowReport, SpanReport, State};
use proptest::{prop_assert, prop_assert_eq, proptest};
use roxmltree::{Document, Node};

use crate::support::evaluate;
use crate::worlds::{cases, evaluated_text, world_with_moves};

const WIDGET: &str = include_str!("../../examples/widget-timeline.toml");

/// One of each: two lives, a class that changes, three stages, a hidden metric, a value tolerated, a deprecation taken
/// back.
const SMALL: &str = concat!(
    "\n",
    calendar!(current "1.4", to "1.5"),
    r#"
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
"#
);

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
            "served 1.0, removed 1.1, served 1.3, removed 1.4"
        );
        assert_eq!(states("g.example/v1 Widget"), "served 1.0, deprecated 1.1, served 1.3");
        assert_eq!(states("g.example/v1"), "served 1.0, deprecated 1.1, served 1.3");
        assert_eq!(
            states("h.example/v1beta1 Cog"),
            "served 1.0, deprecated 1.1, removed 1.5"
        );
        assert_eq!(states("h.example/v1beta1"), "served 1.0, deprecated 1.3, removed 1.6");
        assert_eq!(
            states("g.example/v1 Widget .spec.policy=OnMonday"),
            "tolerated 1.1, deprecated 1.2, served 1.3"
        );
        assert_eq!(states("cli tool run --fast"), "served 1.1, removed 1.2");
        assert_eq!(states("cli tool run"), "served ~1.0");
    });
}

#[test]
fn stages_and_classes_divide_bands() {
    with_picture(SMALL, |picture| {
        let metric = "ALPHA served 1.0, STABLE served 1.2, STABLE deprecated 1.3, STABLE hidden 1.6, removed 1.7";
        assert_eq!(bands(picture, "metric queue_total"), metric);
        let gate = "alpha served 1.0, beta served 1.2, GA deprecated 1.4, removed ~1.6";
        assert_eq!(bands(picture, "gate Fast"), gate);
    });
}

#[test]
fn rows_have_their_group_depth_and_findings() {
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
        assert_eq!(codes, [(Severity::Error, "early")]);
        assert_eq!(flag.violations[0].file.as_deref(), Some("lifecycle.toml"));
        assert!(picture.violations.is_empty());
    });
}

#[test]
fn the_axis_extends_to_the_last_planned_event() {
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
fn preferred_and_storage_versions_are_those_of_the_timeline() {
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
            "served X+2, deprecated ~X+3, removed ~X+6"
        );
    });
}

/// Everything that could be taken for a sign of a format's own.
const HOSTILE: &str = r#"
[calendar]
cadence = { months = 4 }
symbolic = { origin = "X", count = 4 }
[group."<script>alert('1')</script>"]
owner = "a\u001b[31m & \"b\" ]]> \u0000 \u202e"
tracking = "http://x?a=1&b=<2>"
[group."<script>alert('1')</script>".version]
"v1;#:end\\" = { introduced = "X", replacement = "gate end" }
v1beta1 = { introduced = "X", deprecated = "X", removed = "X+1" }
"v2\"quoted\\N" = { introduced = "X+1" }
[group."a.very.long.name.that.goes.on.and.on.and.on.and.on.and.on.and.on.and.on.example.com".version]
v1 = { introduced = "X" }
[group."a.very.long.name.that.goes.on.and.on.and.on.and.on.and.on.and.on.and.on.example.com".kind]
"😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀" = {}
[cli."a & b"]
audience = "user"
[cli."a & b".flag."--x`y\"z'<>{}|[]()"]
introduced = "X"
removed = "X+2"
[gate.end]
specs = [{ stage = "alpha", since = "X", default = false }]
[metric."section: x; y # z %% --> click"]
specs = [{ stage = "ALPHA", since = "X" }]
"#;

/// A picture in a format.
fn drawn(picture: &PictureReport<'_>, format: &str) -> String {
    let mut out = Vec::new();
    let mut formats = PICTURE_FORMATS.iter();
    let format = formats.find(|known| known.name == format);
    (format.expect("there is such a format").write)(picture, &mut out).expect("a text can be written to");
    String::from_utf8(out).expect("it is UTF-8")
}

/// What is wrong with a drawing as SVG: not well-formed, without a title, words outside of their band.
fn faults_of_svg(text: &str) -> Vec<String> {
    let document = match Document::parse(text) {
        Ok(document) => document,
        Err(problem) => return vec![problem.to_string()],
    };
    let mut errors = Vec::new();
    let number = |node: Node<'_, '_>, name: &str| node.attribute(name).and_then(|value| value.parse::<f64>().ok());
    let right = number(document.root_element(), "width").unwrap_or_default();
    for band in document.descendants().filter(|node| node.has_tag_name("g")) {
        let parts: Vec<Node<'_, '_>> = band.children().collect();
        let of_class = |class: &str| {
            parts.iter().copied().find(|node| {
                let classes = node.attribute("class").unwrap_or_default();
                classes.split(' ').any(|one| one == class)
            })
        };
        let (Some(rect), Some(words)) = (of_class("band"), of_class("in")) else {
            continue;
        };
        if of_class("band").is_some() && !parts.iter().any(|node| node.has_tag_name("title")) {
            errors.push("a band without a title".to_owned());
        }
        let (from, width) = (
            number(rect, "x").unwrap_or(f64::NAN),
            number(rect, "width").unwrap_or(f64::NAN),
        );
        let start = number(words, "x").unwrap_or(f64::NAN);
        let word = words.text().unwrap_or_default();
        let length = word.chars().map(|_| 5.6).sum::<f64>();
        if !(start >= from && start + length <= from + width && from + width <= right) {
            errors.push(format!("`{word}` leaves its band"));
        }
    }
    errors
}

/// What is wrong with a graph: the labels of its nodes are no XML, or a name is not quoted.
fn faults_of_dot(text: &str) -> Vec<String> {
    let labels = text.lines().filter_map(|line| {
        let (_, rest) = line.split_once("[label=<")?;
        rest.split_once(">, tooltip=").map(|(label, _)| label)
    });
    let wrong = |label: &str| {
        Document::parse(label)
            .err()
            .map(|problem| format!("{problem}: {label}"))
    };
    labels.filter_map(wrong).collect()
}

/// What is wrong with a diagram: lines of a form that Mermaid does not know.
fn faults_of_mermaid(text: &str) -> Vec<String> {
    let is_fine = |line: &str| {
        let known = [
            "gantt",
            "timeline",
            "%%",
            "    title ",
            "    dateFormat ",
            "    axisFormat ",
            "    todayMarker ",
        ];
        let task = |rest: &str| {
            let dates = rest
                .rsplit_once(", ")
                .map(|(before, end)| (before.rsplit(' ').next(), end));
            dates.is_some_and(|(start, end)| {
                start.is_some_and(|start| start.len() == 10) && (end.len() == 10 || end.ends_with('d'))
            })
        };
        let bare = |text: &str| {
            let mut pieces = text.split('#');
            let first = pieces
                .next()
                .is_some_and(|first| !first.contains([';', ':', '"', '<', '>', '%']));
            first
                && pieces.all(|piece| {
                    piece.split_once(';').is_some_and(|(code, rest)| {
                        code.parse::<u32>().is_ok() && !rest.contains([';', ':', '"', '<', '>', '%'])
                    })
                })
        };
        match line.strip_prefix("    ") {
            _ if known.iter().any(|known| line.starts_with(known)) => true,
            Some(line) if line.starts_with("section ") => bare(line),
            Some(line) => match line.split_once(" :") {
                Some((name, rest)) if !rest.starts_with(' ') => bare(name) && task(rest),
                _ => line.split(" : ").all(bare),
            },
            None => false,
        }
    };
    text.lines().filter(|line| !is_fine(line)).map(str::to_owned).collect()
}

#[test]
fn what_users_type_breaks_no_drawing() {
    for model in [WIDGET, SMALL, HOSTILE] {
        with_picture(model, |picture| {
            assert_eq!(faults_of_svg(&drawn(picture, "svg")), Vec::<String>::new());
            assert_eq!(faults_of_dot(&drawn(picture, "dot")), Vec::<String>::new());
            assert_eq!(faults_of_mermaid(&drawn(picture, "mermaid")), Vec::<String>::new());
        });
    }
}

#[test]
fn a_name_is_drawn_as_it_was_typed() {
    with_picture(HOSTILE, |picture| {
        let svg = drawn(picture, "svg");
        let document = Document::parse(&svg).expect("it is XML");
        let texts: Vec<_> = document.descendants().filter_map(|node| node.text()).collect();
        assert!(texts.contains(&"<script>alert('1')</script>"));
        assert!(!svg.contains("<script"));
        assert!(
            texts
                .iter()
                .any(|text| text.contains("owner: a\u{fffd}[31m & \"b\" ]]> \u{fffd} \u{fffd}"))
        );
        let long = "a.very.long.name.that.goes.on.and.on.and.on.and.on.and.on.and.on.and.on.example.com";
        assert!(texts.contains(&long), "it is cut, and whole in its title");
        assert!(
            texts
                .iter()
                .any(|text| text.starts_with("a.very.long") && text.contains('…'))
        );
    });
}

#[test]
fn dates_make_a_gantt_chart_and_their_absence_a_timeline() {
    with_picture(SMALL, |picture| {
        let text = drawn(picture, "mermaid");
        assert!(text.contains("\ngantt\n"), "{text}");
        assert!(
            text.contains("    queue_total ALPHA :done, 2023-01-01, 2023-09-01\n"),
            "{text}"
        );
        assert!(
            text.contains("    run --fast removed :crit, milestone, 2023-09-01, 0d\n"),
            "{text}"
        );
        assert!(
            text.contains("    Fast removed (planned) :milestone, 2025-01-01, 0d\n"),
            "{text}"
        );
    });
    let undated = r#"
        calendar.releases = { "1.0" = 2024-01-01, "1.1" = 2024-05-01 }
        cli.tool = { audience = "admin", flag."--fast" = { deprecated = "1.1" } }
    "#;
    let text = drawn_of(undated);
    assert!(
        text.starts_with("timeline\n"),
        "what is planned after the last date has none: {text}"
    );
    assert!(drawn_of(WIDGET).contains("\ntimeline\n"));
}

fn drawn_of(model: &str) -> String {
    with_picture(model, |picture| drawn(picture, "mermaid"))
}

#[test]
fn a_removal_that_comes_too_early_shows_when_it_could_come() {
    with_picture(SMALL, |picture| {
        let text = drawn(picture, "svg");
        let document = Document::parse(&text).expect("it is XML");
        let titles: Vec<_> = document
            .descendants()
            .filter(|node| node.has_tag_name("title"))
            .collect();
        let reported = |title: &str| titles.iter().filter(|node| node.text() == Some(title)).count();
        assert_eq!(
            reported("cli tool run --fast: earliest allowed removal 1.5 (2024-09-01)"),
            1
        );
        assert_eq!(
            reported("gate Fast: earliest allowed removal 1.6 (projected 2025-01-01)"),
            0,
            "it is planned so"
        );
        let planned = "gate Fast: removed from 1.6 (projected 2025-01-01) on; planned";
        assert_eq!(reported(planned), 1);
        assert!(text.contains("class=\"too-early\""));
    });
}

/// How bright a color is, from 0 to 1, as the guidelines for accessible content define it.
fn luminance(color: &str) -> f64 {
    let part = |at: usize| {
        let value = u8::from_str_radix(&color[at..at + 2], 16).expect("a color is #rrggbb");
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
}

#[test]
fn every_text_can_be_read_in_light_and_in_dark() {
    let style = include_str!("../../src/render/svg/style.css");
    let (light, dark) = style
        .split_once("@media (prefers-color-scheme: dark)")
        .expect("there are two themes");
    for (theme, rules) in [("light", light), ("dark", dark)] {
        let fill = |selector: &str| {
            let rule = rules.lines().find(|line| {
                let mut names = line.split('{').next().unwrap_or_default().split(", ");
                names.any(|name| name.trim() == selector) && line.contains("fill: #")
            });
            let rule = rule.unwrap_or_else(|| panic!("{selector} has a fill in {theme}"));
            let at = rule.find("fill: #").expect("it has one") + "fill: ".len();
            luminance(&rule[at..at + 7])
        };
        let on = |text: &str, ground: &str| {
            let (one, other) = (fill(text), fill(ground));
            let ratio = (one.max(other) + 0.05) / (one.min(other) + 0.05);
            assert!(ratio >= 4.5, "{text} on {ground} in {theme}: {ratio:.2}");
        };
        for ground in [".paper", ".strip", ".ahead"] {
            on("text", ground);
            on(".soft", ground);
        }
        for state in ["served", "deprecated", "hidden", "tolerated"] {
            on(&format!(".in-{state}"), &format!(".{state}"));
        }
        for ground in [".preferred", ".stored", ".error", ".warning", ".note"] {
            on(".letter", ground);
        }
    }
}

/// Whether a row agrees with the plan about the last life.
fn agrees(picture: &PictureReport<'_>, row: &RowReport<'_>, element: &ElementReport<'_>) -> bool {
    let name = |at: usize| picture.releases[at].release;
    let first = |state: State| {
        let mut bands = row.bands.iter().rev();
        bands.find(|band| band.state == state).map(|band| name(band.from))
    };
    let release = |moment: &Option<Moment<'_>>| moment.map(|moment| moment.release.to_owned());
    let gone = row
        .bands
        .last()
        .filter(|band| band.state == State::Removed)
        .map(|band| name(band.from).to_owned());
    let deprecated = release(&element.deprecated);
    let removed = release(&element.removed);
    let is_seen = deprecated.is_some() && deprecated != removed;
    gone == removed && (!is_seen || first(State::Deprecated).map(str::to_owned) == deprecated)
}

/// The versions preferred, release by release.
fn preferred(picture: &PictureReport<'_>, group: &GroupReport<'_>) -> Vec<(String, Option<String>)> {
    let rows = picture.groups.iter().find(|rows| rows.group == group.group);
    let versions = || rows.iter().flat_map(|rows| &rows.rows).filter(|row| row.depth == 0);
    let at = |release: &str| picture.releases.iter().position(|moment| moment.release == release);
    let one = |release: &str| {
        let at = at(release)?;
        let covers = |span: &SpanReport| span.from <= at && span.until.is_none_or(|until| at < until);
        let row = versions().find(|row| row.preferred.iter().any(covers))?;
        Some(row.label.to_owned())
    };
    let releases = group.releases.iter();
    releases.map(|row| (row.release.to_owned(), one(row.release))).collect()
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn pictures_agree_with_the_plan_and_can_be_drawn(world in world_with_moves()) {
        let text = world.text();
        let evaluation = evaluated_text(&world, &text);
        let mut sources = Sources::new();
        sources.add("lifecycle.toml", text.as_str());
        let picture = evaluation.picture(&sources);
        let report = evaluation.report(&sources);
        let rows: Vec<_> = picture.groups.iter().flat_map(|group| &group.rows).collect();
        prop_assert_eq!(rows.len(), report.elements.len());
        for (row, element) in rows.iter().zip(report.elements.iter()) {
            prop_assert_eq!(row.id, element.id);
            prop_assert!(agrees(&picture, row, &element), "{:?}\n{:?}\n{}", row.bands, element, text);
            for pair in row.bands.windows(2) {
                prop_assert_eq!(pair[0].until, Some(pair[1].from));
                prop_assert!(pair[0].from < pair[1].from);
            }
            prop_assert!(row.bands.last().is_none_or(|last| last.until.is_none()));
        }
        for group in report.groups.iter() {
            let expected: Vec<_> = group
                .releases
                .iter()
                .map(|row| (row.release.to_owned(), row.preferred.map(str::to_owned)))
                .collect();
            prop_assert_eq!(preferred(&picture, &group), expected);
        }
        prop_assert_eq!(faults_of_svg(&drawn(&picture, "svg")), Vec::<String>::new());
        prop_assert_eq!(faults_of_dot(&drawn(&picture, "dot")), Vec::<String>::new());
        prop_assert_eq!(faults_of_mermaid(&drawn(&picture, "mermaid")), Vec::<String>::new());
    }
}

mod program {
    use super::{PICTURE_FORMATS, WIDGET};
    use crate::program::{CALENDAR, MODEL, folder, run_in};

    #[expect(clippy::disallowed_methods, reason = "the program writes files")]
    fn read(folder: &tempfile::TempDir, name: &str) -> String {
        std::fs::read_to_string(folder.path().join(name)).expect("the file is there")
    }

    #[test]
    fn a_file_gets_what_would_be_printed_and_nothing_is_printed() {
        let folder = folder(&[("lifecycle.toml", MODEL), ("a", "old")]);
        for format in PICTURE_FORMATS.iter().map(|format| format.name) {
            let printed = run_in(&folder, &["render", "--format", format]).ended(0).out;
            assert!(!printed.is_empty());
            let run = run_in(&folder, &["render", "--format", format, "-o", "a"]).ended(0);
            assert_eq!((run.out.as_str(), run.err.as_str()), ("", ""));
            assert_eq!(read(&folder, "a"), printed, "{format}");
        }
        assert!(
            run_in(&folder, &["render"]).ended(0).out.contains("<svg "),
            "that is the default"
        );
    }

    #[test]
    fn what_is_read_is_not_written_whatever_it_is_called() {
        let with_parts = format!("include = [\"parts/*.toml\"]\npolicy = \"own.toml\"\n{CALENDAR}");
        let part = "[group.\"example.com\".version]\nv1 = { introduced = \"1.0\" }\n";
        let policy = "name = \"own\"\nedition = \"1\"\nextends = \"kubernetes\"\n";
        let folder = folder(&[
            ("lifecycle.toml", &with_parts),
            ("parts/a.toml", part),
            ("own.toml", policy),
        ]);
        for output in [
            "lifecycle.toml",
            "./parts/../lifecycle.toml",
            "parts/a.toml",
            "own.toml",
        ] {
            run_in(&folder, &["render", "-o", output])
                .ended(2)
                .says(&["would overwrite", "name another file"]);
        }
        for output in ["/dev/stdout", "/dev/fd/1", "-", ""] {
            run_in(&folder, &["render", "-o", output]).ended(2).says(&["help: "]);
        }
        run_in(&folder, &["render", "-o", "none/a.svg"])
            .ended(2)
            .says(&["create the folder first"]);
        assert_eq!(read(&folder, "parts/a.toml"), part);
        run_in(&folder, &["render", "-o", "a.svg"]).ended(0);
    }

    #[test]
    fn only_named_groups_are_drawn_and_an_unknown_one_is_reported() {
        let folder = folder(&[("lifecycle.toml", WIDGET)]);
        let chosen = [
            "render",
            "--format",
            "mermaid",
            "--group",
            "gates",
            "--group",
            "cli widgetctl",
        ];
        let run = run_in(&folder, &chosen).ended(0);
        assert!(run.out.contains("gates") && run.out.contains("cli widgetctl"));
        assert!(!run.out.contains("metrics"));
        run_in(&folder, &["render", "--group", "metric"])
            .ended(2)
            .says(&["did you mean `metrics`?"]);
        run_in(&folder, &["render", "--group", "zzz"])
            .ended(2)
            .says(&["groups: behaviors, cli widgetctl"]);
    }

    #[test]
    fn a_diagram_that_mermaid_would_reject_is_reported() {
        let gate = |at| format!("[gate.G{at}]\nspecs = [{{ stage = \"alpha\", since = \"1.0\", default = false }}]\n");
        let gates: String = (0..2_000).map(gate).collect();
        let folder = folder(&[("lifecycle.toml", &format!("{MODEL}{gates}"))]);
        let reported = ["more than 50000 characters", "maxTextSize", "--group"];
        run_in(&folder, &["render", "--format", "mermaid"])
            .ended(0)
            .says(&reported);
        let small = ["render", "--format", "mermaid", "--group", "example.com"];
        run_in(&folder, &small).ended(0).silent_on(&reported);
    }

    #[test]
    fn a_contradictory_plan_is_drawn_and_sets_the_exit_code() {
        let tight = r#"
            name = "tight"
            extends = "kubernetes"
            [rule.version-lifetime.beta]
            deprecate-within = { releases = 3 }
            after-deprecation = { releases = 4 }
            remove-within = { releases = 3 }
        "#;
        let model = MODEL.replace(", removed = \"1.4\", replacement = \"v1\"", "");
        let folder = folder(&[("lifecycle.toml", &model), ("tight.toml", tight)]);
        let run = run_in(&folder, &["render", "--policy", "tight.toml"]).ended(1);
        assert!(run.out.contains("</svg>") && run.out.contains("error [contradiction]"));
    }
}
