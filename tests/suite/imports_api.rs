//! Models made from the Go packages of an API: what counts as a kind, what its markers come to over releases, and what
//! is reported.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy.toml lets tests do it, and means the functions marked so; these help them"
)]

use std::fmt::Write as _;

use lifecycle::import::kubernetes_api::{ApiRelease, FORMAT, Kinds, LARGEST, fold};
use lifecycle::import::{Added, Draft, DraftCalendar, Imported, Releases, Topic, write};
use lifecycle::release::ReleaseName;
use tempfile::TempDir;

use crate::imports::tagged;
use crate::program::{Run, each, folder, run_in};
use crate::support::{evaluate, reported};

/// A marker of a kind: introduced, deprecated, removed (`""` if it does not), and the replacement's literal.
struct Marker<'m>(&'m str, &'m str, &'m str, &'m str, &'m str);

/// A `register.go`.
fn register(group: &str, version: &str, kinds: &[&str]) -> String {
    let mut text = format!(
        "package {version}\n\n// GroupName is \"not this\".\nconst GroupName = \"{group}\"\n\n\
         var SchemeGroupVersion = schema.GroupVersion{{Group: GroupName, Version: \"{version}\"}}\n\n\
         func addKnownTypes(scheme *runtime.Scheme) error {{\n\tscheme.AddKnownTypes(SchemeGroupVersion,\n"
    );
    for kind in kinds {
        let _ = writeln!(text, "\t\t&{kind}{{}},");
    }
    text + "\t)\n\tmetav1.AddToGroupVersion(scheme, SchemeGroupVersion)\n\treturn nil\n}\n"
}

/// A `zz_generated.prerelease-lifecycle.go`.
fn generated(markers: &[Marker<'_>]) -> String {
    let mut text = "package v1\n".to_owned();
    for Marker(kind, introduced, deprecated, removed, replacement) in markers {
        for (what, release) in [
            ("Introduced", introduced),
            ("Deprecated", deprecated),
            ("Removed", removed),
        ] {
            if let Some((major, minor)) = release.split_once('.') {
                let _ = writeln!(
                    text,
                    "func (in *{kind}) APILifecycle{what}() (major, minor int) {{\n\treturn {major}, {minor}\n}}\n"
                );
            }
        }
        if !replacement.is_empty() {
            let _ = writeln!(
                text,
                "func (in *{kind}) APILifecycleReplacement() schema.GroupVersionKind {{\n\treturn \
                 schema.GroupVersionKind{{{replacement}}}\n}}\n"
            );
        }
    }
    text
}

/// A package with kinds and their lists, and markers.
fn package(folder: &str, group: &str, version: &str, kinds: &[&str], markers: &[Marker<'_>]) -> Vec<(String, String)> {
    let lists: Vec<String> = kinds.iter().map(|kind| format!("{kind}List")).collect();
    let all: Vec<&str> = kinds.iter().copied().chain(lists.iter().map(String::as_str)).collect();
    let marked = format!("{folder}/zz_generated.prerelease-lifecycle.go");
    vec![
        (format!("{folder}/register.go"), register(group, version, &all)),
        (marked, generated(markers)),
    ]
}

fn release(name: &str) -> ReleaseName {
    ReleaseName::parse(name).expect("a release")
}

/// Days a third of a year apart, from 1.0 on.
fn day(release: &ReleaseName) -> chrono::NaiveDate {
    let first = chrono::NaiveDate::from_ymd_opt(2020, 1, 1).expect("a day");
    first + chrono::Days::new(release.minor() * 122)
}

/// What releases with these files come to.
fn folded(releases: &[(&str, Vec<(String, String)>)], known: Draft) -> Imported {
    let mut read = Releases::new(&FORMAT);
    for (name, files) in releases {
        for (label, text) in files {
            let added = read.add(&release(name), label, label, text);
            assert_ne!(added, Added::Unreadable, "{label}");
        }
    }
    let releases: Vec<ApiRelease> = read
        .iter()
        .map(|(name, release)| ApiRelease {
            name: name.clone(),
            date: Some(day(name)),
            kinds: Kinds::of(&release.files),
        })
        .collect();
    let mut imported = fold(known, &releases, &DraftCalendar::default());
    imported.notices.extend(read.notices.iter().cloned());
    imported
}

/// The model of releases, which can be evaluated, and the import that it is written from.
fn model(releases: &[(&str, Vec<(String, String)>)]) -> (String, Imported) {
    let imported = folded(releases, Draft::default());
    let text = write(&imported.draft);
    evaluate(&text).unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}\n{text}"));
    (text, imported)
}

fn has(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(text.contains(line), "no {line} in\n{text}");
    }
}

