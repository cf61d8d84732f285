//! Checks in CI: the action's script as a runner runs it, the hooks, and the examples of docs/ci.md.

#![cfg(test)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use lifecycle::render::formats::{PICTURE_FORMATS, PLAN_FORMATS, REPORT_FORMATS};
use serde_json::Value;
use tempfile::TempDir;

const ACTION: &str = include_str!("../../action.yml");
const SCRIPT: &str = include_str!("../../action/run.sh");
const HOOKS: &str = include_str!("../../.pre-commit-hooks.yaml");
const PAGE: &str = include_str!("../../docs/ci.md");

const README: &str = include_str!("../../README.md");

#[test]
fn every_format_is_on_the_pages() {
    let plans = PLAN_FORMATS.iter().map(|format| format.name);
    let pictures = PICTURE_FORMATS.iter().map(|format| format.name);
    let reports = REPORT_FORMATS.iter().map(|format| format.name);
    for format in reports.clone() {
        assert!(
            PAGE.contains(&format!("`{format}`")),
            "docs/ci.md does not list {format}"
        );
    }
    let readme = README.to_lowercase();
    let words: BTreeSet<&str> = readme.split(|c: char| !c.is_alphanumeric()).collect();
    for format in plans.chain(pictures).chain(reports) {
        assert!(words.contains(format), "README.md does not list {format}");
    }
}

/// A small model without findings.
const CLEAN: &str = concat!(
    calendar!(current "1.3", to "1.4"),
    r#"[group."widgets.example.com".version]
v1beta1 = { introduced = "1.0", deprecated = "1.1", replacement = "v1" }
v1 = { introduced = "1.1" }
"#
);

/// A CRD.
const DEFINITION: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  group: widgets.example.com
  names: { kind: Widget, plural: widgets }
  versions: [{ name: v1, served: true, storage: true }]
";

/// Policy violations: two errors, a warning, and a note whose text looks like the JSON of a finding.
const BREACHES: &str = r#"[group."gadgets.example.com".version]
v1beta1 = { introduced = "1.0", deprecated = "1.1", removed = "1.2", replacement = "v1" }
v1beta2 = { introduced = "1.0", deprecated = "1.1", removed = "1.2", replacement = "v1" }
v1 = { introduced = "1.1" }
[cli.examplectl]
audience = "user"
[cli.examplectl.flag."--old"]
deprecated = "1.1"
[[exception]]
rule = "version-lifetime:early"
element = "gadgets.example.com/v1beta2"
reason = 'a text: "severity":"error", "known":"base"'
approved-by = "api-reviewers"
[[exception]]
rule = "version-replacement:no-replacement"
element = "gadgets.example.com/v1"
reason = "v1 stays without a successor"
approved-by = "api-reviewers"
"#;

/// Whether there is a bash. Tests that need one print that they were skipped.
pub fn bash() -> bool {
    let found = Command::new("bash").args(["-c", "exit 0"]).output();
    let found = found.is_ok_and(|output| output.status.success());
    if !found {
        println!("skipped: there is no bash");
    }
    found
}

#[expect(
    clippy::disallowed_methods,
    reason = "the files the script is run on are written here"
)]
fn write(path: &Path, text: &str) {
    let parent = path.parent().expect("a file is in a folder");
    std::fs::create_dir_all(parent).expect("the folder can be made");
    std::fs::write(path, text).expect("the file can be written");
}

#[expect(clippy::disallowed_methods, reason = "what the script has written is read here")]
pub fn read(path: &Path) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

/// The folder of the built program.
fn programs() -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_lifecycle"));
    program.parent().expect("a program is in a folder").to_owned()
}

/// A `PATH` that begins with this folder and goes on with that of the tests.
#[expect(
    clippy::disallowed_methods,
    reason = "the tools that the script calls are found by it"
)]
fn path_from(first: &Path) -> std::ffi::OsString {
    let rest = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(first.to_owned()).chain(std::env::split_paths(&rest));
    std::env::join_paths(all).expect("the folders can be listed")
}

