//! The built program: what it prints where, its exit codes, and how it handles invalid files.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy.toml allows it in test functions only, and these are their helpers"
)]

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use lifecycle::render::formats::{PLAN_FORMATS, REPORT_FORMATS};
use tempfile::TempDir;

/// A small model without findings.
pub const MODEL: &str = concat!(
    calendar!(current "1.3", to "1.4"),
    r#"[group."example.com".version]
v1beta1 = { introduced = "1.0", deprecated = "1.1", removed = "1.4", replacement = "v1" }
v1 = { introduced = "1.1" }
"#
);

/// The head of invalid models: nine lines, so that the rest begins on line 10.
pub const CALENDAR: &str = calendar!(current "1.3", to "1.4");

/// How a run ended.
pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Run {
    /// All that was printed.
    pub fn all(&self) -> String {
        format!("{}\n{}", self.out, self.err)
    }

    /// Asserts that the run did not panic and ended with this code.
    #[track_caller]
    pub fn ended(self, code: i32) -> Self {
        let all = self.all();
        let start: String = all.chars().take(3_000).collect();
        assert!(!all.contains("panicked"), "panicked: {start}");
        assert_eq!(self.code, Some(code), "exit code; printed:\n{start}");
        self
    }

    #[track_caller]
    pub fn says(self, words: &[&str]) -> Self {
        let all = self.all();
        let start: String = all.chars().take(3_000).collect();
        for word in words {
            assert!(all.contains(word), "`{word}` is not in:\n{start}");
        }
        self
    }

    #[track_caller]
    pub fn silent_on(self, words: &[&str]) -> Self {
        let all = self.all();
        let start: String = all.chars().take(3_000).collect();
        for word in words {
            assert!(!all.contains(word), "`{word}` is in:\n{start}");
        }
        self
    }
}

/// The program, to be run in a folder, without the variables that change how its output looks.
pub fn program(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lifecycle"));
    command.current_dir(folder).args(arguments);
    for name in ["COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "RUST_BACKTRACE"] {
        command.env_remove(name);
    }
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Runs a command with this standard input. One that takes longer than [`BOUND`] is killed and fails the test.
pub fn finish(mut command: Command, input: &[u8]) -> Run {
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("standard input is piped");
    let out = drain(child.stdout.take().expect("standard output is piped"));
    let err = drain(child.stderr.take().expect("standard error is piped"));
    let input = input.to_vec();
    // A program that refuses its input early closes it.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let code = wait(&mut child);
    writer.join().expect("the input was written");
    let text = |bytes: std::thread::JoinHandle<Vec<u8>>| {
        String::from_utf8(bytes.join().expect("the output was read")).expect("the output is UTF-8")
    };
    Run {
        code,
        out: text(out),
        err: text(err),
    }
}

pub fn drain(mut stream: impl Read + Send + 'static) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("the stream can be read");
        bytes
    })
}

/// The longest that a run may take: a second or two without optimization, a minute on a busy machine. Exponential time
/// exceeds it.
pub const BOUND: Duration = Duration::from_secs(180);

pub fn wait(child: &mut Child) -> Option<i32> {
    let pause = Duration::from_millis(10);
    for _ in 0..BOUND.as_millis() / pause.as_millis() {
        if let Some(status) = child.try_wait().expect("the program can be waited for") {
            return status.code();
        }
        std::thread::sleep(pause);
    }
    child.kill().expect("the program can be ended");
    panic!("the program did not end within {BOUND:?}");
}

/// Runs the program in a folder.
pub fn run_in(folder: &TempDir, arguments: &[&str]) -> Run {
    finish(program(folder.path(), arguments), b"")
}

/// Runs the program in an empty folder, with a text as standard input.
pub fn run_on(text: impl AsRef<[u8]>, arguments: &[&str]) -> Run {
    let folder = folder(&[]);
    finish(program(folder.path(), arguments), text.as_ref())
}

/// A folder with these files.
pub fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    for (name, text) in files {
        write(&folder, name, text.as_bytes());
    }
    folder
}

#[expect(
    clippy::disallowed_methods,
    reason = "the files the program is run on are written here"
)]
pub fn write(folder: &TempDir, name: &str, bytes: &[u8]) {
    let path = folder.path().join(name);
    let parent = path.parent().expect("a file is in a folder");
    std::fs::create_dir_all(parent).expect("the folder can be made");
    std::fs::write(path, bytes).expect("the file can be written");
}

/// Checks an invalid model: exit code 2, a location, and a next step.
#[track_caller]
fn refused(text: &str, place: &str, words: &[&str]) -> Run {
    run_on(text, &["check", "-"])
        .ended(2)
        .says(&[place, "help: "])
        .says(words)
}

/// A text with this many pieces.
pub fn each(count: u32, piece: impl Fn(u32) -> String) -> String {
    let mut text = String::new();
    for n in 0..count {
        text.push_str(&piece(n));
    }
    text
}

/// The first lines of the errors and findings of a run.
fn headlines(run: &Run) -> Vec<&str> {
    let begins = |line: &&str| {
        ["error[", "warning[", "note[", "error:"]
            .iter()
            .any(|start| line.starts_with(start))
    };
    run.out.lines().chain(run.err.lines()).filter(begins).collect()
}

mod transcripts {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    #[test]
    fn the_transcripts_match_the_output() {
        compare(&[Path::new("tests/cli/*.trycmd"), Path::new("docs/replay.md")]);
    }

    /// Commands are compared with slashes where they go on in the next line, as with those in paths on Windows. Readers
    /// copy them.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "the page is read, and written anew")]
    fn the_commands_of_the_tutorial_print_what_it_shows() {
        let page = Path::new("docs/tutorial.md");
        let text = std::fs::read_to_string(page).expect("it can be read");
        let compared = text.replace(" \\\n", " /\n");
        let folder = folder(&[("tutorial.md", &compared)]);
        let copy = folder.path().join("tutorial.md");
        compare(&[&copy]);
        let anew = std::fs::read_to_string(&copy).expect("it can be read");
        if anew != compared {
            std::fs::write(page, anew.replace(" /\n", " \\\n")).expect("it can be written");
        }
    }

    /// Runs the commands of transcripts; `TRYCMD=overwrite` writes them anew.
    fn compare(transcripts: &[&Path]) {
        let cases = trycmd::TestCases::new();
        cases
            .register_bin("lifecycle", Path::new(env!("CARGO_BIN_EXE_lifecycle")))
            .env("COLUMNS", "100")
            .env("NO_COLOR", "1");
        for transcript in transcripts {
            cases.case(transcript);
        }
    }

    /// The commands in backticks that transcripts print, as one line each. Those with a part to fill in are no
    /// commands.
    #[expect(clippy::disallowed_methods, reason = "transcripts are read as they are")]
    fn printed() -> BTreeSet<String> {
        let mut commands = BTreeSet::new();
        let files = std::fs::read_dir("tests/cli").expect("the folder can be read");
        for file in files.map(|file| file.expect("it can be read").path()) {
            if file.extension().is_none_or(|extension| extension != "trycmd") {
                continue;
            }
            let text = std::fs::read_to_string(&file).expect("it can be read");
            // What is typed, files that are printed, and pages are no messages.
            for block in text.split("```console\n").skip(1) {
                let output = block.split("\n```").next().and_then(|block| block.split_once('\n'));
                let output = output.filter(|(typed, _)| !typed.contains("lifecycle explain"));
                let output = output.map_or("", |(_, output)| output);
                let quoted = output.split('`').skip(1).step_by(2);
                let words = quoted.map(|quoted| quoted.split_whitespace().collect::<Vec<_>>().join(" "));
                commands.extend(words.filter(|words| words.starts_with("lifecycle ") && !is_form(words)));
            }
        }
        commands
    }

    /// Whether it names what the user puts in its place, or only a command.
    fn is_form(command: &str) -> bool {
        let to_fill = ["ELEMENT", "RELEASE", "MODEL", "SOURCE", "FILE", "FOLDER", "…"];
        to_fill.iter().any(|word| command.contains(word)) || command.starts_with("lifecycle import ")
    }

    /// Runs a command in a shell, but writes nothing in the folder of the project.
    fn runs(command: &str) {
        let shown = command.replace(" --write-baseline", "").replace(" --write", "");
        let run = Command::new("sh")
            .args(["-c", &format!("lifecycle() {{ \"$PROGRAM\" \"$@\"; }}; {shown}")])
            .env("PROGRAM", env!("CARGO_BIN_EXE_lifecycle"))
            .output()
            .expect("a shell starts");
        let err = String::from_utf8_lossy(&run.stderr);
        assert!(matches!(run.status.code(), Some(0 | 1)), "`{command}`: {err}");
    }

