//! `notes`: drafts of what is announced, from templates; and notes that were written, held against the plan.

use std::path::Path;

use lifecycle::diagnostic::did_you_mean;
use lifecycle::evaluate::{Evaluation, Range, faults_report, page_reports};
use lifecycle::proofread;
use lifecycle::render::marks::{MarksError, marks, put_between};
use lifecycle::render::notes::{BUILT_IN_TEMPLATES, built_in_templates};
use lifecycle::render::{TemplateError, Templates, json};
use lifecycle::report::{NotesReport, SCHEMA_VERSION};
use lifecycle::source::Sources;
use serde_json::Value;

use crate::args::{Format, Notes};
use crate::emit::Emission;
use crate::files;
use crate::terminal::Terminal;
use crate::write::{Staged, cannot_write, refuse_input};

use super::{Context, Failure, Outcome, summary, with_evaluation};

pub(super) fn notes(arguments: &Notes, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let read = [&arguments.model.file, &arguments.check, &arguments.from_context];
    let from_input = read
        .into_iter()
        .filter(|file| file.as_deref() == Some(files::STANDARD_INPUT));
    if from_input.count() > 1 {
        return Err(Failure::new("standard input can be read once").help("name a file for the other"));
    }
    let draft = Draft::new(arguments)?;
    if arguments.schema {
        terminal.answer(&schema()?);
        return Ok(Outcome::Clean);
    }
    if let Some(file) = &arguments.from_context {
        let context = read_context(file)?;
        if draft.of_release && context.get("release").is_none_or(Value::is_null) {
            return Err(needs_release(arguments));
        }
        let release = context.pointer("/release/release").and_then(Value::as_str);
        let text = draft.render(&context).map_err(|failure| Failure {
            message: format!("{file} and the template do not fit: {}", failure.message),
            ..failure
        })?;
        return draft.deliver(&text, release, (arguments.write.as_deref(), &[file]), terminal);
    }
    let model = &arguments.model;
    with_evaluation(model.chosen(), &model.judgement, Format::Table, terminal, |context| {
        let range = range(arguments, &draft, context.evaluation)?;
        let notes = context.evaluation.notes(context.sources, range);
        deliver(arguments, &draft, &notes, context)
    })
}

fn deliver(
    arguments: &Notes,
    draft: &Draft,
    notes: &NotesReport<'_>,
    context: &mut Context<'_>,
) -> Result<Outcome, Failure> {
    if arguments.context {
        context.terminal.write(|out| json::value(notes, out));
        return Ok(Outcome::Clean);
    }
    if let Some(file) = &arguments.check {
        return check(file, arguments, notes, context);
    }
    let release = notes.release.map(|release| release.release);
    let inputs: Vec<&str> = context.files.texts().map(|text| text.name.as_str()).collect();
    let text = draft.render(notes)?;
    draft.deliver(&text, release, (arguments.write.as_deref(), &inputs), context.terminal)
}

/// Holds notes that people wrote against the plan.
fn check(
    file: &str,
    arguments: &Notes,
    notes: &NotesReport<'_>,
    context: &mut Context<'_>,
) -> Result<Outcome, Failure> {
    let text = files::read(file)?;
    let mut sources = Sources::new();
    let id = sources.add(&text.name, &text.content);
    let found = context.evaluation.proofread(id, &text.content, notes);
    let report = faults_report(&found, &sources);
    // Of the rules of the law nothing was asked here.
    let mut pages = page_reports(None);
    pages.retain(|page| page.slug == proofread::PAGE.slug);
    let emission = Emission {
        report: &report,
        changes: None,
        sources: &sources,
        pages: &pages,
        format: arguments.format,
        outputs: &[],
        fail_on: arguments.fail_on,
        model: file,
    };
    emission.emit(context.terminal)?;
    context.terminal.tell(&match report.diagnostics.len() {
        0 => format!("{file} tells everything that is announced"),
        _ => format!("{file}: {}", summary(&report.diagnostics.iter())),
    });
    let failed = report.diagnostics.iter().any(|finding| emission.fails(finding));
    Ok(if failed { Outcome::Findings } else { Outcome::Clean })
}

