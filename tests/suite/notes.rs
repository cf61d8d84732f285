//! Announcements: drafts from templates, and a check of the notes that people wrote.

#![cfg(test)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use lifecycle::Document;
use lifecycle::evaluate::{Evaluation, Load, NotCovered, Range};
use lifecycle::grammar::{EventKind, VersionPath};
use lifecycle::render::marks::put_between;
use lifecycle::render::notes::{BUILT_IN_TEMPLATES, built_in_templates};
use lifecycle::render::{FILTERS, Templates};
use lifecycle::report::{NotesReport, Voice};
use lifecycle::{FileId, Sources};
use serde_json::Value;

use crate::program::{Run, finish, program};
use crate::support::{agrees_with_snapshot, evaluate};

const WIDGET: &str = include_str!("../../examples/widget-timeline.toml");
const KUBERNETES: &str = include_str!("../golden/kubernetes/lifecycle.toml");
const SCHEMA: &str = "schemas/notes-context.schema.json";
const PAGE: &str = "docs/templates.md";

/// A model with a dated calendar and one thing of most sorts.
const MODEL: &str = concat!(
    "\n",
    calendar!(current "1.3", to "1.5"),
    r#"[group."example.com".version]
v1beta1 = { introduced = "1.0", deprecated = "1.1", removed = "1.4", replacement = "v1" }
v1 = { introduced = "1.1" }
[group."example.com".kind.Thing]
resource = "things"
[cli.examplectl]
audience = "user"
[cli.examplectl.flag."--old"]
introduced = "1.0"
deprecated = "1.4"
warning = "--old is deprecated, use --new"
replacement = "--new"
[cli.examplectl.flag."--new"]
introduced = "1.4"
[gate.Quick]
specs = [
  { stage = "alpha", since = "1.1", default = false },
  { stage = "beta", since = "1.4", default = true },
]
[metric.example_total]
specs = [{ stage = "STABLE", since = "1.0" }]
deprecated = "1.2"
[[exception]]
rule = "version-lifetime:early"
element = "example.com/v1beta1"
reason = "it has no users"
approved-by = "api-reviewers"
until = "1.5"
"#
);

#[expect(
    clippy::disallowed_methods,
    reason = "the files are in the tree, or in a folder of the test's own"
)]
fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

#[expect(
    clippy::disallowed_methods,
    reason = "files of the test's own, and generated ones where that is asked for"
)]
fn write(path: &Path, text: &str) {
    std::fs::write(path, text).expect("the file can be written");
}

/// A run of the program.
fn run(arguments: &[&str]) -> Run {
    finish(program(Path::new(env!("CARGO_MANIFEST_DIR")), arguments), b"")
}

fn in_tree(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

#[expect(clippy::disallowed_methods, reason = "a test reads what to do from it")]
fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Compares a generated file with what is generated now, or overwrites it on request.
fn is_current(path: &str, made: &str) {
    agrees_with_snapshot(&in_tree(path), made);
}

fn range(evaluation: &Evaluation, release: Option<&str>, since: Option<&str>) -> Range {
    let find = |name: &str| evaluation.find_covered(name).expect("the release is covered");
    Range {
        release: release.map(find),
        since: since.map(find),
        tentative: false,
        declared: false,
    }
}

/// A draft of a model for a release, or for all.
fn draft(model: &str, template: &str, release: Option<&str>) -> String {
    let evaluation = evaluate(model).expect("the model can be read");
    let mut sources = Sources::new();
    sources.add("lifecycle.toml", model);
    let notes = evaluation.notes(&sources, range(&evaluation, release, None));
    let text = built_in_templates().render(&format!("{template}.md"), &notes);
    text.unwrap_or_else(|problem| panic!("{problem}\n{}", problem.excerpt))
}

/// Lines of a draft under a heading, to the next one.
fn section<'d>(draft: &'d str, heading: &str) -> Vec<&'d str> {
    let mut lines = draft.lines().skip_while(|line| *line != heading).skip(1);
    lines
        .by_ref()
        .take_while(|line| !line.starts_with("## "))
        .filter(|line| !line.is_empty())
        .collect()
}

#[test]
fn the_notes_for_x12_follow_the_policy_for_v2beta2_and_v1() {
    let draft = draft(WIDGET, "notes", Some("X+12"));
    assert!(!draft.contains("Urgent"), "nothing is declared: {draft}");
    let planned = section(&draft, "## Planned, not announced");
    assert!(planned[1].contains("`widgets.example.com/v2beta2` (`Gadget`) deprecated, action required"));
    assert!(
        planned[2].contains(
            "`widgets.example.com/v1` (`Gadget`, `Widget`) deprecated in favor of `widgets.example.com/v2`, no removal scheduled"
        ),
        "{}",
        planned[2]
    );
    assert_eq!(planned.len(), 4);
}

#[test]
fn every_release_of_the_worked_example_has_the_notes_of_its_table() {
    let evaluation = evaluate(WIDGET).unwrap();
    let sources = Sources::new();
    let report = evaluation.report(&sources);
    let group = report
        .groups
        .iter()
        .find(|group| group.group == "widgets.example.com")
        .unwrap();
    for row in &group.releases {
        let draft = draft(WIDGET, "notes", Some(row.release));
        for note in &row.notes {
            let id = format!("`widgets.example.com/{}`", note.version);
            let verb = if note.event == EventKind::Removed {
                "removed, action required"
            } else {
                "deprecated"
            };
            let reported = |line: &&str| line.starts_with(&format!("- {id}")) && line.contains(verb);
            let lines: Vec<&str> = draft.lines().filter(reported).collect();
            assert!(!lines.is_empty(), "{}: {}\n{draft}", row.release, note.text);
            let marked = lines.iter().all(|line| line.contains("action required"));
            assert_eq!(marked, note.action_required, "{}: {}", row.release, note.text);
        }
    }
}

#[test]
fn urgent_notes_have_everything_that_requires_action_and_each_is_in_its_section_too() {
    for model in [WIDGET, KUBERNETES, MODEL] {
        let evaluation = evaluate(model).unwrap();
        let sources = Sources::new();
        for of in evaluation.notes(&sources, Range::default()).releases {
            let acting = |item: &lifecycle::report::AnnouncementReport<'_>| item.action_required;
            let items: Vec<_> = of
                .sections
                .iter()
                .flat_map(|section| &section.items)
                .filter(|item| acting(item))
                .collect();
            assert_eq!(items.len(), of.urgent.len(), "{}", of.release.release);
            assert!(of.sections.iter().all(|section| !section.items.is_empty()));
        }
    }
}

