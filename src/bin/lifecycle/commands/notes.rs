//! `lifecycle notes`: drafts from templates, and checks of written notes.

use std::path::Path;

use lifecycle::Sources;
use lifecycle::diagnostic::did_you_mean;
use lifecycle::evaluate::{Evaluation, Range, error_report, page_reports};
use lifecycle::proofread;
use lifecycle::release::Release;
use lifecycle::render::marks::{MarksError, marks, put_between};
use lifecycle::render::notes::{BUILT_IN_TEMPLATES, CONTEXT_SCHEMA, built_in_templates};
use lifecycle::render::{Detail, Listed, TemplateError, Templates, json};
use lifecycle::report::{NotesReport, SCHEMA_VERSION};
use serde_json::Value;

use crate::args::{Format, Notes};
use crate::failure::{Failure, Outcome, Result};
use crate::file_edits::write_back;
use crate::io::disk::{self, Disk, FileText, STANDARD_INPUT};
use crate::io::write::{refuse_input, write_whole};
use crate::report_output::ReportOutput;
use crate::summary::by_severity;
use crate::terminal::Terminal;
use crate::with_model::{Asked, Context, with_elements};

pub fn notes(arguments: &Notes, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let others = [&arguments.check, &arguments.from_context].map(Option::as_deref);
    let inputs = others.into_iter().chain([arguments.model.file.name()]);
    let standard = inputs.filter(|file| *file == Some(STANDARD_INPUT));
    if standard.count() > 1 {
        return Err(Failure::new("standard input can be read only once").help("name a file for the other input"));
    }
    let draft = Draft::new(arguments, disk, terminal)?;
    if arguments.schema {
        terminal.answer(CONTEXT_SCHEMA);
        return Ok(Outcome::Clean);
    }
    if let Some(file) = &arguments.from_context {
        let context = read_context(file, disk)?;
        if draft.of_release && context.get("release").is_none_or(Value::is_null) {
            return Err(needs_release(arguments));
        }
        let release = context.pointer("/release/release").and_then(Value::as_str);
        let text = draft.render(&context).map_err(|failure| Failure {
            message: format!("{file} does not fit the template: {}", failure.message),
            ..failure
        })?;
        return draft.deliver(&text, release, (arguments.write.as_deref(), &[file]), disk, terminal);
    }
    let asked = Asked {
        choice: arguments.model.choice(),
        options: &arguments.model.policy,
        filter: arguments.filter.filter(),
        evidence: &arguments.evidence.evidence,
        shows_findings: false,
        format: Format::Table,
    };
    with_elements(disk, &asked, terminal, |context| {
        let range = range(arguments, &draft, context)?;
        refuse_many(context.evaluation.announcements(range))?;
        let notes = context.evaluation.notes(context.sources, range);
        let others: Vec<&str> = draft
            .read
            .iter()
            .chain(&arguments.evidence.evidence)
            .map(String::as_str)
            .collect();
        context.answer_in((arguments.output.as_deref(), &others), disk, |context| {
            deliver(arguments, &draft, &notes, disk, context)
        })
    })
}

/// The most announcements of a draft: templates need kilobytes for each.
const MOST_ANNOUNCEMENTS: usize = 30_000;

fn refuse_many(count: usize) -> Result<()> {
    if count <= MOST_ANNOUNCEMENTS {
        return Ok(());
    }
    let message = format!("the notes would have {count} announcements, more than {MOST_ANNOUNCEMENTS}");
    Err(Failure::new(message).help("cover fewer releases: `--release RELEASE`, with `--since` if there are several"))
}

fn deliver(
    arguments: &Notes,
    draft: &Draft,
    notes: &NotesReport<'_>,
    disk: &Disk,
    context: &mut Context<'_>,
) -> Result<Outcome> {
    if arguments.context {
        context.terminal.write(|out| json::value(notes, out));
        return Ok(Outcome::Clean);
    }
    if let Some(file) = &arguments.check {
        let text = disk.read(file)?;
        return check(&text, arguments, notes, disk, context);
    }
    let release = notes.release.map(|release| release.release);
    let inputs: Vec<&str> = context.files.texts().map(|text| text.name.as_str()).collect();
    let text = draft.render(notes)?;
    draft.deliver(
        &text,
        release,
        (arguments.write.as_deref(), &inputs),
        disk,
        context.terminal,
    )
}