/// The schema of what templates see.
fn schema() -> Result<String, Failure> {
    let schema = schemars::generate::SchemaSettings::draft07()
        .into_generator()
        .into_root_schema_for::<NotesReport<'_>>();
    let text = serde_json::to_string_pretty(&schema);
    text.map(|text| text + "\n")
        .map_err(|problem| Failure::new(format!("the schema cannot be written: {problem}")))
}

/// The releases asked for.
fn range(arguments: &Notes, draft: &Draft, evaluation: &Evaluation) -> Result<Range, Failure> {
    let find = |name: &String| {
        evaluation.find_covered(name).map_err(|problem| {
            Failure::new(format!("no notes: {problem}")).help("name a release of the calendar, or add this one to it")
        })
    };
    let release = arguments.release.as_ref().map(find).transpose()?;
    let since = arguments.since.as_ref().map(find).transpose()?;
    if release.is_none() && draft.of_release && !arguments.context {
        return Err(needs_release(arguments));
    }
    if let Some((since, release)) = since.zip(release).filter(|(since, release)| since >= release) {
        let name = |release| evaluation.model().calendar.name(release);
        let message = format!("--since {} is not before --release {}", name(since), name(release));
        return Err(Failure::new(message).help("--since names the release that readers have"));
    }
    Ok(Range {
        release,
        since,
        tentative: arguments.tentative,
    })
}

/// What is to be made, from which templates.
struct Draft {
    templates: Templates,
    /// The template's name among them.
    name: String,
    of_release: bool,
    /// The files that the templates were read from.
    read: Vec<String>,
}

/// Endings of files that are templates.
const TEMPLATES: [&str; 6] = ["md", "markdown", "html", "htm", "xml", "txt"];

impl Draft {
    fn new(arguments: &Notes) -> Result<Self, Failure> {
        let mut templates = built_in_templates();
        let mut read = Vec::new();
        if let Some(folder) = &arguments.templates {
            for path in files::in_folder(folder, &TEMPLATES)? {
                let text = files::read(&path)?;
                let name = Path::new(&path).file_name().unwrap_or_default().to_string_lossy();
                templates.put(&name, &path, &text.content);
                read.push(path);
            }
        }
        let asked = arguments.template.as_str();
        let built_in = BUILT_IN_TEMPLATES.iter().find(|template| template.name == asked);
        let name = match built_in {
            Some(template) => template.file.to_owned(),
            None => own_template(&mut templates, asked)?,
        };
        read.push(asked.to_owned());
        Ok(Self {
            templates,
            name,
            of_release: built_in.is_some_and(|template| template.of_release),
            read,
        })
    }

    fn render(&self, context: &impl serde::Serialize) -> Result<String, Failure> {
        self.templates
            .render(&self.name, context)
            .map_err(|problem| template_failure(&problem))
    }

    /// Prints what is made, or puts it into a file.
    fn deliver(
        &self,
        text: &str,
        release: Option<&str>,
        (file, inputs): (Option<&str>, &[&str]),
        terminal: &mut Terminal,
    ) -> Result<Outcome, Failure> {
        if let Some(file) = file {
            let read: Vec<&str> = self
                .read
                .iter()
                .map(String::as_str)
                .chain(inputs.iter().copied())
                .collect();
            refuse_input("--write", file, file, &read)?;
        }
        match file {
            None => terminal.answer(text),
            Some(file) => {
                let stem = Path::new(&self.name).file_stem().unwrap_or_default().to_string_lossy();
                let part = release.map_or_else(|| stem.to_string(), |release| format!("{stem} {release}"));
                let told = if put_into(file, &part, text)? {
                    "written"
                } else {
                    "unchanged"
                };
                terminal.tell(&format!("{told}: {file}"));
            }
        }
        Ok(Outcome::Clean)
    }
}