    #[test]
    fn printed_commands_run_as_they_are_printed() {
        let commands = printed();
        assert!(commands.len() >= 8, "{commands:?}");
        for command in commands {
            runs(&command);
        }
    }

    #[test]
    fn the_commands_of_an_agenda_run_as_they_are_printed() {
        for model in [
            &["--builtin", "kubernetes"][..],
            &["-m", "tests/cli/propose.toml"],
            &["-m", "tests/cli/grants.toml"],
        ] {
            let arguments = [&["agenda", "--ahead", "1", "--format", "json"], model].concat();
            let agenda = finish(program(Path::new("."), &arguments), b"").ended(0);
            let agenda: serde_json::Value = serde_json::from_str(&agenda.out).expect("the answer is JSON");
            let tasks = agenda["tasks"].as_array().expect("a list").iter();
            let commands: BTreeSet<&str> = tasks.filter_map(|task| task["command"].as_str()).collect();
            assert!(!commands.is_empty(), "{model:?}");
            // The first of each kind stands for the others.
            let kinds: BTreeMap<&str, &str> = commands
                .iter()
                .rev()
                .filter_map(|command| Some((command.split(' ').nth(1)?, *command)))
                .collect();
            for command in kinds.into_values() {
                assert!(command.contains(&model.join(" ")), "{command}");
                runs(command);
            }
        }
    }
}

mod answers {
    use super::*;

    #[test]
    fn every_format_of_plan_check_and_why_goes_to_standard_output() {
        let folder = folder(&[("lifecycle.toml", MODEL)]);
        for format in ["table", "json", "markdown"] {
            for command in [&["plan"][..], &["check"], &["why", "example.com/v1beta1"]] {
                let arguments = [command, &["--format", format]].concat();
                let run = run_in(&folder, &arguments).ended(0);
                let quiet = command == ["check"] && format == "table";
                assert_eq!(run.out.is_empty(), quiet, "{arguments:?}");
                assert!(run.err.lines().count() <= 1, "{arguments:?}: {}", run.err);
            }
        }
    }

    #[test]
    fn the_json_of_every_command_is_json_with_its_schema_version() {
        let folder = folder(&[("lifecycle.toml", MODEL), ("bad.toml", "x = 1\n")]);
        for (arguments, code) in [
            (&["plan", "--format", "json"][..], 0),
            (&["check", "--format", "json"], 0),
            (&["why", "example.com/v1", "--format", "json"], 0),
            (&["plan", "bad.toml", "--format", "json"], 2),
        ] {
            let run = run_in(&folder, arguments).ended(code);
            let value: serde_json::Value = serde_json::from_str(&run.out).expect("the answer is JSON");
            assert_eq!(value["schema_version"], 1, "{arguments:?}");
        }
    }

    #[test]
    fn quiet_leaves_standard_error_empty_and_verbose_names_the_files() {
        let folder = folder(&[
            (
                "lifecycle.toml",
                &format!("policy = \"p.toml\"\ninclude = [\"more.toml\"]\n{MODEL}"),
            ),
            ("more.toml", "[behavior.x]\nintroduced = \"1.0\"\n"),
            ("p.toml", "name = \"ours\"\nextends = \"kubernetes\"\n"),
        ]);
        assert_eq!(run_in(&folder, &["check", "-q"]).ended(0).err, "");
        let verbose = run_in(&folder, &["check", "-v"]).ended(0);
        for name in ["model: lifecycle.toml", "included: more.toml", "policy: p.toml"] {
            assert!(verbose.err.contains(name), "{name}: {}", verbose.err);
        }
        assert_eq!(verbose.out, "");
        run_in(&folder, &["check", "-q", "-v"]).ended(2);
    }

    #[test]
    fn the_summary_comes_last() {
        let folder = folder(&[
            (
                "lifecycle.toml",
                &MODEL.replace("removed = \"1.4\"", "removed = \"1.2\""),
            ),
            ("bad.toml", "x = 1\n"),
        ]);
        for (arguments, last) in [
            (&["check"][..], "1 error"),
            (&["plan"], "run `lifecycle check`"),
            (&["check", "bad.toml"], "aborting due to"),
        ] {
            let (mut reader, writer) = std::io::pipe().expect("there is a pipe");
            let mut command = program(folder.path(), arguments);
            command.stdin(Stdio::null());
            command
                .stdout(writer.try_clone().expect("a pipe has two ends"))
                .stderr(writer);
            let mut child = command.spawn().expect("the program starts");
            drop(command);
            let mut all = String::new();
            reader.read_to_string(&mut all).expect("the output can be read");
            wait(&mut child);
            let line = all.trim_end().lines().last().unwrap_or_default();
            assert!(line.contains(last), "{arguments:?}: {all}");
        }
    }

    #[test]
    fn color_is_used_only_where_requested() {
        let folder = folder(&[(
            "lifecycle.toml",
            &MODEL.replace("removed = \"1.4\"", "removed = \"1.2\""),
        )]);
        let colored = |arguments: &[&str], name: &str, value: &str| {
            let mut command = program(folder.path(), arguments);
            command.env(name, value);
            finish(command, b"").ended(1).out.contains('\u{1b}')
        };
        assert!(colored(&["check", "--color", "always"], "NO_COLOR", "1"));
        assert!(!colored(&["check", "--color", "never"], "CLICOLOR_FORCE", "1"));
        assert!(!colored(&["check"], "NO_COLOR", "1"));
        assert!(!colored(&["check"], "TERM", "xterm-256color"));
        assert!(!colored(&["check", "--color", "always", "--format", "json"], "X", "1"));
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        let folder = folder(&[("lifecycle.toml", MODEL)]);
        let commands: [(&[&str], i32); 4] = [
            (&["plan"], 0),
            (&["plan", "--all"], 0),
            (&["why", "example.com/v1beta1"], 0),
            (&["check", "--remove", "example.com/v1@1.4"], 1),
        ];
        for (columns, (arguments, code)) in [60, 80, 200]
            .into_iter()
            .flat_map(|columns| commands.map(|command| (columns, command)))
        {
            let mut command = program(folder.path(), arguments);
            command.env("COLUMNS", columns.to_string());
            let run = finish(command, b"").ended(code);
            let widest = run.out.lines().map(|line| line.chars().count()).max();
            assert!(
                widest <= Some(columns),
                "{arguments:?} {columns}: {widest:?}\n{}",
                run.out
            );
        }
    }

    #[test]
    fn no_word_is_broken_in_a_narrow_terminal() {
        let folder = folder(&[("lifecycle.toml", MODEL)]);
        let mut command = program(folder.path(), &["plan", "--all"]);
        command.env("COLUMNS", "40");
        finish(command, b"")
            .ended(0)
            .says(&["1.0 (2023-01-01)", "deprecated,", "required", "releases"]);
    }

    #[test]
    fn columns_that_are_not_a_number_are_ignored() {
        let folder = folder(&[("lifecycle.toml", MODEL)]);
        for columns in ["0", "1", "-3", "wide", "99999999999"] {
            let mut command = program(folder.path(), &["plan"]);
            command.env("COLUMNS", columns);
            finish(command, b"").ended(0).says(&["v1beta1"]);
        }
    }

    #[test]
    fn a_projected_date_is_always_marked() {
        let folder = folder(&[("lifecycle.toml", &MODEL.replace("\"1.4\" = 2024-05-01\n", ""))]);
        for command in [&["plan"][..], &["why", "example.com/v1beta1"]] {
            for format in ["table", "markdown"] {
                let run = run_in(&folder, &[command, &["--format", format]].concat()).ended(0);
                let out = run.out.replace("~2024-05-01", "").replace("projected 2024-05-01", "");
                assert!(out.len() < run.out.len(), "{command:?} {format}");
                assert!(!out.contains("2024-05-01"), "{command:?} {format}:\n{}", run.out);
            }
        }
    }

    #[test]
    fn a_policy_without_an_edition_leaves_no_empty_parentheses() {
        let folder = folder(&[
            ("lifecycle.toml", MODEL),
            ("p.toml", "name = \"ours\"\nextends = \"kubernetes\"\n"),
        ]);
        run_in(&folder, &["plan", "--format", "markdown", "--policy", "p.toml"])
            .ended(0)
            .silent_on(&["()"]);
        run_in(&folder, &["explain", "--policy", "p.toml"])
            .ended(0)
            .silent_on(&["()"]);
    }

