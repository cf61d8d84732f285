//! What the worst known inputs cost: counts of results and bytes of output, which grow with the input and not faster.

#![cfg(test)]

use std::fmt::Write as _;

use lifecycle::Sources;
use lifecycle::render::Templates;

use crate::program::{MODEL, folder, run_in};
use crate::support::{evaluate, findings};

/// The most that twice the input may cost, in tenths of what the input costs.
const TWICE: usize = 22;

/// Forty releases, the last but one of which is current.
fn calendar() -> String {
    let mut text = String::from("[calendar]\ncurrent = \"1.38\"\ncadence = { months = 4 }\n[calendar.releases]\n");
    for release in 0..40 {
        let _ = writeln!(
            text,
            "\"1.{release}\" = {}-{:02}-01",
            2000 + release / 3,
            release % 3 * 4 + 1
        );
    }
    text
}

/// One kind in many versions, and fields in every other version, in every second, and so on.
fn versions_with_gaps(versions: usize, fields: usize) -> String {
    let mut text = calendar() + "[group.\"a.example.com\".version]\n";
    for version in 1..=versions {
        let _ = writeln!(text, "v{version} = {{ introduced = \"1.{}\" }}", version % 38);
    }
    text += "[group.\"a.example.com\".kind.Widget.field]\n";
    for field in 0..fields {
        let present = (1..=versions).filter(|version| version / (field + 1) % 2 == 0);
        let present: Vec<String> = present.map(|version| format!("v{version} = {{}}")).collect();
        let _ = writeln!(text, "\"spec.f{field}\" = {{ in = {{ {} }} }}", present.join(", "));
    }
    text
}

fn grows_with_its_input(what: &str, cost: impl Fn(usize) -> usize, size: usize) {
    let (once, twice) = (cost(size), cost(2 * size));
    assert!(once > 0, "{what}: the cost of {size} is counted");
    assert!(
        twice * 10 <= once * TWICE,
        "{what}: {size} costs {once}, {} costs {twice}",
        2 * size
    );
}

#[test]
fn findings_about_conversion_grow_with_the_versions_of_a_kind() {
    grows_with_its_input(
        "findings",
        |versions| findings(&versions_with_gaps(versions, 4)).len(),
        200,
    );
    let most = 900 * 20 * 2;
    let found = findings(&versions_with_gaps(900, 20)).len();
    assert!(found <= most, "900 versions with 20 fields have {found} findings");
}

/// What is said of a field that one of some versions has.
fn lonely(versions: usize, own: &str) -> Vec<String> {
    let mut text = versions_with_gaps(versions, 0);
    let _ = writeln!(text, "\"spec.lonely\" = {{ in = {{ {own} = {{}} }} }}");
    let found = findings(&text).into_iter();
    let lonely = found.filter(|finding| finding.code == "no-counterpart");
    lonely.map(|finding| finding.message).collect()
}

#[test]
fn a_field_of_one_of_many_versions_has_one_finding() {
    assert_eq!(
        lonely(100, "v37"),
        [
            "a.example.com/v37 Widget .spec.lonely has no counterpart in a.example.com/v76 Widget in 1.37 \
          (nor in v38, v77, v39 and others): an object converted there and back loses it"
        ]
    );
    assert_eq!(
        lonely(5, "v1"),
        [
            "a.example.com/v1 Widget .spec.lonely has no counterpart in a.example.com/v2 Widget in 1.2 \
          (nor in v3, v4, v5): an object converted there and back loses it"
        ]
    );
}

/// Versions, kinds in each, and fields in each of those, of which only the names are declared.
fn inherited(versions: usize, kinds: usize, fields: usize) -> String {
    let mut text = calendar() + "[group.\"a.example.com\".version]\n";
    for version in 1..=versions {
        let _ = writeln!(text, "v{version} = {{ introduced = \"1.{}\" }}", version % 38);
    }
    let fields: Vec<String> = (0..fields).map(|field| format!("\"s.f{field}\" = {{}}")).collect();
    for kind in 0..kinds {
        let _ = writeln!(
            text,
            "[group.\"a.example.com\".kind.K{kind}]\nfield = {{ {} }}",
            fields.join(", ")
        );
    }
    text
}

