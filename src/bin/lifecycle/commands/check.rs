//! `check`: what breaks the policy, and what of it is news.

use std::path::Path;

use lifecycle::diagnostic::{Diagnostic, Severity};
use lifecycle::document::{Document, Faults};
use lifecycle::evaluate::{Evaluation, faults_report, pages};
use lifecycle::known::Baseline;
use lifecycle::report::{ComparedReport, Report};
use lifecycle::source::Sources;

use crate::args::{Check, FailOn, ReportFormat};
use crate::base::Base;
use crate::emit::{Emission, Output};
use crate::files::{self, STANDARD_INPUT, Text};
use crate::load::{Files, Loaded, Side};
use crate::store::Store;
use crate::terminal::Terminal;
use crate::write::write_whole;

use super::{Failure, Outcome, count_faults, remove, summary, tell_faults};

/// The file beside a model that puts findings aside.
const BASELINE: &str = "lifecycle-baseline.toml";

/// Checks a model.
pub(super) fn check(arguments: &Check, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let (name, store) = arguments.model.chosen().find()?;
    let (head, base) = read(&name, &store, arguments)?;
    let Loaded { files, evaluated } = head;
    files.announce(terminal);
    let aside = Aside::find(arguments, &name, &store)?;
    let of_base = match &base {
        Some(Base::Model(base)) => Some(base.files.texts()),
        _ => None,
    };
    let inputs = files.texts().chain(of_base.into_iter().flatten()).chain(&aside.text);
    let outputs = Output::parse_all(
        &arguments.output,
        &inputs.map(|text| text.name.as_str()).collect::<Vec<_>>(),
    )?;
    let mut sources = Sources::new();
    files.add_to(&mut sources);
    let run = Run {
        arguments,
        name: &name,
        files: &files,
        outputs: &outputs,
    };
    let mut evaluation = match evaluated {
        Ok(evaluation) => evaluation,
        Err(faults) => return run.unusable(&faults, &sources, terminal),
    };
    if !arguments.remove.is_empty() {
        return remove::answer(run, &evaluation, &sources, terminal);
    }
    let baseline = match aside.baseline(&mut sources) {
        Ok(baseline) => baseline,
        Err(_) if arguments.write_baseline => {
            let path = aside.path.unwrap_or_default();
            return Err(Failure::new(format!("{path} is no baseline, and is not overwritten"))
                .help("name another file, or delete this one first"));
        }
        Err(faults) => return run.unusable(&faults, &sources, terminal),
    };
    if arguments.write_baseline {
        return run.write_baseline(&aside, &evaluation, terminal);
    }
    if let (Some(named), Some(base)) = (&arguments.base, &base) {
        compare(&mut evaluation, named, base, &mut sources, terminal);
    }
    if let (Some(text), Some(baseline)) = (&aside.text, &baseline) {
        evaluation.set_aside(&text.name, baseline);
    }
    let mut report = evaluation.report(&sources);
    let outcome = run.tell(&mut report, &sources, &evaluation, terminal);
    std::mem::forget(report);
    std::mem::forget((evaluation, base));
    outcome
}

/// Reads the model, and beside it its base.
fn read(name: &str, store: &Store, arguments: &Check) -> Result<(Loaded, Option<Base>), Failure> {
    let judgement = &arguments.model.judgement;
    std::thread::scope(|scope| {
        let base = arguments.base.as_deref();
        let base = base.map(|base| scope.spawn(move || Base::read(base, name, judgement)));
        let head = Loaded::of(name, store, judgement, Side::Head);
        let base = match base.map(std::thread::ScopedJoinHandle::join) {
            Some(Ok(base)) => Some(base?),
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            None => None,
        };
        Ok((head?, base))
    })
}

/// Holds the model against its base.
fn compare<'s>(
    evaluation: &mut Evaluation,
    named: &str,
    base: &'s Base,
    sources: &mut Sources<'s>,
    terminal: &Terminal,
) {
    match base {
        Base::Nothing => evaluation.base_is_missing(named),
        Base::Unreadable(why) => evaluation.base_is_unreadable(named, why),
        Base::Model(base) => {
            base.files.announce(terminal);
            base.files.add_to(sources);
            match &base.evaluated {
                Ok(before) => evaluation.compare_with(named, before),
                Err(faults) => evaluation.base_is_unreadable(named, &Failure::of_faults(faults, sources).message),
            }
        }
    }
}

/// The file that puts findings aside, if there is one.
struct Aside {
    path: Option<String>,
    text: Option<Text>,
}

impl Aside {
    fn find(arguments: &Check, model: &str, store: &Store) -> Result<Self, Failure> {
        let beside = || {
            let folder = Path::new(model).parent()?;
            let has_folder = model != STANDARD_INPUT && matches!(store, Store::Disk);
            has_folder.then(|| folder.join(BASELINE).to_string_lossy().into_owned())
        };
        let path = arguments.baseline.clone().or_else(beside);
        let there = path.as_ref().is_some_and(|path| Path::new(path).exists());
        let wanted = arguments.baseline.is_some() && !arguments.write_baseline;
        let text = match &path {
            Some(path) if there || wanted => Some(files::read(path)?),
            _ => None,
        };
        Ok(Self { path, text })
    }

