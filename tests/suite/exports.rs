//! The plan for spreadsheets and calendars: what was typed reads back, whatever it was.

#![expect(
    clippy::expect_used,
    reason = "clippy.toml lets tests do it, and means the functions marked so; these help them"
)]

use lifecycle::Sources;
use lifecycle::grammar::VersionPath;
use lifecycle::render::formats::{PLAN_FORMATS, PlanOutput};
use lifecycle::render::{Style, visible};

use crate::program::{MODEL, run_on};
use crate::support::evaluate;

/// What people type, hostile input included.
const TYPED: [&str; 15] = [
    "team \"widgets\", and others; see C:\\tmp",
    "first line\nsecond line\n",
    "ends with CR\r\nand goes on\r",
    "=cmd|' /C calc'!A0",
    "+1-800-555",
    "-2+3",
    "@SUM(1)",
    "\t=1+1",
    "\n=1+1",
    "＝1＋1",
    "BEGIN:VEVENT\r\nEND:VCALENDAR",
    "Unicode's\u{2028}END:VEVENT\u{2029}",
    "to the right \u{202e}tfel eht ot\u{202c}",
    "bell \u{7} escape \u{1b}[31m C1 \u{85} nothing \u{0}",
    "ü😀e\u{301}👩‍👩‍👧 漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字",
];

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// A model whose group has this attribute.
fn saying(key: &str, text: &str) -> String {
    format!("{MODEL}[group.\"example.com\"]\n{key} = {}\n", quoted(text))
}

/// The plan of a model in a format.
fn plan_in(format: &str, model: &str) -> String {
    let evaluation = evaluate(model).expect("the model can be read");
    let format = PLAN_FORMATS.iter().find(|known| known.name == format);
    let write = format.expect("there is such a format").write;
    let style = Style {
        width: 120,
        color: false,
    };
    let mut bytes = Vec::new();
    let sources = Sources::new();
    let report = evaluation.report(&sources);
    let plan = PlanOutput::whole(&report, &sources, style);
    write(plan, &mut bytes).expect("memory can be written to");
    String::from_utf8(bytes).expect("the output is UTF-8")
}

mod for_spreadsheets {
    use super::*;

    fn plan(model: &str) -> String {
        plan_in("csv", model)
    }

    /// The rows, each cell with the name of its column.
    fn rows(text: &str) -> Vec<Vec<(String, String)>> {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let header = reader.headers().expect("there is a header").clone();
        let record = |record: Result<csv::StringRecord, csv::Error>| {
            let record = record.expect("each row has the header's columns");
            let cells = header.iter().zip(&record);
            cells.map(|(name, cell)| (name.to_owned(), cell.to_owned())).collect()
        };
        reader.records().map(record).collect()
    }

