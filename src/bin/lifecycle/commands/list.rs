//! `rules`, `exceptions`, `policies`: what is in force.

use lifecycle::document::Document;
use lifecycle::evaluate::{DEFAULT_POLICY, Load, builtin_policy, rules_in_force, unknown_policy};
use lifecycle::policy::{BUILT_IN, builtin};
use lifecycle::render::{json, markdown, table};
use lifecycle::report::RulesReport;
use lifecycle::source::{FileId, Sources};

use crate::args::{Format, Model};
use crate::chosen::Chosen;
use crate::files;
use crate::store::Store;
use crate::terminal::Terminal;

use super::{Context, Failure, Outcome, page, unusable, with_evaluation};

/// The rules in force for a model; where there is none, those of the policy chosen.
pub(super) fn rules(model: &Model, format: Format, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let chosen = model.chosen();
    if !matches!(chosen, Chosen::File(None)) || files::model_path(None).is_ok() {
        return with_evaluation(chosen, &model.judgement, format, terminal, |context| {
            let report = context.evaluation.rules(context.sources);
            print_rules(&report, format, context.terminal)
        });
    }
    let policies = Store::Disk.policies(model.judgement.policy.as_deref(), None)?;
    let documents: Vec<Document<'_>> = Vec::new();
    let mut load = Load::new(&documents);
    let mut sources = Sources::new();
    for (at, file) in (0..).zip(&policies) {
        sources.add(&file.text.name, &file.text.content);
        load.add_policy(&file.reference, Document::parse(FileId(at), &file.text.content));
    }
    model.judgement.instruct(&mut load);
    match load.law_alone() {
        Ok(law) => print_rules(&rules_in_force(&law, &sources), format, terminal),
        Err(faults) => unusable(&faults, &sources, format, terminal),
    }
}

fn print_rules(report: &RulesReport<'_>, format: Format, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let look = terminal.look();
    match format {
        Format::Table => terminal.answer(&table::rules(report, look)),
        Format::Json => terminal.write(|out| json::value(report, out)),
        Format::Markdown => terminal.answer(&page(markdown::rules(report))?),
    }
    Ok(Outcome::Clean)
}

/// The breaches that were agreed to.
pub(super) fn exceptions(context: &mut Context<'_>, format: Format) -> Result<Outcome, Failure> {
    let report = context.evaluation.exceptions(context.sources);
    let look = context.terminal.look();
    match format {
        Format::Table => context.terminal.answer(&table::exceptions(&report, look)),
        Format::Json => context.terminal.write(|out| json::value(&report, out)),
        Format::Markdown => context.terminal.answer(&page(markdown::exceptions(&report))?),
    }
    Ok(Outcome::Clean)
}

/// The built-in policies, or the file of one.
pub(super) fn policies(name: Option<&str>, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    if let Some(name) = name {
        let Some(text) = builtin(name) else {
            let unknown = unknown_policy(name);
            return Err(Failure::new(unknown.message).help(unknown.help.unwrap_or_default()));
        };
        terminal.answer(text);
        return Ok(Outcome::Clean);
    }
    for policy in BUILT_IN.iter().filter_map(|policy| builtin_policy(policy.name)) {
        let default = if policy.name == DEFAULT_POLICY {
            "  (default)"
        } else {
            ""
        };
        let rules = policy.rules.len();
        terminal.answer(&format!(
            "{:<18} edition {}, {rules} rules{default}\n{:<18} {}\n",
            policy.name, policy.edition, "", policy.source
        ));
    }
    Ok(Outcome::Clean)
}