#[test]
fn what_is_declared_is_announced_and_what_is_planned_is_tentative() {
    let urgent = draft(MODEL, "notes", Some("1.4"));
    assert!(urgent.contains(
        "- `example.com/v1beta1` (`Thing`) removed, action required. Migrate to `example.com/v1`, available from 1.1 on."
    ));
    assert!(urgent.contains("`examplectl --old` deprecated in favor of"), "{urgent}");
    assert!(urgent.contains("It prints: `--old is deprecated, use --new`"));
    assert!(urgent.contains("feature gate `Quick` graduates from alpha to beta"));
    assert!(urgent.contains("feature gate `Quick` on by default"));
    assert!(urgent.contains("it has no users (approved by api-reviewers)"));
    let earlier = draft(MODEL, "notes", Some("1.1"));
    assert!(earlier.contains("It will be removed in 1.4 (2024-05-01)."), "{earlier}");
    let hidden = draft(MODEL, "notes", Some("1.5"));
    assert!(
        hidden.contains("metric `example_total` hidden, action required if it is used."),
        "{hidden}"
    );
    assert!(hidden.contains("`--show-hidden-metrics-for-version=1.4` shows it in this release"));
    assert!(!hidden.contains("it has no users"), "the exception has run out");
}

#[test]
fn a_tentative_draft_names_no_release_of_an_upcoming_removal() {
    let evaluation = evaluate(MODEL).unwrap();
    let asked = Range {
        tentative: true,
        ..range(&evaluation, Some("1.1"), None)
    };
    let notes = evaluation.notes(&Sources::new(), asked);
    let draft = built_in_templates().render("notes.md", &notes).unwrap();
    assert!(
        draft.contains("It will be removed no earlier than 1.4 (2024-05-01)."),
        "{draft}"
    );
}

#[test]
fn a_range_covers_every_release_after_the_one_that_readers_have() {
    let evaluation = evaluate(MODEL).unwrap();
    let notes = evaluation.notes(&Sources::new(), range(&evaluation, Some("1.4"), Some("1.1")));
    let reported: Vec<&str> = notes.releases.iter().map(|of| of.release.release).collect();
    assert_eq!(reported, ["1.2", "1.3", "1.4"]);
    let draft = built_in_templates().render("notes.md", &notes).unwrap();
    assert!(draft.starts_with("# From 1.1 to 1.4 (2024-05-01)\n"), "{draft}");
    assert!(draft.contains("metric `example_total` deprecated") && draft.contains("v1beta1` (`Thing`) removed"));
}

#[test]
fn a_release_without_changes_is_reported_as_such_and_one_that_is_not_covered_is_refused() {
    let quiet = MODEL.split("[[exception]]").next().unwrap();
    let draft = draft(quiet, "notes", Some("1.3"));
    assert_eq!(
        draft,
        "# 1.3 (2024-01-01)\n\nNothing is deprecated, removed or changed in 1.3.\n"
    );
    let evaluation = evaluate(MODEL).unwrap();
    assert!(evaluation.find_covered("1.9").is_ok(), "the cadence projects it");
    assert!(matches!(
        evaluation.find_covered("1.40000"),
        Err(NotCovered::Beyond { .. } | NotCovered::Unknown(_))
    ));
    assert!(matches!(evaluation.find_covered("0.9"), Err(NotCovered::Unknown(_))));
    assert!(evaluation.find_covered("1.6").is_ok(), "something is planned in it");
}

#[test]
fn users_are_sent_to_a_version_of_the_chain_that_exists() {
    let draft = draft(WIDGET, "notes", Some("X+3"));
    assert!(
        draft.contains("Migrate to `widgets.example.com/v1beta2`, available from X+3 on."),
        "{draft}"
    );
}

/// It was gone before.
#[test]
fn a_replacement_is_available_from_its_life_of_then_on() {
    let text = concat!(
        calendar!(current "1.4", to "1.6"),
        "[group.\"example.com\".version]\nv1alpha1 = { introduced = \"1.2\", removed = \"1.5\" }\n\
         v1beta1 = { lives = [{ introduced = \"1.0\", deprecated = \"1.0\", removed = \"1.3\" }, { introduced = \"1.5\" }] }\n\
         [group.\"example.com\".kind.Car]\n"
    );
    let draft = draft(text, "notes", Some("1.5"));
    assert!(
        draft.contains("Migrate to `example.com/v1beta1`, available from 1.5 on."),
        "{draft}"
    );
}

#[test]
fn warnings_and_deprecations_of_a_release_name_what_its_notes_do() {
    let model = r#"
[calendar]
symbolic = { origin = "X", count = 9 }
cadence = { months = 4 }
[group.k.version]
v1alpha1 = { introduced = "X", deprecated = "X+3", removed = "X+6" }
v1beta1 = { introduced = "X+2" }
v1 = { introduced = "X+5" }
[group.k.kind.A]
"#;
    for (release, other) in [("X+3", "k/v1beta1"), ("X+5", "k/v1")] {
        let warnings = draft(model, "warnings", Some(release));
        assert!(warnings.contains(&format!("in vX+6+; use {other} A`")), "{warnings}");
        let deprecations = draft(model, "deprecations", Some(release));
        assert!(
            deprecations.contains(&format!("| `k/v1alpha1 A` | X+3 | `{other} A` |")),
            "{deprecations}"
        );
    }
    let notes = draft(model, "notes", Some("X+3"));
    assert!(notes.contains("Migrate to `k/v1beta1`"), "{notes}");
}

#[test]
fn what_has_one_name_in_notes_is_not_replaced_by_itself() {
    let model = r#"
[calendar]
symbolic = { origin = "X", count = 9 }
cadence = { months = 4 }
[cli.tool]
audience = "user"
[cli.tool.command]
"alpha debug" = { deprecated = "X+1", replacement = "debug", warning = "use debug" }
debug = {}
"#;
    let notes = draft(model, "notes", Some("X+1"));
    assert!(
        notes.contains("`tool alpha debug` deprecated in favor of `tool debug`"),
        "{notes}"
    );
    assert!(notes.contains("Use `tool debug`"), "{notes}");
}