    fn cell<'r>(rows: &'r [Vec<(String, String)>], id: &str, column: &str) -> &'r str {
        let named = |row: &&Vec<(String, String)>| row[0].1 == id;
        let row = rows.iter().find(named).expect("the element has a row");
        let cell = row.iter().find(|(name, _)| name == column);
        &cell.expect("there is such a column").1
    }

    #[test]
    fn what_was_typed_reads_back_and_is_not_a_formula() {
        for typed in TYPED {
            for key in ["owner", "tracking"] {
                let rows = rows(&plan(&saying(key, typed)));
                let read = cell(&rows, "example.com/v1", key);
                assert_eq!(read.trim_start_matches('\''), visible(typed), "{typed:?}");
                for (column, cell) in rows.iter().flatten() {
                    let formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
                    assert!(!formula, "{column}: {cell:?}");
                    let control = cell.chars().any(|c| c.is_control() && c != '\n' && c != '\t');
                    assert!(!control && !cell.contains('\u{202e}'), "{column}: {cell:?}");
                }
            }
        }
    }

    #[test]
    fn a_cell_that_is_not_a_formula_is_unchanged() {
        let rows = rows(&plan(&saying("owner", "'quoted' = a-b@c")));
        assert_eq!(cell(&rows, "example.com/v1", "owner"), "'quoted' = a-b@c");
    }

    #[test]
    fn names_of_groups_and_releases_are_not_formulas_either() {
        let symbolic = "[calendar]\nsymbolic = { origin = \"=X\", count = 4 }\n\
            [group.\"=HYPERLINK(1)\".version]\nv1 = { introduced = \"=X\", deprecated = \"=X+1\" }\n";
        let text = plan(symbolic);
        let rows = rows(&text);
        assert_eq!(rows[0][0].1, "'=HYPERLINK(1)/v1");
        assert_eq!(cell(&rows, "'=HYPERLINK(1)/v1", "deprecated_release"), "'=X+1");
    }

    #[test]
    fn every_line_ends_as_the_standard_has_it() {
        let text = plan(MODEL);
        assert_eq!(text.matches("\r\n").count(), rows(&text).len() + 1);
        assert!(text.ends_with("\r\n"));
    }

    #[test]
    fn no_release_reads_as_a_number() {
        let model = "[calendar.releases]\n\"1.2\" = 2024-01-10\n\"1.20\" = 2026-01-10\n\
            [group.g.version]\nv1 = { introduced = \"1.20\" }\n";
        let rows = rows(&plan(model));
        assert_eq!(cell(&rows, "g/v1", "introduced_release"), "v1.20");
        assert_eq!(cell(&rows, "g/v1", "introduced_date"), "2026-01-10");
        assert_eq!(cell(&rows, "g/v1", "never_before_major"), "v2.0");
    }

    #[test]
    fn a_bound_past_the_end_of_the_calendar_has_no_date() {
        let model = "[calendar.releases]\n\"1.0\" = 2024-01-10\n\"1.1\" = 2024-05-10\n\
            [group.g.version]\nv1beta1 = { introduced = \"1.0\", deprecated = \"1.1\" }\n";
        let rows = rows(&plan(model));
        let release = cell(&rows, "g/v1beta1", "earliest_removal_release");
        assert!(release.ends_with(" or later"), "{release}");
        assert_eq!(cell(&rows, "g/v1beta1", "earliest_removal_date"), "");
        assert_eq!(cell(&rows, "g/v1beta1", "earliest_removal_date_kind"), "");
    }

    #[test]
    fn declared_and_implied_events_are_distinguished_from_planned_ones() {
        let model = format!(
            "{MODEL}[gate.Glow]\nspecs = [{{ stage = \"GA\", since = \"1.2\", default = true, locked = true }}]\n"
        );
        let rows = rows(&plan(&model));
        assert_eq!(cell(&rows, "example.com/v1beta1", "deprecated_origin"), "declared");
        assert_eq!(cell(&rows, "gate Glow", "deprecated_origin"), "declared");
        assert_eq!(cell(&rows, "gate Glow", "removed_origin"), "planned");
        assert_eq!(cell(&rows, "gate Glow", "hidden_origin"), "");
    }
}

mod for_calendars {
    use super::*;

    /// The content lines, unfolded: each with its name and its value.
    fn plan(model: &str) -> Vec<(String, String)> {
        let text = plan_in("ics", model);
        let body = text.strip_suffix("\r\n").expect("the last line ends");
        for line in body.split("\r\n") {
            assert!(line.len() <= 75, "{line:?} is too long");
            assert!(!line.contains(char::is_control) || line.contains('\t'), "{line:?}");
        }
        let unfolded = body.replace("\r\n ", "");
        let lines = unfolded.split("\r\n").map(|line| {
            let (name, value) = line.split_once(':').expect("a line has a name and a value");
            (name.to_owned(), value.to_owned())
        });
        lines.collect()
    }