fn one(imported: &Imported, topic: Topic, words: &[&str]) {
    let texts = reported(imported, topic);
    let found = texts.iter().filter(|text| words.iter().all(|word| text.contains(word)));
    assert_eq!(found.count(), 1, "{words:?} in {texts:#?}");
}

/// Releases of one package `a/v1beta1` of `a.example.com` with the kind Bolt, each with what its markers say.
fn bolts(markers: &[(&'static str, Option<Marker<'_>>)]) -> Vec<(&'static str, Vec<(String, String)>)> {
    let package = |marker: &Option<Marker<'_>>| {
        let markers: &[Marker<'_>] = marker.as_ref().map_or(&[], std::slice::from_ref);
        package("a/v1beta1", "a.example.com", "v1beta1", &["Bolt"], markers)
    };
    markers.iter().map(|(name, marker)| (*name, package(marker))).collect()
}

#[test]
fn markers_are_lives_and_replacements_are_named_as_people_would() {
    let old = [
        Marker(
            "Bolt",
            "1.0",
            "1.1",
            "1.3",
            "Group: \"a.example.com\", Version: \"v1\", Kind: \"Bolt\"",
        ),
        Marker(
            "Nut",
            "1.1",
            "1.2",
            "1.9",
            "Group: \"\", Version: \"v1\", Kind: \"Screw\"",
        ),
    ];
    let releases: Vec<_> = ["1.0", "1.1", "1.2", "1.3"]
        .map(|name| {
            let kinds: &[&str] = if name == "1.0" { &["Bolt"] } else { &["Bolt", "Nut"] };
            let mut files = package("a/v1beta1", "a.example.com", "v1beta1", kinds, &old);
            if name != "1.0" {
                files.extend(package("a/v1", "a.example.com", "v1", &["Bolt"], &[]));
                files.extend(package("core/v1", "", "v1", &["Screw"], &[]));
            }
            (name, files)
        })
        .into();
    let (text, imported) = model(&releases);
    has(
        &text,
        &[
            "current = \"1.3\"",
            "cadence = { months = 4 }",
            "version.v1beta1 = { deprecated = \"1.1\", removed = \"1.3\", replacement = \"v1\" }",
            "version.v1beta1 = { introduced = \"1.1\", deprecated = \"1.2\", replacement = \"core/v1 Screw\" }",
            "v1beta1 = { introduced = \"1.0\", removed = \"1.9\" }",
            "[group.core.version]\nv1 = { introduced = \"1.1\" }",
        ],
    );
    assert_eq!(imported.notices, []);
}

#[test]
fn lists_options_and_what_only_travels_within_others_are_no_kinds() {
    let kinds = [
        "Bolt",
        "BoltList",
        "BoltOptions",
        "List",
        "Carrier",
        "Review",
        "CheckList",
        "metav1.Status",
    ];
    let text = "package v1\n\n// +genclient\n// +genclient:noVerbs\n\n// Review is one.\ntype Review struct {\n}\n\n\
                // +genclient\ntype CheckList struct {}\n";
    let files = vec![
        ("a/register.go".to_owned(), register("a.example.com", "v1", &kinds)),
        ("a/types.go".to_owned(), text.to_owned()),
    ];
    let (text, imported) = model(&[("1.0", files)]);
    has(&text, &["Bolt = {}\nCheckList = {}\nReview = {}\n"]);
    assert!(!text.contains("Options") && !text.contains("Carrier"), "{text}");
    assert_eq!(imported.notices.len(), 1, "{:#?}", imported.notices);
    one(
        &imported,
        Topic::Note,
        &["left out types", ": a.example.com/v1 Carrier"],
    );
}