#[test]
fn users_are_sent_to_what_is_outside_of_the_project() {
    let model = MODEL.replace("replacement = \"--new\"", "replacement = { external = \"newctl 2\" }");
    let notes = draft(&model, "notes", Some("1.4"));
    assert!(notes.contains("deprecated in favor of `newctl 2`"), "{notes}");
    assert!(notes.contains("Use `newctl 2`"), "{notes}");
}

#[test]
fn the_migration_guide_names_the_counterparts_of_parts() {
    let model = r#"
[calendar]
releases = { "1.0" = 2023-01-01, "1.1" = 2023-05-01, "1.4" = 2024-05-01 }
[group."example.com".version]
v1beta1 = { introduced = "1.0", deprecated = "1.1", removed = "1.4", replacement = "v1" }
v1 = { introduced = "1.0" }
[group."example.com".kind.Thing]
resource = "things"
[group."example.com".kind.Thing.field."spec.size"]
in = { v1beta1 = {}, v1 = { represented-as = "spec.width" } }
[group."example.com".kind.Thing.field."spec.width"]
in = { v1 = {} }
[group."example.com".kind.Thing.field."spec.lost"]
in = { v1beta1 = {} }
[group."example.com".kind.Thing.field."spec.gone"]
in = { v1beta1 = { removed = "1.1" } }
[group."example.com".kind.Thing.field."spec.ended"]
in = { v1beta1 = {}, v1 = { introduced = "1.0", removed = "1.1" } }
"#;
    let draft = draft(model, "migration-guide", Some("1.4"));
    assert!(!draft.contains("spec.gone"), "{draft}");
    for line in [
        "  - field `spec.ended` has no counterpart",
        "`example.com/v1beta1` will no longer be served from 1.4 on.",
        "- Migrate manifests and clients to `example.com/v1 Thing`, available from 1.0 on.",
        "  - field `spec.lost` has no counterpart",
        "  - field `spec.size` becomes `spec.width`",
    ] {
        assert!(draft.contains(line), "{line}\n{draft}");
    }
}

/// What was deprecated earlier and is still there counts, and so does what has no scheduled removal.
#[test]
fn deprecations_of_a_release_are_all_that_stand_then() {
    let model = r#"
[calendar]
current = "3.3"
cadence = { months = 4 }
[calendar.releases]
"3.0" = 2022-01-01
"3.1" = 2022-05-01
"3.2" = 2022-09-01
"3.3" = 2023-01-01
[group."example.com".version]
v1beta1 = { introduced = "3.0", deprecated = "3.1", removed = "3.4" }
v1 = { introduced = "3.1", deprecated = "3.2" }
v2 = { introduced = "3.2" }
[group."example.com".kind.Widget]
[cli.tool]
audience = "user"
[cli.tool.flag."--size"]
introduced = "3.0"
deprecated = "3.4"
warning = "use another size"
"#;
    let elements = |release: &str| -> Vec<String> {
        let draft = draft(model, "deprecations", Some(release));
        let rows = draft
            .lines()
            .filter(|line| line.starts_with("| `") || line.starts_with("## "));
        rows.map(|line| line.split(" | ").next().unwrap().to_owned()).collect()
    };
    let unscheduled = "## Deprecated, no removal scheduled";
    let (v1, v1beta1) = ("| `example.com/v1 Widget`", "| `example.com/v1beta1 Widget`");
    assert_eq!(elements("3.0"), [""; 0]);
    let to_come = "## To be removed in 3.4 (projected 2023-05-01)";
    assert_eq!(elements("3.1"), [to_come, v1beta1]);
    assert_eq!(elements("3.3"), [to_come, v1beta1, unscheduled, v1]);
    let (flag, later) = (
        "| `tool --size` (planned)",
        "## To be removed in 3.7 (projected 2024-05-01)",
    );
    assert_eq!(elements("3.4"), [to_come, v1beta1, later, flag, unscheduled, v1]);
    assert_eq!(elements("3.5"), [later, flag, unscheduled, v1]);
    let nothing = "Nothing is deprecated in 3.0, and nothing is removed.";
    assert!(draft(model, "deprecations", Some("3.0")).contains(nothing));
}

/// The texts of the server's warnings of kinds whose deprecation the model declares.
fn texts(notes: &NotesReport<'_>) -> Vec<String> {
    let of_kinds = notes
        .warnings
        .apis
        .iter()
        .filter(|api| api.voice == Voice::Announced && api.element.contains(' '));
    let mut texts: Vec<String> = of_kinds.map(|api| api.warning.clone()).collect();
    texts.sort();
    texts
}

#[test]
fn the_77_warnings_of_the_server_are_equal_to_the_letter() {
    let evaluation = evaluate(KUBERNETES).unwrap();
    let texts = texts(&evaluation.notes(&Sources::new(), Range::default()));
    assert_eq!(texts.len(), 77);
    let security = "policy/v1beta1 PodSecurityPolicy is deprecated in v1.21+, unavailable in v1.25+";
    assert!(texts.iter().any(|text| text == security));
    let Some(folder) = environment("LIFECYCLE_DATA") else {
        eprintln!("skipped: LIFECYCLE_DATA names no folder");
        return;
    };
    let real = read(&Path::new(&folder).join("kubernetes/warning-texts.txt"));
    let mut real: Vec<&str> = real.lines().collect();
    real.sort_unstable();
    assert_eq!(texts, real);
}