    #[test]
    fn names_of_elements_are_not_broken_in_a_piped_table() {
        let folder = folder(&[("lifecycle.toml", MODEL)]);
        let run = run_in(&folder, &["plan", "--all"]).ended(0);
        let row = |line: &&str| line.starts_with("│ v1beta1 ") || line.starts_with("│ example.com/v1beta1 ");
        assert!(run.out.lines().any(|line| row(&line)), "{}", run.out);
    }

    #[test]
    fn the_output_depends_on_neither_place_nor_time() {
        let text = MODEL.replace("removed = \"1.4\"", "removed = \"1.2\"");
        let folder = folder(&[("lifecycle.toml", &text)]);
        for arguments in [
            &["plan"][..],
            &["check"],
            &["check", "--format", "json"],
            &["plan", "--format", "markdown"],
        ] {
            let first = run_in(&folder, arguments);
            let mut elsewhere = program(folder.path(), arguments);
            elsewhere
                .env("LC_ALL", "tr_TR.UTF-8")
                .env("LANG", "de_DE")
                .env("TZ", "Asia/Kathmandu");
            let second = finish(elsewhere, b"");
            assert_eq!((&first.out, &first.err), (&second.out, &second.err), "{arguments:?}");
        }
    }

    #[test]
    fn no_path_of_this_machine_is_printed() {
        let folder = folder(&[
            (
                "lifecycle.toml",
                &format!(
                    "include = [\"parts/*.toml\"]\n{}",
                    MODEL.replace("\"1.4\", rep", "\"1.2\", rep")
                ),
            ),
            ("parts/a.toml", "[gate.G]\nspecs = []\n"),
            ("down/here/x", ""),
        ]);
        let here = folder.path().to_string_lossy().into_owned();
        for arguments in [
            &["plan", "-v"][..],
            &["check", "-v"],
            &["check", "--format", "json"],
            &["why", "x"],
        ] {
            run_in(&folder, arguments).silent_on(&[&here]);
            let below = folder.path().join("down/here");
            finish(program(&below, arguments), b"").silent_on(&[&here]);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_reader_that_stops_reading_is_not_a_failure() {
        let many = each(20_000, |n| format!("[behavior.b{n}]\nintroduced = \"1.0\"\n"));
        let folder = folder(&[("lifecycle.toml", &format!("{CALENDAR}{many}"))]);
        for format in ["table", "json", "markdown"] {
            let mut command = program(folder.path(), &["plan", "--format", format]);
            let mut child = command.spawn().expect("the program starts");
            drop(child.stdin.take());
            let mut first = [0; 64];
            let mut out = child.stdout.take().expect("standard output is piped");
            out.read_exact(&mut first).expect("there is an answer");
            drop(out);
            let err = drain(child.stderr.take().expect("standard error is piped"));
            assert_eq!(wait(&mut child), Some(0), "{format}");
            assert_eq!(err.join().expect("the stream ends"), b"", "{format}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_answer_that_cannot_be_written_is_a_failure() {
        let folder = folder(&[("lifecycle.toml", MODEL)]);
        let full = std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .expect("there is a full device");
        let mut command = program(folder.path(), &["plan"]);
        let output = command.stdout(full).output().expect("the program runs");
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write"));
    }

    #[test]
    fn a_mistyped_element_or_event_is_guessed() {
        let folder = folder(&[("lifecycle.toml", MODEL)]);
        run_in(&folder, &["why", "example.com/v1beta2"])
            .ended(2)
            .says(&["did you mean `example.com/v1beta1`?"]);
        run_in(&folder, &["why", "example.com/v1", "remved"])
            .ended(2)
            .says(&["did you mean `removed`?"]);
        run_in(&folder, &["why", ""]).ended(2).says(&["help: "]);
    }

    #[test]
    fn only_the_requested_event_is_explained() {
        let folder = folder(&[("lifecycle.toml", MODEL)]);
        let run = run_in(&folder, &["why", "example.com/v1beta1", "removed"]).ended(0);
        assert!(
            run.out.contains("  removed 1.4") && !run.out.contains("introduced 1.0 ("),
            "{}",
            run.out
        );
    }

    #[test]
    fn explain_finds_rules_by_slug_or_number_and_levels() {
        for topic in [
            "version-lifetime",
            "4a",
            "#4a",
            "alpha",
            "beta",
            "stable",
            "model",
            "exception",
            "contradiction",
        ] {
            let run = run_on("", &["explain", topic]).ended(0);
            assert!(run.out.starts_with("# ") && run.err.is_empty(), "{topic}");
        }
        run_on("", &["explain", "versoin-lifetime"])
            .ended(2)
            .says(&["did you mean `version-lifetime`?"]);
        run_on("", &["explain", "10", "--policy", "kubernetes-2025"])
            .ended(0)
            .says(&["# gate-warning"]);
        run_on("", &["explain", "10"]).ended(2);
    }

    #[test]
    fn a_built_in_policy_that_is_printed_can_be_used_as_a_file() {
        for name in ["kubernetes", "kubernetes-2019", "kubernetes-2021", "kubernetes-2025"] {
            let text = run_on("", &["policies", name]).ended(0).out;
            let folder = folder(&[("lifecycle.toml", MODEL), ("printed.toml", &text)]);
            let own = run_in(&folder, &["plan", "--format", "json", "--policy", "printed.toml"]).ended(0);
            let builtin = run_in(&folder, &["plan", "--format", "json", "--policy", name]).ended(0);
            assert_eq!(own.out, builtin.out, "{name}");
        }
    }

    #[test]
    fn contradictory_arguments_are_refused() {
        for arguments in [
            &[][..],
            &["chekc"],
            &["check", "--format", "xml"],
            &["check", "--fail-on", "fatal"],
            &["check", "--as-of", ""],
            &["check", "a", "b"],
            &["why"],
            &["plan", "--nope"],
        ] {
            let run = run_on("", arguments).ended(2);
            assert!(run.out.is_empty() && !run.err.is_empty(), "{arguments:?}");
        }
    }
}

mod judgement {
    use super::*;

    /// A model with an error, a warning and a note.
    fn graded() -> String {
        let early =
            "v1beta1 = { introduced = \"1.0\", deprecated = \"1.1\", removed = \"1.2\", replacement = \"v1\" }\n";
        let note = "v1 = { introduced = \"1.1\" }\n[gate.G]\nspecs = [{ stage = \"beta\", since = \"1.0\", default = false }]\n";
        let warning = "[metric.m]\nspecs = [{ stage = \"ALPHA\", since = \"1.0\" }]\ndeprecated = \"1.3\"\nreplacement = \"gone\"\n";
        format!("{CALENDAR}[group.g.version]\n{early}{note}{warning}")
    }

    #[test]
    fn fail_on_decides_the_exit_code() {
        let all = graded();
        let warned = all.replace("removed = \"1.2\", ", "");
        let noted = warned.replace("replacement = \"gone\"\n", "");
        for (text, codes) in [
            (&all, [1, 1, 1, 0]),
            (&warned, [0, 1, 1, 0]),
            (&noted, [0, 0, 1, 0]),
            (&MODEL.to_owned(), [0; 4]),
        ] {
            for (level, code) in ["error", "warning", "note", "never"].into_iter().zip(codes) {
                run_on(text, &["check", "-", "--fail-on", level]).ended(code);
            }
        }
    }

    #[test]
    fn plan_exits_with_0_despite_violations_and_mentions_them() {
        let run = run_on(graded(), &["plan", "-"]).ended(0);
        assert!(
            run.err.contains("1 error") && run.err.contains("lifecycle check"),
            "{}",
            run.err
        );
    }

    #[test]
    fn input_errors_fail_regardless_of_fail_on() {
        run_on("x = 1\n", &["check", "-", "--fail-on", "never"]).ended(2);
    }

    #[test]
    fn as_of_takes_a_release_or_a_day() {
        let text = MODEL.replace(", deprecated = \"1.1\", removed = \"1.4\", replacement = \"v1\"", "");
        for moment in ["1.2", "2023-12-31", "v1.2.7"] {
            run_on(&text, &["check", "-", "--as-of", moment]).ended(0);
        }
        for moment in ["1.3", "2024-01-01", "2030-01-01", "1.9"] {
            run_on(&text, &["check", "-", "--as-of", moment])
                .ended(1)
                .says(&["not-deprecated-in-time"]);
        }
    }

    #[test]
    fn an_as_of_outside_the_calendar_is_refused() {
        for moment in [
            "1.99999",
            "2.0",
            "0.9",
            "garbage",
            "2022-12-31",
            "2024-13-01",
            "1.\u{1b}[31m",
        ] {
            let run = run_on(MODEL, &["check", "-", "--as-of", moment])
                .ended(2)
                .says(&["--as-of", "help: "]);
            assert!(!run.all().contains('\u{1b}'), "{moment:?}");
        }
    }

    #[test]
    fn a_policy_is_chosen_by_name_or_file() {
        let overdue = MODEL
            .replace(", removed = \"1.4\"", "")
            .replace("current = \"1.3\"", "current = \"1.4\"");
        let lax =
            "name = \"lax\"\nextends = \"kubernetes\"\n[rule.version-lifetime]\nseverity = { overdue = \"off\" }\n";
        let folder = folder(&[("lifecycle.toml", &overdue), ("lax.toml", lax)]);
        run_in(&folder, &["check"]).ended(0).says(&["overdue"]);
        run_in(&folder, &["check", "--policy", "kubernetes-2019"])
            .ended(0)
            .silent_on(&["overdue"]);
        run_in(&folder, &["check", "--policy", "lax.toml"])
            .ended(0)
            .silent_on(&["overdue"]);
        run_in(&folder, &["check", "--policy", "kubernets"])
            .ended(2)
            .says(&["did you mean `kubernetes`?"]);
        run_in(&folder, &["check", "--policy", "nope.toml"])
            .ended(2)
            .says(&["nope.toml", "help: "]);
        run_in(&folder, &["check", "--policy", ""]).ended(2);
    }

    #[test]
    fn policies_that_extend_one_another_in_a_cycle_are_refused() {
        let folder = folder(&[
            ("lifecycle.toml", MODEL),
            ("self.toml", "name = \"a\"\nextends = \"self.toml\"\n"),
            ("a.toml", "name = \"a\"\nextends = \"b.toml\"\n"),
            ("b.toml", "name = \"b\"\nextends = \"a.toml\"\n"),
        ]);
        run_in(&folder, &["check", "--policy", "self.toml"])
            .ended(2)
            .says(&["extends itself", "self.toml:2:11"]);
        run_in(&folder, &["check", "--policy", "a.toml"])
            .ended(2)
            .says(&["extends itself", "help: "]);
    }

    #[test]
    fn paths_of_policies_are_relative_to_the_file_that_names_them() {
        let folder = folder(&[
            ("lifecycle.toml", &format!("policy = \"policies/ours.toml\"\n{MODEL}")),
            ("policies/ours.toml", "name = \"ours\"\nextends = \"base.toml\"\n"),
            ("policies/base.toml", "name = \"base\"\nextends = \"kubernetes\"\n"),
            ("below/x", ""),
        ]);
        run_in(&folder, &["check", "-v"])
            .ended(0)
            .says(&["policy: policies/base.toml"]);
        finish(program(&folder.path().join("below"), &["check"]), b"").ended(0);
    }

    #[test]
    fn policies_of_one_name_in_two_folders_are_distinct() {
        let off = "[rule.version-lifetime]\noff = true\n";
        let folder = folder(&[
            (
                "lifecycle.toml",
                &format!("policy = [{{ use = \"a/p.toml\" }}, {{ use = \"b/p.toml\", from = \"1.1\" }}]\n{MODEL}")
                    .replace("removed = \"1.4\"", "removed = \"1.2\""),
            ),
            ("a/p.toml", "name = \"a\"\nextends = \"base.toml\"\n"),
            ("a/base.toml", "name = \"base-a\"\nextends = \"kubernetes\"\n"),
            ("b/p.toml", "name = \"b\"\nextends = \"base.toml\"\n"),
            (
                "b/base.toml",
                &format!("name = \"base-b\"\nextends = \"kubernetes\"\n{off}"),
            ),
        ]);
        run_in(&folder, &["check"]).ended(0).silent_on(&["version-lifetime"]);
    }

    #[test]
    fn an_unreadable_policy_is_reported_where_it_is_named() {
        let folder = folder(&[
            ("lifecycle.toml", &format!("policy = \"nope.toml\"\n{MODEL}")),
            ("p.toml", "name = \"a\"\nextends = \"nope.toml\"\n"),
            ("q.toml", "name = \"a\"\nextends = \"kubernets\"\n"),
        ]);
        run_in(&folder, &["check"])
            .ended(2)
            .says(&["nope.toml", "lifecycle.toml", "help: "]);
        run_in(&folder, &["check", "--policy", "p.toml"])
            .ended(2)
            .says(&["nope.toml", "p.toml", "help: "]);
        run_in(&folder, &["check", "--policy", "q.toml"])
            .ended(2)
            .says(&["q.toml:2:11", "did you mean `kubernetes`?"]);
    }

    #[test]
    fn every_error_of_a_policy_is_reported_in_one_run() {
        let policy = r#"name = "ours"
extends = "kubernetes"
extra = 1
[rule.version-lifetme]
number = "1"
[rule.nonsense]
off = true
[rule.version-replacement.severity]
bogus = "error"
unknown = "fatal"
[rule.round-trip]
exempt = ["bogus"]
off = "yes"
[rule.version-lifetime]
betta = {}
beta = { after-depreciation = {}, remove = "never", overlap = 3, deprecate-within = { hours = 3 }, remove-within = { months = -1 } }
"#;
        let folder = folder(&[("lifecycle.toml", MODEL), ("p.toml", policy)]);
        run_in(&folder, &["check", "--policy", "p.toml"]).ended(2).says(&[
            "unknown key `extra`",
            "p.toml:3:1",
            "did you mean `version-lifetime`?",
            "`nonsense`",
            "`bogus`",
            "`fatal` is not a severity",
            "p.toml:13:7",
            "did you mean `beta`?",
            "did you mean `after-deprecation`?",
            "`never` is not a time of removal",
            "unknown key `hours`",
            "from 0 to 1200",
        ]);
    }

    #[test]
    fn a_group_whose_dots_are_not_quoted_is_named_as_it_has_to_be_written() {
        let model = format!("{CALENDAR}[group.apps.example.io.version]\nv1 = {{ introduced = \"1.0\" }}\n");
        let folder = folder(&[("lifecycle.toml", &model)]);
        run_in(&folder, &["check"]).ended(2).says(&[
            "unknown key `example`",
            "quote a name that has dots: [group.\"apps.example.io\"]",
        ]);
    }

    #[test]
    fn a_policy_without_a_name_or_of_the_wrong_types_is_refused() {
        let folder = folder(&[
            ("lifecycle.toml", MODEL),
            ("empty.toml", ""),
            (
                "types.toml",
                "name = 3\nedition = []\nsource = {}\nrule = 4\ngrace = 1\n",
            ),
            ("syntax.toml", "name = \"x\nrule =\n"),
        ]);
        run_in(&folder, &["check", "--policy", "empty.toml"])
            .ended(2)
            .says(&["`name` is missing", "empty.toml:1:1"]);
        let run = run_in(&folder, &["check", "--policy", "types.toml"]).ended(2);
        for line in 1..=5 {
            assert!(
                run.out.contains(&format!("types.toml:{line}:")) || run.err.contains(&format!("types.toml:{line}:")),
                "{line}"
            );
        }
        let run = run.silent_on(&["write releases in quotes"]);
        drop(run);
        run_in(&folder, &["check", "--policy", "syntax.toml"])
            .ended(2)
            .says(&["syntax.toml:1:10"]);
    }

    #[test]
    fn editions_that_are_out_of_order_are_refused() {
        let with = |policy: &str| format!("policy = {policy}\n{MODEL}");
        let refused = |policy: &str, words: &[&str]| {
            run_on(with(policy), &["check", "-"])
                .ended(2)
                .says(&["-:1:", "help: "])
                .says(words);
        };
        refused("\"\"", &["built-in policies: kubernetes"]);
        refused("[]", &[]);
        refused("[{ use = \"kubernetes-2019\" }, { use = \"kubernetes\" }]", &["from"]);
        refused("[{ from = \"1.1\" }]", &["`use` is missing"]);
        refused(
            "[{ use = \"kubernetes-2918\" }, { use = \"kubernetes\", from = \"9.9\" }]",
            &["did you mean `kubernetes-2019`?", "9.9"],
        );
        refused("3", &[]);
    }

    #[test]
    fn a_contradictory_policy_is_explained_as_a_cycle() {
        let tight = r#"name = "tight"
extends = "kubernetes"
[rule.version-lifetime]
beta = { deprecate-within = { months = 9, releases = 3 }, after-deprecation = { months = 12, releases = 4 }, remove-within = { months = 9, releases = 3 } }
"#;
        let open = MODEL.replace(", removed = \"1.4\", replacement = \"v1\"", "");
        let planned = open
            .replace(", deprecated = \"1.1\"", "")
            .replace("current = \"1.3\"\n", "");
        // An open deprecation is put off as far as its own deadline permits.
        for (text, by, not_before) in [(open, "1.4", "1.5"), (planned, "1.6", "1.7")] {
            let folder = folder(&[("lifecycle.toml", &text), ("tight.toml", tight)]);
            let bounds = [
                format!("is removed by {by}"),
                format!("is removed not before {not_before}"),
            ];
            for command in ["check", "plan"] {
                run_in(&folder, &[command, "--policy", "tight.toml"]).ended(1).says(&[
                    "error[contradiction",
                    "exclude each other",
                    "2 obligations",
                    &bounds[0],
                    &bounds[1],
                    "12 months",
                    "lifecycle.toml:1",
                ]);
                let page = run_in(&folder, &[command, "--policy", "tight.toml", "--format", "markdown"]).ended(1);
                assert!(page.out.contains("exclude each other"), "{command}: {}", page.out);
            }
        }
    }
}

mod places {
    use super::*;

    #[test]
    fn the_model_is_found_upwards_to_the_root_of_the_repository() {
        let above = folder(&[
            ("lifecycle.toml", MODEL),
            ("a/b/x", ""),
            ("repo/.git/HEAD", ""),
            ("repo/c/x", ""),
        ]);
        let run = |below: &str| finish(program(&above.path().join(below), &["check", "-v"]), b"");
        run("").ended(0).says(&["model: lifecycle.toml"]);
        run("a/b").ended(0).says(&["model: ../../lifecycle.toml"]);
        run("repo/c").ended(2).says(&["no lifecycle.toml", "help: "]);
        write(&above, "repo/lifecycle.toml", MODEL.as_bytes());
        run("repo/c").ended(0).says(&["model: ../lifecycle.toml"]);
        run("repo").ended(0).says(&["model: lifecycle.toml"]);
    }

    #[test]
    fn a_hyphen_is_standard_input() {
        run_on(MODEL, &["plan", "-"]).ended(0).says(&["v1beta1"]);
        run_on(MODEL, &["why", "example.com/v1", "--model", "-"]).ended(0);
        run_on("", &["check", "-"]).ended(2).says(&["`calendar` is missing"]);
    }

    #[test]
    fn an_unreadable_file_is_reported_by_name() {
        let folder = folder(&[("dir/lifecycle.toml", MODEL)]);
        run_in(&folder, &["check", "missing.toml"])
            .ended(2)
            .says(&["missing.toml", "help: "]);
        run_in(&folder, &["check", "dir"])
            .ended(2)
            .says(&["dir is a folder", "help: "]);
        run_in(&folder, &["check", "dir/"])
            .ended(2)
            .says(&["folder"])
            .silent_on(&["//"]);
        run_in(&folder, &["check", ""]).ended(2).says(&["help: "]);
        run_in(&folder, &["check", "dir/lifecycle.toml/x"])
            .ended(2)
            .says(&["help: "]);
        run_in(&folder, &["check", "a\u{1b}[31mb.toml"])
            .ended(2)
            .silent_on(&["\u{1b}"]);
        run_in(&folder, &["check"]).ended(2).says(&[
            "no lifecycle.toml here or above",
            "-m FILE",
            "--builtin kubernetes",
            "lifecycle init",
        ]);
    }

    #[test]
    fn included_paths_are_relative_to_the_model() {
        let files = [
            (
                "m/lifecycle.toml",
                &*format!("include = [\"apis/*.toml\", \"apis/a.toml\", \"*.toml\"]\n{CALENDAR}"),
            ),
            ("m/apis/a.toml", "[group.a.version]\nv1 = { introduced = \"1.0\" }\n"),
            ("m/apis/b.toml", "[group.b.version]\nv1 = { introduced = \"7.0\" }\n"),
        ];
        let folder = folder(&files);
        run_in(&folder, &["check", "m/lifecycle.toml"])
            .ended(2)
            .says(&["m/apis/b.toml:2:21", "7.0"]);
        write(
            &folder,
            "m/apis/b.toml",
            b"[group.b.version]\nv1 = { introduced = \"1.0\" }\n",
        );
        run_in(&folder, &["plan", "--all", "m/lifecycle.toml"])
            .ended(0)
            .says(&["a\n", "b\n"]);
    }

    #[test]
    fn a_folder_with_brackets_in_its_name_is_not_a_pattern() {
        let folder = folder(&[
            ("[a]*/lifecycle.toml", &format!("include = [\"b.toml\"]\n{CALENDAR}")),
            ("[a]*/b.toml", "[group.b.version]\nv1 = { introduced = \"1.0\" }\n"),
        ]);
        run_in(&folder, &["check", "[a]*/lifecycle.toml"]).ended(0);
    }

    #[test]
    fn patterns_that_match_nothing_are_reported_with_the_other_errors() {
        let text = format!(
            "include = [\"no/*.toml\", \"nope.toml\", \"a[\"]\n{CALENDAR}[group.g.version]\nv1 = {{ introdced = \"1.0\" }}\n"
        );
        refused(
            &text,
            "-:1:12",
            &["`no/*.toml`", "`nope.toml`", "`a[`", "did you mean `introduced`?"],
        );
    }

    #[test]
    fn keys_of_the_main_file_are_refused_in_an_included_one() {
        let folder = folder(&[
            ("lifecycle.toml", &format!("include = [\"more.toml\"]\n{MODEL}")),
            (
                "more.toml",
                "policy = \"kubernetes\"\ninclude = [\"x\"]\n[calendar]\ncurrent = \"1.0\"\n",
            ),
        ]);
        run_in(&folder, &["check"]).ended(2).says(&[
            "more.toml:1:1",
            "more.toml:2:1",
            "more.toml:3:2",
            "in the main file only",
        ]);
    }

    #[test]
    fn an_element_in_two_files_is_reported_with_both_places() {
        let part = "[group.g.version]\nv1 = { introduced = \"1.0\" }\n[gate.G]\nspecs = [{ stage = \"alpha\", since = \"1.0\", default = false }]\n";
        let folder = folder(&[
            ("lifecycle.toml", &format!("include = [\"[ab].toml\"]\n{CALENDAR}")),
            ("a.toml", part),
            ("b.toml", part),
        ]);
        let run = run_in(&folder, &["check"]).ended(2).says(&[
            "a.toml:2:1",
            "b.toml:2:1",
            "a.toml:3:7",
            "b.toml:3:7",
            "help: ",
        ]);
        assert_eq!(headlines(&run).len(), 2, "{}", run.out);
    }

    #[test]
    fn an_included_file_that_is_not_toml_or_not_text_is_reported_by_name() {
        let folder = folder(&[
            ("lifecycle.toml", &format!("include = [\"more.toml\"]\n{MODEL}")),
            ("more.toml", "a = = 1\n"),
        ]);
        run_in(&folder, &["check"]).ended(2).says(&["more.toml:1:5"]);
        write(&folder, "more.toml", b"# caf\xe9\n");
        run_in(&folder, &["check"]).ended(2).says(&["more.toml:1:6", "UTF-8"]);
    }

    #[cfg(unix)]
    #[test]
    fn cycles_of_links_are_followed_once() {
        let folder = folder(&[
            ("lifecycle.toml", &format!("include = [\"**/*.toml\"]\n{CALENDAR}")),
            ("a/b.toml", "[group.b.version]\nv1 = { introduced = \"1.0\" }\n"),
        ]);
        std::os::unix::fs::symlink("..", folder.path().join("a/up")).expect("a link can be made");
        run_in(&folder, &["check"]).ended(0);
    }
}

mod bad_input {
    use super::*;

    fn model(rest: &str) -> String {
        format!("{CALENDAR}{rest}")
    }

    #[test]
    fn broken_toml_has_one_error_per_line() {
        let text = model("[group.g.version]\nv1 = { introduced = \"1.0\"\nv2 = = 1\nv3 = {}\n");
        let run = refused(&text, "-:12:", &["cannot read the TOML"]);
        assert!(headlines(&run).len() <= 4, "{}", run.out);
    }

    #[test]
    fn consequences_of_a_syntax_error_are_not_reported() {
        let run = refused(
            "[calendar.releases]\n\"1.0\" = 0000-00-00\n",
            "-:2:9",
            &["invalid date"],
        );
        assert_eq!(headlines(&run).len(), 1, "{}", run.out);
    }

    #[test]
    fn unknown_keys_are_guessed_at_every_level() {
        let text = r#"groop = {}
[calendar]
curent = "1.0"
cadence = { month = 4 }
releases = { "1.0" = 2023-01-01 }
[group.g]
versoin = {}
[group.g.version]
v1 = { introdced = "1.0", lives = [{ remved = "1.0" }] }
[group.g.kind.K]
resorce = "ks"
[group.g.kind.K.field."spec.a"]
defualt = 1
[group.g.kind.K.enum."spec.a".B]
tolerted = "1.0"
[cli.k]
audience = "user"
flagg = {}
[cli.k.flag.--x]
warnin = "w"
[gate.G]
specs = [{ stage = "alpha", since = "1.0", defualt = false }]
operationel = true
[metric.m]
specs = [{ stage = "ALPHA", sinc = "1.0" }]
hiden = "1.0"
[behavior.b]
deprecatd = "1.0"
[[exception]]
rul = "4a"
"#;
        let run = run_on(text, &["check", "-"]).ended(2);
        for (key, line) in [
            ("group", 1),
            ("current", 3),
            ("months", 4),
            ("version", 7),
            ("introduced", 9),
            ("removed", 9),
            ("resource", 11),
            ("default", 13),
            ("tolerated", 15),
            ("flag", 18),
            ("warning", 20),
            ("default", 22),
            ("operational", 23),
            ("since", 25),
            ("hidden", 26),
            ("deprecated", 28),
            ("rule", 30),
        ] {
            assert!(run.all().contains(&format!("did you mean `{key}`?")), "{key}");
            assert!(run.all().contains(&format!("-:{line}:")), "{key} in line {line}");
        }
    }

    #[test]
    fn errors_are_listed_in_the_order_of_their_places() {
        let text = model(
            "[group.g.version]\nv1 = { introdced = \"1.0\" }\nv2 = { introduced = 1.1 }\nv3 = { introduced = \"7.7\" }\n[gat.X]\n",
        );
        let run = run_on(text, &["check", "-"]).ended(2);
        let lines: Vec<u32> = run
            .all()
            .lines()
            .filter_map(|line| line.trim().strip_prefix("--> -:")?.split(':').next()?.parse().ok())
            .collect();
        assert!(lines.is_sorted() && lines.len() >= 4, "{lines:?}");
    }

    #[test]
    fn several_errors_of_one_file_are_reported_in_one_run() {
        let text = model(
            "[group.g.version]\nv1 = { introdced = \"1.0\" }\nv2 = { introduced = 1.1 }\nv3 = { introduced = \"7.7\" }\n[gate.Y]\nspecs = [{ stage = \"gamma\", since = \"1.0\" }]\n[cli.k]\naudience = \"usr\"\n[[exception]]\nrule = \"nope\"\n",
        );
        refused(
            &text,
            "-:11:",
            &[
                "`introdced`",
                "\"1.1\"",
                "7.7",
                "`gamma`",
                "did you mean `user`?",
                "`element` is missing",
            ],
        );
    }

    #[test]
    fn a_release_outside_the_calendar_is_one_error() {
        let run = refused(
            &model("[group.g.version]\nv1 = { introduced = \"0.9\" }\n"),
            "-:11:21",
            &["release 0.9 is not in the calendar", "1.0 to 1.4"],
        );
        assert_eq!(headlines(&run).len(), 1, "{}", run.out);
    }

    #[test]
    fn an_unquoted_release_has_its_own_message() {
        let run = refused(
            &model("[group.g.version]\nv1 = { introduced = 1.8 }\n"),
            "-:11:21",
            &["write releases in quotes: \"1.8\""],
        );
        assert_eq!(headlines(&run).len(), 1, "{}", run.out);
    }

    #[test]
    fn every_unquoted_release_of_the_calendar_is_reported() {
        let text = "[calendar.releases]\n1.8 = 2017-09-28\n1.9 = 2017-12-15\n2.0 = 2018-03-01\n[group.g.version]\nv1 = { introduced = \"1.8\" }\n";
        let run = refused(text, "-:2:", &["\"1.8\"", "\"1.9\"", "\"2.0\""]);
        run.silent_on(&["lists no release"]);
    }

    #[test]
    fn a_removal_before_the_introduction_is_reported_with_both_places() {
        let text =
            model("[group.g.version]\nv1beta1 = { introduced = \"1.0\", deprecated = \"1.2\", removed = \"1.1\" }\n");
        refused(
            &text,
            "-:11:63",
            &["removed in 1.1, but deprecated only in 1.2", "deprecated here"],
        );
    }

    #[test]
    fn a_deprecation_cannot_be_withdrawn_after_the_removal() {
        let text = MODEL.replace("removed = \"1.4\"", "undeprecated = \"1.6\", removed = \"1.4\"");
        run_on(text, &["check", "-"]).ended(2).says(&["undeprecated", "-:11:"]);
    }

    #[test]
    fn advice_names_a_release_past_a_calendar_as_the_model_may_write_it() {
        let text = "[calendar.releases]\n\"1.0\" = 2023-01-01\n\"1.1\" = 2023-05-01\n[behavior.b]\nintroduced = \"1.0\"\ndeprecated = \"1.0\"\nremoved = \"1.1\"\n";
        let advised = "removed = \"1 release after 1.1\"";
        run_on(text, &["check", "-"])
            .ended(1)
            .says(&["behavior-lifetime", advised]);
        run_on(text.replace("removed = \"1.1\"", advised), &["check", "-"]).ended(0);
        run_on(text, &["plan", "-", "--as-of", "1 release after 1.1"]).ended(0);
    }

    #[test]
    fn long_names_are_cut_and_separators_of_lines_are_not_printed() {
        let long = "x".repeat(100_000);
        let run = run_on(
            model(&format!("[behavior.b]\nremoved = \"{long}\"\n")),
            &["check", "-", "--format", "json"],
        );
        assert!(run.out.len() < 20_000, "{} bytes", run.out.len());
        let named = run_on(MODEL, &["check", "-", "--remove", &format!("{long}@1.5")]).ended(2);
        assert!(named.err.len() < 5_000, "{} bytes", named.err.len());
        let run = run_on(
            model("[behavior.\"a\u{2028}b\"]\ndeprecated = \"soon\"\n"),
            &["check", "-"],
        );
        assert!(!run.all().contains('\u{2028}'), "{}", run.all());
    }

    #[test]
    fn two_storage_versions_in_one_release_are_a_finding() {
        let text = model(
            "[group.g.version]\nv1 = { introduced = \"1.0\" }\nv2 = { introduced = \"1.0\" }\n[group.g.kind.K]\nstorage = { v1 = \"1.1\", v2 = \"1.1\" }\n",
        );
        run_on(text, &["check", "-"])
            .ended(1)
            .says(&["two-at-once", "-:14:30", "help: "]);
    }

    #[test]
    fn a_replacement_that_does_not_exist_is_a_finding_of_rule_3() {
        let text = MODEL.replace("replacement = \"v1\"", "replacement = \"v1beta2\"");
        run_on(text, &["check", "-"]).ended(1).says(&[
            "version-replacement #3: unknown",
            "-:11:84",
            "did you mean `v1beta1`?",
        ]);
    }

    #[test]
    fn an_empty_file_and_a_file_of_comments_lack_a_calendar() {
        for text in ["", "\n\n", "# nothing here\n", " \t\n", "\u{feff}"] {
            refused(text, "-:1:1", &["`calendar` is missing"]);
        }
        refused(CALENDAR, "-:1:", &["declares no element"]);
    }

    #[test]
    fn a_calendar_without_releases_is_refused() {
        refused(
            "[calendar]\n[group.g.version]\nv1 = { introduced = \"1.0\" }\n",
            "-:1:2",
            &["`releases` is missing"],
        );
        refused("[calendar]\nreleases = {}\n", "-:2:", &["lists no release"]);
        refused("calendar = 3\n", "-:1:12", &["table"]);
        refused(
            "[calendar]\nreleases = { \"1.0\" = 2023-01-01 }\nsymbolic = { count = 3 }\n",
            "-:3:1",
            &["not both"],
        );
    }

    #[test]
    fn releases_out_of_order_or_twice_are_refused() {
        refused(
            "[calendar.releases]\n\"1.0\" = 2024-01-01\n\"1.1\" = 2023-01-01\n",
            "-:",
            &["1.1", "2023-01-01", "dated before"],
        );
        refused(
            "[calendar.releases]\n\"1.0\" = 2024-01-01\n\"1.0.0\" = 2024-01-01\n",
            "-:",
            &["1.0 is listed twice"],
        );
        refused(
            "[calendar.releases]\n\"1.0\" = \"unscheduled\"\n\"1.1\" = 2024-01-01\n",
            "-:",
            &["1.0 is unscheduled"],
        );
    }

    #[test]
    fn text_that_is_not_utf8_is_reported_with_its_place() {
        let mut bytes = CALENDAR.as_bytes().to_vec();
        bytes.extend(b"# \xc3\xa4 caf\xe9\n");
        run_on(bytes, &["check", "-"])
            .ended(2)
            .says(&["-:10:8", "UTF-8", "help: "]);
        let utf16: Vec<u8> = CALENDAR.encode_utf16().flat_map(u16::to_le_bytes).collect();
        run_on([&[0xff, 0xfe], &*utf16].concat(), &["check", "-"])
            .ended(2)
            .says(&["-:1:1", "UTF-8"]);
    }

    #[test]
    fn line_ends_and_byte_order_marks_change_nothing() {
        let broken = MODEL.replace("removed = \"1.4\"", "removed = \"1.2\"");
        let plain = run_on(&broken, &["check", "-"]).ended(1);
        let carriage = run_on(broken.replace('\n', "\r\n"), &["check", "-"]).ended(1);
        let marked = run_on(format!("\u{feff}{broken}"), &["check", "-"]).ended(1);
        assert_eq!(plain.out, carriage.out);
        assert_eq!(plain.out, marked.out);
    }

    #[test]
    fn escape_sequences_in_names_do_not_reach_the_terminal() {
        let evil = "\\u001b[31mred\\u0007\\u009b\\u0000";
        let places = [
            format!("[group.\"{evil}\".version]\nv1 = {{ introduced = \"1.0\" }}\n"),
            format!("[group.g.version]\n\"{evil}\" = {{ introduced = \"1.0\" }}\n"),
            format!(
                "[group.g.version]\nv1 = {{ introduced = \"{evil}\", replacement = \"{evil}\", \"{evil}\" = 1 }}\n"
            ),
            format!(
                "[group.g.version]\nv1beta1 = {{ introduced = \"1.0\", deprecated = \"1.0\", replacement = \"{evil}\", owner = \"{evil}\" }}\n"
            ),
            format!("[group.g.version]\nv1 = {{ introduced = \"1.0\" }}\n[group.g.kind.\"{evil}\"]\n"),
            format!("[group.g.version]\nv1 = {{ introduced = \"1.0\" }}\n[group.g.kind.K.enum.\"{evil}\".X]\n"),
            format!(
                "[group.g.version]\nv1 = {{ introduced = \"1.0\" }}\n[group.g.kind.K.field.a]\ndefault = \"{evil}\"\nin.v1.represented-as = \"{evil}\"\n"
            ),
            format!(
                "[metric.m]\nspecs = [{{ stage = \"STABLE\", since = \"1.0\", labels = [\"{evil}\"] }}, {{ stage = \"STABLE\", since = \"1.1\", labels = [] }}]\n"
            ),
            format!("[cli.\"{evil}\"]\naudience = \"{evil}\"\n"),
            format!(
                "[group.g.version]\nv1beta1 = {{ introduced = \"1.0\", deprecated = \"1.0\", removed = \"1.1\" }}\n[[exception]]\nrule = \"4a:early\"\nelement = \"g/v1beta1\"\nreason = \"{evil}\"\napproved-by = \"{evil}\"\n"
            ),
        ];
        for rest in places {
            let plans = PLAN_FORMATS.iter().map(|format| ("plan", format.name));
            let checks = REPORT_FORMATS.iter().map(|format| ("check", format.name));
            for (command, format) in plans.chain(checks) {
                let run = run_on(model(&rest), &[command, "-", "--format", format]);
                let is_answered = run.code.is_some_and(|code| code < 2) || run.err.contains("aborting due to");
                assert!(is_answered, "{command} {format}\n{rest}");
                // JSON may contain what is not ASCII, and lines of spreadsheets and calendars end with CR LF.
                let is_json = ["json", "sarif"].contains(&format);
                let text = run.all().replace("\r\n", "\n");
                let mut odd = text.chars().filter(|c| c.is_control() && *c != '\n');
                assert_eq!(
                    odd.find(|c| !is_json || c.is_ascii()),
                    None,
                    "{command} {format}\n{rest}"
                );
            }
        }
    }

    #[test]
    fn the_origin_of_a_symbolic_calendar_is_a_name_without_escape_sequences() {
        let text = "[calendar]\nsymbolic = { origin = \"\\u001b[31mX\", count = 3 }\n[group.g.version]\nv1 = { introduced = \"\\u001b[31mX\" }\n";
        for command in ["plan", "check"] {
            run_on(text, &[command, "-"]).silent_on(&["\u{1b}"]);
        }
        run_on(text, &["why", "g/v1", "--model", "-"]).silent_on(&["\u{1b}"]);
    }

    #[test]
    fn bidirectional_control_characters_are_shown() {
        let text = model(
            "[group.\"a\\u202egro.live\\u2066\".version]\nv1beta1 = { introduced = \"1.0\", deprecated = \"1.0\" }\n",
        );
        run_on(text, &["check", "-"]).silent_on(&["\u{202e}", "\u{2066}"]);
    }

    #[test]
    fn a_nul_byte_is_reported_with_its_place() {
        refused(&model("[group.\"a\0b\".version]\n"), "-:10:10", &["TOML"]);
    }

    #[test]
    fn a_finding_in_a_very_long_line_has_its_place() {
        let owner = "x".repeat(100_000);
        let text = model(&format!(
            "[group.g.version]\nv1 = {{ owner = \"{owner}\", introdced = \"1.0\" }}\n"
        ));
        let run = refused(&text, "-:11:100020", &["did you mean `introduced`?"]);
        assert!(run.out.len() < 20_000, "{} bytes", run.out.len());
    }

    #[test]
    fn deep_nesting_is_refused_with_its_place() {
        for open in ["[", "{ a = "] {
            refused(&format!("a = {}", open.repeat(10_000)), "-:1:", &["recursion"]);
        }
        refused(&format!("{}\n", "[".repeat(10_000)), "-:1:", &["TOML"]);
        refused(&format!("{}a = 1\n", "a.".repeat(10_000)), "-:", &["recursion"]);
        refused(&format!("[{}a]\n", "a.".repeat(10_000)), "-:", &["recursion"]);
        let closed = format!("a = {}{}\n", "[".repeat(10_000), "]".repeat(10_000));
        refused(&closed, "-:1:", &["recursion"]);
    }

    #[test]
    fn numbers_out_of_bounds_are_reported_once_with_the_bounds() {
        for number in [
            "0",
            "-4",
            "121",
            "4.5",
            "1e1",
            "inf",
            "nan",
            "99999999999999999999999",
            "\"4\"",
            "true",
            "0x0",
        ] {
            let text = model("[group.g.version]\nv1 = { introduced = \"1.0\" }\n")
                .replace("months = 4", &format!("months = {number}"));
            let run = refused(&text, "-:3:22", &["a whole number from 1 to 120"]);
            assert_eq!(headlines(&run).len(), 1, "{number}: {}", run.out);
        }
        for number in ["0", "-1", "1001", "99999999999999999999999", "1.0"] {
            let text = format!("calendar.symbolic = {{ origin = \"X\", count = {number} }}\n");
            let run = refused(&text, "-:1:45", &["a whole number from 1 to 1000"]);
            assert_eq!(headlines(&run).len(), 1, "{number}: {}", run.out);
        }
    }

    #[test]
    fn numbers_may_be_written_in_any_form_of_toml() {
        for number in ["0x4", "0b100", "0o4", "+4", "1_2"] {
            let text = model("[group.g.version]\nv1 = { introduced = \"1.6\" }\n")
                .replace("months = 4", &format!("months = {number}"));
            run_on(text, &["check", "-"]).ended(0);
        }
    }

    #[test]
    fn invalid_dates_are_reported() {
        for date in [
            "0000-00-00",
            "2023-02-30",
            "2023-13-01",
            "99999-01-01",
            "\"soon\"",
            "20230101",
            "12:00:00",
            "[]",
        ] {
            refused(&format!("[calendar.releases]\n\"1.0\" = {date}\n"), "-:2:9", &[]);
        }
    }

    #[test]
    fn no_date_past_the_year_9999_is_projected() {
        let text = "[calendar]\ncadence = { months = 120 }\n[calendar.releases]\n\"1.0\" = 9999-12-31\n[group.g.version]\nv1beta1 = { introduced = \"1.0\", deprecated = \"1.100\" }\n";
        for format in ["table", "json"] {
            run_on(text, &["plan", "-", "--format", format]).silent_on(&["+1", "10009", "panicked"]);
        }
        run_on("[calendar]\ncadence = { months = 4 }\n[calendar.releases]\n\"1.0\" = 0001-01-01\n[group.g.version]\nv1beta1 = { introduced = \"1.0\" }\n", &["plan", "-"]).ended(0);
    }

    #[test]
    fn absurd_release_numbers_are_refused() {
        for release in [
            "1.99999999999",
            "1.105",
            "1.99999999999999999999999999",
            "2.0",
            "1",
            "1.",
            "1.x",
            "",
            " 1.0",
            "1.0 ",
            "-1.0",
        ] {
            refused(
                &model(&format!("[group.g.version]\nv1 = {{ introduced = \"{release}\" }}\n")),
                "-:11:21",
                &[],
            );
        }
    }

    #[test]
    fn the_largest_numbers_of_releases_do_not_overflow() {
        let text = "[calendar]\ncadence = { months = 4 }\n[calendar.releases]\n\"1.18446744073709551615\" = 2023-01-01\n\"18446744073709551615.18446744073709551615\" = 2024-01-01\n[group.g.version]\nv1beta1 = { introduced = \"1.18446744073709551615\" }\nv1 = { introduced = \"18446744073709551615.18446744073709551615\" }\n";
        for command in ["check", "plan"] {
            let run = run_on(text, &[command, "-"]);
            assert!(run.code.is_some() && !run.err.contains("panicked"), "{}", run.err);
        }
    }

    #[test]
    fn a_symbolic_calendar_of_one_release_is_planned() {
        let text = "calendar.symbolic = { count = 1 }\n[group.g.version]\nv1beta1 = { introduced = \"X\" }\nv1 = { introduced = \"X+1\" }\n";
        run_on(text, &["plan", "-"]).ended(0).says(&["X"]);
        run_on(text.replace("X+1", "X+4000"), &["plan", "-"])
            .ended(2)
            .says(&["X+4000"]);
        run_on(text.replace("X+1", "X+99999999999999999999"), &["plan", "-"]).ended(2);
    }

    #[test]
    fn cycles_of_replacements_are_reported_link_by_link() {
        let text = model(
            "[group.g.version]\nv1beta1 = { introduced = \"1.0\", deprecated = \"1.1\", replacement = \"v1beta2\" }\nv1beta2 = { introduced = \"1.0\", deprecated = \"1.1\", replacement = \"v1beta3\" }\nv1beta3 = { introduced = \"1.0\", deprecated = \"1.1\", replacement = \"v1beta1\" }\n",
        );
        run_on(&text, &["check", "-"])
            .ended(1)
            .says(&["cycle", "g/v1beta3 → g/v1beta1 → g/v1beta2 → g/v1beta3"]);
        let alone = text.replace("replacement = \"v1beta2\"", "replacement = \"v1beta1\"");
        run_on(alone, &["check", "-"]).ended(1).says(&["g/v1beta1 → g/v1beta1"]);
    }

    #[test]
    fn cycles_of_gate_dependencies_are_reported_link_by_link() {
        let gate = |name: &str, on: &str| {
            format!(
                "[gate.{name}]\ndepends-on = [\"{on}\"]\nspecs = [{{ stage = \"alpha\", since = \"1.0\", default = false }}]\n"
            )
        };
        let text = model(&[gate("A", "B"), gate("B", "C"), gate("C", "A")].concat());
        run_on(text, &["check", "-"])
            .ended(1)
            .says(&["dependency-cycle", "gate A → gate B → gate C → gate A"]);
        run_on(model(&gate("A", "A")), &["check", "-"])
            .ended(1)
            .says(&["dependency-cycle", "gate A → gate A"]);
    }

    #[test]
    fn a_mistyped_gate_is_guessed() {
        let text = model(
            "[gate.Frobber]\ndepends-on = [\"Frober\"]\nspecs = [{ stage = \"alpha\", since = \"1.0\", default = false }]\n[behavior.b]\ngated-by = \"Frobbr\"\n",
        );
        refused(&text, "-:11:15", &["did you mean `Frobber`?", "-:14:12"]);
    }

    #[test]
    fn an_exception_for_an_unknown_element_is_reported() {
        let text = format!(
            "{MODEL}[[exception]]\nrule = \"4z\"\nelement = \"example.com/v1beta1\"\nreason = \"r\"\napproved-by = \"a\"\n[[exception]]\nrule = \"4a\"\nelement = \"example.com/v1beta2\"\nreason = \"r\"\napproved-by = \"a\"\nuntil = \"9.9\"\n"
        );
        refused(&text, "-:20:11", &["did you mean `example.com/v1beta1`?", "9.9"]);
    }
}

mod size {
    use super::*;

    #[test]
    fn fifty_megabytes_that_are_valid_are_read() {
        let filler = format!("# {}\n", "x".repeat(64 * 1024)).repeat(800);
        run_on(format!("{MODEL}{filler}"), &["check", "-"]).ended(0);
    }

    #[test]
    fn fifty_megabytes_that_are_not_valid_are_refused() {
        run_on(format!("{MODEL}x = \"{}", "y".repeat(50 << 20)), &["check", "-"])
            .ended(2)
            .says(&["-:13:"]);
    }

    #[cfg(unix)]
    #[test]
    fn input_without_end_is_refused() {
        let folder = folder(&[]);
        let endless = |name: &str| {
            let mut command = program(folder.path(), &["check", "-"]);
            command.stdin(Stdio::from(
                std::fs::OpenOptions::new()
                    .read(true)
                    .open(name)
                    .expect("there is such a device"),
            ));
            let output = command.output().expect("the program runs");
            assert_eq!(output.status.code(), Some(2));
            assert!(String::from_utf8_lossy(&output.stderr).contains("larger than"));
        };
        endless("/dev/zero");
    }

    #[test]
    fn a_hundred_thousand_elements_are_checked() {
        let many = each(100_000, |n| format!("b{n} = {{ introduced = \"1.0\" }}\n"));
        run_on(format!("{CALENDAR}[behavior]\n{many}"), &["check", "-"]).ended(0);
    }

    #[test]
    fn of_a_hundred_thousand_unknown_keys_only_some_are_reported() {
        let many = each(100_000, |n| format!("k{n} = 1\n"));
        let run = run_on(format!("{CALENDAR}[behavior.b]\n{many}"), &["check", "-"])
            .ended(2)
            .says(&["unknown key `k0`"]);
        let all = run.all().replace(',', "");
        let reported = all.matches("unknown key `").count();
        assert!(
            all.contains(&format!("and {} more", 100_000 - reported)),
            "{reported} reported"
        );
        assert!(run.all().len() < 1 << 20, "{} bytes", run.all().len());
    }

    #[test]
    fn long_chains_of_replacements_and_gates_take_linear_time() {
        let versions = each(600, |n| {
            let next = (n + 1) % 600;
            format!("v{n} = {{ introduced = \"1.0\", deprecated = \"1.1\", replacement = \"v{next}\" }}\n")
        });
        let run = run_on(format!("{CALENDAR}[group.g.version]\n{versions}"), &["check", "-"])
            .ended(1)
            .says(&["cycle"]);
        assert!(run.out.len() < 4_000, "{} bytes", run.out.len());
        let gates = each(600, |n| {
            let (next, specs) = (
                (n + 1) % 600,
                "specs = [{ stage = \"alpha\", since = \"1.0\", default = false }]",
            );
            format!("[gate.G{n}]\ndepends-on = [\"G{next}\"]\n{specs}\n")
        });
        let run = run_on(format!("{CALENDAR}{gates}"), &["check", "-"])
            .ended(1)
            .says(&["dependency-cycle"]);
        assert!(run.out.len() < 4_000, "{} bytes", run.out.len());
    }
}

#[test]
fn the_reasons_of_a_finding_have_the_number_of_their_rule() {
    let text = format!("{CALENDAR}[behavior.b]\ndeprecated = \"1.3\"\nremoved = \"1.4\"\n");
    let json = |arguments: &[&str]| -> serde_json::Value {
        serde_json::from_str(&run_on(&text, arguments).out).expect("it is JSON")
    };
    let found = json(&["check", "--format", "json", "-"]);
    let plan = json(&["plan", "--format", "json", "-"]);
    let (of_finding, of_element) = (
        &found["diagnostics"][0]["because"][0],
        &plan["elements"][0]["because"][0],
    );
    for reason in [of_finding, of_element] {
        assert_eq!(
            (&reason["rule"], &reason["number"]),
            (&"behavior-lifetime".into(), &"7".into())
        );
        assert!(!reason["text"].as_str().expect("a text").starts_with('#'), "{reason}");
    }
    run_on(&text, &["check", "-"])
        .ended(1)
        .says(&["note: #7: a behavior keeps working"]);
}