#[test]
fn of_markers_that_changed_the_newest_counts_and_the_others_are_noted() {
    let (text, imported) = model(&bolts(&[
        ("1.0", None),
        ("1.1", Some(Marker("Bolt", "1.0", "1.4", "1.6", ""))),
        ("1.2", Some(Marker("Bolt", "1.0", "1.2", "1.5", ""))),
        (
            "1.3",
            Some(Marker(
                "Bolt",
                "1.0",
                "1.2",
                "1.5",
                "Group: \"a.example.com\", Version: \"v1\", Kind: \"Bolt\"",
            )),
        ),
    ]));
    has(
        &text,
        &[
            "# 1.2: v1beta1 Bolt: deprecated 1.4, now 1.2; removed 1.6, now 1.5\n\
             # 1.3: v1beta1 Bolt: replacement none, now v1\n[group.\"a.example.com\".version]\n",
            "deprecated = \"1.2\", removed = \"1.5\", replacement = \"a.example.com/v1 Bolt\"",
        ],
    );
    assert_eq!(reported(&imported, Topic::Changed).len(), 2, "{:#?}", imported.notices);
    one(
        &imported,
        Topic::Contradiction,
        &["replaced by a.example.com/v1 Bolt, which is not a kind in any of these releases"],
    );
}

#[test]
fn a_deprecation_that_was_in_force_and_taken_back_stays_in_the_life() {
    let (text, _) = model(&bolts(&[
        ("1.0", Some(Marker("Bolt", "1.0", "1.1", "1.9", ""))),
        ("1.1", Some(Marker("Bolt", "1.0", "1.1", "1.9", ""))),
        ("1.2", Some(Marker("Bolt", "1.0", "1.5", "1.9", ""))),
        ("1.3", Some(Marker("Bolt", "1.0", "1.5", "1.9", ""))),
    ]));
    has(
        &text,
        &["deprecated = [\"1.1\", \"1.5\"], undeprecated = \"1.2\", removed = \"1.9\""],
    );
    let (text, _) = model(&bolts(&[
        ("1.1", Some(Marker("Bolt", "1.0", "1.1", "", ""))),
        ("1.2", Some(Marker("Bolt", "1.0", "", "", ""))),
        ("1.3", Some(Marker("Bolt", "1.0", "1.1", "", ""))),
    ]));
    has(&text, &["deprecated = [\"1.1\", \"1.3\"], undeprecated = \"1.2\""]);
}

#[test]
fn a_kind_is_served_while_it_is_registered_and_its_marker_lets_it() {
    let kept = || package("b/v1", "a.example.com", "v1", &["Nut"], &[]);
    let bolt = || package("a/v1beta1", "a.example.com", "v1beta1", &["Bolt"], &[]);
    let both = |files: Vec<_>| files.into_iter().chain(kept()).collect::<Vec<_>>();
    let releases = [
        ("1.0", both(bolt())),
        ("1.1", kept()),
        ("1.2", both(bolt())),
        ("1.3", both(bolt())),
    ];
    let (text, _) = model(&releases);
    has(
        &text,
        &["v1beta1 = { lives = [{ introduced = \"1.0\", removed = \"1.1\" }, { introduced = \"1.2\" }] }"],
    );

    // Its marker ends it although it is registered still; a later one lets it come back.
    let (text, _) = model(&bolts(&[
        ("1.0", None),
        ("1.1", Some(Marker("Bolt", "1.0", "1.0", "1.1", ""))),
        ("1.2", Some(Marker("Bolt", "1.0", "1.0", "1.1", ""))),
        ("1.3", Some(Marker("Bolt", "1.0", "1.0", "1.6", ""))),
    ]));
    has(
        &text,
        &[
            "{ introduced = \"1.0\", deprecated = \"1.0\", removed = \"1.1\" }",
            "{ introduced = \"1.3\"",
        ],
    );

    // It is removed before the release in its marker.
    let marked = Marker("Bolt", "1.0", "1.1", "1.4", "");
    let first = both(package("a/v1beta1", "a.example.com", "v1beta1", &["Bolt"], &[marked]));
    let (text, imported) = model(&[("1.1", first), ("1.2", kept())]);
    has(&text, &["removed = \"1.2\""]);
    one(
        &imported,
        Topic::Changed,
        &["1.2: a.example.com/v1beta1 Bolt: no longer registered, but its removal was planned for 1.4"],
    );
}