/// What a runner provides to a step: a workspace, a temporary folder, and files for its outputs.
pub struct Runner {
    pub folder: TempDir,
}

/// How a step ended.
pub struct Step {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
    pub outputs: BTreeMap<String, String>,
    pub summary: String,
}

impl Runner {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let runner = Self { folder };
        for (name, text) in files {
            write(&runner.workspace().join(name), text);
        }
        std::fs::create_dir_all(runner.temp()).expect("the folder can be made");
        runner
    }

    pub fn workspace(&self) -> PathBuf {
        self.folder.path().join("work space")
    }

    fn temp(&self) -> PathBuf {
        self.folder.path().join("temp 'files'")
    }

    /// The script as a runner runs it, with nothing else of this environment.
    pub fn script(&self, inputs: &[(&str, &str)]) -> Command {
        let mut command = Command::new("bash");
        command
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("action/run.sh"))
            .current_dir(self.workspace())
            .env_clear()
            .env("PATH", path_from(&programs()))
            .env("RUNNER_TEMP", self.temp())
            .env("GITHUB_ACTION_PATH", env!("CARGO_MANIFEST_DIR"))
            .env("GITHUB_OUTPUT", self.folder.path().join("outputs"))
            .env("GITHUB_STEP_SUMMARY", self.folder.path().join("summary"))
            .envs(inputs.iter().copied());
        command
    }

    pub fn step(&self, inputs: &[(&str, &str)]) -> Step {
        self.finish(self.script(inputs))
    }

    pub fn finish(&self, mut command: Command) -> Step {
        let (outputs, summary) = (self.folder.path().join("outputs"), self.folder.path().join("summary"));
        for file in [&outputs, &summary] {
            drop(std::fs::remove_file(file));
        }
        let ended = command.output().expect("bash starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the output is UTF-8");
        let left: Vec<_> = std::fs::read_dir(self.temp())
            .expect("the folder is there")
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| name != "lifecycle-program")
            .collect();
        assert!(left.is_empty(), "left behind: {left:?}");
        Step {
            code: ended.status.code(),
            out: text(ended.stdout),
            err: text(ended.stderr),
            outputs: outputs_of(&read(&outputs).expect("the outputs are set")),
            summary: read(&summary).unwrap_or_default(),
        }
    }
}

impl Step {
    /// Asserts the exit code and the outputs of the step.
    #[track_caller]
    pub fn ended(self, code: i32, findings: &str) -> Self {
        let all = format!("{}\n{}", self.out, self.err);
        assert_eq!(self.code, Some(code), "{all}");
        assert_eq!(self.outputs["exit-code"], code.to_string(), "{all}");
        assert_eq!(self.outputs["findings"], findings, "{all}");
        assert_eq!(self.outputs.len(), 3, "{:?}", self.outputs);
        self
    }
}

impl Step {
    /// The lines that a runner takes as commands, and the others.
    fn read(&self) -> (Vec<&str>, Vec<&str>) {
        let (mut commands, mut plain) = (Vec::new(), Vec::new());
        let mut until = None;
        for line in self.out.split(['\n', '\r']).chain(self.err.split(['\n', '\r'])) {
            let mark = line.strip_prefix("::stop-commands::");
            if until.is_some_and(|mark| line == format!("::{mark}::")) {
                until = None;
            } else if until.is_none() && mark.is_some() {
                until = mark;
            } else if until.is_none() && (line.trim_start().starts_with("::") || line.contains("##[")) {
                commands.push(line);
            } else {
                plain.push(line);
            }
        }
        assert_eq!(until, None, "{}", self.out);
        (commands, plain)
    }

    pub fn commands(&self) -> Vec<&str> {
        self.read().0
    }

    fn plain(&self) -> String {
        self.read().1.join("\n").trim().to_owned()
    }
}

/// The outputs that a runner reads.
fn outputs_of(text: &str) -> BTreeMap<String, String> {
    let mut outputs = BTreeMap::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let (name, mark) = line.split_once("<<").expect("an output says where it ends");
        let value: Vec<&str> = lines.by_ref().take_while(|line| *line != mark).collect();
        outputs.insert(name.to_owned(), value.join("\n"));
    }
    outputs
}