/// The bytes of the report of a model, as JSON.
fn report_bytes(text: &str) -> usize {
    let evaluation = evaluate(text).unwrap_or_else(|errors| panic!("{errors:?}"));
    let report = serde_json::to_string(&evaluation.report(&Sources::new()));
    report.expect("a report is JSON").len()
}

/// Asserts that a model is refused for its cost by one error, which has this in its message, and a next step.
fn is_refused(text: &str, message: &str) {
    let Err(errors) = evaluate(text) else {
        panic!("a model beyond a limit is refused: {message}");
    };
    let [error] = errors.as_slice() else {
        panic!("one error: {errors:?}");
    };
    assert_eq!(error.code, "too-many");
    assert!(error.message.contains(message), "{}", error.message);
    assert!(error.help.is_some() && error.primary.is_some(), "{error:?}");
}

#[test]
fn the_report_grows_with_the_elements_that_are_inherited() {
    grows_with_its_input("bytes of JSON", |kinds| report_bytes(&inherited(30, kinds, 20)), 5);
}

#[test]
fn few_lines_that_declare_many_elements_are_refused_beyond_a_limit() {
    let text = inherited(30, 500, 20);
    assert!(text.len() < 200_000, "300,000 elements in few bytes");
    is_refused(&text, "the model has too many elements");
    // An owner's name that every element inherits counts each time.
    let owner = format!("[group.\"a.example.com\"]\nowner = \"{}\"\n", "o".repeat(300_000));
    is_refused(&(inherited(400, 0, 0) + &owner), "the model has too many elements");
}

#[test]
fn pairs_of_versions_are_limited() {
    assert!(evaluate(&inherited(900, 1, 20)).is_ok(), "900 versions of one kind");
    is_refused(&inherited(500, 20, 0), "pairs of versions to judge");
    is_refused(&inherited(2_000, 0, 0), "pairs of versions to judge");
}

#[test]
fn lists_of_other_files_are_limited() {
    for (key, what) in [("schemas", "1001 paths of schemas"), ("webhooks", "1001 webhooks")] {
        let head = format!("{key} = [{}]\n", "\"a\", ".repeat(1_001));
        is_refused(&(head + &inherited(1, 0, 0)), &format!("{what}, more than 1000"));
    }
    let deep = "**/".repeat(65);
    for (pattern, count, refused) in [
        ("*.none", 201, "201 patterns of files to include, more than 200"),
        ("**/**/**/**/**/*.none", 1, "a pattern with more than 4 times `**`"),
        (deep.as_str(), 1, "a pattern of more than 64 folders"),
    ] {
        let include = format!("include = [{}]\n", format!("\"{pattern}\", ").repeat(count));
        let folder = folder(&[("lifecycle.toml", &(include + MODEL))]);
        run_in(&folder, &["check"]).ended(2).says(&["too-many", refused]);
    }
}