#[test]
fn contradictions_are_reported_with_their_places_and_make_no_impossible_life() {
    let kinds = ["Early", "Late", "Ended", "Undone", "Swift", "Never"];
    let markers = || {
        [
            Marker("Early", "1.0", "", "", ""),
            Marker("Late", "1.3", "", "", ""),
            Marker("Ended", "1.2", "", "1.2", ""),
            Marker("Undone", "1.2", "1.1", "", ""),
            Marker("Swift", "1.0", "1.4", "1.3", ""),
            Marker("Never", "1.0", "1.3", "1.3", "Version: \"v1\", Kind: \"Nothing\""),
        ]
    };
    let first = package("b/v1", "b.example.com", "v1", &["Nut"], &[]);
    let later = package("a/v1beta1", "a.example.com", "v1beta1", &kinds, &markers());
    let (text, imported) = model(&[("1.1", first), ("1.2", later)]);
    let place = "a/v1beta1/zz_generated.prerelease-lifecycle.go:";
    for (kind, words) in [
        (
            "Early",
            "is marked as introduced in 1.0, but is first registered in 1.2: 1.0 counts; if it is wrong, correct it in the model",
        ),
        (
            "Late",
            "is marked as introduced in 1.3, but is already registered in 1.2: 1.3 counts",
        ),
        (
            "Ended",
            "is removed in 1.2, but introduced in 1.2: its removal is left out",
        ),
        (
            "Undone",
            "is deprecated in 1.1, but introduced in 1.2: its deprecation is left out",
        ),
        (
            "Swift",
            "is removed in 1.3, but deprecated in 1.4: its deprecation is left out",
        ),
        ("Never", "is deprecated in 1.3, the release in which it is removed"),
        (
            "Never",
            "is replaced by core/v1 Nothing, which is not a kind in any of these releases",
        ),
    ] {
        one(
            &imported,
            Topic::Contradiction,
            &[place, &format!(" a.example.com/v1beta1 {kind} {words}")],
        );
    }
    assert!(
        !text.contains("deprecated = \"1.4\"") && !text.contains("deprecated = \"1.1\""),
        "{text}"
    );
}

#[test]
fn comments_speak_where_no_code_was_generated_from_them() {
    let tag = "+k8s:prerelease-lifecycle-gen:";
    let types = format!(
        "package v1beta1\n\n// +genclient\n// {tag}introduced=1.0\n// {tag}removed=1.4\n// {tag}replacement=a.example.com,v1,Bolt\n\n\
         // Bolt is one.\ntype Bolt struct {{\n\t// {tag}introduced=1.9\n\tmetav1.TypeMeta\n}}\n\n\
         // {tag}introduced=1.1\n\n\n// {tag}removed=soon\ntype Nut struct {{}}\n"
    );
    let registered = register("a.example.com", "v1beta1", &["Bolt", "Nut", "NutList"]);
    let files = |more: &[Marker<'_>]| {
        vec![
            ("a/v1beta1/register.go".to_owned(), registered.clone()),
            ("a/v1beta1/types.go".to_owned(), types.clone()),
            (
                "a/v1beta1/zz_generated.prerelease-lifecycle.go".to_owned(),
                generated(more),
            ),
        ]
    };
    let (text, imported) = model(&[("1.2", files(&[])), ("1.3", files(&[]))]);
    has(&text, &["removed = \"1.4\"", "replacement = \"a.example.com/v1 Bolt\""]);
    assert!(!text.contains("1.9"), "{text}");
    let skipped = "a/v1beta1/types.go:17:1: the marker `removed=soon` of Nut cannot be read: it is ignored";
    assert_eq!(
        reported(&imported, Topic::Skipped),
        [skipped; 2],
        "one for each release"
    );

    // Generated code counts, and a comment that differs from it is reported.
    let (text, imported) = model(&[("1.2", files(&[Marker("Bolt", "1.0", "", "1.5", "")]))]);
    has(&text, &["removed = \"1.5\""]);
    one(
        &imported,
        Topic::Contradiction,
        &["types.go:9", "zz_generated.prerelease-lifecycle.go:2", "which counts"],
    );

    // A kind that is first seen later counts before a comment.
    let other = package("b/v1", "b.example.com", "v1", &["Nut"], &[]);
    let (text, imported) = model(&[("1.1", other), ("1.2", files(&[]))]);
    has(&text, &["v1beta1 = { introduced = \"1.2\""]);
    one(
        &imported,
        Topic::Contradiction,
        &["introduced in 1.0, but is first registered in 1.2, which counts"],
    );
}