#[test]
fn a_deprecated_kind_has_its_header_audit_annotations_gauge_and_query() {
    let evaluation = evaluate(KUBERNETES).unwrap();
    let notes = evaluation.notes(&Sources::new(), range(&evaluation, Some("1.24"), None));
    let api = notes
        .warnings
        .apis
        .iter()
        .find(|api| api.element == "batch/v1beta1 CronJob")
        .unwrap();
    assert_eq!(
        api.header,
        "Warning: 299 - \"batch/v1beta1 CronJob is deprecated in v1.21+, unavailable in v1.25+; use batch/v1 CronJob\""
    );
    let audit: Vec<_> = api
        .audit
        .iter()
        .map(|annotation| (annotation.key, annotation.value))
        .collect();
    assert_eq!(
        audit,
        [("k8s.io/deprecated", "true"), ("k8s.io/removed-release", "1.25")]
    );
    let series = "apiserver_requested_deprecated_apis{group=\"batch\",version=\"v1beta1\",resource=\"cronjobs\",\
                  subresource=\"\",removed_release=\"1.25\"}";
    assert_eq!(api.gauge.as_deref(), Some(series));
    let query = format!("{series} * on(group,version,resource,subresource) group_right() apiserver_request_total");
    assert_eq!(api.query.as_ref(), Some(&query));
    // A server of 1.25 does not have it any more.
    let later = evaluation.notes(&Sources::new(), range(&evaluation, Some("1.25"), None));
    assert!(
        later
            .warnings
            .apis
            .iter()
            .all(|api| api.element != "batch/v1beta1 CronJob")
    );
}

#[test]
fn gates_warn_when_they_are_set_that_they_will_be_removed_or_are_locked() {
    let evaluation = evaluate(WIDGET).unwrap();
    let notes = evaluation.notes(&Sources::new(), range(&evaluation, Some("X+9"), None));
    let gate = &notes.warnings.gates[0];
    let name = "GadgetRestartOnTuesday";
    assert_eq!(
        gate.warning.as_deref(),
        Some(&*format!(
            "Setting GA feature gate {name}=true. It will be removed in a future release."
        ))
    );
    assert_eq!(
        gate.error.as_deref(),
        Some(&*format!(
            "cannot set feature gate {name} to false, feature is locked to true"
        ))
    );
    let metric = &notes.warnings.metrics;
    assert!(metric.iter().any(|metric| metric.prefix == "(Deprecated from X+8)"));
}

/// What a user may type as a name.
const HOSTILE: [&str; 6] = [
    "<script>alert(1)</script>",
    "a|b`c``d*e_[f](g)",
    "</details><img src=x onerror=alert(1)>",
    "\u{202e}gnp.exe",
    "-->\\n# heading",
    "{{ 7 * 7 }}",
];

fn hostile(name: &str) -> String {
    let version = serde_json::to_string(&VersionPath::api(name, "v1beta1").to_string()).unwrap();
    let quoted = serde_json::to_string(name).unwrap();
    let model = HOSTILE_MODEL.replace("\"NAME/v1beta1\"", &version);
    model.replace("NAME", quoted.trim_matches('"'))
}

/// A model in which every name and text is the value of `NAME`.
const HOSTILE_MODEL: &str = r#"
[calendar]
current = "1.3"
cadence = { months = 4 }
[calendar.releases]
"1.0" = 2023-01-01
"1.1" = 2023-05-01
"1.3" = 2024-01-01
"1.4" = 2024-05-01
"1.5" = 2024-09-01
[group."NAME"]
owner = "NAME"
tracking = "NAME"
[group."NAME".version]
v1beta1 = { introduced = "1.0", deprecated = "1.1", removed = "1.4", replacement = "v1" }
v1 = { introduced = "1.1" }
[group."NAME".kind."NAME"]
resource = "NAME"
[group."NAME".kind."NAME".field."NAME"]
in = { v1beta1 = {} }
[cli."NAME"]
audience = "user"
[cli."NAME".flag."NAME"]
introduced = "1.0"
deprecated = "1.4"
warning = "NAME"
[gate."NAME"]
specs = [{ stage = "alpha", since = "1.1", default = false }, { stage = "GA", since = "1.4", default = true, locked = true }]
[metric."NAME"]
specs = [{ stage = "STABLE", since = "1.0" }]
deprecated = "1.1"
[behavior."NAME"]
deprecated = "1.4"
[[exception]]
rule = "version-lifetime:early"
element = "NAME/v1beta1"
reason = "NAME"
approved-by = "NAME"
"#;

#[test]
fn what_users_type_is_text_in_every_draft() {
    for name in HOSTILE {
        let model = hostile(name);
        let evaluation = evaluate(&model).unwrap_or_else(|errors| panic!("{model}\n{errors:?}"));
        let notes = evaluation.notes(&Sources::new(), range(&evaluation, Some("1.5"), Some("1.0")));
        for template in BUILT_IN_TEMPLATES {
            let draft = built_in_templates().render(template.file, &notes).unwrap();
            let mut events = pulldown_cmark::Parser::new_ext(&draft, pulldown_cmark::Options::ENABLE_TABLES);
            let html = events.find(|event| {
                matches!(
                    event,
                    pulldown_cmark::Event::Html(_) | pulldown_cmark::Event::InlineHtml(_)
                )
            });
            assert_eq!(html, None, "{}: {draft}", template.name);
            let links = pulldown_cmark::Parser::new(&draft).filter(|event| {
                matches!(
                    event,
                    pulldown_cmark::Event::Start(pulldown_cmark::Tag::Link { .. } | pulldown_cmark::Tag::Image { .. })
                )
            });
            assert_eq!(links.count(), usize::from(template.name == "changelog"), "{draft}");
            assert!(!draft.contains("49"), "what users type is no template");
            assert!(!draft.contains('\u{202e}'));
        }
    }
}

#[test]
fn an_html_template_escapes_for_html() {
    let evaluation = evaluate(&hostile(HOSTILE[0])).unwrap();
    let notes = evaluation.notes(&Sources::new(), range(&evaluation, Some("1.4"), None));
    let mut templates = Templates::default();
    templates.put(
        "page.html",
        "page.html",
        "{% for item in releases[0].urgent %}<p title=\"{{ item.element.id }}\">{{ item.element.id | code }}</p>{% endfor %}",
    );
    let page = templates.render("page.html", &notes).unwrap();
    assert!(
        page.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && !page.contains("<script"),
        "{page}"
    );
    assert!(page.contains("<code>"));
}