fn with_violations() -> String {
    format!("{CLEAN}{BREACHES}")
}

mod action {
    use super::*;

    #[test]
    fn a_clean_model_passes() {
        if !bash() {
            return;
        }
        let step = Runner::new(&[("lifecycle.toml", CLEAN)]).step(&[]).ended(0, "0");
        assert!(step.commands().is_empty(), "{}", step.out);
        assert_eq!(step.plain(), "no policy violations");
        assert!(step.summary.contains("No policy violations."), "{}", step.summary);
        assert_eq!(step.outputs["sarif-file"], "");
    }

    #[test]
    fn findings_are_annotated_summarized_counted_and_written() {
        if !bash() {
            return;
        }
        let runner = Runner::new(&[("lifecycle.toml", &with_violations())]);
        let files = [
            ("INPUT_SARIF_FILE", "a b.sarif.json"),
            ("INPUT_JUNIT_FILE", "junit=1.xml"),
        ];
        let step = runner.step(&files).ended(1, "3");
        let commands = step.commands();
        assert_eq!(commands.len(), 4, "{}", step.out);
        assert!(
            commands[0].starts_with("::error file=lifecycle.toml,line=14,"),
            "{}",
            step.out
        );
        assert!(commands[3].starts_with("::notice file=lifecycle.toml,"), "{}", step.out);
        assert!(step.summary.starts_with("# Findings\n"), "{}", step.summary);
        assert!(step.summary.contains("gadgets.example.com/v1beta1"), "{}", step.summary);
        assert_eq!(step.outputs["sarif-file"], "a b.sarif.json");
        let sarif = read(&runner.workspace().join("a b.sarif.json")).expect("it is written");
        let sarif: Value = serde_json::from_str(&sarif).expect("SARIF is JSON");
        assert_eq!(sarif["version"], "2.1.0");
        let junit = read(&runner.workspace().join("junit=1.xml")).expect("it is written");
        roxmltree::Document::parse(&junit).expect("JUnit is XML");
    }

    #[test]
    fn fail_on_decides_which_findings_count() {
        if !bash() {
            return;
        }
        let runner = Runner::new(&[("lifecycle.toml", &with_violations())]);
        runner.step(&[("INPUT_FAIL_ON", "never")]).ended(0, "3");
        runner.step(&[("INPUT_FAIL_ON", "warning")]).ended(1, "3");
        runner.step(&[("INPUT_FAIL_ON", "note")]).ended(1, "4");
        runner.step(&[("INPUT_FAIL_ON", "sometimes")]).ended(2, "");
    }

    #[test]
    fn findings_of_the_base_do_not_count() {
        if !bash() {
            return;
        }
        let more = with_violations().replace(
            "deprecated = \"1.1\"\n[[",
            "deprecated = \"1.1\"\n[behavior.b]\nintroduced = \"1.0\"\ndeprecated = \"1.1\"\n[[",
        );
        let runner = Runner::new(&[("lifecycle.toml", &more), ("before.toml", &with_violations())]);
        let base = ("INPUT_BASE", "./before.toml");
        let step = runner.step(&[base, ("INPUT_FAIL_ON", "never")]);
        let new = step.outputs["findings"].clone();
        let all = runner.step(&[base, ("INPUT_FAIL_ON", "never"), ("INPUT_ARGS", "--all")]);
        assert_eq!(all.outputs["findings"], new, "{}", all.out);
        assert!(all.out.contains("known"), "{}", all.out);
        assert_ne!(new, "0", "{}", step.out);
    }

    #[test]
    fn input_errors_are_annotated_and_nothing_is_counted() {
        if !bash() {
            return;
        }
        let runner = Runner::new(&[("lifecycle.toml", "[calendar\n")]);
        let step = runner.step(&[("INPUT_SARIF_FILE", "l.sarif")]).ended(2, "");
        assert!(
            step.out.starts_with("::error file=lifecycle.toml,line=1,"),
            "{}",
            step.out
        );
        assert_eq!(step.outputs["sarif-file"], "l.sarif");
    }