    fn baseline<'s>(&'s self, sources: &mut Sources<'s>) -> Result<Option<Baseline>, Vec<Diagnostic>> {
        let Some(text) = &self.text else { return Ok(None) };
        let file = sources.add(&text.name, &text.content);
        let mut faults = Faults::default();
        let baseline = Baseline::read(&Document::parse(file, &text.content), &mut faults);
        if faults.is_empty() {
            Ok(Some(baseline))
        } else {
            Err(faults.into_vec())
        }
    }
}

/// One run of the command.
#[derive(Clone, Copy)]
pub(super) struct Run<'r> {
    pub arguments: &'r Check,
    pub name: &'r str,
    pub files: &'r Files,
    pub outputs: &'r [Output],
}

impl Run<'_> {
    /// Tells what is wrong in files that cannot be read.
    pub(super) fn unusable(
        self,
        faults: &[Diagnostic],
        sources: &Sources<'_>,
        terminal: &mut Terminal,
    ) -> Result<Outcome, Failure> {
        let report = faults_report(faults, sources);
        let pages = pages(None);
        let emission = self.emission(&report, sources, &pages);
        if self.arguments.format == ReportFormat::Table {
            emission.write_files(terminal)?;
            tell_faults(&report, sources, terminal);
        } else {
            emission.emit(terminal)?;
        }
        Ok(count_faults(&report, terminal))
    }

    pub(super) fn emission<'e>(
        &'e self,
        report: &'e Report<'e>,
        sources: &'e Sources<'e>,
        pages: &'e [lifecycle::report::PageReport<'e>],
    ) -> Emission<'e> {
        Emission {
            report,
            sources,
            pages,
            format: self.arguments.format,
            outputs: self.outputs,
            fail_on: self.arguments.fail_on,
            model: self.name,
        }
    }

    /// Tells the findings, and how many of them are no news.
    fn tell(
        self,
        report: &mut Report<'_>,
        sources: &Sources<'_>,
        evaluation: &Evaluation,
        terminal: &mut Terminal,
    ) -> Result<Outcome, Failure> {
        if !self.arguments.all {
            report.leave_out_known();
        }
        let pages = pages(Some(evaluation.law()));
        self.emission(report, sources, &pages).emit(terminal)?;
        let news = report.diagnostics.iter().filter(|finding| finding.known.is_none());
        let compared = report.compared.is_some();
        let mut told = match news.clone().next() {
            None if compared => "nothing new breaks the policy".to_owned(),
            _ => summary(&news),
        };
        if let Some(known) = report.compared.as_ref().and_then(what_is_known) {
            told.push_str(&known);
            if !self.arguments.all {
                told.push_str("; --all lists them");
            }
        }
        terminal.tell(&told);
        let mendable = report
            .diagnostics
            .iter()
            .filter(|finding| !finding.fix.is_empty())
            .count();
        if mendable > 0 {
            let all = mendable == report.diagnostics.len();
            let what = if all {
                "this".to_owned()
            } else {
                format!("{mendable} of them")
            };
            terminal.tell(&format!("`lifecycle fix` mends {what}"));
        }
        let emission = self.emission(report, sources, &pages);
        let fails = report.diagnostics.iter().any(|finding| emission.fails(finding));
        Ok(if fails { Outcome::Findings } else { Outcome::Clean })
    }

    /// Puts today's findings aside.
    fn write_baseline(
        self,
        aside: &Aside,
        evaluation: &Evaluation,
        terminal: &mut Terminal,
    ) -> Result<Outcome, Failure> {
        let Some(path) = &aside.path else {
            let what = if self.name == STANDARD_INPUT {
                "a model from standard input"
            } else {
                "a built-in model"
            };
            return Err(Failure::new(format!("{what} has no folder to put a baseline in"))
                .help("name the file: --baseline FILE"));
        };
        let least = if self.arguments.fail_on == FailOn::Note {
            Severity::Note
        } else {
            Severity::Warning
        };
        let counts = |finding: &&Diagnostic| finding.severity >= least && finding.agreed.is_none();
        let findings: Vec<&Diagnostic> = evaluation.findings().iter().filter(counts).collect();
        if findings.is_empty() && aside.text.is_none() {
            terminal.tell("nothing to put aside: no baseline is needed");
            return Ok(Outcome::Clean);
        }
        let text = Baseline::write(findings.iter().copied());
        write_whole(path, text.as_bytes())?;
        let plural = if findings.len() == 1 { "" } else { "s" };
        terminal.tell(&format!("{} finding{plural} put aside in {path}", findings.len()));
        Ok(Outcome::Clean)
    }
}

/// "; 3 known in origin/main, 2 put aside in lifecycle-baseline.toml".
fn what_is_known(compared: &ComparedReport) -> Option<String> {
    let base = compared.base.as_ref().filter(|_| compared.known_in_base > 0);
    let base = base.map(|base| format!("{} known in {base}", compared.known_in_base));
    let baseline = compared.baseline.as_ref().filter(|_| compared.put_aside > 0);
    let baseline = baseline.map(|file| format!("{} put aside in {file}", compared.put_aside));
    let parts: Vec<String> = base.into_iter().chain(baseline).collect();
    (!parts.is_empty()).then(|| format!("; {}", parts.join(", ")))
}
