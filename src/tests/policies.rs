//! Policy files: whatever one sets has an effect, or is an error with its place.

#![cfg(test)]

use lifecycle::Document;
use lifecycle::diagnostic::Diagnostic;
use lifecycle::evaluate::{Load, Range, builtin_policy};
use lifecycle::model::{Event, EventKind};
use lifecycle::policy::{BUILT_IN, Class, Key, RuleLaw, WORDS_PAGE, Word};
use lifecycle::rules::RULES;
use lifecycle::{FileId, Sources};
use strum::VariantArray;

use crate::tests::cases::cases;
use crate::tests::support::evaluate_under;

const HEAD: &str = "name = \"ours\"\nextends = \"kubernetes-2025\"\n";

/// The models judged to see whether a key has an effect, by name: one with an element of each class, and the cases.
fn probes() -> Vec<(String, String)> {
    let calendar = "calendar.current = \"1.0\"\n[calendar.releases]\n\"1.0\" = 2024-01-01\n\"1.1\" = 2024-05-01\n\
                    \"1.2\" = 2024-09-01\n\"1.3\" = 2025-01-01\n\"1.4\" = 2025-05-01\n\"1.5\" = 2025-09-01\n\"2.0\" = 2026-01-01\n";
    let classes = ["INTERNAL", "ALPHA", "BETA", "STABLE"].map(|class| {
        format!(
            "[metric.{class}]\nspecs = [{{ stage = \"{class}\", since = \"1.0\" }}]\ndeprecated = \"1.1\"\nremoved = \"1.3\"\n"
        )
    });
    let stages = ["alpha", "beta", "GA"].map(|stage| {
        format!(
            "[cli.tool-{stage}]\naudience = \"user\"\nflag.\"--a\" = {{ stage = \"{stage}\", introduced = \"1.0\", deprecated = \"1.1\", removed = \"1.2\", warning = \"w\" }}\n\
             [cli.admin-{stage}]\naudience = \"admin\"\nflag.\"--a\" = {{ stage = \"{stage}\", introduced = \"1.0\", deprecated = \"1.1\", removed = \"1.2\", warning = \"w\" }}\n"
        )
    });
    let versions = "[group.\"example.com\".version]\n\
                    v1alpha1 = { introduced = \"1.0\", deprecated = \"1.1\", removed = \"1.3\", replacement = \"v1\" }\n\
                    v1beta1 = { introduced = \"1.0\", deprecated = \"1.1\", removed = \"1.3\", replacement = \"v1\" }\n\
                    v1 = { introduced = \"1.1\", deprecated = \"1.2\", removed = \"2.0\", replacement = \"v2\" }\n\
                    v2 = { introduced = \"1.2\" }\n";
    let one = format!("{calendar}{}{}{versions}", classes.concat(), stages.concat());
    assert!(evaluate_under(HEAD, &one).is_ok());
    [("classes".to_owned(), one)].into_iter().chain(cases()).collect()
}

/// What is answered about a model under a policy: the report and the notes, or the errors.
fn answer(model: &str, policy: &str) -> String {
    let sources = Sources::new();
    match evaluate_under(policy, model) {
        Ok(evaluation) => {
            let answers = (
                evaluation.report(&sources),
                evaluation.notes(&sources, Range::default()),
            );
            serde_json::to_string(&answers).expect("a report is JSON")
        }
        Err(errors) => format!("{errors:?}"),
    }
}