#[test]
fn kinds_are_registered_in_many_ways() {
    let register = "package v1\n\nvar at = schema.GroupVersion{GroupName, version}\n\nfunc add(scheme *runtime.Scheme) {\n\
         \tscheme.AddKnownTypes(at, &Bolt{}, &BoltList{}, new(Nut), &NutList{}, somethingElse())\n\
         \tscheme.AddKnownTypeWithName(at.WithKind(\"Screw\"), &internalScrew{})\n\
         \tscheme.AddKnownTypeWithName(at.WithKind(\"ScrewList\"), &internalScrewList{})\n\
         \tscheme.AddKnownTypes(schema.GroupVersion{Group: `b.example.com`, Version: \"v2\"}, &Pin{}, &PinList{})\n\
         \tscheme.AddKnownTypes(other.SchemeGroupVersion, &Far{}, &FarList{})\n\
         \tscheme.AddKnownTypes(schema.GroupVersion{Group: GroupName, Version: runtime.APIVersionInternal}, &Within{})\n\
         \tscheme.AddKnownTypes(SchemeGroupVersion, types...)\n}\n";
    let constants = "package v1\n\nconst (\n\tGroupName string = \"a.example.com\"\n\tversion = \"v1\"\n)\n";
    let marked = "package v1\n\nfunc (*internalScrew) APILifecycleIntroduced() (int, int) { return 1, 0 }\n\
                  func (Bolt) APILifecycleRemoved() (int, int) { return later() }\n";
    let files = vec![
        ("x/register.go".to_owned(), register.to_owned()),
        ("x/constants.go".to_owned(), constants.to_owned()),
        ("x/lifecycle.go".to_owned(), marked.to_owned()),
    ];
    let (text, imported) = model(&[("1.1", files)]);
    has(
        &text,
        &[
            "Bolt = {}\nNut = {}\n",
            "Pin = {}",
            "[group.\"b.example.com\".version]\nv2 = ",
        ],
    );
    has(&text, &["[group.\"a.example.com\".kind]\nBolt", "Screw"]);
    assert!(!text.contains("Far") && !text.contains("Within"), "{text}");
    assert_eq!(reported(&imported, Topic::Skipped).len(), 4, "{:#?}", imported.notices);
    one(
        &imported,
        Topic::Skipped,
        &["x/register.go:6:", "the type of this registration cannot be read"],
    );
    one(
        &imported,
        Topic::Skipped,
        &[
            "x/register.go:10:",
            "2 types are registered in a group version that this package does not name",
        ],
    );
    one(&imported, Topic::Skipped, &["x/register.go:12:", "cannot be read"]);
    one(
        &imported,
        Topic::Skipped,
        &["x/lifecycle.go:4:", "APILifecycleRemoved of Bolt"],
    );
}

#[test]
fn the_order_of_files_decides_nothing() {
    let mut files = package(
        "a/v1beta1",
        "a.example.com",
        "v1beta1",
        &["Bolt"],
        &[Marker("Bolt", "1.0", "1.3", "1.6", "")],
    );
    files.extend(package("b/v1", "b.example.com", "v1", &["Nut"], &[]));
    let (forwards, _) = model(&[("1.2", files.clone())]);
    files.reverse();
    assert_eq!(model(&[("1.2", files)]).0, forwards);
}

