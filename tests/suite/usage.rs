//! Who uses what: logs, metrics and counts as evidence.

#![cfg(test)]

use std::fmt::Write as _;
use std::io::{Cursor, Read, Write as _};
use std::sync::LazyLock;

use chrono::NaiveDate;
use flate2::Compression;
use flate2::write::GzEncoder;

use lifecycle::evaluate::Evaluation;
use lifecycle::report::{Evidence, EvidenceSource};
use lifecycle::usage::{Content, Origin, ReadError, Watched, read};
use lifecycle::{Document, FileId};

use crate::program::{folder, program, run_in, run_on, wait, write};
use crate::support::evaluate;

/// A model of a small API, with a deprecated field.
pub const MODEL: &str = r#"
[calendar]
current = "1.2"
releases = { "1.0" = 2025-01-10, "1.1" = 2025-06-10, "1.2" = 2025-12-10, "1.3" = 2026-06-10 }
[group."shop.example.com".version]
v1beta1 = { introduced = "1.0", deprecated = "1.1", removed = "1.3", replacement = "v1" }
v1 = { introduced = "1.1" }
[group."shop.example.com".kind.Order]
[group."shop.example.com".kind.Order.field."spec.color"]
in = { v1 = { introduced = "1.1", deprecated = "1.2" } }
[cli.shopctl]
audience = "user"
flag."--color" = { introduced = "1.0", deprecated = "1.1", warning = "it has no effect" }
"#;

fn model() -> &'static Evaluation {
    static SHOP: LazyLock<Evaluation> = LazyLock::new(|| evaluate(MODEL).expect("it can be read"));
    &SHOP
}

pub fn watched() -> Watched {
    let mut watched = Watched::default();
    model().watch(&mut watched, None).expect("it covers its releases");
    watched
}

