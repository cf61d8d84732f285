//! `check`: what breaks the policy, and what of it is news.

use std::path::Path;

use lifecycle::baseline::Finder;
use lifecycle::diagnostic::Diagnostic;
use lifecycle::evaluate::{Evaluation, faults_report, page_reports};
use lifecycle::report::Report;
use lifecycle::source::Sources;

use crate::args::{Check, ReportFormat};
use crate::aside::Aside;
use crate::base::Base;
use crate::beside::Beside;
use crate::emit::{Emission, Output};
use crate::files::{STANDARD_INPUT, Text};
use crate::load::{Files, Loaded, Side};
use crate::store::Store;
use crate::terminal::Terminal;
use crate::threads::side_by_side;

use super::{Failure, Outcome, count_faults, remove, summary, tell_faults, what_is_known};

/// Checks a model.
pub(super) fn check(arguments: &Check, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let (name, store) = arguments.model.chosen().find()?;
    let (head, base) = read(&name, &store, arguments)?;
    let Loaded { files, evaluated } = head;
    files.announce(terminal);
    let aside = aside_of(arguments, &name, &store)?;
    let beside = match &evaluated {
        Ok(evaluation) if arguments.remove.is_empty() => Beside::read(evaluation, &name, base.as_ref())?,
        _ => Beside::default(),
    };
    let inputs = files.texts().chain(texts_of(base.as_ref()));
    let inputs = inputs.chain(aside.text()).chain(beside.texts());
    let inputs: Vec<&str> = inputs.map(|text| text.name.as_str()).collect();
    let outputs = Output::parse_all(&arguments.output, &inputs)?;
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
    let baseline = match aside.baseline(&mut sources)? {
        Ok(baseline) => baseline,
        Err(faults) => return run.unusable(&faults, &sources, terminal),
    };
    if let (Some(named), Some(base)) = (&arguments.base, &base) {
        compare(&mut evaluation, named, base, &mut sources, terminal);
    }
    let faults = beside.faults(&mut sources);
    if !faults.is_empty() {
        return run.unusable(&faults, &sources, terminal);
    }
    let named = arguments.base.as_deref();
    beside.add_to(&mut evaluation, named, base.as_ref(), &mut sources, terminal)?;
    if arguments.write_baseline {
        let what = what_has_no_folder(&name);
        aside.write(evaluation.findings(), arguments.fail_on, what, terminal)?;
        return Ok(Outcome::Clean);
    }
    if let (Some(text), Some(baseline)) = (aside.text(), &baseline) {
        evaluation.set_aside(&text.name, baseline);
    }
    let mut report = evaluation.report(&sources);
    let outcome = run.tell(&mut report, &sources, &evaluation, terminal);
    std::mem::forget(report);
    std::mem::forget((evaluation, base));
    outcome
}

/// The texts of the base's model, if it has one.
fn texts_of(base: Option<&Base>) -> impl Iterator<Item = &Text> {
    let of_model = match base {
        Some(Base::Model(base)) => Some(base.loaded.files.texts()),
        _ => None,
    };
    of_model.into_iter().flatten()
}

/// The file that puts findings of a model aside.
fn aside_of(arguments: &Check, model: &str, store: &Store) -> Result<Aside, Failure> {
    let has_folder = model != STANDARD_INPUT && matches!(store, Store::Disk);
    let folder = Path::new(model).parent().filter(|_| has_folder);
    let named = arguments.baseline.as_deref();
    Aside::find(Finder::Check, named, folder, arguments.write_baseline)
}

/// What a model is called that is in no folder.
fn what_has_no_folder(model: &str) -> &'static str {
    if model == STANDARD_INPUT {
        "a model from standard input"
    } else {
        "a built-in model"
    }
}

/// Reads the model, and beside it its base.
fn read(name: &str, store: &Store, arguments: &Check) -> Result<(Loaded, Option<Base>), Failure> {
    let judgement = &arguments.model.judgement;
    let Some(base) = arguments.base.as_deref() else {
        return Ok((Loaded::of(name, store, judgement, Side::Head)?, None));
    };
    // A repository stays with the thread that opened it.
    let built_in = store.built_in();
    let (head, base) = side_by_side(
        || {
            let store = built_in.map_or(Store::Disk, Store::BuiltIn);
            Loaded::of(name, &store, judgement, Side::Head)
        },
        || Base::read(base, name, judgement),
    );
    let base = base?;
    Ok((head?, Some(base)))
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
            let Loaded { files, evaluated } = &base.loaded;
            files.announce(terminal);
            files.add_to(sources);
            match evaluated {
                Ok(before) => evaluation.compare_with(named, before),
                Err(faults) => evaluation.base_is_unreadable(named, &Failure::of_faults(faults, sources).message),
            }
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
        let pages = page_reports(None);
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
            changes: None,
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
        let pages = page_reports(Some(evaluation.law()));
        self.emission(report, sources, &pages).emit(terminal)?;
        let news = report.diagnostics.iter().filter(|finding| finding.known.is_none());
        let compared = report.compared.is_some();
        let mut told = match news.clone().next() {
            None if compared => "nothing new breaks the policy".to_owned(),
            _ => summary(&news),
        };
        told.push_str(&what_is_known(report.compared.as_ref(), self.arguments.all));
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
}