#[test]
fn events_outside_the_calendar_are_moved_or_left_out_and_reported() {
    let markers = [
        Marker("Bolt", "1.0", "1.2", "1.7", ""),
        Marker("Nut", "1.0", "1.1", "1.4", ""),
        Marker("Pin", "1.5", "", "1.900", ""),
    ];
    let files = package(
        "a/v1beta1",
        "a.example.com",
        "v1beta1",
        &["Bolt", "Nut", "Pin"],
        &markers,
    );
    let (text, imported) = model(&[("1.5", files)]);
    has(
        &text,
        &[
            "\"1.5\" = 2021-09-02\n\"1.6\" = \"unscheduled\"\n\"1.7\" = \"unscheduled\"\n\n",
            "kind.Bolt]\nversion.v1beta1 = { deprecated = \"1.5\", removed = \"1.7\" }",
        ],
    );
    assert!(!text.contains("Nut") && !text.contains("900 ="), "{text}");
    one(
        &imported,
        Topic::Calendar,
        &["the calendar begins with 1.5", "from 1.0 to 1.2"],
    );
    one(&imported, Topic::Calendar, &["1 life"]);
    one(&imported, Topic::Calendar, &["more than 100 releases ahead: 1.900"]);
    for change in reported(&imported, Topic::Calendar) {
        has(&text, &[&format!("# {change}\n")]);
    }
}

/// A repository of which each commit has these files and a tag, a day apart.
fn repository(commits: &[(&str, Vec<(String, String)>)]) -> TempDir {
    tagged(commits.iter().map(|(tag, files)| (vec![*tag], files.clone())))
}

#[test]
fn tags_of_a_repository_are_the_releases_of_an_api() {
    let with = |name: &'static str, marker: Marker<'_>| {
        let mut files = package("a/v1beta1", "a.example.com", "v1beta1", &["Bolt"], &[marker]);
        files.push(("a/v1beta1/types_test.go".to_owned(), "not Go: \"".to_owned()));
        files.push(("a/testdata/broken.go".to_owned(), "GroupVersion \"".to_owned()));
        (name, files)
    };
    let repository = repository(&[
        with("kubernetes-1.1.0", Marker("Bolt", "1.0", "1.3", "1.6", "")),
        with("kubernetes-1.1.1", Marker("Bolt", "1.0", "1.1", "1.6", "")),
        with(
            "kubernetes-1.2.0",
            Marker("Bolt", "1.0", "1.2", "1.5", "Version: \"v1\", Kind: \"Gone\""),
        ),
    ]);
    let import = |more: &[&str]| {
        let arguments = ["import", "kubernetes-api", "--git", ".", "--tags", "kubernetes-*"];
        run_in(&repository, &[&arguments, more].concat())
    };
    import(&[]).ended(0).says(&[
        "# tags of ",
        "kubernetes-1.1.0 kubernetes-1.2.0",
        "\"1.1\" = 2023-01-01\n\"1.2\" = 2023-01-03\n",
        "v1beta1 = { introduced = \"1.1\", deprecated = \"1.2\", removed = \"1.5\", replacement = \"core/v1 Gone\" }",
        "warning: kubernetes-1.2.0:a/v1beta1/zz_generated.prerelease-lifecycle.go:2: a.example.com/v1beta1 Bolt is replaced by",
        "changed: 1.2: a.example.com/v1beta1 Bolt: deprecated 1.3, now 1.2; removed 1.6, now 1.5; replacement none, now",
        "the calendar begins with 1.1",
        "give --calendar",
    ]);
    crate::program::write(
        &repository,
        "days.csv",
        b"1.0,2022-09-01\n1.1,2022-12-31\n1.2,2023-01-02\n",
    );
    let dated = import(&["--calendar", "days.csv", "-o", "lifecycle.toml"]);
    dated
        .ended(0)
        .says(&["written: lifecycle.toml"])
        .silent_on(&["the calendar begins"]);
    let shown = run_in(&repository, &["plan", "--format", "json"]).ended(0);
    shown.says(&[
        "\"release\":\"1.0\",\"date\":\"2022-09-01\"",
        "\"id\":\"a.example.com/v1beta1 Bolt\"",
    ]);
    run_in(&repository, &["check"])
        .ended(1)
        .says(&["`core/v1 Gone`, is not declared in this model"]);
    import(&["--update", "lifecycle.toml"])
        .ended(0)
        .says(&["already up to date"]);
    import(&["elsewhere"])
        .ended(2)
        .says(&["no package of an API was found"]);
}

