//! `lint`: what goes wrong with definitions of custom resources, and what of it is news.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use lifecycle::baseline::Finder;
use lifecycle::diagnostic::Diagnostic;
use lifecycle::document::Document;
use lifecycle::evaluate::{Linted, Load, page_reports};
use lifecycle::policy::Law;
use lifecycle::report::Report;
use lifecycle::source::{FileId, Sources};
use lifecycle::text::LARGEST;

use crate::args::{Format, Lint, ReportFormat};
use crate::aside::Aside;
use crate::definitions::{ENDINGS, names, refuse_faults, tell_unrendered};
use crate::emit::{Emission, Output};
use crate::files::{self, STANDARD_INPUT, Text};
use crate::place::Place;
use crate::store::{PolicyFile, Store};
use crate::terminal::Terminal;

use super::{Failure, Outcome, summary, unusable, what_is_known};

/// The word without which a file defines nothing.
const KIND: &str = "CustomResourceDefinition";

/// Looks at definitions.
pub(super) fn lint(arguments: &Lint, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let judgement = arguments.judgement();
    let policies = Store::Disk.policies(judgement.policy.as_deref(), None)?;
    let law = match law(arguments, &policies) {
        Ok(law) => law,
        Err(faults) => return refuse(arguments, &faults, &policies, terminal),
    };
    let texts = read(&arguments.paths, terminal)?;
    let base = arguments.base.as_deref();
    let base = base.map(|base| read_base(base, arguments, terminal)).transpose()?;
    let (named, folder) = (arguments.baseline.as_deref(), folder_of(&arguments.paths));
    let aside = Aside::find(Finder::Lint, named, folder.as_deref(), arguments.write_baseline)?;
    let inputs = texts.iter().chain(base.iter().flatten()).chain(aside.text());
    let inputs: Vec<&str> = inputs.map(|text| text.name.as_str()).collect();
    let outputs = Output::parse_all(&arguments.output, &inputs)?;
    let mut sources = Sources::new();
    let (mut linted, faults) = look(&law, &texts, &mut sources, terminal);
    for version in &linted.deprecated {
        terminal.detail(&format!("no advice on {version}: it is deprecated"));
    }
    if let (Some(named), Some(texts)) = (&arguments.base, &base) {
        linted.compare_with(named, &look_at_base(named, &law, texts, terminal));
    }
    if linted.definitions == 0 && faults.is_empty() {
        let help = "name files or folders that have some";
        return Err(Failure::new(format!("no {KIND} was found")).help(help));
    }
    let baseline = match aside.baseline(&mut sources)? {
        Ok(baseline) => baseline,
        Err(faults) => return unusable(&faults, &sources, format(arguments), terminal),
    };
    if arguments.write_baseline {
        refuse_faults(&faults, terminal)?;
        let what = "what comes from standard input";
        aside.write(linted.findings(), arguments.fail_on, what, terminal)?;
        return Ok(Outcome::Clean);
    }
    if let (Some(text), Some(baseline)) = (aside.text(), &baseline) {
        linted.set_aside(&law, &text.name, baseline);
    }
    let run = Run {
        arguments,
        law: &law,
        sources: &sources,
        outputs: &outputs,
    };
    let outcome = run.tell(&linted, terminal)?;
    refuse_faults(&faults, terminal)?;
    Ok(outcome)
}

/// The law by which findings are graded.
fn law(arguments: &Lint, policies: &[PolicyFile]) -> Result<Law, Vec<Diagnostic>> {
    let documents: Vec<Document<'_>> = Vec::new();
    let mut load = Load::new(&documents);
    for (at, file) in (0..).zip(policies) {
        load.add_policy(&file.reference, Document::parse(FileId(at), &file.text.content));
    }
    arguments.judgement().instruct(&mut load);
    load.law_alone()
}

/// Tells what is wrong with the policy or the levels.
fn refuse(
    arguments: &Lint,
    faults: &[Diagnostic],
    policies: &[PolicyFile],
    terminal: &mut Terminal,
) -> Result<Outcome, Failure> {
    let mut sources = Sources::new();
    for file in policies {
        sources.add(&file.text.name, &file.text.content);
    }
    unusable(faults, &sources, format(arguments), terminal)
}

/// How faults are told that leave nothing to look at.
fn format(arguments: &Lint) -> Format {
    match arguments.format {
        ReportFormat::Json => Format::Json,
        ReportFormat::Markdown => Format::Markdown,
        _ => Format::Table,
    }
}

/// The folder that the first path is, or is in.
fn folder_of(paths: &[String]) -> Option<PathBuf> {
    let first = paths.first().filter(|path| *path != STANDARD_INPUT)?;
    let path = Path::new(first);
    let folder = if path.is_dir() { Some(path) } else { path.parent() };
    folder.map(Path::to_path_buf)
}