    /// The components of a sort.
    fn components<'l>(lines: &'l [(String, String)], sort: &str) -> Vec<&'l [(String, String)]> {
        let at = |what: &str| {
            let found = lines.iter().enumerate();
            let found = found.filter(|(_, (name, value))| name == what && value == sort);
            found.map(|(at, _)| at).collect::<Vec<_>>()
        };
        let (begins, ends) = (at("BEGIN"), at("END"));
        assert_eq!(begins.len(), ends.len());
        begins
            .into_iter()
            .zip(ends)
            .map(|(begin, end)| &lines[begin..end])
            .collect()
    }

    fn property<'l>(component: &'l [(String, String)], name: &str) -> &'l str {
        let mut found = component.iter().filter(|(known, _)| known == name);
        let value = found.next().expect("the property is there");
        assert!(found.next().is_none(), "{name} stands once");
        &value.1
    }

    /// Text as it was before it was escaped.
    fn unescaped(value: &str) -> String {
        let mut text = String::new();
        let mut rest = value.chars();
        while let Some(c) = rest.next() {
            match c {
                '\\' => match rest.next().expect("an escape goes on") {
                    'n' => text.push('\n'),
                    c => text.push(c),
                },
                c => text.push(c),
            }
        }
        text
    }

    /// Of each event the day, the summary and the status.
    fn events(model: &str) -> Vec<String> {
        let lines = plan(model);
        let tell = |event: &&[(String, String)]| {
            let day = property(event, "DTSTART;VALUE=DATE");
            assert_eq!(property(event, "DTSTAMP"), format!("{day}T000000Z"));
            format!(
                "{day} {} {}",
                unescaped(property(event, "SUMMARY")),
                property(event, "STATUS")
            )
        };
        components(&lines, "VEVENT").iter().map(tell).collect()
    }

    fn uids(model: &str) -> Vec<String> {
        let lines = plan(model);
        let events = components(&lines, "VEVENT");
        events.iter().map(|event| property(event, "UID").to_owned()).collect()
    }

    #[test]
    fn what_was_typed_reads_back_and_opens_no_property() {
        for typed in TYPED {
            for key in ["owner", "tracking"] {
                let lines = plan(&saying(key, typed));
                assert_eq!(components(&lines, "VCALENDAR").len(), 1, "{typed:?}");
                let events = components(&lines, "VEVENT");
                assert_eq!(events.len(), 2, "{typed:?}");
                for event in events {
                    let text = unescaped(property(event, "DESCRIPTION"));
                    let shown = visible(typed).replace(['\u{2028}', '\u{2029}'], "\n");
                    assert!(text.contains(&shown), "{typed:?}: {text:?}");
                }
            }
        }
    }

    #[test]
    fn names_may_be_long_and_of_any_script() {
        for name in [
            "ü😀".repeat(60),
            "a".repeat(300),
            "a,b;c\\d/e f".to_owned(),
            "漢".repeat(25),
        ] {
            let model = MODEL.replace("\"example.com\"", &quoted(&name));
            let lines = plan(&model);
            let event = components(&lines, "VEVENT")[0];
            assert_eq!(
                unescaped(property(event, "SUMMARY")),
                format!("{} deprecated in 1.1", VersionPath::api(name.as_str(), "v1beta1"))
            );
        }
    }

    #[test]
    fn what_happens_to_a_group_in_a_release_is_one_event() {
        let model = format!(
            "{MODEL}[group.\"example.com\".kind]\nWidget = {{}}\nGadget = {{}}\n\
             [cli.widgetctl]\naudience = \"user\"\n[cli.widgetctl.flag]\n\
             \"--a\" = {{ deprecated = \"1.1\", warning = \"w\" }}\n\"--b\" = {{ deprecated = \"1.1\", warning = \"w\" }}\n"
        );
        assert_eq!(
            events(&model),
            [
                "20230501 cli widgetctl: 2 deprecated in 1.1 CONFIRMED",
                "20230501 example.com/v1beta1 deprecated in 1.1 CONFIRMED",
                "20240501 cli widgetctl: 2 removed in 1.4 (planned) TENTATIVE",
                "20240501 example.com/v1beta1 removed in 1.4 CONFIRMED",
            ]
        );
        let lines = plan(&model);
        let text = unescaped(property(components(&lines, "VEVENT")[1], "DESCRIPTION"));
        assert!(text.starts_with("1.1 has shipped.\n"), "{text}");
        let version = "\nexample.com/v1beta1 (declared), use example.com/v1\n";
        assert!(text.contains(version), "{text}");
        assert!(!text.contains("Widget"), "it goes with its version");
        assert!(text.contains("\n\nWhy:\nversion-lifetime #4a: "), "{text}");
    }

    #[test]
    fn a_postponed_release_moves_its_events() {
        let moved = MODEL.replace("2024-05-01", "2024-06-15");
        assert_eq!(uids(MODEL), uids(&moved));
        assert_ne!(events(MODEL), events(&moved));
        let mut all = uids(MODEL);
        all.sort();
        all.dedup();
        assert_eq!(all.len(), events(MODEL).len());
    }

    #[test]
    fn deadlines_are_listed_until_a_declared_event_meets_them() {
        let declared = |events: &str| {
            format!(
                "[calendar]\ncurrent = \"1.0\"\ncadence = {{ months = 4 }}\n[calendar.releases]\n\
                 \"1.0\" = 2024-01-10\n[group.g.version]\nv1beta1 = {{ introduced = \"1.0\"{events} }}\n"
            )
        };
        assert_eq!(
            events(&declared("")),
            [
                "20250110 g/v1beta1 to be deprecated by 1.3 TENTATIVE",
                "20250110 g/v1beta1 deprecated in 1.3 (planned) TENTATIVE",
                "20260110 g/v1beta1 to be removed by 1.6 TENTATIVE",
                "20260110 g/v1beta1 removed in 1.6 (planned) TENTATIVE",
            ]
        );
        assert_eq!(
            events(&declared(", deprecated = \"1.1\", removed = \"1.4\"")),
            [
                "20240510 g/v1beta1 deprecated in 1.1 TENTATIVE",
                "20250510 g/v1beta1 removed in 1.4 TENTATIVE",
            ]
        );
        assert_eq!(
            events(&declared(", deprecated = \"1.4\", removed = \"1.8\"")),
            [
                "20250110 g/v1beta1 to be deprecated by 1.3 TENTATIVE",
                "20250510 g/v1beta1 deprecated in 1.4 TENTATIVE",
                "20260510 g/v1beta1 to be removed by 1.7 TENTATIVE",
                "20260910 g/v1beta1 removed in 1.8 TENTATIVE",
            ]
        );
    }

    #[test]
    fn lives_that_are_over_have_their_events() {
        let model = "[calendar.releases]\n\"1.0\" = 2024-01-10\n\"1.1\" = 2024-05-10\n\"1.2\" = 2024-09-10\n\
            [group.g.version.v1alpha1]\nlives = [{ introduced = \"1.0\", removed = \"1.1\" }, { introduced = \"1.2\" }]\n";
        assert_eq!(events(model), ["20240510 g/v1alpha1 removed in 1.1 CONFIRMED"]);
    }

    #[test]
    fn events_without_a_day_are_in_a_note_and_reported() {
        let model = "[calendar]\nsymbolic = { origin = \"X\", count = 16 }\ncadence = { months = 4 }\n\
            [group.g.version]\nv1beta1 = { introduced = \"X+1\" }\n";
        let lines = plan(model);
        assert_eq!(components(&lines, "VEVENT").len(), 0);
        let note = components(&lines, "VJOURNAL")[0];
        assert_eq!(property(note, "SUMMARY"), "4 events have no date yet");
        assert_eq!(
            unescaped(property(note, "DESCRIPTION")),
            "g/v1beta1 to be deprecated by X+4\ng/v1beta1 deprecated in X+4 (planned)\n\
             g/v1beta1 to be removed by X+7\ng/v1beta1 removed in X+7 (planned)"
        );
        let run = run_on(model, &["plan", "--format", "ics", "-"]).ended(0);
        assert!(run.err.contains("4 events have no date"), "{}", run.err);
        let quiet = run_on(model, &["plan", "--format", "ics", "--quiet", "-"]).ended(0);
        assert_eq!(quiet.err, "");
        assert_eq!(quiet.out, run.out);
    }

    #[test]
    fn an_empty_calendar_has_a_note() {
        let model = "[calendar.releases]\n\"1.0\" = 2024-01-10\n[group.g.version]\nv1 = { introduced = \"1.0\" }\n";
        let lines = plan(model);
        let note = components(&lines, "VJOURNAL")[0];
        assert_eq!(
            unescaped(property(note, "SUMMARY")),
            "Nothing is deprecated, hidden or removed"
        );
    }
}

#[test]
fn the_program_prints_both_for_plans_alone() {
    let sheet = run_on(MODEL, &["plan", "--format", "csv", "-"]).ended(0);
    assert!(sheet.out.starts_with("id,kind,stability,"), "{}", sheet.out);
    let calendar = run_on(MODEL, &["plan", "--format", "ics", "-"]).ended(0);
    assert!(calendar.out.starts_with("BEGIN:VCALENDAR\r\n"), "{}", calendar.out);
    for command in ["check", "rules", "exceptions"] {
        for format in ["csv", "ics"] {
            run_on(MODEL, &[command, "--format", format, "-"]).ended(2);
        }
    }
}

#[test]
fn input_errors_are_reported_with_an_empty_answer() {
    for format in ["csv", "ics"] {
        let run = run_on(MODEL.replace("\"1.4\"", "\"x\""), &["plan", "--format", format, "-"]).ended(2);
        assert_eq!(run.out, "");
        assert!(run.err.contains("error["), "{}", run.err);
    }
}