/// An event of an audit log, as a server writes it.
pub fn event(day: &str, user: &str, version: &str, body: Option<&str>) -> String {
    let body = body.map_or_else(String::new, |body| format!(r#""requestObject":{body},"#));
    format!(
        r#"{{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Request","auditID":"1","stage":"ResponseComplete","requestURI":"/apis/shop.example.com/{version}/namespaces/web/orders","verb":"create","user":{{"username":"{user}","groups":["system:authenticated"]}},"sourceIPs":["10.0.0.1"],"userAgent":"shopctl/v1.0 (linux/amd64)","objectRef":{{"resource":"orders","namespace":"web","name":"a","apiGroup":"shop.example.com","apiVersion":"{version}"}},"responseStatus":{{"code":200}},{body}"requestReceivedTimestamp":"{day}T10:00:00.000001Z","stageTimestamp":"{day}T10:00:00.250001Z","annotations":{{"authorization.k8s.io/decision":"allow"}}}}"#
    )
}

fn origin() -> Origin<'static> {
    Origin {
        name: "audit.log",
        share: 1.0,
        day: None,
    }
}

fn try_read(content: impl Read, origin: Origin<'_>, with_bodies: bool) -> Result<EvidenceSource, ReadError> {
    match read(content, None, origin, (&watched(), with_bodies))? {
        Content::Source(source) => Ok(source),
        Content::Evidence(_) => panic!("a source was expected"),
    }
}

fn source(content: impl AsRef<[u8]>) -> EvidenceSource {
    try_read(content.as_ref(), origin(), false).expect("it can be read")
}

/// Element, user, day and count of each entry.
fn entries(source: &EvidenceSource) -> Vec<(&str, &str, String, u64)> {
    let usage = source.usage.iter().map(|usage| {
        let user = usage.consumer.user.as_deref().unwrap_or("-");
        (usage.element.as_str(), user, usage.day.to_string(), usage.count)
    });
    usage.collect()
}

fn days(source: &EvidenceSource) -> Vec<String> {
    let periods = source.periods.iter();
    periods
        .map(|period| format!("{} to {}", period.from, period.to))
        .collect()
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory can be written");
    encoder.finish().expect("memory can be written")
}

fn log() -> String {
    let mut log = String::new();
    for (day, user, version) in [
        ("2026-01-01", "ann", "v1beta1"),
        ("2026-01-01", "ann", "v1beta1"),
        ("2026-01-01", "bob", "v1"),
        ("2026-01-02", "bob", "v1beta1"),
        ("2026-01-04", "ann", "v1"),
    ] {
        let _ = writeln!(log, "{}", event(day, user, version, None));
    }
    log
}

#[test]
fn an_audit_log_shows_who_used_what_how_often_and_when() {
    let source = source(log());
    let order = "shop.example.com/v1beta1 Order";
    let expected = [
        (order, "ann", "2026-01-01".to_owned(), 2),
        (order, "bob", "2026-01-02".to_owned(), 1),
    ];
    assert_eq!(entries(&source), expected);
    let first = &source.usage[0];
    assert_eq!(first.consumer.agent.as_deref(), Some("shopctl/v1.0"));
    assert_eq!(first.consumer.namespace.as_deref(), Some("web"));
    assert_eq!(first.first_seen.as_deref(), Some("2026-01-01T10:00:00Z"));
    assert_eq!(days(&source), ["2026-01-01 to 2026-01-02", "2026-01-04 to 2026-01-04"]);
    assert_eq!(source.elements, ["shop.example.com/v1beta1", order]);
    assert_eq!((source.lines, source.lost), (5, 0));
}

#[test]
fn a_compressed_log_is_the_same_source() {
    let plain = source(log());
    assert_eq!(source(compressed(log().as_bytes())), plain);
    // Members that follow one another, as of logs that were appended.
    let log = log();
    let (one, two) = log.split_at(700);
    let both = [compressed(one.as_bytes()), compressed(two.as_bytes())].concat();
    assert_eq!(source(both), plain);
}

#[test]
fn a_request_counts_at_its_last_stage_only() {
    let received = event("2026-01-01", "ann", "v1beta1", None).replace("ResponseComplete", "RequestReceived");
    let panicked = event("2026-01-01", "ann", "v1beta1", None).replace("ResponseComplete", "Panic");
    let source = source(format!("{received}\n{panicked}\n"));
    assert_eq!(source.usage[0].count, 1);
}

#[test]
fn damaged_lines_are_counted_with_their_places_and_the_others_are_read() {
    let good = event("2026-01-01", "ann", "v1beta1", None);
    let half = &good[..300];
    let log = format!("{good}\n{half}\n{half}{good}\nnot JSON\n\n{{}}\n{good}\n{half}");
    let source = source(log);
    assert_eq!(source.usage[0].count, 2);
    let lost = source.lost_at.iter().map(|lost| (lost.line, lost.reason.as_str()));
    let expected = [
        (2, "not a whole line of JSON"),
        (3, "not valid JSON, or not an audit event"),
        (4, "not a whole line of JSON"),
        (6, "not an audit event"),
        (8, "not a whole line of JSON"),
    ];
    assert_eq!(lost.collect::<Vec<_>>(), expected);
    assert_eq!((source.lines, source.lost), (7, 5));
}

#[test]
fn a_cut_archive_loses_its_end_only() {
    let mut log = String::new();
    for at in 0..4000 {
        let _ = writeln!(
            log,
            "{}",
            event("2026-01-01", &format!("user-{}", at % 7), "v1beta1", None)
        );
    }
    let mut archive = compressed(log.as_bytes());
    archive.truncate(archive.len() * 2 / 3);
    let cut = source(&archive);
    let read: u64 = cut.usage.iter().map(|usage| usage.count).sum();
    assert!((1000..4000).contains(&read), "{read}");
    let reasons: Vec<&str> = cut.lost_at.iter().map(|lost| lost.reason.as_str()).collect();
    assert_eq!(reasons.last(), Some(&"the compressed data is cut here"), "{reasons:?}");
    let middle = archive.len() / 2;
    archive[middle..middle + 64].fill(0xff);
    let damaged = source(&archive);
    assert!(
        damaged
            .lost_at
            .iter()
            .any(|lost| lost.reason.contains("the compressed data is damaged")),
        "{damaged:?}"
    );
}

#[test]
fn lines_of_any_length_and_depth_are_bounded() {
    let good = event("2026-01-01", "ann", "v1beta1", None);
    let ten_megabytes = format!("{{\"v1beta1\":\"{}\"}}", "x".repeat(10 << 20));
    let deep = good.replace(
        "\"groups\"",
        &format!("\"deep\":{}1{},\"groups\"", "[".repeat(100_000), "]".repeat(100_000)),
    );
    let source = source(format!("{good}\n{ten_megabytes}\n{deep}\n{good}\ncut\n{ten_megabytes}"));
    let lost = source.lost_at.iter().map(|lost| (lost.line, lost.reason.as_str()));
    let lost: Vec<_> = lost.filter(|(line, _)| *line != 3).collect();
    let expected = [
        (2, "longer than 8 MiB"),
        (5, "not a whole line of JSON"),
        (6, "longer than 8 MiB"),
    ];
    assert_eq!(lost, expected);
    assert!(source.usage[0].count >= 2);
    assert_eq!(source.lines, 6);
    let body = format!("{{\"spec\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let hostile = event("2026-01-01", "ann", "v1", Some(&body));
    let source = try_read(hostile.as_bytes(), origin(), true).expect("it can be read");
    assert_eq!(source.lost, 1);
}

#[test]
fn what_expands_without_end_is_not_read_to_its_end() {
    let good = format!("{}\n", event("2026-01-01", "ann", "v1beta1", None));
    let mut zeros = GzEncoder::new(Vec::new(), Compression::best());
    zeros.write_all(&vec![b'0'; 1 << 20]).expect("memory can be written");
    let zeros = zeros.finish().expect("memory can be written");
    let bomb = [compressed(good.as_bytes()), zeros.repeat(80)].concat();
    let source = source(bomb);
    assert_eq!(source.usage[0].count, 1);
    let reasons: Vec<&str> = source.lost_at.iter().map(|lost| lost.reason.as_str()).collect();
    assert_eq!(
        reasons,
        ["longer than 8 MiB", "the compressed data expands without end here"]
    );
}

#[test]
fn a_log_in_which_everyone_has_another_name_is_bounded() {
    let mut log = String::new();
    for at in 0..25_000 {
        let _ = writeln!(log, "{}", event("2026-01-01", &format!("user-{at}"), "v1beta1", None));
    }
    let source = source(log);
    assert_eq!(source.usage.len(), 20_001);
    let all: u64 = source.usage.iter().map(|usage| usage.count).sum();
    assert_eq!(all, 25_000);
}

#[test]
fn bodies_show_fields_where_all_of_them_were_logged() {
    let with = r#"{"kind":"Order","apiVersion":"shop.example.com/v1","spec":{"color":"red"}}"#;
    let without = r#"{"spec":{"size":1}}"#;
    let field = "shop.example.com/v1 Order .spec.color";
    let log = format!(
        "{}\n{}\n",
        event("2026-01-01", "ann", "v1", Some(with)),
        event("2026-01-01", "bob", "v1", Some(without))
    );
    let source = try_read(log.as_bytes(), origin(), true).expect("it can be read");
    assert_eq!(entries(&source), [(field, "ann", "2026-01-01".to_owned(), 1)]);
    assert!(source.elements.contains(&field.to_owned()));
    // A request without its body may have had the field.
    let log = format!("{log}{}\n", event("2026-01-01", "bob", "v1", None));
    let source = try_read(log.as_bytes(), origin(), true).expect("it can be read");
    assert!(!source.elements.contains(&field.to_owned()));
    // So may one whose body is not read.
    let deep = format!("{{\"spec\":{}1{}}}", "[".repeat(1000), "]".repeat(1000));
    let unread = [with, &deep].map(|body| event("2026-01-01", "ann", "v1", Some(body)));
    let source = try_read(unread.join("\n").as_bytes(), origin(), true).expect("it can be read");
    assert_eq!((entries(&source).len(), source.lost), (1, 1));
    assert!(!source.elements.contains(&field.to_owned()));
    // Without looking into bodies, nothing is known about fields.
    let source = self::source(log);
    assert_eq!(entries(&source), []);
    assert!(!source.elements.contains(&field.to_owned()));
}

fn read_with_bodies(log: &str, watched: &Watched) -> EvidenceSource {
    match read(log.as_bytes(), None, origin(), (watched, true)).expect("it can be read") {
        Content::Source(source) => source,
        Content::Evidence(_) => panic!("a source was expected"),
    }
}

/// A model in which a deprecated field is one of a kind that another kind contains.
const CONTAINED_MODEL: &str = r#"
calendar.releases = { "1.0" = 2025-01-10, "1.1" = 2025-06-10 }
[group."shop.example.com".version]
v1 = { introduced = "1.0" }
[group."shop.example.com".kind.Cart]
[group."shop.example.com".kind.Order.field."spec.color"]
in = { v1 = { introduced = "1.0", deprecated = "1.1" } }
"#;

#[test]
fn bodies_show_members_of_the_kinds_that_an_object_contains() {
    let model = evaluate(CONTAINED_MODEL).expect("it can be read");
    let list = r#"["shop.example.com/v1 Order"]
"spec.orders[]" = ["shop.example.com/v1 Cart", "shop.example.com/v1 Unknown"]
"#;
    let mut watched = Watched::default();
    model.watch(&mut watched, None).expect("it covers its releases");
    watched
        .add_contained(&Document::parse(FileId(0), list))
        .expect("it can be read");
    let order = event("2026-01-01", "ann", "v1", Some(r#"{"spec":{"color":"red"}}"#));
    let orders = r#"{"spec":{"orders":[{"spec":{"size":1}},{"spec":{"color":"red"}},{"spec":{"color":"blue"}}]}}"#;
    let cart = event("2026-01-02", "bob", "v1", Some(orders)).replace("orders\"", "carts\"");
    let cart = cart.replace("\"carts\":[", "\"orders\":[");
    let field = "shop.example.com/v1 Order .spec.color";
    let log = format!("{order}\n{cart}\n{cart}\n");
    let source = read_with_bodies(&log, &watched);
    let expected = [
        (field, "ann", "2026-01-01".to_owned(), 1),
        (field, "bob", "2026-01-02".to_owned(), 2),
    ];
    assert_eq!((entries(&source), source.lost), (expected.to_vec(), 0));
    assert!(source.elements.contains(&field.to_owned()));
    // A cart without its body may have had an order with the field.
    let without = event("2026-01-02", "bob", "v1", None).replace("\"orders\"", "\"carts\"");
    let source = read_with_bodies(&format!("{log}{without}\n"), &watched);
    assert_eq!(entries(&source), expected);
    assert!(!source.elements.contains(&field.to_owned()));
    let error = watched
        .add_contained(&Document::parse(FileId(0), "[\"no kind\"]\n"))
        .expect_err("it names no kind");
    assert!(error[0].message.contains("is no kind in a version"), "{error:?}");
}

#[test]
fn nothing_of_a_body_is_stored_or_printed() {
    let body = r#"{"kind":"Order","apiVersion":"shop.example.com/v1","spec":{"color":"hunter2"},"data":{"password":"hunter2"}}"#;
    let log = format!(
        "{}\n{}\n",
        event("2026-01-01", "ann", "v1", Some(body)),
        event("2026-01-01", "ann", "v1", Some(body)).replace("\"stage\"", "\"stage\":{\"hunter2\":\"hunter2\"},\"")
    );
    let folder = folder(&[("lifecycle.toml", MODEL), ("audit.log", &log)]);
    for format in ["table", "json"] {
        let run = run_in(&folder, &["usage", "audit.log", "--bodies", "--format", format]);
        let run = run.ended(0).says(&["spec.color", "audit.log:2: not valid JSON"]);
        assert!(!run.all().contains("hunter2"), "{}", run.all());
    }
}

#[test]
fn metrics_of_a_server_count_since_it_started() {
    let text = "\
# TYPE apiserver_requested_deprecated_apis gauge
apiserver_requested_deprecated_apis{group=\"shop.example.com\",removed_release=\"1.3\",resource=\"orders\",subresource=\"\",version=\"v1beta1\"} 1
apiserver_request_total{code=\"200\",group=\"shop.example.com\",resource=\"orders\",verb=\"LIST\",version=\"v1beta1\"} 40
apiserver_request_total{code=\"404\",group=\"shop.example.com\",resource=\"orders\",verb=\"GET\",version=\"v1beta1\"} 2
apiserver_request_total{code=\"200\",group=\"\",resource=\"pods\",verb=\"GET\",version=\"v1\"} 9e+06
process_start_time_seconds 1.7696e+09
broken{
";
    let day = NaiveDate::from_ymd_opt(2026, 2, 1);
    let source = try_read(text.as_bytes(), Origin { day, ..origin() }, false).expect("it can be read");
    let order = "shop.example.com/v1beta1 Order";
    let counts =
        [("28", 8), ("29", 8), ("30", 8), ("31", 8)].map(|(day, count)| (order, "-", format!("2026-01-{day}"), count));
    let last = (order, "-", "2026-02-01".to_owned(), 10);
    assert_eq!(entries(&source), counts.into_iter().chain([last]).collect::<Vec<_>>());
    assert_eq!(days(&source), ["2026-01-28 to 2026-02-01"]);
    assert_eq!((source.lost, source.lost_at[0].line), (1, 7));
    let error = try_read(text.as_bytes(), origin(), false).expect_err("nothing says the day");
    assert_eq!(error.to_string(), "the metrics have no time");
}

#[test]
fn an_answer_of_prometheus_has_a_value_per_day() {
    let text = r#"{"status":"success","data":{"resultType":"matrix","result":[
        {"metric":{"group":"shop.example.com","version":"v1beta1","resource":"orders"},"values":[[1769817600,"12.4"],[1769904000,"0"]]},
        {"metric":{"lifecycle_elements":"shop.example.com/v1beta1;shop.example.com/v1beta1 Order"},"values":[[1769817600,"0"],[1769904000,"0"],[1769990400,"0"]]}]}}"#;
    let source = source(text);
    let order = "shop.example.com/v1beta1 Order";
    assert_eq!(entries(&source), [(order, "-", "2026-01-30".to_owned(), 12)]);
    assert_eq!(days(&source), ["2026-01-30 to 2026-02-01"]);
    assert!(source.elements.contains(&order.to_owned()));
    for kind in ["\"errorType\":\"bad_data\",", ""] {
        let failed = format!("{{\"status\":\"error\",{kind}\"error\":\"no such metric\"}}");
        let error = try_read(failed.as_bytes(), origin(), false).expect_err("the server failed");
        assert_eq!(error.to_string(), "the server answered error: no such metric");
    }
}

#[test]
fn request_counts_of_openshift_name_the_most_frequent_users() {
    let text = r#"{"apiVersion":"v1","kind":"List","items":[
      {"apiVersion":"apiserver.openshift.io/v1","kind":"APIRequestCount","metadata":{"name":"orders.v1beta1.shop.example.com"},
       "status":{"last24h":[{"requestCount":7,"byNode":[{"nodeName":"a","requestCount":7,"byUser":[
          {"username":"ann","userAgent":"shopctl/v1 x","requestCount":4}]}]}]}},
      {"apiVersion":"apiserver.openshift.io/v1","kind":"APIRequestCount","metadata":{"name":"pods.v1."},"status":{}},
      {"kind":"Other"}]}"#;
    let day = NaiveDate::from_ymd_opt(2026, 1, 30);
    let source = try_read(text.as_bytes(), Origin { day, ..origin() }, false).expect("it can be read");
    let order = "shop.example.com/v1beta1 Order";
    let expected = [
        (order, "-", "2026-01-30".to_owned(), 3),
        (order, "ann", "2026-01-30".to_owned(), 4),
    ];
    assert_eq!(entries(&source), expected);
    assert_eq!((source.lines, source.lost), (3, 1));
    // A count that is none is reported, and the others count.
    let odd = text.replace("\"requestCount\":4", "\"requestCount\":-4");
    let source = try_read(odd.as_bytes(), Origin { day, ..origin() }, false).expect("it can be read");
    assert_eq!(entries(&source), [(order, "-", "2026-01-30".to_owned(), 7)]);
    assert_eq!(source.lost, 2);
    assert_eq!(source.lost_at[0].reason, "a count that is no whole number");
}

#[test]
fn rows_are_evidence_for_anything_that_has_an_id() {
    let flag = "cli shopctl --color";
    let csv = format!(
        "Element,Who,Count,Last seen\n{flag},ann,3,2026-01-30T08:00:00Z\n{flag},bob,0,2026-01-31\nnothing,ann,1,2026-01-30\n{flag},ann,many,2026-01-30\n"
    );
    let source = source(&csv);
    assert_eq!(entries(&source), [(flag, "ann", "2026-01-30".to_owned(), 3)]);
    assert_eq!(source.elements, [flag]);
    assert_eq!(days(&source), ["2026-01-30 to 2026-01-31"]);
    let lost: Vec<_> = source
        .lost_at
        .iter()
        .map(|lost| (lost.line, lost.reason.as_str()))
        .collect();
    assert_eq!(
        lost,
        [
            (4, "an element that no model declares"),
            (5, "a count that is no whole number")
        ]
    );
    let json =
        format!("[{{\"element\":\"{flag}\",\"user\":\"ann\",\"count\":3,\"last_seen\":\"2026-01-30T08:00:00Z\"}}]");
    let lines = json.trim_matches(['[', ']']).to_owned();
    for text in [json, lines] {
        assert_eq!(
            entries(&self::source(text)),
            [(flag, "ann", "2026-01-30".to_owned(), 3)]
        );
    }
    let error = try_read("element,who\n".as_bytes(), origin(), false).expect_err("no count");
    assert_eq!(error.to_string(), "the header has no column `count`");
}

#[test]
fn files_are_merged_and_read_twice_count_once() {
    let folder = folder(&[("lifecycle.toml", MODEL), ("one.log", &log())]);
    let other = log().replace("ann", "eve");
    write(&folder, "two.log.gz", &compressed(other.as_bytes()));
    write(&folder, "copy.log", log().as_bytes());
    let run = |arguments: &[&str]| run_in(&folder, &[&["usage", "--format", "json"], arguments].concat()).ended(0);
    run(&["one.log", "-o", "one.json"]);
    run(&["two.log.gz", "-o", "two.json"]);
    let together = run(&["one.log", "two.log.gz"]).out;
    assert_eq!(run(&["two.json", "one.json"]).out, together);
    assert_eq!(
        run(&["one.json", "two.json", "copy.log"]).out,
        together.replace("one.log", "copy.log")
    );
    let evidence = Evidence::read(&together).expect("it is evidence");
    assert_eq!(evidence.sources.len(), 2);
}

#[test]
fn what_cannot_be_read_says_what_to_do() {
    let folder = folder(&[
        ("lifecycle.toml", MODEL),
        ("metrics", "apiserver_request_total 1\n"),
        ("empty", "\n"),
        ("b.json", "{\"schema_version\": 7, \"sources\": []}"),
    ]);
    run_in(&folder, &["usage", "metrics"])
        .ended(2)
        .says(&["metrics:1:1: the metrics have no time", "--day DATE"]);
    run_in(&folder, &["usage", "empty"]).ended(2).says(&["it is empty"]);
    run_in(&folder, &["usage", "b.json"])
        .ended(2)
        .says(&["this program reads version 1 of evidence files"]);
    run_in(&folder, &["usage", "missing.log"])
        .ended(2)
        .says(&["missing.log"]);
    run_in(&folder, &["usage", "metrics", "--to", "9.9"])
        .ended(2)
        .says(&["9.9"]);
    run_in(&folder, &["usage", "b.json", "-o", "b.json"])
        .ended(2)
        .says(&["would overwrite b.json"]);
    run_on("a,b\n", &["usage", "-", "-m", "missing.toml"]).ended(2);
}

#[test]
#[cfg(unix)]
fn killed_in_the_middle_nothing_is_left_half_written() {
    let folder = folder(&[("lifecycle.toml", MODEL), ("usage.json", "old")]);
    let mut command = program(folder.path(), &["usage", "-", "-o", "usage.json"]);
    command
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    let mut input = child.stdin.take().expect("it reads");
    input.write_all(log().as_bytes()).expect("it reads on");
    child.kill().expect("it runs");
    drop(input);
    wait(&mut child);
    let left = folder
        .path()
        .read_dir()
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name());
    let mut left: Vec<_> = left.collect();
    left.sort();
    assert_eq!(left, ["lifecycle.toml", "usage.json"]);
    let mut kept = String::new();
    #[expect(clippy::disallowed_methods, reason = "the test is about a file")]
    std::fs::File::open(folder.path().join("usage.json"))
        .and_then(|mut file| file.read_to_string(&mut kept))
        .expect("it is there");
    assert_eq!(kept, "old");
}

#[test]
fn a_log_is_read_in_pieces_of_any_size() {
    /// Gives a few bytes at a time.
    struct Slow(Cursor<Vec<u8>>, usize);
    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let most = buffer.len().min(self.1);
            self.0.read(&mut buffer[..most])
        }
    }
    let whole = source(log());
    for size in [1, 7, 100, 1000] {
        let slow = Slow(Cursor::new(log().into_bytes()), size);
        assert_eq!(
            try_read(slow, origin(), false).expect("it can be read"),
            whole,
            "{size}"
        );
    }
}