/// The errors of a policy file.
fn errors(policy: &str) -> Vec<Diagnostic> {
    let documents: [Document<'_>; 0] = [];
    let mut load = Load::new(&documents);
    load.add_policy("ours.toml", Document::parse(FileId(1), policy));
    load.policy_named("ours.toml").err().unwrap_or_default()
}

/// Whether one of several additions to a policy changes the answer for a model. Of the models, those of the rule are
/// tried first.
fn changes(probes: &[(String, String)], rule: &str, additions: &[String]) -> bool {
    let (own, others): (Vec<_>, Vec<_>) = probes.iter().partition(|(name, _)| name.starts_with(rule));
    own.into_iter().chain(others).any(|(_, model)| {
        let before = answer(model, HEAD);
        additions
            .iter()
            .any(|addition| answer(model, &format!("{HEAD}{addition}\n")) != before)
    })
}

/// The names that errors point at; each has a next step.
fn pointed_at<'p>(policy: &'p str, errors: &[Diagnostic]) -> Vec<&'p str> {
    let place = |error: &Diagnostic| {
        assert!(error.help.is_some(), "{}", error.message);
        let span = error.primary.as_ref().expect("it has a place").span;
        &policy[span.start as usize..span.end as usize]
    };
    errors.iter().map(place).collect()
}

#[test]
fn each_class_and_key_of_each_rule_changes_an_answer_or_is_an_error() {
    let probes = probes();
    let mut silent = Vec::new();
    for (rule, class) in RULES
        .iter()
        .flat_map(|rule| Class::VARIANTS.iter().map(move |class| (rule.slug, class.as_str())))
    {
        let values = |key: &Key| -> &[&str] {
            match key {
                Key::Remove => &["\"any\"", "\"next-major\""],
                Key::ActionRequired => &["false", "true"],
                Key::Deprecate => &["[\"major\"]", "[\"minor\"]"],
                Key::Steps if ["gate-lifetime", "metric-deprecation"].contains(&rule) => &[
                    "[{ name = \"hidden\", after = { releases = 9 } }]",
                    "[{ name = \"locked\", required = true }]",
                ],
                Key::Steps => &[
                    "[{ name = \"s\", duty = \"warn\", required = true }]",
                    "[{ name = \"s\", duty = \"warn\", in = [\"major\"] }]",
                ],
                _ => &["{ releases = 9 }", "{ months = 60 }", "false"],
            }
        };
        let keys = Key::VARIANTS
            .iter()
            .map(|key| format!("{} = {}", key.as_str(), values(key)[0]));
        let policy = format!(
            "{HEAD}[rule.{rule}]\n{class} = {{ {} }}\n",
            keys.collect::<Vec<_>>().join(", ")
        );
        let errors = errors(&policy);
        let refused = pointed_at(&policy, &errors);
        let read = Key::VARIANTS
            .iter()
            .filter(|key| !refused.contains(&class) && !refused.contains(&key.as_str()));
        for key in read {
            let name = key.as_str();
            let additions = values(key)
                .iter()
                .map(|value| format!("[rule.{rule}]\n{class} = {{ {name} = {value} }}"));
            if !changes(&probes, rule, &additions.collect::<Vec<_>>()) {
                silent.push(format!("{rule} {class} {name}"));
            }
        }
    }
    assert_eq!(silent, [""; 0]);
}

#[test]
fn each_other_key_of_each_rule_changes_an_answer_or_is_an_error() {
    let probes = probes();
    let mut silent = Vec::new();
    for rule in RULES {
        for keys in [
            "exempt = []",
            "until-replacement-released = true",
            "off = true",
            "severity = \"off\"",
            "numbr = \"1\"",
        ] {
            let addition = format!("[rule.{}]\n{keys}", rule.slug);
            if errors(&format!("{HEAD}{addition}\n")).is_empty() && !changes(&probes, rule.slug, &[addition]) {
                silent.push(format!("{} {keys}", rule.slug));
            }
        }
    }
    assert_eq!(silent, [""; 0]);
}