#[test]
fn repeated_events_releases_and_exceptions_are_limited() {
    let repeated = |count: usize| {
        let releases = |first: usize| {
            let all: Vec<String> = (0..count)
                .map(|at| format!("\"1.{}\"", (first + 2 * at) % 38))
                .collect();
            all.join(", ")
        };
        calendar()
            + &format!(
                "[group.g.version]\nv2 = {{ introduced = \"1.0\" }}\nv1 = {{ introduced = \"1.0\", undeprecated = [{}] }}\n",
                releases(2)
            )
    };
    is_refused(&repeated(20_000), "20000 releases of one event, more than 100");
    let mut long = String::from("[calendar.releases]\n");
    for release in 0..10_000 {
        let _ = writeln!(long, "\"1.{release}\" = {}-01-01", 1000 + release / 2);
    }
    is_refused(
        &(long + "[group.g.version]\nv1 = { introduced = \"1.0\" }\n"),
        "10000 releases, more than 1000",
    );
    let names: Vec<String> = (0..150).map(|gate| format!("\"G{gate}\"")).collect();
    let gate = |name: usize| {
        let stage = "{ stage = \"alpha\", since = \"1.0\", default = false }";
        format!(
            "[gate.G{name}]\nspecs = [{stage}]\ndepends-on = [{}]\n",
            names.join(", ")
        )
    };
    let dense: String = (0..134).map(gate).collect();
    is_refused(&(calendar() + &dense), "the gates have more than 20000 dependencies");
    let granted = "[[exception]]\nrule = \"4a\"\nelement = \"g/v1\"\nreason = \"r\"\napproved-by = \"me\"\n";
    let text = calendar() + "[group.g.version]\nv1 = { introduced = \"1.0\" }\n" + &granted.repeat(1_001);
    is_refused(&text, "1001 exceptions, more than 1000");
    let long = "c".repeat(300_000);
    let kinds = [
        format!("[element-kind.{long}]\n"),
        format!("[element-kind.job]\ntitle = \"{long}\"\n"),
        format!("[element-kind.job]\nclasses = {{ {long} = \"GA\" }}\n"),
    ];
    for kind in kinds {
        is_refused(&(calendar() + &kind), "a name of 300000 letters, more than 100");
    }
}

#[test]
fn names_are_guessed_for_listed_errors_only() {
    let mut text = calendar();
    for gate in 0..2_000 {
        let _ = writeln!(
            text,
            "[behavior.b{gate}]\nintroduced = \"1.0\"\ngated-by = \"Gate{gate}Y\""
        );
        let _ = writeln!(
            text,
            "[gate.Gate{gate}X]\nspecs = [{{ stage = \"alpha\", since = \"1.1\", default = false }}]"
        );
    }
    let errors = findings(&text);
    assert_eq!(errors.len(), 201, "the listed errors, and how many more there are");
    let guesses = errors.iter().take(200).filter_map(|error| error.help.as_deref());
    assert_eq!(guesses.filter(|help| help.contains("Gate")).count(), 200);
    let last = errors.last().expect("there are errors");
    assert_eq!(last.message, "and 1800 more errors");
}

#[test]
fn timelines_are_limited() {
    let mut text = String::from("[calendar]\nsymbolic = { origin = \"X\", count = 1000 }\n");
    for group in 0..2_000 {
        let _ = writeln!(text, "[group.g{group}.version]\nv1 = {{ introduced = \"X\" }}");
    }
    is_refused(&text, "1000 releases of 2000 groups make timelines of");
}

/// What a template renders, or its error.
fn rendered(template: &str) -> Result<String, String> {
    let mut templates = Templates::default();
    templates.put("t.txt", "t.txt", template);
    let items: Vec<usize> = (0..1_000).collect();
    let context = std::collections::BTreeMap::from([("items", items)]);
    templates.render("t.txt", &context).map_err(|error| error.to_string())
}

#[test]
fn findings_leave_out_the_middle_of_long_names() {
    let name = "b".repeat(1_000_000);
    let text =
        calendar() + &format!("[behavior.{name}]\nintroduced = \"1.0\"\ndeprecated = \"1.1\"\nremoved = \"1.2\"\n");
    let evaluation = evaluate(&text).expect("it can be read");
    let sources = Sources::new();
    let report = evaluation.report(&sources);
    assert!(!report.diagnostics.is_empty());
    for finding in &report.diagnostics {
        let texts = finding.because.iter().map(|fact| &fact.text);
        let longest = texts
            .chain([&finding.message])
            .chain(&finding.help)
            .map(String::len)
            .max();
        assert!(longest <= Some(1000), "{longest:?}");
    }
}