/// The template tells of one release, and none is named.
fn needs_release(arguments: &Notes) -> Failure {
    let message = format!(
        "the template `{}` tells of one release, and none is named",
        arguments.template
    );
    let help = match arguments.from_context {
        Some(_) => "print the context of one: `lifecycle notes --release RELEASE --context`",
        None => "name it: --release RELEASE",
    };
    Failure::new(message).help(help)
}

/// Puts a draft between its marks in a file; tells whether that changed the file.
fn put_into(file: &str, part: &str, draft: &str) -> Result<bool, Failure> {
    if file == files::STANDARD_INPUT || file.is_empty() {
        return Err(Failure::new("--write names no file").help("without --write the draft is printed"));
    }
    let is_stream = Path::new(file).exists() && !Path::new(file).is_file();
    if is_stream {
        return Err(
            Failure::new(format!("--write {file}: it is no file that can be brought up to date"))
                .help("name a file, or leave --write out: the draft is printed then"),
        );
    }
    let (before, marked) = if Path::new(file).exists() {
        let text = files::read(file)?;
        (text.content, text.marked)
    } else {
        (String::new(), false)
    };
    let after = put_between(&before, part, draft).map_err(|problem| {
        let help = match problem {
            MarksError::Missing => {
                let [begin, end] = marks(part);
                format!("put these two lines where it goes: {begin} and {end}")
            }
            _ => "each mark stands once, alone on its line, the beginning before the end".to_owned(),
        };
        Failure::new(format!("{file}: {problem}")).help(help)
    })?;
    if after == before {
        return Ok(false);
    }
    let mark = if marked {
        String::from(files::BYTE_ORDER_MARK)
    } else {
        String::new()
    };
    let failed = |problem| cannot_write(file, &problem);
    let staged = Staged::new(Path::new(file), (mark + &after).as_bytes()).map_err(failed)?;
    // What came in meanwhile is not overwritten.
    let now = if Path::new(file).exists() {
        files::read(file)?.content
    } else {
        String::new()
    };
    if now != before {
        return Err(
            Failure::new(format!("{file} has changed since it was read")).help("nothing was written; run it again")
        );
    }
    staged.commit().map_err(failed)?;
    Ok(true)
}

/// The name of a template of the user's own: one of the folder's, with or without its ending, or a file.
fn own_template(templates: &mut Templates, asked: &str) -> Result<String, Failure> {
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
    let text = files::read(asked)?;
    templates.put(asked, asked, &text.content);
    Ok(asked.to_owned())
}

fn template_failure(problem: &TemplateError) -> Failure {
    let mut message = problem.to_string();
    if !problem.excerpt.is_empty() {
        message.push('\n');
        message.push_str(&problem.excerpt);
    }
    Failure::new(message)
        .help("`lifecycle notes --context` shows what a template sees; templates are written for Tera 2")
}

/// What `--context` printed.
fn read_context(file: &str) -> Result<Value, Failure> {
    let text = files::read(file)?;
    let context: Value = serde_json::from_str(&text.content).map_err(|problem| {
        Failure::new(format!("{file}: {problem}")).help("give what `lifecycle notes --context` printed")
    })?;
    match context.get("schema_version").and_then(Value::as_u64) {
        Some(version) if version == u64::from(SCHEMA_VERSION) => Ok(context),
        Some(version) => {
            let message = format!("{file}: its schema_version is {version}, and this program knows {SCHEMA_VERSION}");
            Err(Failure::new(message).help("print it anew with this program: `lifecycle notes --context`"))
        }
        None => Err(
            Failure::new(format!("{file}: it is no context: it has no schema_version"))
                .help("give what `lifecycle notes --context` printed"),
        ),
    }
}