#[test]
fn what_a_template_sees_fits_the_schema_and_renders_alike_from_a_file() {
    let schema: Value = serde_json::from_str(&read(&in_tree(SCHEMA))).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for (model, release) in [(WIDGET, "X+12"), (KUBERNETES, "1.25"), (MODEL, "1.4")] {
        let evaluation = evaluate(model).unwrap();
        for asked in [Range::default(), range(&evaluation, Some(release), None)] {
            let notes = evaluation.notes(&Sources::new(), asked);
            let context = serde_json::to_value(&notes).unwrap();
            let errors: Vec<String> = validator.iter_errors(&context).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{:?}", &errors[..errors.len().min(3)]);
            let templates = built_in_templates();
            for template in BUILT_IN_TEMPLATES
                .iter()
                .filter(|template| asked.release.is_some() || !template.of_release)
            {
                let direct = templates.render(template.file, &notes).unwrap();
                assert_eq!(
                    templates.render(template.file, &context).unwrap(),
                    direct,
                    "{}",
                    template.name
                );
            }
        }
    }
    let broken = serde_json::json!({ "schema_version": 1 });
    assert!(
        !validator.is_valid(&broken),
        "a schema that takes everything shows nothing"
    );
}

#[test]
fn the_schema_in_the_tree_is_the_one_that_is_printed() {
    assert_eq!(run(&["notes", "--schema"]).ended(0).out, read(&in_tree(SCHEMA)));
}

/// The fields of what a template sees, as tables.
fn fields(schema: &Value) -> String {
    let mut text = String::new();
    let definitions = schema["$defs"].as_object().unwrap().iter();
    let all = std::iter::once(("The context", schema)).chain(definitions.map(|(name, found)| (name.as_str(), found)));
    for (name, definition) in all {
        let name = name.trim_end_matches("Report");
        let _ = writeln!(text, "\n### {name}\n\n{}\n", description(definition));
        if let Some(properties) = definition["properties"].as_object() {
            text.push_str("| field | type | what it is |\n| --- | --- | --- |\n");
            for (field, property) in properties {
                let _ = writeln!(text, "| `{field}` | {} | {} |", sort(property), description(property));
            }
            continue;
        }
        let alternatives = ["oneOf", "anyOf"].iter().find_map(|key| definition[*key].as_array());
        let Some(alternatives) = alternatives else {
            // Its description ends with an empty line, and so does a table.
            text.pop();
            continue;
        };
        text.push_str("| value | what it means |\n| --- | --- |\n");
        for alternative in alternatives {
            let value = match alternative["const"].as_str() {
                Some(value) => format!("`{value}`"),
                None => sort(alternative),
            };
            let _ = writeln!(text, "| {value} | {} |", description(alternative));
        }
    }
    text
}

fn description(schema: &Value) -> String {
    schema["description"].as_str().unwrap_or_default().replace('\n', " ")
}

/// The type of a field in words.
fn sort(property: &Value) -> String {
    if let Some(name) = property["$ref"].as_str() {
        return name.rsplit('/').next().unwrap().trim_end_matches("Report").to_owned();
    }
    if let Some(kinds) = property["anyOf"].as_array().or(property["allOf"].as_array()) {
        return kinds.iter().map(sort).collect::<Vec<_>>().join(" or ");
    }
    match &property["type"] {
        Value::String(kind) if kind == "array" => format!("list of {}", sort(&property["items"])),
        Value::String(kind) => kind.clone(),
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ => "any".to_owned(),
    }
}

#[test]
fn the_page_on_templates_documents_every_field_filter_and_template() {
    let page = read(&in_tree(PAGE));
    let mut filters = String::from("\n| filter | what it does |\n| --- | --- |\n");
    for (name, about) in FILTERS {
        let _ = writeln!(filters, "| `{name}` | {about} |");
    }
    let schema: Value = serde_json::from_str(&read(&in_tree(SCHEMA))).unwrap();
    let made = put_between(&page, "filters", &(filters + "\n")).unwrap();
    let made = put_between(&made, "fields", &(fields(&schema) + "\n")).unwrap();
    is_current(PAGE, &made);
    for template in BUILT_IN_TEMPLATES {
        assert!(
            page.contains(&format!("| `{}` | {} |", template.name, template.about)),
            "{}",
            template.name
        );
    }
}

#[test]
fn a_mistake_in_a_template_is_reported_with_file_line_and_what_was_expected() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("lifecycle.toml");
    write(&model, MODEL);
    let model = model.to_str().unwrap();
    let cases = [
        (
            "{% for of in releases %}\n{{ of.nme }}\n{% endfor %}",
            ":2:7: ",
            "Available fields",
        ),
        (
            "a\nb {{ release | wen }}",
            ":2",
            "Unknown filter `wen`; available: those of Tera 2, and code, when",
        ),
        (
            "{% if release %}",
            ":1",
            "expected `{% endif %}` for the block that line 1 opens",
        ),
        ("{{ release.release", ":1:", "expected"),
        ("{% include \"nothing.md\" %}", "mine.md:1", "nothing.md"),
        ("{{<nothing/>}}", "mine.md:1", "nothing"),
        ("{{ range(end=100000000) | length }}", ":1", "100000"),
        ("{{ releases | when }}", ":1", "takes a release"),
    ];
    for (text, place, expected) in cases {
        let path = folder.path().join("mine.md");
        write(&path, text);
        let reported = run(&["notes", model, "--release", "1.4", "--template", path.to_str().unwrap()]).ended(2);
        reported.says(&["mine.md", place, expected]);
    }
    let reported = run(&["notes", model, "--release", "1.4", "--template", "changlog"]).ended(2);
    reported.says(&["there is no template `changlog`", "changelog"]);
}

#[test]
fn a_folder_of_templates_replaces_built_in_ones_file_by_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    write(Path::new(&path("lifecycle.toml")), MODEL);
    write(Path::new(&path("changelog.md")), "mine of {{ releases | length }}\n");
    write(
        Path::new(&path("mail.txt")),
        "To all: {{ releases[0].urgent[0].element.id }}\n",
    );
    write(Path::new(&path("logo.png")), "\u{0}");
    let templates = folder.path().to_str().unwrap();
    let ran = |template: &str| {
        let model = path("lifecycle.toml");
        run(&[
            "notes",
            &model,
            "--release",
            "1.4",
            "--templates",
            templates,
            "--template",
            template,
        ])
        .ended(0)
        .out
    };
    assert_eq!(ran("changelog"), "mine of 1\n");
    assert_eq!(ran("mail"), "To all: example.com/v1beta1\n");
    assert!(ran("notes").starts_with("# 1.4 (2024-05-01)"));
}