    #[test]
    fn a_failed_run_is_reported_and_sets_the_outputs() {
        if !bash() {
            return;
        }
        let runner = Runner::new(&[("lifecycle.toml", CLEAN), ("l.sarif", "of another run")]);
        for input in [
            ("INPUT_MODEL", "nowhere.toml"),
            ("INPUT_BASE", "no-such-revision"),
            ("GITHUB_BASE_REF", "main"),
            ("INPUT_POLICY", "no-such-policy"),
            ("INPUT_JUNIT_FILE", "no/such/folder/l.xml"),
            ("INPUT_SUMMARY", "perhaps"),
            ("INPUT_ANNOTATIONS", "yes"),
            ("INPUT_BINARY", "no-such-program"),
            ("INPUT_ARGS", "--no-such-option"),
            ("INPUT_ARGS", "--format=json"),
        ] {
            let step = runner.step(&[input, ("INPUT_SARIF_FILE", "l.sarif")]).ended(2, "");
            assert!(step.out.contains("::error "), "{input:?}: {}\n{}", step.out, step.err);
            let written = if input.1 == "no-such-policy" { "l.sarif" } else { "" };
            assert_eq!(step.outputs["sarif-file"], written, "{input:?}");
        }
    }

    #[test]
    fn annotations_and_the_summary_can_be_left_out() {
        if !bash() {
            return;
        }
        let runner = Runner::new(&[("lifecycle.toml", &with_violations())]);
        let step = runner.step(&[("INPUT_ANNOTATIONS", "false"), ("INPUT_SUMMARY", "false")]);
        let step = step.ended(1, "3");
        assert!(step.plain().starts_with("error[cli-warning"), "{}", step.out);
        assert!(step.commands().is_empty(), "{}", step.out);
        assert_eq!(step.summary, "");
    }

    #[cfg(unix)]
    #[test]
    fn no_value_is_executed_or_split() {
        if !bash() {
            return;
        }
        let name = "-a 'b' \"$(touch x)\" `touch x`; touch x & ${HOME} * \\/life\ncycle.toml";
        let runner = Runner::new(&[(name, &with_violations()), ("touch", "")]);
        let sarif = "out $(touch x)\n'\"%0A.sarif";
        let step = runner.step(&[
            ("INPUT_MODEL", name),
            ("INPUT_SARIF_FILE", sarif),
            ("INPUT_ARGS", "--allow=4a\r\n\n-W\ncli-warning:no-warning\n"),
        ]);
        let step = step.ended(0, "2");
        assert_eq!(step.outputs["sarif-file"], sarif);
        assert!(runner.workspace().join(sarif).is_file());
        let warnings = step
            .commands()
            .iter()
            .filter(|line| line.starts_with("::warning "))
            .count();
        assert_eq!((warnings, step.commands().len()), (2, 2), "{}", step.out);
        for input in [
            "INPUT_BASE",
            "INPUT_POLICY",
            "INPUT_ARGS",
            "INPUT_FAIL_ON",
            "INPUT_BINARY",
            "GITHUB_BASE_REF",
        ] {
            for value in [
                "$(touch x)",
                "`touch x`",
                "'; touch x; '",
                "\"; touch x; \"",
                "a\r\n::warning::x\n##[error]y",
            ] {
                let step = runner.step(&[("INPUT_MODEL", name), (input, value)]).ended(2, "");
                assert_eq!(step.commands().len(), 1, "{input} {value}: {}\n{}", step.out, step.err);
            }
        }
        for folder in [runner.workspace(), runner.temp(), runner.folder.path().to_owned()] {
            assert!(!folder.join("x").exists(), "{} was written to", folder.display());
        }
    }
}

