//! A rule's page is its documentation, what `explain` prints, and a test: every model on it is checked.

#![cfg(test)]

use std::collections::BTreeSet;

use lifecycle::FileId;
use lifecycle::diagnostic::Severity;
use lifecycle::evaluate::builtin_policy;
use lifecycle::policy::{Policy, SCHEMA_PAGE};
use lifecycle::rules::RULES;
use lifecycle::schema::{ChangeKind, Verdict};
use lifecycle::stability::{self, Track};
use lifecycle::{Diagnostics, Document};

use crate::tests::support::{evaluate, marks, marks_found, marks_of_change};

/// The blocks of a page that are fenced as `toml`.
fn models(page: &str) -> Vec<String> {
    page.split("```toml\n")
        .skip(1)
        .map(|rest| {
            let (block, _) = rest.split_once("```").expect("a block ends");
            block.to_owned()
        })
        .collect()
}

#[test]
fn models_on_pages_have_the_marked_findings_and_no_others() {
    let pages = RULES.iter().map(|rule| (rule.slug, rule.page));
    let pages = pages.chain(lifecycle::evaluate::pages().map(|page| (page.slug, page.text)));
    let mut wrong = Vec::new();
    for (slug, page) in pages {
        for (at, model) in models(page).iter().enumerate() {
            let (expected, found) = (marks(model), marks_found(model));
            if expected != found {
                wrong.push(format!(
                    "{slug}, model {at}:\n{model}\n  expected {expected:?}\n  found    {found:?}\n"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_page_has_a_model_with_a_finding_and_one_without() {
    for rule in RULES {
        let models = models(rule.page);
        let complains = |model: &&String| marks(model).iter().any(|(_, _, slug, _)| slug == rule.slug);
        assert!(
            models.iter().any(|model| complains(&model)),
            "{}: no model complains",
            rule.slug
        );
        let silent = |model: &&String| marks(model).iter().all(|(_, _, slug, _)| slug != rule.slug);
        assert!(
            models.iter().any(|model| silent(&model)),
            "{}: no model is silent",
            rule.slug
        );
    }
}

#[test]
fn the_page_of_a_rule_lists_every_code_exemption_class_and_key() {
    for rule in RULES {
        for code in rule.codes {
            assert!(
                rule.page.contains(&format!("`{code}`")),
                "{}: {code} is not reported",
                rule.slug
            );
        }
        for case in rule.keys.exemptions {
            assert!(
                rule.page.contains(&format!("`{case}`")),
                "{}: {case} is not reported",
                rule.slug
            );
        }
        for (class, keys) in rule.keys.classes {
            for name in keys.iter().map(|key| key.as_str()).chain([class.as_str()]) {
                assert!(
                    rule.page.contains(&format!("`{name}`")),
                    "{}: {name} is not reported",
                    rule.slug
                );
            }
        }
    }
}

#[test]
fn a_page_lists_every_code_with_its_severity() {
    for page in lifecycle::evaluate::pages() {
        for (code, severity) in page.codes {
            let reported = format!("- `{code}` ({severity})");
            assert!(page.text.contains(&reported), "{}: {reported}", page.slug);
        }
    }
}

#[test]
fn changes_on_the_page_of_history_have_the_marked_findings() {
    let page = lifecycle::evaluate::pages()
        .find(|page| page.slug == "history")
        .expect("it has a page");
    let blocks = |fence: &str| -> Vec<String> {
        let parts = page.text.split(fence).skip(1);
        parts
            .map(|rest| rest.split_once("```").expect("a block ends").0.to_owned())
            .collect()
    };
    let base = blocks("```toml base\n").pop().expect("there is a base");
    let changes = blocks("```toml change\n");
    assert_eq!(changes.len(), 2);
    for change in changes {
        let mut found = marks_of_change(&base, &change);
        found.retain(|(_, _, slug, _)| slug == "history");
        assert_eq!(found, marks(&change), "{change}");
    }
}

#[test]
fn every_page_begins_with_its_slug_and_one_of_a_rule_with_its_title() {
    let pages = RULES.iter().map(|rule| (rule.slug, rule.page));
    for (slug, page) in pages.chain(lifecycle::evaluate::pages().map(|page| (page.slug, page.text))) {
        assert!(page.starts_with(&format!("# {slug}\n")), "{slug}");
    }
    for rule in RULES {
        let title = rule.page.split("\n\n").nth(1).expect("a page has text");
        assert_eq!(rule.title(), title, "the first paragraph is one sentence on one line");
        assert!(title.ends_with('.') && !title.contains(". "), "{title}");
    }
    for level in ["alpha", "beta", "stable"] {
        let page = stability::promise(level).expect("a level has a page");
        assert!(page.starts_with(&format!("# {level}\n")));
    }
}

#[test]
fn the_page_on_schemas_names_each_kind_of_change_and_shows_a_policy() {
    assert!(SCHEMA_PAGE.starts_with("# schema\n"));
    let (_, list) = SCHEMA_PAGE.split_once("## The kinds of change").expect("a list");
    let named: BTreeSet<&str> = list
        .lines()
        .filter_map(|line| line.strip_prefix("- `")?.split('`').next())
        .collect();
    let known: BTreeSet<&str> = ChangeKind::ALL.iter().map(|kind| kind.as_str()).collect();
    let (missing, unknown): (Vec<_>, Vec<_>) = (known.difference(&named).collect(), named.difference(&known).collect());
    assert!(missing.is_empty(), "src/policy/schema.md lacks {missing:?}");
    assert!(
        unknown.is_empty(),
        "src/policy/schema.md names {unknown:?}: no such kinds exist"
    );
    assert!(SCHEMA_PAGE.contains("`lifecycle explain schemas`"));
    let of_key = lifecycle::evaluate::pages()
        .find(|page| page.slug == "schemas")
        .unwrap();
    assert!(of_key.text.contains("`lifecycle explain schema`"));
    let shown = models(SCHEMA_PAGE);
    assert_eq!(shown.len(), 1);
    let mut errors = Diagnostics::default();
    let kubernetes = builtin_policy("kubernetes");
    let policy = Policy::read(
        &Document::parse(FileId(0), &shown[0]),
        kubernetes.as_ref(),
        &lifecycle::evaluate::rule_tables(),
        &mut errors,
    );
    assert!(errors.is_empty(), "{:?}", errors.into_vec());
    let severity = |kind, verdict, track| policy.schema.severity(kind, verdict, track);
    assert_eq!(
        severity(ChangeKind::FieldRemoved, Verdict::Breaking, Track::Alpha),
        Severity::Note
    );
    assert_eq!(
        severity(ChangeKind::DefaultChanged, Verdict::Breaking, Track::Alpha),
        Severity::Error
    );
    assert_eq!(
        severity(ChangeKind::EnumValueAdded, Verdict::Risky, Track::Beta),
        Severity::Note
    );
    assert_eq!(
        severity(ChangeKind::EnumValueAdded, Verdict::Risky, Track::Ga),
        Severity::Warning
    );
}

#[test]
fn the_model_in_the_readme_breaks_nothing() {
    let models = models(include_str!("../../tests/../README.md"));
    assert_eq!(models.len(), 1);
    assert_eq!(marks_found(&models[0]), []);
}

/// What the models on the pages of principles are marked with: the version of a line, and what is planned for it.
fn plans_marked(model: &str) -> Vec<(String, String, String)> {
    let lines = model.lines().filter_map(|line| line.split_once(" # plan: "));
    let marks = lines.flat_map(|(entry, marks)| marks.split(", ").map(move |mark| (entry, mark)));
    let marks = marks.map(|(entry, mark)| {
        let version = entry.split(" = ").next().expect("an entry has a key");
        let (what, when) = mark.split_once(' ').expect("a mark has an event and a release");
        [version, what, when].map(str::to_owned).into()
    });
    marks.collect()
}

/// What a report says about a version of example.com, in the words of the marks.
fn planned(report: &serde_json::Value, version: &str, what: &str) -> String {
    if let "preferred" | "storage" = what {
        let groups = report["groups"].as_array().expect("a report has groups");
        let mut rows = groups[0]["releases"].as_array().expect("a group has releases").iter();
        let first = rows
            .find(|row| row[what] == version)
            .expect("it is there in some release");
        return first["release"].as_str().expect("a release has a name").to_owned();
    }
    let mut elements = report["elements"].as_array().expect("a report has elements").iter();
    let id = format!("example.com/{version}");
    let element = elements.find(|element| element["id"] == id).expect("it is declared");
    match what {
        "replacement" => {
            let replacement = element["migrate_to"].as_str().expect("it has a replacement");
            replacement.trim_start_matches("example.com/").to_owned()
        }
        event => element[event]["release"].as_str().unwrap_or("never").to_owned(),
    }
}

#[test]
fn the_pages_of_principles_say_what_the_plan_has() {
    for (number, page) in (1..).zip(lifecycle::evaluate::PRINCIPLES) {
        assert!(page.starts_with(&format!("# P{number}\n")), "{page}");
        let [model] = &models(page)[..] else {
            panic!("P{number} has one model")
        };
        let evaluation = evaluate(model).expect("the model can be read");
        let report = serde_json::to_value(evaluation.report(&lifecycle::Sources::new())).expect("a report is JSON");
        let marked = plans_marked(model);
        assert!(!marked.is_empty(), "P{number}");
        for (version, what, when) in marked {
            assert_eq!(planned(&report, &version, &what), when, "P{number}: {version} {what}");
        }
    }
}