#[test]
fn loops_in_templates_end() {
    const NESTED: [&str; 3] = [
        "{% for a in items %}{% for b in items %}{% for c in items %}{% endfor %}{% endfor %}{% endfor %}",
        "{{ [[1 for b in range(end=100000)] for a in range(end=100000) if a > 1] | length }}",
        "{% component c(x) %}{% for i in range(end=2000) %}{{ x }}{% endfor %}{% endcomponent c %}\
         {% for a in range(end=100000) %}{{<c x={a} />}}{% endfor %}",
    ];
    for template in NESTED {
        let error = rendered(template).expect_err("a loop in a loop in a loop ends");
        assert!(error.starts_with("t.txt:1:"), "the error names its place: {error}");
        assert!(error.contains("render more than 256 MiB of the template"), "{error}");
    }
    let doubled =
        "{% set s = \"0123456789abcdef\" %}{% for a in range(end=60) %}{% set_global s = s ~ s %}{% endfor %}";
    let error = rendered(doubled).expect_err("a string that doubles ends");
    assert!(error.contains("a variable holds more than"), "{error}");
}

#[test]
fn filters_and_unknown_names_in_templates_have_a_limit() {
    let long = "a".repeat(10_000);
    let replaced = format!("{{{{ \"{long}\" | replace(from=\"a\", to=\"{long}\") }}}}");
    let joined = format!("{{{{ range(end=1000) | join(sep=\"{long}\") }}}}");
    for (filter, template) in [("replace", replaced), ("join", joined)] {
        let error = rendered(&template).expect_err("it makes too much");
        assert!(error.contains(&format!("`{filter}` would make more than")), "{error}");
    }
    assert_eq!(
        rendered("{{ \"a-b\" | replace(from=\"-\", to=\"--\") }} {{ [1, 2] | join(sep=\", \") }}"),
        Ok("a--b 1, 2".to_owned())
    );
    assert_eq!(
        rendered("{{ [2, \"2\", 1, 2, \"a\", 1.0, \"2\", \"a\"] | unique | join(sep=\" \") }}"),
        Ok("2 2 1 a".to_owned())
    );
    // Each item beside all others would be 5,000,000,000 comparisons.
    assert_eq!(
        rendered("{{ range(end=100000) | unique | length }}"),
        Ok("100000".to_owned())
    );
    for unknown in ["{% include \"a\" %}", "{{ 1 | a }}", "{{ 1 | a }}\n"] {
        let error = rendered(&unknown.repeat(50_000)).expect_err("there is no such template or filter");
        assert!(error.contains("too many tags for its length"), "{error}");
        assert!(error.len() < 1_000, "{} bytes", error.len());
    }
}