#[cfg(unix)]
mod stand_ins {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// Writes a program of a few lines.
    fn stand_in(path: &Path, text: &str) {
        write(path, &format!("#!/usr/bin/env bash\nset -eu\n{text}"));
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).expect("it can be made a program");
    }

    /// The arguments of the program, without the files for the script itself.
    fn arguments(inputs: &[(&str, &str)]) -> Vec<String> {
        let runner = Runner::new(&[]);
        let recorder = runner.workspace().join("bin/a program");
        stand_in(&recorder, "printf '%s\\0' \"$@\" > arguments\n");
        let binary = [("INPUT_BINARY", "./bin/a program")];
        let step = runner.step(&[&binary, inputs].concat());
        assert_eq!(step.code, Some(0), "{}{}", step.out, step.err);
        let recorded = read(&runner.workspace().join("arguments")).expect("the program was run");
        let recorded = recorded.split_terminator('\0').map(str::to_owned);
        recorded.filter(|argument| !argument.contains("/lifecycle.")).collect()
    }

    #[test]
    fn each_input_is_one_argument() {
        if !bash() {
            return;
        }
        let plain = ["check", "--fail-on=error", "--format", "github"];
        assert_eq!(arguments(&[]), plain);
        let with = |more: &[&str]| -> Vec<String> { plain.iter().chain(more).map(|&word| word.to_owned()).collect() };
        assert_eq!(arguments(&[("INPUT_MODEL", "-v x")]), with(&["--", "-v x"]));
        assert_eq!(arguments(&[("INPUT_POLICY", "-v x")]), with(&["--policy=-v x"]));
        assert_eq!(
            arguments(&[("INPUT_ARGS", "--a=1 2\n\n 'b'  c \r\n*")]),
            with(&["--a=1 2", " 'b'  c ", "*"])
        );
        assert_eq!(
            arguments(&[("INPUT_SARIF_FILE", "a=b c"), ("INPUT_JUNIT_FILE", "d")]),
            with(&["--output=sarif=a=b c", "--output=junit=d"])
        );
    }

    #[test]
    fn the_base_is_the_target_branch_unless_another_one_is_named() {
        if !bash() {
            return;
        }
        let base = |inputs: &[(&str, &str)]| arguments(inputs).into_iter().find(|word| word.contains("--base"));
        let pull_request = ("GITHUB_BASE_REF", "release/1.2");
        assert_eq!(base(&[]), None);
        assert_eq!(base(&[("GITHUB_BASE_REF", "")]), None);
        assert_eq!(base(&[pull_request]).as_deref(), Some("--base=origin/release/1.2"));
        assert_eq!(
            base(&[pull_request, ("INPUT_BASE", "HEAD^1")]).as_deref(),
            Some("--base=HEAD^1")
        );
        assert_eq!(base(&[pull_request, ("INPUT_BASE", "none")]), None);
    }

    #[test]
    fn a_long_summary_is_cut_after_a_line() {
        if !bash() {
            return;
        }
        let runner = Runner::new(&[]);
        let script = r#"
for argument; do
  case $argument in
    --output=json=*) echo '{}' > "${argument#--output=json=}" ;;
    --output=markdown=*) awk 'BEGIN { for (n = 0; n < 60000; n++) print "| ä line of a table |" }' > "${argument#--output=markdown=}" ;;
  esac