fn check(
    text: &FileText,
    arguments: &Notes,
    notes: &NotesReport<'_>,
    disk: &Disk,
    context: &mut Context<'_>,
) -> Result<Outcome> {
    let file = text.name.as_str();
    let mut sources = Sources::new();
    let id = sources.add(&text.name, &text.content);
    let found = context.evaluation.proofread(id, &text.content, notes);
    let report = error_report(&found, &sources);
    // The rules of the policy were not checked.
    let mut pages = page_reports(None);
    pages.retain(|page| page.slug == proofread::PAGE.slug);
    let output = ReportOutput {
        report: &report,
        changes: None,
        sources: &sources,
        pages: &pages,
        format: arguments.format,
        outputs: &[],
        disk,
        fail_on: arguments.fail_on,
        detail: Detail::Expanded,
        width: None,
        main_file: file,
        listed: Listed::ALL,
    };
    output.emit(context.terminal)?;
    context.terminal.note(&match report.diagnostics.len() {
        0 => format!("{file} covers everything in the plan"),
        _ => format!("{file}: {}", by_severity(&report.diagnostics, false)),
    });
    Ok(output.outcome())
}

fn range(arguments: &Notes, draft: &Draft, context: &mut Context<'_>) -> Result<Range> {
    let evaluation = context.evaluation;
    let is_assumed = arguments.release.is_none() && draft.of_release && !arguments.context;
    let release = match arguments.release.as_deref() {
        None if is_assumed => {
            let next = evaluation.model().calendar.next();
            let name = evaluation.model().calendar.name(next);
            context.terminal.note(&format!(
                "the notes are about {name}, the next release; --release names another"
            ));
            Some(next)
        }
        named => find_release(named, evaluation)?,
    };
    let since = find_release(arguments.since.as_deref(), evaluation)?;
    if let Some((since, release)) = since.zip(release).filter(|(since, release)| since >= release) {
        let calendar = &evaluation.model().calendar;
        let (since, release) = (calendar.name(since), calendar.name(release));
        let message = format!("--since {since} is not before --release {release}");
        return Err(Failure::new(message).help("--since is the release that readers have now"));
    }
    Ok(Range {
        release,
        since,
        tentative: arguments.tentative,
        declared: arguments.declared,
    })
}

fn find_release(name: Option<&str>, evaluation: &Evaluation) -> Result<Option<Release>> {
    let found = name.map(|name| evaluation.find_covered(name)).transpose();
    found.map_err(|problem| {
        Failure::new(format!("no notes: {problem}")).help("name a release of the calendar, or add this one to it")
    })
}

struct Draft {
    templates: Templates,
    name: String,
    of_release: bool,
    read: Vec<String>,
}

const EXTENSIONS: [&str; 6] = ["md", "markdown", "html", "htm", "xml", "txt"];

impl Draft {
    fn new(arguments: &Notes, disk: &Disk, terminal: &mut Terminal) -> Result<Self> {
        let mut templates = built_in_templates();
        let mut read = Vec::new();
        if let Some(folder) = &arguments.templates {
            let found = disk.in_folder(folder, &EXTENSIONS)?;
            terminal.warn_some("warning: skipped ", &found.skipped);
            for path in found.files {
                let text = disk.read(&path)?;
                let name = Path::new(&path).file_name().unwrap_or_default().to_string_lossy();
                templates.put(&name, &path, &text.content);
                read.push(path);
            }
        }
        let asked = arguments.template.as_str();
        let built_in = BUILT_IN_TEMPLATES.iter().find(|template| template.name == asked);
        let name = match built_in {
            Some(template) => template.file.to_owned(),
            None => own_template(&mut templates, asked, disk)?,
        };
        read.push(asked.to_owned());
        Ok(Self {
            templates,
            name,
            of_release: built_in.is_some_and(|template| template.of_release),
            read,
        })
    }

    fn render(&self, context: &impl serde::Serialize) -> Result<String> {
        self.templates
            .render(&self.name, context)
            .map_err(|problem| template_failure(&problem))
    }