#[test]
fn a_draft_is_put_between_its_marks_and_the_rest_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (model, notes) = (path("lifecycle.toml"), path("NOTES.md"));
    write(Path::new(&model), MODEL);
    let ran = |release: &str| run(&["notes", &model, "--release", release, "--write", &notes]);
    ran("1.4").ended(0).says(&["written: "]);
    ran("1.4").ended(0).says(&["unchanged: "]);
    let made = read(Path::new(&notes));
    let edited = format!("# Ours\n\nby hand\n{made}by hand too\n");
    write(Path::new(&notes), &edited.replace("removed, action", "went, action"));
    ran("1.4").ended(0);
    assert_eq!(read(Path::new(&notes)), edited);
    ran("1.1")
        .ended(2)
        .says(&["<!-- begin lifecycle notes 1.1 -->", "add these two lines"]);
    assert_eq!(read(Path::new(&notes)), edited);
}

/// What the notes lack, as severity, code and element.
fn lacking(model: &str, release: &str, text: &str) -> Vec<String> {
    let documents = [Document::parse(FileId(0), model)];
    let evaluation = Load::new(&documents).evaluate().expect("the model can be read");
    let notes = evaluation.notes(&Sources::new(), range(&evaluation, Some(release), None));
    let found = evaluation.proofread(FileId(0), text, &notes);
    found
        .iter()
        .map(|finding| {
            format!(
                "{} {} {}",
                finding.severity,
                finding.code,
                finding.element.as_deref().unwrap_or("-")
            )
        })
        .collect()
}

#[test]
fn every_draft_mentions_everything_that_it_was_made_from() {
    for model in [WIDGET, KUBERNETES, MODEL] {
        let evaluation = evaluate(model).unwrap();
        for of in evaluation.notes(&Sources::new(), Range::default()).releases {
            let name = of.release.release;
            let none: [String; 0] = [];
            assert_eq!(lacking(model, name, &draft(model, "notes", Some(name))), none, "{name}");
        }
    }
}

#[test]
fn notes_are_checked_for_omissions_missing_marks_and_wrong_dates() {
    let text = "\
# Changes in v1.4

- `Thing` is no longer in example.com/v1beta1, as of 1.5.
- Quick graduates and is on by default. There is a new flag, `--new`.

# Changes in 1.3

- `--old` is deprecated.
";
    assert_eq!(
        lacking(MODEL, "1.4", text),
        [
            "error unmarked example.com/v1beta1",
            "error misdated example.com/v1beta1",
            "error missing cli examplectl --old",
            "error missing example.com/v1beta1",
        ]
    );
    let text = text.replace(
        "# Changes in 1.3",
        "- There is an exception for example.com/v1beta1.\n\n# Changes in 1.3",
    );
    let corrected = text.replace("as of 1.5", "as of 1.4, ACTION REQUIRED").replace(
        "`--new`.",
        "`--new`.\n- `--old` is deprecated, and will be removed no earlier than 1.7",
    );
    assert_eq!(lacking(MODEL, "1.4", &corrected), [] as [&str; 0]);
    let sooner = corrected.replace("earlier than 1.7", "earlier than 1.5 (2024-09-01)");
    let found = lacking(MODEL, "1.4", &sooner);
    assert_eq!(
        found,
        [
            "error misdated cli examplectl --old",
            "error misdated cli examplectl --old"
        ]
    );
    let unmentioned = corrected.replace(" There is a new flag, `--new`.", "");
    assert_eq!(
        lacking(MODEL, "1.4", &unmentioned),
        ["note untold cli examplectl --new"]
    );
}

#[test]
fn a_check_of_notes_fails_by_what_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (model, notes) = (path("lifecycle.toml"), path("NOTES.md"));
    write(Path::new(&model), MODEL);
    write(Path::new(&notes), "# 1.4\n\nAll is well.\n");
    let reported = run(&["notes", &model, "--release", "1.4", "--check", &notes]).ended(1);
    reported.says(&[
        "NOTES.md:1:1",
        "example.com/v1beta1: removed in 1.4, but the notes do not mention it",
    ]);
    let annotated = run(&[
        "notes",
        &model,
        "--release",
        "1.4",
        "--check",
        &notes,
        "--format",
        "github",
    ])
    .ended(1);
    annotated.says(&["line=1,endLine=1,col=1,endColumn=6,title=lifecycle%3A notes (missing)"]);
    run(&[
        "notes",
        &model,
        "--release",
        "1.4",
        "--check",
        &notes,
        "-W",
        "notes:missing",
    ])
    .ended(0);
}

#[test]
fn every_command_on_the_page_on_templates_runs() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    write(&path("lifecycle.toml"), KUBERNETES);
    write(&path("mail.txt"), "{{ release.release }}\n");
    let page = read(&in_tree(PAGE));
    let commands: Vec<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("$ lifecycle "))
        .collect();
    assert!(commands.len() > 5, "{commands:?}");
    for command in commands {
        let (command, file) = command
            .split_once(" > ")
            .map_or((command, None), |(command, file)| (command, Some(file)));
        let arguments: Vec<&str> = command.split(' ').collect();
        let ran = finish(program(folder.path(), &arguments), b"").ended(0);
        if let Some(file) = file {
            write(&path(file), &ran.out);
        }
    }
}