/// Reads the files that may define something, each once.
fn read(paths: &[String], terminal: &mut Terminal) -> Result<Vec<Text>, Failure> {
    let mut seen = BTreeSet::new();
    let mut texts = Vec::new();
    for path in paths {
        let names = names(path)?;
        let before = texts.len();
        terminal.complain_some("warning: skipped ", &names.found.skipped);
        for name in names.found.files {
            if name != STANDARD_INPUT && Path::new(&name).canonicalize().is_ok_and(|whole| !seen.insert(whole)) {
                continue;
            }
            let text = files::read_at_most(&name, LARGEST)?;
            if text.content.contains(KIND) {
                texts.push(text);
            } else if !names.of_folder {
                let help = "name a file that has some, or a folder";
                return Err(Failure::new(format!("{name}: no {KIND}")).help(help));
            }
        }
        if before == texts.len() && names.of_folder && paths.len() > 1 {
            terminal.complain(&format!("warning: {path}: no {KIND}"));
        }
    }
    if texts.len() > usize::from(Sources::BASE.0) {
        let help = "look at a few folders at a time";
        return Err(Failure::new(format!("more than {} files", Sources::BASE.0)).help(help));
    }
    Ok(texts)
}

/// Reads what the base has.
fn read_base(named: &str, arguments: &Lint, terminal: &mut Terminal) -> Result<Vec<Text>, Failure> {
    let first = arguments.paths.first().map_or(".", String::as_str);
    let place = Place::of_base(named, first)?;
    let is_lent = place.is_lent();
    let (store, path) = place.into_parts();
    let Store::Commit(commit) = &store else {
        return read(&[path], terminal);
    };
    let paths = if is_lent { arguments.paths.clone() } else { vec![path] };
    let mut files = Vec::new();
    for path in paths.iter().filter(|path| *path != STANDARD_INPUT) {
        let found = commit.below(path, &ENDINGS)?;
        terminal.complain_some("warning: skipped ", &found.skipped);
        files.extend(found.files);
    }
    files.sort();
    files.dedup();
    let mut texts = Vec::new();
    for file in files {
        match store.read(&file) {
            Ok(text) if text.content.contains(KIND) => texts.push(text),
            Ok(_) => {}
            Err(failure) if failure.in_commit => {
                let message = format!("warning: {}; what it has counts as new", failure.message);
                terminal.complain(&message);
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok(texts)
}

/// Looks at texts. What cannot be read is handed back, with its place.
fn look<'t>(law: &Law, texts: &'t [Text], sources: &mut Sources<'t>, terminal: &mut Terminal) -> (Linted, Vec<String>) {
    let mut linted = Linted::default();
    let mut faults = Vec::new();
    for text in texts {
        let file = sources.add(&text.name, &text.content);
        match linted.add(law, file, &text.content) {
            Ok(unrendered) => tell_unrendered(&text.name, &unrendered, terminal),
            Err(fault) => faults.push(fault.within(&text.name)),
        }
    }
    (linted, faults)
}

/// Looks at the texts of the base. What cannot be read there is told.
fn look_at_base(named: &str, law: &Law, texts: &[Text], terminal: &mut Terminal) -> Linted {
    let mut linted = Linted::default();
    let mut faults = Vec::new();
    for text in texts {
        if let Err(fault) = linted.add(law, Sources::BASE, &text.content) {
            faults.push(fault.within(&text.name));
        }
    }
    if linted.definitions == 0 {
        let told = format!("warning: {named} has no {KIND} there: everything counts as new");
        terminal.complain(&told);
    }
    for fault in faults {
        terminal.complain(&format!("warning: {fault}; what it has counts as new"));
    }
    linted
}

/// One run of the command.
struct Run<'r> {
    arguments: &'r Lint,
    law: &'r Law,
    sources: &'r Sources<'r>,
    outputs: &'r [Output],
}

impl Run<'_> {
    /// Tells the findings, and how many of them are no news.
    fn tell(&self, linted: &Linted, terminal: &mut Terminal) -> Result<Outcome, Failure> {
        let mut report = linted.report(self.sources);
        if !self.arguments.all {
            report.leave_out_known();
        }
        let pages = page_reports(Some(self.law));
        let emission = Emission {
            report: &report,
            changes: None,
            sources: self.sources,
            pages: &pages,
            format: self.arguments.format,
            outputs: self.outputs,
            fail_on: self.arguments.fail_on,
            model: self.arguments.paths.first().map_or(".", String::as_str),
        };
        emission.emit(terminal)?;
        // Where nothing could be read, the faults are the answer.
        if linted.definitions > 0 {
            terminal.tell(&self.words(&report, linted));
        }
        let fails = report.diagnostics.iter().any(|finding| emission.fails(finding));
        Ok(if fails { Outcome::Findings } else { Outcome::Clean })
    }

    /// "1 error in 2 definitions; no advice on 1 deprecated version; 3 known in main; --all lists them".
    fn words(&self, report: &Report<'_>, linted: &Linted) -> String {
        let news = report.diagnostics.iter().filter(|finding| finding.known.is_none());
        let mut words = match (news.clone().next(), &report.compared) {
            (Some(_), _) => summary(&news),
            (None, Some(_)) => "nothing new to complain about".to_owned(),
            (None, None) => "nothing to complain about".to_owned(),
        };
        let _ = write!(words, " in {}", counted(linted.definitions, "definition"));
        if !linted.deprecated.is_empty() {
            let versions = counted(linted.deprecated.len(), "deprecated version");
            let _ = write!(words, "; no advice on {versions}");
        }
        words.push_str(&what_is_known(report.compared.as_ref(), self.arguments.all));
        words
    }
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}