    fn deliver(
        &self,
        text: &str,
        release: Option<&str>,
        (file, inputs): (Option<&str>, &[&str]),
        disk: &Disk,
        terminal: &mut Terminal,
    ) -> Result<Outcome> {
        if let Some(file) = file {
            let read: Vec<&str> = self
                .read
                .iter()
                .map(String::as_str)
                .chain(inputs.iter().copied())
                .collect();
            refuse_input(disk, "--write", (file, file), &read)?;
        }
        match file {
            None => terminal.answer(text),
            Some(file) => {
                let stem = Path::new(&self.name).file_stem().unwrap_or_default().to_string_lossy();
                let part = release.map_or_else(|| stem.to_string(), |release| format!("{stem} {release}"));
                let changed = insert(file, &part, text, disk)?;
                terminal.note(&format!("{}: {file}", if changed { "written" } else { "unchanged" }));
            }
        }
        Ok(Outcome::Clean)
    }
}

fn needs_release(arguments: &Notes) -> Failure {
    let message = format!("the template `{}` needs a release", arguments.template);
    let help = match arguments.from_context {
        Some(_) => "print the context of one release: `lifecycle notes --release RELEASE --context`",
        None => "name one: --release RELEASE",
    };
    Failure::new(message).help(help)
}

/// Inserts a draft between its markers in a file. Returns whether that changed the file.
fn insert(file: &str, part: &str, draft: &str, disk: &Disk) -> Result<bool> {
    let path = Path::new(file);
    if disk::is_stream(path) {
        return Err(Failure::new(format!("--write {file}: it is not a regular file"))
            .help("name a file, or leave out --write to print the draft"));
    }
    let exists = path.exists();
    let before = if exists {
        disk.read(file)?
    } else {
        FileText {
            name: file.to_owned(),
            content: String::new(),
            marked: false,
        }
    };
    let after = put_between(&before.content, part, draft).map_err(|problem| {
        let help = match problem {
            MarksError::Missing => {
                let [begin, end] = marks(part);
                format!("add these two lines where the draft belongs: {begin} and {end}")
            }
            _ => "each marker must be on a line of its own, once, the beginning before the end".to_owned(),
        };
        Failure::new(format!("{file}: {problem}")).help(help)
    })?;
    if after == before.content {
        return Ok(false);
    }
    if exists {
        write_back(&[(&before, &after)], disk)?;
    } else {
        write_whole(disk, file, after.as_bytes())?;
    }
    Ok(true)
}

/// The name of a user's own template: one of the folder, with or without its extension, or a file.
fn own_template(templates: &mut Templates, asked: &str, disk: &Disk) -> Result<String> {
    if templates.has(asked) {
        return Ok(asked.to_owned());
    }
    let named = templates
        .names()
        .find(|name| name.rsplit_once('.').is_some_and(|(stem, _)| stem == asked));
    if let Some(name) = named {
        return Ok(name.to_owned());
    }
    if !Path::new(asked).exists() && !asked.contains(['/', '.']) {
        let known: Vec<&str> = BUILT_IN_TEMPLATES.iter().map(|template| template.name).collect();
        let help = did_you_mean(asked, known.iter().copied())
            .unwrap_or_else(|| format!("templates: {}, or a file", known.join(", ")));
        return Err(Failure::new(format!("there is no template `{asked}`")).help(help));
    }
    let text = disk.read(asked)?;
    templates.put(asked, asked, &text.content);
    Ok(asked.to_owned())
}

fn template_failure(problem: &TemplateError) -> Failure {
    let failure = Failure {
        excerpt: Some(problem.excerpt.clone()).filter(|excerpt| !excerpt.is_empty()),
        ..Failure::new(problem.to_string())
    };
    failure.help("`lifecycle notes --context` prints the data that templates see; templates use the syntax of Tera 2")
}

fn read_context(file: &str, disk: &Disk) -> Result<Value> {
    let text = disk.read(file)?;
    let context: Value = serde_json::from_str(&text.content).map_err(|problem| {
        Failure::new(format!("{file}: {problem}")).help("pass the output of `lifecycle notes --context`")
    })?;
    match context.get("schema_version").and_then(Value::as_u64) {
        Some(version) if version == u64::from(SCHEMA_VERSION) => Ok(context),
        Some(version) => {
            let message = format!("{file}: its schema_version is {version}, but this program expects {SCHEMA_VERSION}");
            Err(Failure::new(message).help("generate it again with this program: `lifecycle notes --context`"))
        }
        None => Err(
            Failure::new(format!("{file} is not a notes context: it has no schema_version"))
                .help("pass the output of `lifecycle notes --context`"),
        ),
    }
}