done
"#;
        stand_in(&runner.workspace().join("many"), script);
        let step = runner.step(&[("INPUT_BINARY", "./many")]).ended(0, "0");
        assert!(step.summary.len() < 1 << 20, "{} bytes", step.summary.len());
        let (table, rest) = step.summary.split_once("\n\n").expect("the table ends");
        assert!(table.ends_with("| ä line of a table |"));
        assert!(rest.starts_with("There are more findings"), "{rest}");
    }

    #[test]
    fn a_program_that_is_killed_has_not_answered() {
        if !bash() {
            return;
        }
        let runner = Runner::new(&[]);
        stand_in(&runner.workspace().join("killed"), "kill -9 $$\n");
        runner.step(&[("INPUT_BINARY", "./killed")]).ended(2, "");
    }

    #[test]
    fn without_a_program_one_is_built_once() {
        if !bash() {
            return;
        }
        let runner = Runner::new(&[("lifecycle.toml", CLEAN)]);
        let tools = runner.folder.path().join("tools");
        for tool in [
            "env", "bash", "mktemp", "rm", "cat", "wc", "awk", "mkdir", "ln", "head", "sed",
        ] {
            let found = Command::new("bash")
                .args(["-c", &format!("command -v {tool}")])
                .output();
            let found = String::from_utf8(found.expect("bash starts").stdout).expect("a path is UTF-8");
            std::fs::create_dir_all(&tools).expect("the folder can be made");
            std::os::unix::fs::symlink(found.trim_end(), tools.join(tool)).expect("it can be linked");
        }
        let step = |runner: &Runner| {
            let mut script = runner.script(&[]);
            script.env("PATH", &tools).env("BUILT", env!("CARGO_BIN_EXE_lifecycle"));
            runner.finish(script)
        };
        let none = step(&runner).ended(2, "");
        assert!(none.out.contains("install Rust 1.89 or newer"), "{}", none.out);
        let cargo = "printf '%s\\n' \"$PWD\" \"$@\" >> \"$RUNNER_TEMP/../asked\"\nroot=${6}\nmkdir -p \"$root/bin\"\nln -s \"$BUILT\" \"$root/bin/lifecycle\"\n";
        stand_in(&tools.join("cargo"), cargo);
        step(&runner).ended(0, "0");
        step(&runner).ended(0, "0");
        let asked = read(&runner.folder.path().join("asked")).expect("cargo was asked");
        let root = runner.temp().join("lifecycle-program");
        let root = root.to_str().expect("a path is UTF-8");
        let here = env!("CARGO_MANIFEST_DIR");
        let wanted = [
            here,
            "install",
            "--locked",
            "--path",
            here,
            "--root",
            root,
            "--target-dir",
        ];
        assert_eq!(asked.lines().take(wanted.len()).collect::<Vec<_>>(), wanted);
        assert_eq!(asked.matches("install").count(), 1, "{asked}");
        std::fs::remove_dir_all(root).expect("it can be removed");
        stand_in(&tools.join("cargo"), "exit 101\n");
        let failed = step(&runner).ended(2, "");
        assert!(failed.out.contains("could not be built"), "{}", failed.out);
    }

    #[test]
    fn the_documented_rust_version_is_the_required_one() {
        let needed = format!("Rust {}", env!("CARGO_PKG_RUST_VERSION"));
        assert_eq!(SCRIPT.matches("Rust 1.").count(), SCRIPT.matches(&needed).count());
        assert!(SCRIPT.contains(&needed) && PAGE.contains(&needed));
    }
}

mod files {
    use super::*;

    fn yaml(text: &str) -> Value {
        serde_saphyr::from_str(text).unwrap_or_else(|problem| panic!("{problem}:\n{text}"))
    }

    fn keys(value: &Value) -> BTreeSet<&str> {
        let table = value.as_object().expect("it is a table");
        table.keys().map(String::as_str).collect()
    }

    fn variable(input: &str) -> String {
        format!("INPUT_{}", input.to_uppercase().replace('-', "_"))
    }