#[test]
fn a_too_large_file_of_a_tag_is_reported_and_the_rest_is_imported() {
    let of = |extra: &[(&str, String)]| {
        let mut files = package("a/v1", "a.example.com", "v1", &["Bolt"], &[]);
        files.extend(extra.iter().map(|(name, text)| ((*name).to_owned(), text.clone())));
        files
    };
    let large = ("a/v1/table.go", " ".repeat((4 << 20) + 1));
    let repository = repository(&[("v1.1.0", of(&[])), ("v1.2.0", of(&[large]))]);
    run_in(&repository, &["import", "kubernetes-api", "--git", "."])
        .ended(1)
        .says(&[
            "v1 = { introduced = \"1.1\" }",
            "warning: skipped v1.2.0:a/v1/table.go:1:1: larger than 4 MiB;",
        ]);
}

#[test]
fn an_update_adds_what_is_new_and_keeps_what_people_wrote() {
    let model = "# ours\n[calendar]\ncurrent = \"1.1\"\n[calendar.releases]\n\"1.0\" = 2023-01-01\n\"1.1\" = 2023-05-01\n\n\
        [group.\"a.example.com\".version] # these\nv1beta1 = { introduced = \"1.0\", deprecated = \"1.0\", removed = \"1.1\", \
        replacement = \"v1\" }\n\
        v1 = { introduced = \"1.0\" }\n\
        [group.\"a.example.com\".kind]\nBolt = { owner = \"me\" }\nNut = { versions = [\"v1\"] }\n";
    let files: Vec<(String, String)> = [
        package("api/a/v1", "a.example.com", "v1", &["Bolt", "Pin"], &[]),
        package(
            "api/a/v1beta1",
            "a.example.com",
            "v1beta1",
            &["Bolt", "Screw"],
            &[
                Marker(
                    "Bolt",
                    "1.0",
                    "1.0",
                    "1.1",
                    "Group: \"a.example.com\", Version: \"v1\", Kind: \"Bolt\"",
                ),
                Marker(
                    "Screw",
                    "1.2",
                    "1.5",
                    "1.8",
                    "Group: \"a.example.com\", Version: \"v1\", Kind: \"Bolt\"",
                ),
            ],
        ),
    ]
    .concat();
    let mut all: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    all.push(("lifecycle.toml", model));
    let folder = folder(&all);
    let import = [
        "import",
        "kubernetes-api",
        "--release",
        "1.2",
        "--date",
        "2023-09-01",
        "api",
        "--update",
    ];
    let update = || run_in(&folder, &[&import[..], &["lifecycle.toml"]].concat());
    // The version's end is not that of the kind that is new in it.
    update().ended(1).says(&[
        "lifecycle.toml: ",
        "additions",
        "is `1.1` in the file",
        "`1.8` in the import",
    ]);
    let updated = get(&folder, "lifecycle.toml");
    has(
        &updated,
        &[
            "# ours\n[calendar]\ncurrent = \"1.2\"",
            "\"1.2\" = 2023-09-01\n",
            "Bolt = { owner = \"me\"",
            "Nut = { versions = [\"v1\"], version.v1 = { removed = \"1.2\" } }",
            "Pin",
            "introduced = \"1.2\", deprecated = \"1.5\", removed = \"1.8\", replacement = \"a.example.com/v1 Bolt\"",
        ],
    );
    evaluate(&updated).unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}\n{updated}"));
    update().ended(1).says(&["already up to date"]);
    assert_eq!(get(&folder, "lifecycle.toml"), updated);
}

#[expect(clippy::disallowed_methods, reason = "the test is about files")]
fn get(folder: &TempDir, name: &str) -> String {
    std::fs::read_to_string(folder.path().join(name)).expect("the file is there")
}