#[test]
fn what_templates_join_print_and_take_has_a_limit() {
    let long = "{% set s = \"0123456789abcdef\" %}{% for a in range(end=18) %}{% set_global s = s ~ s %}{% endfor %}";
    for (template, limit) in [
        (format!("{{{{ s{} }}}}", " ~ s".repeat(80)), "filters and operators take"),
        (format!("{{{{ 1{} }}}}", " ~ (s ~ s)".repeat(20)), "filters and operators take"),
        ("{% if s | upper | lower == s %}{% endif %}".repeat(100), "filters and operators take"),
        ("{% if s < s %}{% endif %}".repeat(100), "filters and operators take"),
        ("{% if \"x\" in s or s is containing(pat=\"x\") %}{% endif %}".repeat(100), "filters and operators take"),
        ("{% if s[1:] %}{% endif %}".repeat(100), "filters and operators take"),
        ("{% if s[1:][1:] %}{% endif %}".repeat(100), "filters and operators take"),
        ("{% set t = { \"s\": s } %}".to_owned() + &"{{ t.s[1:][0] }}".repeat(100), "filters and operators take"),
        ("{% if s?[1:][0] %}{% endif %}".repeat(100), "filters and operators take"),
        ("{{ s[1:]?.a }}".to_owned(), "Found `?.`"),
        (
            "{% set l = range(end=99999) %}{% for i in range(end=200) %}{% if l[1:] %}{% endif %}{% endfor %}".to_owned(),
            "filters and operators take",
        ),
        ("{% set t = s | split(pat=\"0\") %}".to_owned(), "filters and operators take"),
        (
            "{% for a in range(end=100000) %}{{ range(end=100000) | length }}{% endfor %}".to_owned(),
            "numbers in all",
        ),
        ("{{ __tera_context }}".to_owned(), "has no order"),
        (format!("{{% set t = [{}] %}}", "...range(end=99999), ".repeat(99)), "filters and operators take"),
        ("{% filter upper %}{{ s | safe }}{% endfilter %}".repeat(100), "filters and operators take"),
        (format!("{{% set t %}}{}{{% endset %}}", "{{ s | safe }}".repeat(100)), "it prints more than 192 MiB"),
        (format!("{{% set t %}}{}{{% endset %}}", "{{ s | safe }}".repeat(3)), "a variable holds more than"),
        (
            "{% component c(x) %}{% for i in range(end=999) %}{{ x | safe }}{% endfor %}{% endcomponent c %}{{ <c x={s} /> ~ 1 }}"
                .to_owned(),
            "it prints more than 192 MiB",
        ),
        ("{% set t = [s, s, s, s] %}{{ t }}".to_owned(), "a list or map holds more than"),
    ] {
        let error = rendered(&(long.to_owned() + &template)).expect_err("it takes too much");
        assert!(error.contains(limit), "{}: {error}", &template[..40.min(template.len())]);
    }
}

#[test]
fn counting_changes_no_output_and_no_place() {
    let template = "{% filter upper | lower %}{{ \"B\" ~ 1.5 ~ ([2][0] | str) }}{% endfilter %}{% set x | upper %}c{% endset %}\
                    {{ x ~ \"=\" ~ items[1:3][0:][0] -}} \n{{- [...items[:2], 7] }} {{ items[2:] | length }}\
                    {{ items is containing(pat=3) and 3 in items and 1 != 2 and not 2 < 1 }}{{ a | default(value=\"d\") }}\
                    {% component p(x, ...rest) %}<{{ x }}{{ rest | length }}>{% endcomponent p %}{{ <p x={items[0] ~ 1} y=\"z\" /> ~ \"!\" }}\
                    {% set_global m = { \"k\": \"v\" ~ 1 } %}{{ {...m, \"l\": 2} | length }}{{ 1 if a is defined else -2 }}";
    assert_eq!(rendered(template), Ok("b1.52C=1[0, 1, 7] 998trued<011>!2-2".to_owned()));
    let template = "{# {% for #}{% raw %}{% for x in y %}{% endraw %}\n{% for a in items -%}\n  {% if a < 3 %}{{ a }}, \
                    {%- endif %}\n{%- endfor %}\n{% set b = [i for i in items if i in [1, 2] or i == 5] %}{{ b }}\
                    {{ [i * 2 for i in [1, 2]] }} {{ \"{% for\" }}";
    assert_eq!(
        rendered(template),
        Ok("{% for x in y %}\n0,1,2,\n[1, 2, 5][2, 4] {% for".to_owned())
    );
    let error = rendered("{% for a in items %}{% set b = a %}ä{{ b.c.d }}{% endfor %}").expect_err("no field");
    assert!(error.starts_with("t.txt:1:42: "), "{error}");
}

#[test]
fn the_data_of_templates_has_a_limit() {
    let large = std::collections::BTreeMap::from([("text", "x".repeat(50 << 20))]);
    let mut templates = Templates::default();
    templates.put("t.txt", "t.txt", "");
    let error = templates.render("t.txt", &large).expect_err("its data is too large");
    assert!(error.to_string().contains("its data exceeds 48 MiB"), "{error}");
}