    /// Names that begin so, in a text.
    fn words<'t>(text: &'t str, start: &str) -> BTreeSet<&'t str> {
        let part = |c: char| c.is_ascii_uppercase() || c == '_';
        let words = text.split(|c: char| !part(c));
        words
            .filter(|word| word.starts_with(start) && word.len() > start.len())
            .collect()
    }

    /// The code blocks of the page in a language, without the indentation of a list.
    fn blocks(language: &str) -> Vec<String> {
        let mut blocks = Vec::new();
        let mut lines = PAGE.lines();
        while let Some(line) = lines.next() {
            let Some(found) = line.trim_start().strip_prefix("```") else {
                continue;
            };
            let indent = line.len() - line.trim_start().len();
            let block = lines.by_ref().take_while(|line| line.trim() != "```");
            let block: Vec<&str> = block.map(|line| line.get(indent..).unwrap_or_default()).collect();
            if found == language || language.is_empty() {
                blocks.push(block.join("\n") + "\n");
            }
        }
        blocks
    }

    /// Inline code of the page.
    fn spans() -> Vec<String> {
        let mut fenced = false;
        let prose = PAGE.lines().filter(|line| {
            let fence = line.trim_start().starts_with("```");
            fenced ^= fence;
            !fenced && !fence
        });
        let prose = prose.map(str::trim).collect::<Vec<_>>().join(" ");
        prose.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    }

    /// Lines of code blocks, and inline code.
    fn codes() -> Vec<String> {
        let blocks = blocks("").concat();
        let lines = blocks
            .lines()
            .map(|line| line.trim().trim_start_matches("- ").to_owned());
        lines.chain(spans()).collect()
    }

    #[test]
    fn inputs_reach_the_script_as_variables_only_and_all_of_them_do() {
        let action = yaml(ACTION);
        let steps = action["runs"]["steps"].as_array().expect("there are steps");
        let mut given = BTreeSet::new();
        for step in steps {
            let run = step["run"].as_str().expect("each step runs something");
            assert!(!run.contains("${{"), "{run}");
            for (name, value) in step["env"].as_object().expect("each step has variables") {
                let input = name.strip_prefix("INPUT_").expect("each variable is an input");
                let input = input.to_lowercase().replace('_', "-");
                assert_eq!(value, &format!("${{{{ inputs.{input} }}}}"));
                given.insert(name.clone());
            }
        }
        let inputs: BTreeSet<String> = keys(&action["inputs"]).into_iter().map(variable).collect();
        assert_eq!(given, inputs);
        let read: BTreeSet<String> = words(SCRIPT, "INPUT_").into_iter().map(str::to_owned).collect();
        assert_eq!(read, inputs);
    }

    #[test]
    fn each_output_is_set_by_the_script() {
        let action = yaml(ACTION);
        for name in keys(&action["outputs"]) {
            let value = &action["outputs"][name]["value"];
            assert_eq!(value, &format!("${{{{ steps.check.outputs.{name} }}}}"));
            assert!(SCRIPT.contains(&format!("  output {name} ")), "{name}");
        }
    }

    #[test]
    fn the_page_lists_each_input_and_output() {
        let action = yaml(ACTION);
        let spans: BTreeSet<String> = spans().into_iter().collect();
        for name in keys(&action["inputs"]).union(&keys(&action["outputs"])) {
            assert!(spans.contains(*name), "{name} is not on the page");
        }
    }

    #[test]
    fn defaults_in_the_action_are_those_of_the_script() {
        let action = yaml(ACTION);
        for name in keys(&action["inputs"]) {
            let default = action["inputs"][name]["default"]
                .as_str()
                .expect("each input has a default");
            let wanted = format!("{}:-{default}}}", variable(name));
            assert!(SCRIPT.contains(&wanted), "{wanted}");
        }
    }

    #[test]
    fn the_examples_parse_and_use_existing_inputs_and_hooks() {
        let (action, hooks) = (yaml(ACTION), yaml(HOOKS));
        let inputs = keys(&action["inputs"]);
        let hooks: BTreeSet<&str> = hooks
            .as_array()
            .expect("hooks are a list")
            .iter()
            .filter_map(|hook| hook["id"].as_str())
            .collect();
        let known = ["lifecycle", "lifecycle-fix", "lifecycle-fix-system", "lifecycle-system"];
        assert_eq!(hooks, BTreeSet::from(known));
        let examples: Vec<Value> = blocks("yaml").iter().map(|block| yaml(block)).collect();
        assert!(examples.len() > 4, "{}", examples.len());
        let (mut uses, mut used) = (0, 0);
        let mut open: Vec<&Value> = examples.iter().collect();
        while let Some(value) = open.pop() {
            if value["uses"]
                .as_str()
                .is_some_and(|name| name.starts_with("OWNER/lifecycle@"))
            {
                uses += 1;
                assert!(keys(&value["with"]).is_subset(&inputs), "{value}");
            }
            for hook in value["hooks"].as_array().into_iter().flatten() {
                used += 1;
                assert!(hooks.contains(hook["id"].as_str().expect("a hook has an id")), "{hook}");
            }
            match value {
                Value::Array(items) => open.extend(items),
                Value::Object(table) => open.extend(table.values()),
                _ => {}
            }
        }
        assert_eq!((uses, used), (2, 2));
    }

    #[test]
    fn each_addition_to_a_model_on_the_page_is_valid() {
        for block in blocks("toml") {
            let folder = tempfile::tempdir().expect("there is room for a folder");
            write(&folder.path().join("lifecycle.toml"), &format!("{CLEAN}{block}"));
            let mut check = Command::new(env!("CARGO_BIN_EXE_lifecycle"));
            let ended = check
                .arg("check")
                .current_dir(folder.path())
                .output()
                .expect("it starts");
            let messages = String::from_utf8_lossy(&ended.stderr);
            assert_eq!(ended.status.code(), Some(0), "{block}{messages}");
        }
    }

    /// Runs a command in a folder with a model, and with the variables of CI systems.
    fn run(command: &str) {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        // A first model is written where there is none.
        let models = ["lifecycle.toml", "origin/main/lifecycle.toml"];
        let is_first = command.starts_with("lifecycle init");
        for file in models.iter().filter(|_| !is_first) {
            write(&folder.path().join(file), CLEAN);
        }
        // Outside of a repository, a folder stands for the revision of this name.
        let states = ["config/crd", "origin/main...", "origin/main"];
        for file in states.map(|folder| format!("{folder}/widgets.yaml")) {
            write(&folder.path().join(file), DEFINITION);
        }
        // Without a terminal it asks nothing.
        let command = if command == "lifecycle init" {
            "lifecycle init --yes"
        } else {
            command
        };
        let ended = Command::new("bash")
            .args(["-euc", command])
            .current_dir(folder.path())
            .env("PATH", path_from(&programs()))
            .env("CI_MERGE_REQUEST_DIFF_BASE_SHA", "origin/main")
            .env("CHANGE_TARGET", "main")
            .env("PULL_BASE_SHA", "origin/main")
            .env("ARTIFACTS", folder.path())
            .output();
        let ended = ended.expect("bash starts");
        let messages = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(0), "{command}: {messages}");
    }

    #[test]
    fn each_command_runs() {
        if !bash() {
            return;
        }
        let hooks = yaml(HOOKS);
        let entries = hooks.as_array().into_iter().flatten();
        let entries = entries.map(|hook| hook["entry"].as_str().expect("a hook has an entry").to_owned());
        let commands: BTreeSet<String> = entries
            .chain(codes().into_iter().filter(|code| code.starts_with("lifecycle ")))
            .collect();
        assert!(commands.len() > 12, "{commands:?}");
        for command in commands {
            run(&command);
        }
    }

    /// The `--help` text of a command.
    fn help(command: &str) -> String {
        let mut program = Command::new(env!("CARGO_BIN_EXE_lifecycle"));
        let help = program.args([command, "--help"]).output().expect("it starts");
        assert!(help.status.success(), "there is no {command}");
        String::from_utf8(help.stdout).expect("help is UTF-8")
    }

    #[test]
    fn each_option_on_the_page_exists() {
        let named = |text: &str| -> BTreeSet<String> {
            let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
            let option = |word: &&str| word.starts_with("--") || (word.len() == 2 && word.starts_with('-'));
            words
                .filter(option)
                .map(str::to_owned)
                .filter(|word| word.len() > 1 && word != "--")
                .collect()
        };
        let mut seen = 0;
        for code in codes() {
            let first = code.split(' ').next().unwrap_or_default();
            if ["git", "cargo", "pre-commit", "command:"].contains(&first) {
                continue;
            }
            let command = code.strip_prefix("lifecycle ").and_then(|rest| rest.split(' ').next());
            let known = named(&help(command.unwrap_or("check")));
            let options = named(&code);
            seen += options.len();
            assert!(options.is_subset(&known), "{code}: {known:?}");
        }
        assert!(seen > 20, "{seen}");
    }
}
