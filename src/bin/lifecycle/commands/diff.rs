//! `lifecycle diff`: what a change of schemas breaks.

use lifecycle::compat::{self, Defined, Described, diff_states, grade_by_model, hold_against_model};
use lifecycle::diagnostic::Severity;
use lifecycle::policy::Policy;
use lifecycle::render::{diff as table, json, markdown, visible};
use lifecycle::report::{DiffReport, DiffSummary};
use lifecycle::schema::{Document as ApiDocument, Found, read, read_openapi};
use lifecycle::source::Sources;
use lifecycle::text::{LARGEST, Unreadable};

use crate::args::{Diff, Format, Judgement};
use crate::definitions::refuse_faults;
use crate::files::STANDARD_INPUT;
use crate::load::{Loaded, Side};
use crate::place::Place;
use crate::store::Store;
use crate::terminal::Terminal;

use super::{Failure, Outcome, page, policy_named};

/// Bytes of stack, as a program's first thread has: definitions nest up to [`DEEPEST`](lifecycle::text::DEEPEST)
/// levels.
const STACK: usize = 8 << 20;

pub(super) fn diff(arguments: &Diff, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let policy = policy_named(arguments.policy.as_deref())?;
    if arguments.old == STANDARD_INPUT && arguments.new == STANDARD_INPUT {
        return Err(Failure::new("standard input is one state, not two").help("name a file or a folder for the other"));
    }
    let (old, new) = std::thread::scope(|scope| {
        let beside = std::thread::Builder::new().stack_size(STACK);
        let Ok(old) = beside.spawn_scoped(scope, || State::read(&arguments.old, &arguments.new)) else {
            return (
                State::read(&arguments.old, &arguments.new),
                State::read(&arguments.new, &arguments.old),
            );
        };
        let new = State::read(&arguments.new, &arguments.old);
        match old.join() {
            Ok(old) => (old, new),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
    let (old, new) = (old?, new?);
    for state in [&old, &new] {
        state.announce(terminal)?;
    }
    refuse_unlike(&old, &new)?;
    let (definitions, documents) = ([old.defined(), new.defined()], [old.described(), new.described()]);
    let state = |at: usize| compat::State {
        definitions: definitions.get(at).map_or(&[], Vec::as_slice),
        documents: documents.get(at).map_or(&[], Vec::as_slice),
    };
    let report = diff_states(state(0), state(1), &policy);
    let mut report = report.map_err(|fault| Failure::new(fault.to_string()).help(fault.help))?;
    if let Some(model) = &arguments.model {
        by_model(&mut report, [state(0), state(1)], (model, &policy), terminal)?;
    }
    let fails = |severity: &str| Severity::parse(severity).is_some_and(|severity| arguments.fail_on.fails(severity));
    let failed = report.changes.iter().any(|change| fails(change.severity));
    show(&mut report, arguments, terminal)?;
    std::mem::forget((old, new, report));
    Ok(if failed { Outcome::Findings } else { Outcome::Clean })
}

/// Grades the ends and beginnings of versions, and what is unstable in them, by what a model says.
fn by_model(
    report: &mut DiffReport,
    states: [compat::State<'_>; 2],
    (model, policy): (&str, &Policy),
    terminal: &mut Terminal,
) -> Result<(), Failure> {
    let Loaded { files, evaluated } = Loaded::of(model, &Store::Disk, &Judgement::default(), Side::Head)?;
    files.announce(terminal);
    let mut sources = Sources::new();
    files.add_to(&mut sources);
    let evaluation = evaluated.map_err(|faults| Failure::of_faults(&faults, &sources))?;
    let elements = evaluation.report(&sources).elements;
    let [_, new] = states;
    grade_by_model(report, new, evaluation.model(), policy);
    hold_against_model(report, states, &elements, &evaluation.model().calendar);
    Ok(())
}

/// Definitions say more than documents that a server makes of them: held against each other, they would differ in all.
fn refuse_unlike(old: &State, new: &State) -> Result<(), Failure> {
    let unlike = |one: &State, other: &State| {
        let (defined, described) = (one.defines(), other.describes());
        defined && described && !one.describes() && !other.defines()
    };
    for (one, other) in [(old, new), (new, old)] {
        if unlike(one, other) {
            let (one, other) = (&one.named, &other.named);
            let message = format!("{one} has definitions of custom resources, {other} has documents of OpenAPI");
            return Err(Failure::new(message).help("name two states of the same sort"));
        }
    }
    Ok(())
}

/// Prints what was asked for.
fn show(report: &mut DiffReport, arguments: &Diff, terminal: &mut Terminal) -> Result<(), Failure> {
    let least = match (arguments.all, arguments.format) {
        (true, _) => Severity::Off,
        (false, Format::Json) => Severity::Note,
        (false, _) => Severity::Warning,
    };
    let all = report.changes.len();
    report
        .changes
        .retain(|change| Severity::parse(change.severity).is_none_or(|severity| severity >= least));
    let look = terminal.look();
    match arguments.format {
        Format::Table => terminal.answer(&table::diff(report, look)),
        Format::Json => terminal.write(|out| json::value(report, out)),
        Format::Markdown => terminal.answer(&page(markdown::diff(report))?),
    }
    let hidden = all - report.changes.len();
    let more = match hidden {
        0 => String::new(),
        hidden => format!("; --all lists {hidden} more"),
    };
    let DiffSummary {
        compared,
        breaking,
        risky,
        compatible,
    } = report.summary;
    let kinds = if compared == 1 { "kind" } else { "kinds" };
    terminal.tell(&format!(
        "{breaking} breaking, {risky} risky, {compatible} compatible in {compared} {kinds}{more}"
    ));
    Ok(())
}

/// What a file defines or describes.
struct Read {
    found: Found,
    documents: Vec<ApiDocument>,
}

impl Read {
    fn of(text: &str) -> Result<Self, Unreadable> {
        let documents = read_openapi(text)?;
        // A document describes the kind `CustomResourceDefinition` too.
        let found = if documents.is_empty() {
            read(text)?
        } else {
            Found::default()
        };
        Ok(Self { found, documents })
    }

    fn is_empty(&self) -> bool {
        self.found.definitions.is_empty() && self.documents.iter().all(|document| document.kinds.is_empty())
    }
}

/// What the files of one state define.
struct State {
    named: String,
    /// Whether it is told and no fault that nothing is defined.
    may_be_empty: bool,
    files: Vec<(String, Read)>,
    faults: Vec<String>,
}

impl State {
    /// Reads the files of a place that is named beside another one. Faults of files are collected.
    fn read(named: &str, other: &str) -> Result<Self, Failure> {
        let place = Place::beside(named, other)?;
        let mut state = Self {
            named: place.label(),
            may_be_empty: place.is_lent(),
            files: Vec::new(),
            faults: Vec::new(),
        };
        for name in place.files()? {
            let text = place.read(&name, LARGEST)?;
            match Read::of(&text.content) {
                Ok(read) => state.files.push((text.name, read)),
                Err(fault) => state
                    .faults
                    .push(format!("{}:{}:{}: {fault}", text.name, fault.line, fault.column)),
            }
        }
        Ok(state)
    }

    /// Tells what was passed over, and refuses what cannot be read.
    fn announce(&self, terminal: &mut Terminal) -> Result<(), Failure> {
        refuse_faults(&self.faults, terminal)?;
        for (name, read) in &self.files {
            for note in read.documents.iter().flat_map(|document| &document.notes) {
                terminal.complain(&visible(&format!("warning: {name}: {note}")));
            }
            for document in &read.found.unrendered {
                let skipped = format!("warning: skipped {name}:{}: {}", document.line, document.sort);
                terminal.complain(&visible(&skipped));
            }
        }
        let is_empty = self.files.iter().all(|(_, read)| read.is_empty());
        if is_empty && self.may_be_empty {
            terminal.complain(&visible(&format!(
                "warning: {}: no CustomResourceDefinition and no document of OpenAPI there; \
                 of what was moved, name the old place too (`REVISION:PATH`), or a folder above both",
                self.named
            )));
        } else if is_empty {
            let help = "name a file or a folder that has some";
            return Err(Failure::new(format!(
                "{}: no CustomResourceDefinition, and no document of OpenAPI that serves a kind",
                self.named
            ))
            .help(help));
        }
        Ok(())
    }

    fn defined(&self) -> Vec<Defined<'_>> {
        let files = self.files.iter();
        let all = files.flat_map(|(file, read)| {
            let definitions = read.found.definitions.iter();
            definitions.map(move |definition| Defined { file, definition })
        });
        all.collect()
    }

    fn described(&self) -> Vec<Described<'_>> {
        let files = self.files.iter();
        let all = files.flat_map(|(file, read)| {
            let documents = read.documents.iter();
            documents.map(move |document| Described { file, document })
        });
        all.collect()
    }

    fn defines(&self) -> bool {
        self.files.iter().any(|(_, read)| !read.found.definitions.is_empty())
    }

    fn describes(&self) -> bool {
        self.files.iter().any(|(_, read)| !read.documents.is_empty())
    }
}