#[test]
fn a_checkout_is_one_release() {
    let files = package(
        "api/vendor/a/v1beta1",
        "a.example.com",
        "v1beta1",
        &["Bolt"],
        &[Marker("Bolt", "1.0", "1.3", "1.6", "")],
    );
    let mut all: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    all.push(("days.csv", "1.0,2023-01-01\n1.3,2024-01-01\n"));
    all.push(("notes.txt", "nothing"));
    all.push(("other.go", "package other\n"));
    let folder = folder(&all);
    let import = |more: &[&str]| -> Run { run_in(&folder, &[&["import", "kubernetes-api"], more].concat()) };
    // Without a day, the calendar has all releases that are named and those between them.
    import(&["--release", "1.2", "api/vendor"]).ended(0).says(&[
        "\"1.0\" = \"unscheduled\"\n\"1.1\" = \"unscheduled\"",
        "\"1.6\" = \"unscheduled\"\n\n",
        "v1beta1 = { introduced = \"1.0\", deprecated = \"1.3\", removed = \"1.6\" }",
    ]);
    import(&["--release", "1.2", "api"])
        .ended(2)
        .says(&["no package of an API was found"]);
    import(&["--release", "1.2", "--calendar", "days.csv", "api/vendor"])
        .ended(2)
        .says(&["--calendar lacks the date of 1.2, but 1.3 after it has one"]);
    import(&["--release", "1.2", "notes.txt"])
        .ended(2)
        .says(&["notes.txt: no package of an API"]);
    import(&["--release", "1.2", "other.go"])
        .ended(2)
        .says(&["other.go: no package of an API"]);
    import(&["--release", "1.2", "absent"]).ended(2).says(&["absent"]);
    import(&["api"]).ended(2).says(&["--release"]);
}

#[test]
fn hostile_go_ends_in_bounded_time() {
    let many = 200_000;
    let head = "GroupVersion APILifecycle AddKnownTypes +genclient\n";
    let texts = [
        format!("{head}{}", ".AddKnownTypes(".repeat(many / 4)),
        format!("{head}{}{}", ".AddKnownTypes(".repeat(many / 8), ")".repeat(many / 8)),
        format!("{head}{}", "x = schema.GroupVersion{".repeat(many / 8)),
        format!(
            "{head}{}",
            "func (x) APILifecycleReplacement return y{".repeat(many / 16)
        ),
        format!("{head}{}", "{".repeat(many)),
        format!("{head}{}", "}".repeat(many)),
        format!("{head}{}", each(20_000, |_| "type T struct{};".to_owned())),
        format!("{head}{}", each(100_000, |_| "// +genclient\n".to_owned())),
        format!("{head}func (*T) APILifecycleRemoved() {{ return 99999999999999999999, 1 }}"),
        format!("{head}\u{0}\u{feff}\u{202e} ü = \"\\"),
    ];
    for text in texts {
        let hostile = folder(&[("hostile.go", &text)]);
        let run = run_in(
            &hostile,
            &["import", "kubernetes-api", "--release", "1.0", "hostile.go"],
        )
        .ended(2);
        run.says(&["error: ", "help: "]);
    }
    let too_many = (FORMAT.read)(&format!("{head}{}", "+".repeat(1_100_000))).expect_err("it has too many signs");
    assert!(too_many.reason.contains("more than"), "{too_many}");
    let too_large = (FORMAT.read)(&" ".repeat(LARGEST + 1)).expect_err("it is too large");
    assert!(too_large.reason.contains("larger than 4 MiB"), "{too_large}");
    let broken = folder(&[
        ("a/register.go", "package a // GroupVersion\n\n  \"x\n"),
        ("a/b.go", "/* GroupVersion"),
    ]);
    run_in(&broken, &["import", "kubernetes-api", "--release", "1.0", "a"])
        .ended(2)
        .says(&[
            "a/b.go:1:1: a comment does not end",
            "a/register.go:3:3: a string does not end",
            "fix the file",
        ]);
}

#[test]
fn names_that_no_kind_can_have_are_reported_and_left_out() {
    let text = register("a.example.com", "v1", &["Bolt", "BoltList"]).replace(
        "\tmetav1.AddTo",
        "\tscheme.AddKnownTypeWithName(SchemeGroupVersion.WithKind(\"a/b c\"), &Odd{})\n\tmetav1.AddTo",
    );
    let (text, imported) = model(&[("1.0", vec![("a/register.go".to_owned(), text)])]);
    has(&text, &["Bolt = {}\n"]);
    one(
        &imported,
        Topic::Skipped,
        &["a/register.go:13:", "a kind cannot have the name `a/b c`"],
    );
    let odd = register("a b\\n", "v1", &["Bolt", "BoltList"]);
    let imported = folded(&[("1.0", vec![("a/register.go".to_owned(), odd)])], Draft::default());
    assert!(imported.draft.groups.is_empty(), "{:#?}", imported.draft);
    one(&imported, Topic::Skipped, &["that this package does not name"]);
}
