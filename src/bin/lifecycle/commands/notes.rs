//! `notes`: drafts of what is announced, from templates; and notes that were written, held against the plan.

use std::path::Path;

use lifecycle::diagnostic::did_you_mean;
use lifecycle::evaluate::{Evaluation, Range};
use lifecycle::render::notes::{BUILT_IN_TEMPLATES, built_in_templates};
use lifecycle::render::{TemplateError, Templates, json};
use lifecycle::report::{NotesReport, SCHEMA_VERSION};
use serde_json::Value;

use crate::args::{Format, Notes};
use crate::files;
use crate::terminal::Terminal;

use super::{Context, Failure, Outcome, with_evaluation};

pub(super) fn notes(arguments: &Notes, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let draft = Draft::new(arguments)?;
    if let Some(file) = &arguments.from_context {
        let context = read_context(file)?;
        return draft.deliver(&context, terminal);
    }
    let model = &arguments.model;
    with_evaluation(
        model.model.as_deref(),
        &model.judgement,
        Format::Table,
        terminal,
        |context| {
            let range = range(arguments, &draft, context.evaluation)?;
            let notes = context.evaluation.notes(context.sources, range);
            deliver(arguments, &draft, &notes, context)
        },
    )
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
    draft.deliver(notes, context.terminal)
}

/// The releases asked for.
fn range(arguments: &Notes, draft: &Draft, evaluation: &Evaluation) -> Result<Range, Failure> {
    let find = |name: &String| {
        evaluation.find_covered(name).map_err(|problem| {
            Failure::new(format!("no notes: {problem}")).help("list it in `calendar.releases`, or name another one")
        })
    };
    let release = arguments.release.as_ref().map(find).transpose()?;
    let since = arguments.since.as_ref().map(find).transpose()?;
    if release.is_none() && draft.of_release && !arguments.context {
        let message = format!(
            "the template `{}` tells of one release, and none is named",
            arguments.template
        );
        return Err(Failure::new(message).help("name it: --release RELEASE"));
    }
    if let (Some(since), Some(release)) = (since, release) {
        if since >= release {
            let name = |release| evaluation.model().calendar.name(release);
            let message = format!("--since {} is not before --release {}", name(since), name(release));
            return Err(Failure::new(message).help("--since names the release that readers have"));
        }
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
}

/// Endings of files that are templates.
const TEMPLATES: [&str; 6] = ["md", "markdown", "html", "htm", "xml", "txt"];

impl Draft {
    fn new(arguments: &Notes) -> Result<Self, Failure> {
        let mut templates = built_in_templates();
        if let Some(folder) = &arguments.templates {
            for path in files::in_folder(folder, &TEMPLATES)? {
                let text = files::read(&path)?;
                let name = Path::new(&path).file_name().unwrap_or_default().to_string_lossy();
                templates.put(&name, &path, &text.content);
            }
        }
        let asked = arguments.template.as_str();
        let built_in = BUILT_IN_TEMPLATES.iter().find(|template| template.name == asked);
        let name = match built_in {
            Some(template) => template.file.to_owned(),
            None => own_template(&mut templates, asked)?,
        };
        Ok(Self {
            templates,
            name,
            of_release: built_in.is_some_and(|template| template.of_release),
        })
    }

    fn render(&self, context: &impl serde::Serialize) -> Result<String, Failure> {
        self.templates
            .render(&self.name, context)
            .map_err(|problem| template_failure(&problem))
    }

    fn deliver(&self, context: &impl serde::Serialize, terminal: &mut Terminal) -> Result<Outcome, Failure> {
        let text = self.render(context)?;
        terminal.answer(&text);
        Ok(Outcome::Clean)
    }
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