#[test]
fn each_key_of_each_rule_is_set_in_a_built_in_policy() {
    let policies = BUILT_IN.iter().filter_map(|built_in| builtin_policy(built_in.name));
    let policies: Vec<_> = policies.collect();
    let mut unset = Vec::new();
    for rule in RULES {
        for key in rule.keys.classes.iter().flat_map(|(_, keys)| *keys) {
            // No text asks for the lock of a gate before its removal; a policy that does is in `tests/suite/steps.rs`.
            if rule.slug == "gate-lifetime" && matches!(key, Key::Steps | Key::AfterSteps) {
                continue;
            }
            let laws = policies.iter().filter_map(|policy| policy.rules.get(rule.slug));
            let sets = |law: &RuleLaw| match key {
                Key::Remove => !law.next_major.is_empty(),
                Key::ActionRequired => !law.no_action.is_empty(),
                Key::Steps => !law.steps.is_empty(),
                Key::Deprecate => law.only_in.keys().any(|(_, set)| set == key),
                window => law.windows.keys().any(|(_, set)| set == window),
            };
            if !laws.into_iter().any(sets) {
                unset.push((rule.slug, key.as_str()));
            }
        }
    }
    assert_eq!(unset, []);
}

#[test]
fn built_in_policies_have_no_error() {
    let documents: [Document<'_>; 0] = [];
    for built_in in BUILT_IN {
        let mut load = Load::new(&documents);
        load.add_policy("ours.toml", Document::parse(FileId(1), built_in.text));
        let read = load.policy_named("ours.toml");
        assert!(read.is_ok(), "{}: {:?}", built_in.name, read.err());
    }
}

#[test]
fn what_a_policy_file_cannot_mean_is_an_error_that_says_what_it_can() {
    for (addition, message, help) in [
        (
            "[rule.versoin-lifetime]",
            "there is no rule `versoin-lifetime`",
            "did you mean `version-lifetime`?",
        ),
        (
            "[rule.version-lifetime]\nbeta = { afer-deprecation = { releases = 1 } }",
            "unknown key `afer-deprecation`",
            "did you mean `after-deprecation`?",
        ),
        (
            "[rule.version-lifetime]\nstable = { after-deprecation = { releases = 1 } }",
            "version-lifetime does not read `stable`",
            "it reads number, severity, off, alpha, beta, ga",
        ),
        (
            "[rule.behavior-lifetime]\nafter-deprecation = { months = 6 }",
            "behavior-lifetime does not read `after-deprecation`",
            "write it in a class: `all = { after-deprecation = … }`",
        ),
        (
            "[rule.version-lifetime]\nremove-witin = { months = 6 }",
            "version-lifetime does not read `remove-witin`",
            "write it in a class: `alpha = { remove-within = … }`",
        ),
        (
            "[rule.round-trip]\nexempt = [\"missing-resources\"]",
            "there is no exemption of round-trip `missing-resources`",
            "did you mean `missing-resource`?",
        ),
        (
            "[rule.history]\nnumber = \"1\"",
            "history does not read `number`",
            "it reads severity",
        ),
        (
            "[rule.history]\nseverity = { rewritten = { alpha = \"note\" } }",
            "the severity of `rewritten` is the same in every track",
            "write one severity, such as \"warning\"",
        ),
        (
            "[words]\nurgnet = \"now\"",
            "unknown key `urgnet`",
            "did you mean `urgent`?",
        ),
        (
            "gate-option = \"--features\"",
            "`gate-option` is a key of `[words]`",
            "write it in the table `[words]`: `words.gate-option = …`",
        ),
        (
            "[rule.gate-warning]\ngate-option = \"--features\"",
            "gate-warning does not read `gate-option`",
            "it reads number, severity, off",
        ),
        (
            "[words]\nshow-hidden-metrics = \"--metrics-of={relase}\"",
            "`show-hidden-metrics` has no placeholder `{relase}`",
            "its placeholders are `{release}`",
        ),
        (
            "[words]\nurgent = \"{release}\"",
            "`urgent` has no placeholder `{release}`",
            "it has no placeholders: write it without braces",
        ),
        (
            "[words]\nurgent = \"\"",
            "`urgent` is empty",
            "write a text, or `urgent = false` for none",
        ),
        (
            "[words]\ndeprecated-requests = false\nrequests = \"requests_total\"",
            "`requests` has no effect without `deprecated-requests`, the gauge that it is joined with",
            "set `deprecated-requests`, or delete this key",
        ),
        (
            "[rule.cli-warning]\noff = true\nnumber = \"1\"",
            "`number` has no effect, because cli-warning is off",
            "delete this key, or `off`",
        ),
    ] {
        let found = errors(&format!("{HEAD}{addition}\n"));
        let reported: Vec<(&str, Option<&str>)> = found
            .iter()
            .map(|error| (error.message.as_str(), error.help.as_deref()))
            .collect();
        assert_eq!(reported, [(message, Some(help))]);
        assert!(found[0].primary.is_some(), "{addition}");
    }
    let twice = "name = \"ours\"\nextends = \"kubernetes-2019\"\n[rule.metric-lifetime]\noff = true\n";
    let found = errors(twice);
    assert_eq!(
        found[0].message,
        "metric-lifetime is not in force in the extended policy"
    );
}

/// A model whose notes quote every word: a removed gate and a locked one, a hidden metric, a deprecated kind.
const QUOTED: &str = "
policy = \"ours.toml\"
[calendar]
current = \"1.3\"
cadence = { months = 4 }
[calendar.releases]
\"1.0\" = 2024-01-01
\"1.1\" = 2024-05-01
\"1.2\" = 2024-09-01
\"1.3\" = 2025-01-01
[group.\"example.com\".version]
v1beta1 = { introduced = \"1.0\", deprecated = \"1.1\", removed = \"1.4\" }
v1 = { introduced = \"1.1\" }
[group.\"example.com\".kind.Widget]
resource = \"widgets\"
[gate.Glow]
specs = [
  { stage = \"beta\", since = \"1.0\", default = true },
  { stage = \"GA\", since = \"1.1\", default = true },
  { stage = \"GA\", since = \"1.2\", default = true, locked = true },
]
removed = \"1.4\"
[metric.m]
specs = [{ stage = \"STABLE\", since = \"1.0\" }]
deprecated = \"1.0\"
hidden = \"1.3\"
";

fn notes_under(policy: &str) -> String {
    let evaluation = evaluate_under(policy, QUOTED).expect("it can be read");
    let notes = evaluation.notes(&Sources::new(), Range::default());
    serde_json::to_string(&notes).expect("notes are JSON")
}

/// A policy that does not extend that of Kubernetes: rules without numbers, and no words.
const NEUTRAL: &str = "name = \"ours\"\n[rule.version-lifetime]\nbeta = { after-deprecation = { releases = 3 } }\n\
                       severity = { early = \"error\" }\n";

#[test]
fn each_word_is_quoted_is_on_its_page_and_is_that_of_kubernetes_only_in_its_policies() {
    let (of_kubernetes, neutral) = (notes_under(HEAD), notes_under(NEUTRAL));
    let kubernetes = builtin_policy("kubernetes").expect("it is built in");
    for word in Word::VARIANTS {
        let name = word.as_str();
        assert!(
            WORDS_PAGE.contains(&format!("| `{name}` |")),
            "{name} is not on the page"
        );
        let own = kubernetes.words.get(*word).expect("Kubernetes has every word");
        let fixed = own.split('{').next().unwrap_or_default();
        assert!(fixed.len() < 2 || of_kubernetes.contains(fixed), "{fixed}");
        assert!(fixed.len() < 2 || !neutral.contains(fixed), "{fixed}");
        for set in [format!("{name} = false"), format!("{name} = \"ours of {name}\"")] {
            let policy = format!("{HEAD}[words]\n{set}\n");
            let is_joined = *word == Word::DeprecatedRequests && set.ends_with("false");
            let policy = if is_joined {
                format!("{policy}requests = false\n")
            } else {
                policy
            };
            assert_ne!(notes_under(&policy), of_kubernetes, "{set}");
        }
    }
    for foreign in [
        "k8s",
        "apiserver",
        "--feature-gates",
        "--show-hidden",
        "MUST",
        " v1.",
        "feature gate Glow",
    ] {
        assert!(!neutral.contains(foreign), "{foreign}: {neutral}");
    }
    assert!(neutral.contains("example.com/v1beta1 Widget is deprecated in 1.1+, unavailable in 1.4+"));
}

#[test]
fn a_word_that_is_removed_from_nothing_is_an_error() {
    let found = errors(&format!("{NEUTRAL}[words]\nurgent = false\n"));
    assert_eq!(found[0].message, "the extended policy has no `urgent`");
}

#[test]
fn errors_of_an_extended_file_have_their_places_in_that_file() {
    let documents: [Document<'_>; 0] = [];
    let mut load = Load::new(&documents);
    load.add_policy(
        "ours.toml",
        Document::parse(FileId(1), "name = \"ours\"\nextends = \"base.toml\"\n"),
    );
    let base = "name = \"base\"\nextends = \"kubernetes\"\n[rule.cli-warning]\nga = {}\n";
    load.add_policy("base.toml", Document::parse(FileId(2), base));
    let found = load.policy_named("ours.toml").expect_err("a rule does not read `ga`");
    let place = found[0].primary.as_ref().expect("it has a place").span;
    assert_eq!(
        (place.file, &base[place.start as usize..place.end as usize]),
        (FileId(2), "ga")
    );
}

#[test]
fn days_of_grace_hold_for_windows_of_policies_that_extend_the_one_that_grants_them() {
    let documents: [Document<'_>; 0] = [];
    let mut load = Load::new(&documents);
    let base = "name = \"base\"\nextends = \"kubernetes\"\ngrace = { days = 3 }\n";
    let ours = "name = \"ours\"\nextends = \"base.toml\"\n[rule.behavior-lifetime]\nall = { after-deprecation = { months = 6 } }\n";
    load.add_policy("base.toml", Document::parse(FileId(1), base));
    load.add_policy("ours.toml", Document::parse(FileId(2), ours));
    let policy = load.policy_named("ours.toml").expect("it is a policy");
    for (rule, class) in [("behavior-lifetime", Class::All), ("user-cli-lifetime", Class::Ga)] {
        let window = policy.rules[rule]
            .window(class, Key::AfterDeprecation)
            .expect("it has a window");
        assert_eq!(window.grace_days, 3, "{rule}");
    }
}

#[test]
fn a_lifetime_of_one_class_overrides_that_of_all_in_whichever_order_they_stand() {
    let (all, ga) = (
        "all = { after-deprecation = { months = 6 } }",
        "ga = { after-deprecation = { months = 24 } }",
    );
    for lines in [[all, ga], [ga, all]] {
        let documents: [Document<'_>; 0] = [];
        let mut load = Load::new(&documents);
        let text = format!("name = \"ours\"\n[lifetime]\n{}\n", lines.join("\n"));
        load.add_policy("ours.toml", Document::parse(FileId(1), &text));
        let policy = load.policy_named("ours.toml").expect("it is a policy");
        let months = [Class::Beta, Class::Ga].map(|class| {
            let window = policy.rules["version-lifetime"].window(class, Key::AfterDeprecation);
            window.expect("it has a window").months
        });
        assert_eq!(months, [6, 24], "{text}");
    }
}

#[test]
fn a_misspelled_custom_is_an_error() {
    let found = errors(&format!(
        "{HEAD}[rule.version-lifetime]\nga = {{ custom-emulaton = {{ releases = 3 }} }}\n"
    ));
    assert_eq!(found[0].message, "unknown key `custom-emulaton`");
    assert_eq!(found[0].help.as_deref(), Some("did you mean `custom-emulation`?"));
}

#[test]
fn a_custom_of_kubernetes_is_not_that_of_a_policy_that_extends_one_of_its_policies() {
    let documents: [Document<'_>; 0] = [];
    let mut load = Load::new(&documents);
    let stated = format!("{HEAD}[rule.gate-lifetime]\nbeta-to-ga = {{ custom-after-locking = {{ releases = 2 }} }}\n");
    load.add_policy("none.toml", Document::parse(FileId(1), HEAD));
    load.add_policy("own.toml", Document::parse(FileId(2), &stated));
    let windows = |name: &str| {
        let policy = load.policy_named(name).expect("it is a policy");
        [
            ("version-lifetime", Class::Ga, Key::CustomEmulation),
            ("gate-lifetime", Class::BetaToGa, Key::CustomAfterLocking),
            ("gate-lifetime", Class::BetaToDropped, Key::CustomAfterLocking),
        ]
        .map(|(rule, class, key)| policy.rules[rule].window(class, key).map(|window| window.releases))
    };
    assert_eq!(windows("kubernetes-2025"), [Some(3); 3]);
    assert_eq!(windows("kubernetes-2021"), [None, Some(3), Some(3)]);
    assert_eq!(windows("none.toml"), [None; 3]);
    assert_eq!(windows("own.toml"), [None, Some(2), None]);
    assert_eq!(windows("olm"), [None; 3]);
}

#[test]
fn a_kind_that_a_version_lacks_is_reported_where_the_policy_does_not_exempt_it() {
    let policy = "name = \"ours\"\nextends = \"kubernetes\"\n[rule.round-trip]\nexempt = []\n";
    let model = "
[calendar.releases]
\"1.0\" = 2024-01-01
\"1.1\" = 2024-05-01
\"1.2\" = 2024-09-01
[group.\"g.example\".version]
v1 = { introduced = \"1.0\" }
v2 = { introduced = \"1.1\" }
v3 = { introduced = \"1.2\" }
[group.\"g.example\".kind.Widget]
versions = [\"v1\", \"v2\"]
";
    let evaluation = evaluate_under(policy, model).unwrap_or_else(|errors| panic!("{errors:#?}"));
    let findings = evaluation.findings().iter();
    let mut messages: Vec<&str> = findings
        .filter(|finding| finding.code == "no-counterpart")
        .map(|finding| finding.message.as_str())
        .collect();
    messages.sort_unstable();
    let expected = [
        "g.example/v1 Widget is missing from v3",
        "g.example/v2 Widget is missing from v3",
    ];
    assert_eq!(messages, expected);
}

/// Its deprecation is expected in X+4, under the first policy, though nothing declares it.
#[test]
fn a_version_without_a_successor_ends_under_the_policy_of_its_expected_deprecation() {
    let model = r#"
policy = [{ use = "short.toml" }, { use = "long.toml", from = "X+8" }]
[calendar]
current = "X+3"
cadence = { months = 4 }
symbolic = { origin = "X", count = 12 }
[group.g.version]
v1 = { introduced = "X" }
"#;
    let [short, long] = [("short", 2), ("long", 4)].map(|(name, releases)| {
        format!(
            "name = \"{name}\"\nextends = \"kubernetes\"\n[rule.version-lifetime]\n\
             ga = {{ remove = \"any\", after-deprecation = {{ releases = {releases} }} }}\n"
        )
    });
    let documents = [Document::parse(FileId(0), model)];
    let mut load = Load::new(&documents);
    load.add_policy("short.toml", Document::parse(FileId(1), &short));
    load.add_policy("long.toml", Document::parse(FileId(2), &long));
    let evaluation = load.evaluate().unwrap_or_else(|errors| panic!("{errors:#?}"));
    let model = evaluation.model();
    let version = model.find("g/v1").expect("it is there");
    let removed = Event::new(version, 0, EventKind::Removed);
    let soonest = evaluation.reasoning().soonest_removal(removed).release;
    assert_eq!(model.calendar.name(soonest), "X+6");
}