/// The names in backticks of the paragraph of the page on templates that begins so.
fn names_after(page: &str, beginning: &str) -> Vec<String> {
    let start = page.find(beginning).expect("the page has the paragraph") + beginning.len();
    let paragraph = page[start..].split("\n\n").next().unwrap_or_default();
    paragraph.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn tera_knows_every_filter_test_and_function_that_the_page_names() {
    let page = read(&in_tree(PAGE));
    let error = |text: &str| {
        let mut templates = Templates::default();
        templates.put("a.txt", "a.txt", text);
        let rendered = templates.render("a.txt", &serde_json::json!({ "x": 1 }));
        rendered.err().map(|problem| problem.to_string()).unwrap_or_default()
    };
    let knows = |text: &str, name: &str| {
        let reported = error(text).to_lowercase();
        !(reported.contains("unknown") || reported.contains("not found") || reported.contains("not registered"))
            || !reported.contains(name)
    };
    assert!(!knows("{{ x | nosuch }}", "nosuch") && !knows("{% if x is nosuch %}{% endif %}", "nosuch"));
    assert!(!knows("{{ nosuch() }}", "nosuch"));
    let filters = names_after(&page, "Tera's own filters: ");
    let tests = names_after(&page, "as in `if x is string`: ");
    let functions = names_after(&page, "Functions: ");
    assert_eq!((filters.len(), tests.len(), functions.len()), (36, 17, 3));
    let unknown: Vec<&String> = filters
        .iter()
        .filter(|name| !knows(&format!("{{{{ x | {name} }}}}"), name))
        .chain(
            tests
                .iter()
                .filter(|name| !knows(&format!("{{% if x is {name} %}}{{% endif %}}"), name)),
        )
        .chain(
            functions
                .iter()
                .filter(|name| !knows(&format!("{{{{ {name}() }}}}"), name)),
        )
        .collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

/// Kinds of one version that go at different times, some of them only as planned.
const PARTING: &str = concat!(
    "\n",
    calendar!(current "1.1", to "1.7"),
    r#"[group."example.com".version]
v1beta1 = { introduced = "1.0", deprecated = "1.2", replacement = "v1" }
v1 = { introduced = "1.2" }
[group."example.com".kind.Alpha]
version.v1beta1 = { removed = "1.5" }
[group."example.com".kind.Beta]
version.v1beta1 = { removed = "1.7" }
[group."example.com".kind.Gamma]
[metric.example_total]
specs = [{ stage = "STABLE", since = "1.0" }]
deprecated = "1.2"
"#
);

#[test]
fn kinds_that_are_removed_at_different_times_are_separate_each_as_certain_as_it_is() {
    let draft = draft(PARTING, "notes", Some("1.2"));
    for (kind, end) in [
        ("Alpha", "It will be removed in 1.5 (2024-09-01)."),
        ("Beta", "It will be removed in 1.7 (2025-05-01)."),
        ("Gamma", "It will be removed no earlier than 1.5 (2024-09-01)."),
        ("example_total", "It will be hidden no earlier than 1.5 (2024-09-01)."),
    ] {
        let lines: Vec<&str> = draft
            .lines()
            .filter(|line| line.contains(&format!("`{kind}`")))
            .collect();
        assert!(!lines.is_empty(), "{kind}\n{draft}");
        let deprecated = lines.iter().filter(|line| line.contains("deprecated"));
        for line in deprecated {
            assert!(line.contains(end), "{kind}: {line}");
        }
    }
    let one = "# 1.2\n\n## Deprecated, action required\n\n- `example.com/v1beta1 Alpha` until 1.5 and not longer; use `example.com/v1`\n";
    assert!(!lacking(PARTING, "1.2", one).contains(&"error misdated example.com/v1beta1".to_owned()));
    let wrong = one.replace("until 1.5 and not longer", "is removed in 1.7");
    assert!(lacking(PARTING, "1.2", &wrong).contains(&"error misdated example.com/v1beta1".to_owned()));
}

#[test]
fn no_template_is_certain_of_an_upcoming_removal_in_a_tentative_draft() {
    let evaluation = evaluate(PARTING).unwrap();
    let asked = Range {
        tentative: true,
        ..range(&evaluation, Some("1.5"), Some("1.1"))
    };
    let notes = evaluation.notes(&Sources::new(), asked);
    for template in BUILT_IN_TEMPLATES.iter().filter(|template| template.name != "warnings") {
        let draft = built_in_templates().render(template.file, &notes).unwrap();
        let draft = draft.replace("planned to be removed in 1.", "planned for 1.");
        for sure in [
            "removed in 1.",
            "removed from 1.",
            "will stop serving",
            "To be removed in 1.",
        ] {
            assert!(!draft.contains(sure), "{}: {sure}\n{draft}", template.name);
        }
    }
}

#[test]
fn readers_who_skip_releases_are_sent_to_what_exists_in_the_last_one() {
    let evaluation = evaluate(WIDGET).unwrap();
    let notes = evaluation.notes(&Sources::new(), range(&evaluation, Some("X+12"), Some("X+8")));
    let draft = built_in_templates().render("notes.md", &notes).unwrap();
    let urgent = section(&draft, "## Planned, not announced").join("\n");
    assert!(urgent.contains(
        "`widgets.example.com/v2alpha1` (`Gadget`) removed, action required. Migrate to `widgets.example.com/v2`"
    ));
    let urgent = section(&draft, "## Urgent Upgrade Notes").join("\n");
    assert!(!urgent.contains("v2alpha2"), "it came and went on the way: {urgent}");
    let documents = [Document::parse(FileId(0), WIDGET)];
    let evaluation = Load::new(&documents).evaluate().unwrap();
    let found = evaluation.proofread(FileId(0), &draft, &notes);
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn a_word_that_is_negated_or_below_another_release_does_not_count() {
    let text = "# 1.4\n\n- Non-breaking: example.com/v1beta1 is not removed yet, no urgent action.\n- Exception: example.com/v1beta1.\n";
    assert!(lacking(MODEL, "1.4", text).contains(&"error missing example.com/v1beta1".to_owned()));
    let elsewhere = "# 1.3\n\n- example.com/v1beta1 removed, action required; `--old` deprecated. Exception: example.com/v1beta1.\n";
    let found = lacking(MODEL, "1.4", elsewhere);
    assert!(
        found.contains(&"error missing example.com/v1beta1".to_owned()),
        "{found:?}"
    );
    assert_eq!(
        lacking(MODEL, "1.4", &elsewhere.replace("# 1.3", "# Notes"))
            .iter()
            .filter(|found| found.starts_with("error"))
            .count(),
        0
    );
}

#[test]
fn the_removal_of_a_kind_without_a_successor_affects_no_other_kind() {
    let model = r#"
[calendar]
current = "1.2"
releases = { "1.0" = 2023-01-01, "1.1" = 2023-05-01, "1.2" = 2023-09-01, "1.3" = 2024-01-01 }
[group.core.version]
v1 = { introduced = "1.0" }
[group.core.kind.ComponentStatus]
version.v1 = { deprecated = "1.1" }
[group.core.kind.Pod]
"#;
    let evaluation = evaluate(model).unwrap();
    let sources = Sources::new();
    let report = evaluation.report(&sources);
    let deprecated = report.elements.iter().filter(|element| element.deprecated.is_some());
    let ids: Vec<&str> = deprecated.map(|element| element.id).collect();
    assert_eq!(ids, ["core/v1 ComponentStatus"]);
}

#[test]
fn a_reverted_deprecation_is_announced_as_of_its_release() {
    let model = r#"
[calendar]
current = "1.3"
releases = { "1.0" = 2023-01-01, "1.1" = 2023-05-01, "1.2" = 2023-09-01, "1.3" = 2024-01-01, "1.4" = 2024-05-01 }
[group."example.com".version]
v1beta1 = { introduced = "1.0", deprecated = ["1.1", "1.3"], undeprecated = "1.2", replacement = "v1" }
v1 = { introduced = "1.1" }
[group."example.com".kind.Thing]
"#;
    let evaluation = evaluate(model).unwrap();
    let speaks = |release| {
        let notes = evaluation.notes(&Sources::new(), range(&evaluation, Some(release), None));
        let api = notes.warnings.apis.first();
        api.map(|api| api.deprecated.release.to_owned())
    };
    assert_eq!(speaks("1.0"), None);
    assert_eq!(speaks("1.1").as_deref(), Some("1.1"));
    assert_eq!(speaks("1.2"), None);
    assert_eq!(speaks("1.3").as_deref(), Some("1.3"));
    assert!(draft(model, "announcement", Some("1.1")).contains("deprecated in 1.1 (2023-05-01)"));
    assert!(draft(model, "notes", Some("1.2")).contains("no longer deprecated"));
}

#[test]
fn every_command_of_the_readme_on_notes_and_pictures_runs() {
    let readme = read(&in_tree("README.md"));
    let (_, after) = readme
        .split_once("## Declare your surface")
        .expect("README has a model");
    let model = after
        .split("```toml\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .expect("it is a block");
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("lifecycle.toml"), model);
    let (_, part) = readme.split_once("## Write release notes").expect("README has notes");
    let (part, _) = part.split_once("## Import what exists").expect("pictures come next");
    let commands: Vec<&str> = part
        .lines()
        .filter_map(|line| line.strip_prefix("lifecycle "))
        .collect();
    assert!(commands.len() > 8, "{commands:?}");
    for command in commands {
        let command = command.split('#').next().unwrap_or_default();
        let arguments: Vec<&str> = command.split_whitespace().collect();
        finish(program(folder.path(), &arguments), b"").ended(0);
    }
}

#[test]
fn a_file_without_room_for_a_draft_is_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (model, template) = (path("lifecycle.toml"), path("mine.md"));
    write(Path::new(&model), MODEL);
    write(Path::new(&template), "");
    let ran = |file: &str| {
        run(&[
            "notes",
            &model,
            "--release",
            "1.4",
            "--template",
            &template,
            "--write",
            file,
        ])
        .ended(2)
    };
    ran(&model).says(&["would overwrite", "name another file"]);
    ran(&template).says(&["would overwrite"]);
    ran("/dev/stdout").says(&["this is a stream of the program, not a file"]);
    ran(folder.path().to_str().unwrap()).says(&["is not a regular file"]);
    #[cfg(unix)]
    {
        let link = path("link.md");
        std::os::unix::fs::symlink("nowhere.md", &link).unwrap();
        ran(&link).says(&["it is a link, and nothing is written through a link"]);
        assert!(Path::new(&link).is_symlink());
    }
    assert_eq!(read(Path::new(&model)), MODEL);
}

#[test]
fn items_are_grouped_in_the_order_in_which_they_come() {
    let evaluation = evaluate(KUBERNETES).unwrap();
    let notes = evaluation.notes(&Sources::new(), Range::default());
    let mut templates = Templates::default();
    let text = "{% for group in releases | group_by(attribute=\"release.release\") %}{{ group.key }} {{ group.items | length }};{% endfor %}";
    templates.put("a.txt", "a.txt", text);
    let made = templates.render("a.txt", &notes).unwrap();
    let releases: Vec<&str> = notes.releases.iter().map(|of| of.release.release).collect();
    let expected = releases.join(" 1;") + " 1;";
    assert_eq!(made, expected);
}

#[test]
fn a_pipe_does_not_end_a_cell_and_is_kept() {
    let model = MODEL.replace("--old is deprecated, use --new", "run: kubectl get x | grep y");
    assert!(draft(&model, "warnings", None).contains("`run: kubectl get x | grep y`"));
    let model = MODEL.replace("--old", "--a|b");
    assert!(draft(&model, "deprecations", None).contains("| `examplectl --a\\|b` (planned) |"));
}

#[test]
fn a_template_that_would_take_all_stack_or_memory_is_refused() {
    let render = |text: &str| {
        let mut templates = Templates::default();
        templates.put("a.txt", "a.txt", text);
        templates.render("a.txt", &serde_json::json!({}))
    };
    let chain = |count| format!("{{% if false %}}x{}{{% endif %}}", "{% elif false %}y".repeat(count));
    assert_eq!(render(&chain(1_000)).unwrap(), "");
    assert!(render(&chain(1_001)).unwrap_err().to_string().contains("elif"));
    // Pieces of a mebibyte each, one more than may be printed.
    let piece = format!("{{% set piece %}}{}{{% endset %}}", "x".repeat(1 << 20));
    let large = piece + "{% for a in range(end=193) %}{{ piece }}{% endfor %}";
    assert_eq!(
        render(&large).unwrap_err().to_string(),
        "a.txt:1:1048633: it prints more than 192 MiB; show less, or loop over fewer items"
    );
}

#[test]
fn flags_that_end_with_their_command_are_not_announced_besides() {
    let model = MODEL.replace(
        "[gate.Quick]",
        "[cli.examplectl.command.debug]\nintroduced = \"1.0\"\ndeprecated = \"1.1\"\nremoved = \"1.4\"\nwarning = \"w\"\n\
         [cli.examplectl.command.debug.flag]\n\"--target\" = {}\n\
         \"--early\" = { deprecated = \"1.1\", warning = \"w\" }\n[gate.Quick]",
    );
    let notes = draft(&model, "notes", Some("1.4"));
    assert!(notes.contains("`examplectl debug` removed"), "{notes}");
    assert!(!notes.contains("--target"), "{notes}");
    let deprecated = draft(&model, "notes", Some("1.1"));
    assert!(deprecated.contains("--early"), "{deprecated}");
}
