//! The law: one rule a file, with its page beside it.
//!
//! A rule is a record and a function. Its page is its documentation, what `explain` prints, and a test: the models on
//! it are checked, and a `# error: [slug]` mark says which line must complain.

mod admin_cli_lifetime;
mod behavior_lifetime;
mod behavior_replacement;
mod cli_replacement;
mod cli_warning;
mod element_removal;
mod gate_lifetime;
mod gate_warning;
mod level;
mod metric_deprecation;
mod metric_lifetime;
mod preferred_and_storage;
mod round_trip;
mod user_cli_lifetime;
mod version_lifetime;
mod version_replacement;

use crate::compat::codes_under;
use crate::diagnostic::{Diagnostic, RuleId, Severity, did_you_mean};
use crate::document::{Diagnostics, RULE};
use crate::lint::CHECKS;
use crate::model::{ElementId, Model};
use crate::obligation::{Obligations, Scope};
use crate::policy::{Law, Policy};

pub use level::{codes_of, gradable, gradable_codes, gradable_names, severity_outside};
pub use preferred_and_storage::{MoveLaw, Service, declared_moves};

/// One rule of the law.
#[derive(Debug)]
pub struct Rule {
    /// Its lasting name.
    pub slug: RuleId,
    /// What it says, in one line.
    pub title: &'static str,
    /// Its page.
    pub page: &'static str,
    /// The codes of its findings.
    pub codes: &'static [&'static str],
    /// The cases it can be told to pass over.
    pub exemptions: &'static [&'static str],
    /// States its obligations.
    pub state: fn(&Scope<'_>, &mut Obligations),
}

/// All rules, in the order of the policy.
pub const RULES: &[Rule] = &[
    element_removal::RULE,
    round_trip::RULE,
    version_replacement::RULE,
    version_lifetime::RULE,
    preferred_and_storage::RULE,
    user_cli_lifetime::RULE,
    admin_cli_lifetime::RULE,
    cli_replacement::RULE,
    cli_warning::RULE,
    behavior_lifetime::RULE,
    behavior_replacement::RULE,
    gate_lifetime::RULE,
    gate_warning::RULE,
    metric_lifetime::RULE,
    metric_deprecation::RULE,
];

/// A page about findings that are no rule's.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// The slug findings carry.
    pub slug: RuleId,
    /// What it is about, in one line.
    pub title: &'static str,
    /// The page.
    pub page: &'static str,
    /// The codes of its findings and how grave they usually are; none where that cannot be changed.
    pub codes: &'static [(&'static str, Severity)],
}

/// Pages about findings outside the law: those of models and changes, then those of definitions.
pub const PAGES: &[Page] = &{
    let mut pages = [OF_MODELS[0]; OF_MODELS.len() + CHECKS.len()];
    let mut at = 0;
    while at < OF_MODELS.len() {
        pages[at] = OF_MODELS[at];
        at += 1;
    }
    while at < pages.len() {
        let check = &CHECKS[at - OF_MODELS.len()];
        pages[at] = Page {
            slug: check.slug,
            title: check.title,
            page: check.page,
            codes: check.codes,
        };
        at += 1;
    }
    pages
};

const OF_MODELS: &[Page] = &[
    Page {
        slug: "exception",
        title: "Breaches that were agreed to: exceptions that are not needed, or have run out.",
        page: include_str!("exception.md"),
        codes: &[("unneeded", Severity::Warning), ("expired", Severity::Warning)],
    },
    Page {
        slug: "history",
        title: "What a change does to releases that have shipped.",
        page: include_str!("history.md"),
        codes: &[
            ("rewritten", Severity::Error),
            ("backdated", Severity::Error),
            ("deleted", Severity::Error),
            ("replacement-dropped", Severity::Error),
            ("tombstone-lifted", Severity::Error),
            ("window-shortened", Severity::Error),
            ("unshipped", Severity::Error),
            ("brought-forward", Severity::Warning),
            ("backfilled", Severity::Warning),
            ("loosened", Severity::Warning),
            ("no-base", Severity::Warning),
            ("unreadable-base", Severity::Warning),
            ("deferred", Severity::Note),
            ("withdrawn", Severity::Note),
            ("undeprecated", Severity::Note),
            ("replacement-changed", Severity::Note),
        ],
    },
    Page {
        slug: "schemas",
        title: "Schemas that a model names, held against it; and where to read of their changes.",
        page: include_str!("schemas.md"),
        codes: &[
            ("undeclared", Severity::Warning),
            ("unserved", Severity::Error),
            ("still-served", Severity::Warning),
            ("unannounced", Severity::Warning),
            ("unmarked", Severity::Warning),
            ("storage", Severity::Warning),
            ("no-base", Severity::Warning),
            ("unreadable-base", Severity::Warning),
            ("unnamed", Severity::Warning),
        ],
    },
    Page {
        slug: "baseline",
        title: "Findings that a project has put aside: such as are mended by now.",
        page: include_str!("baseline.md"),
        codes: &[("fixed", Severity::Warning)],
    },
    Page {
        slug: "notes",
        title: "Notes that people wrote, held against what is announced.",
        page: include_str!("notes.md"),
        codes: &[
            ("missing", Severity::Error),
            ("unmarked", Severity::Error),
            ("misdated", Severity::Error),
            ("untold", Severity::Note),
        ],
    },
    Page {
        slug: "model",
        title: "What is wrong in a file before any rule is asked.",
        page: include_str!("model.md"),
        codes: &[],
    },
    Page {
        slug: "contradiction",
        title: "Obligations that no plan can meet.",
        page: include_str!("contradiction.md"),
        codes: &[],
    },
];

/// Models below this many elements are not worth a second thread.
const WORTH_A_THREAD: usize = 4_000;

/// How many of the first rules take about as long as all others: those on the parts of kinds, of which there are most.
const HEAVY: usize = 2;

/// What every rule in force says of a model, in the order of the rules.
pub fn state(model: &Model, law: &Law) -> Obligations {
    if model.elements().len() < WORTH_A_THREAD {
        return state_some(RULES, model, law);
    }
    let (heavy, others) = RULES.split_at(HEAVY);
    std::thread::scope(|scope| {
        let others = scope.spawn(|| state_some(others, model, law));
        let mut obligations = state_some(heavy, model, law);
        match others.join() {
            Ok(others) => obligations.append(others),
            Err(panic) => std::panic::resume_unwind(panic),
        }
        obligations
    })
}

fn state_some(rules: &[Rule], model: &Model, law: &Law) -> Obligations {
    let mut obligations = Obligations::new();
    for rule in rules {
        let scope = Scope::new(rule.slug, model, law);
        if scope.law.in_force() {
            (rule.state)(&scope, &mut obligations);
        }
    }
    obligations
}

/// Links of a chain named at most: who has more looks for the first ones.
const MOST_LINKS_NAMED: usize = 12;

/// A chain of elements link by link: "a → b → a".
fn chain_words(model: &Model, links: &[ElementId]) -> String {
    let mut names: Vec<String> = links
        .iter()
        .take(MOST_LINKS_NAMED)
        .map(|link| model.id(*link).to_owned())
        .collect();
    if links.len() > MOST_LINKS_NAMED {
        names.push(format!("… ({} links)", links.len() - 1));
    }
    names.join(" → ")
}

/// The rule with this slug.
pub fn find(slug: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.slug == slug)
}

/// Whether a rule has findings about schemas, or about changes of them.
pub fn judges_schemas(slug: &str) -> bool {
    slug == "schemas" || codes_under(slug).next().is_some()
}

/// The rule with this slug, or with this number in a policy (`4a`, `#4a`).
pub fn find_in(policy: &Policy, name: &str) -> Option<&'static Rule> {
    let number = name.strip_prefix('#').unwrap_or(name);
    let numbered = || {
        let (slug, _) = policy
            .rules
            .iter()
            .find(|(_, rule)| rule.number.as_deref() == Some(number))?;
        find(slug)
    };
    find(name).or_else(numbered)
}

/// Finds fault with a policy that names rules, findings or exemptions that do not exist.
pub fn check_policy(policy: &Policy, faults: &mut Diagnostics) {
    for (slug, span) in policy.off.iter().filter(|(slug, _)| find(slug).is_none()) {
        let known = RULES.iter().map(|rule| rule.slug);
        let help = did_you_mean(slug, known).unwrap_or_else(|| "`lifecycle explain` lists the rules".to_owned());
        faults.at("unknown-rule", *span, format!("there is no rule `{slug}`"), help);
    }
    for (slug, law) in &policy.rules {
        let unknown = |what: &str, typed: &str, known: Vec<&str>| {
            let help = did_you_mean(typed, known.iter().copied())
                .unwrap_or_else(|| format!("known here: {}", known.join(", ")));
            let fault = Diagnostic::error(RULE, "unknown-rule", format!("there is no {what} `{typed}`")).help(help);
            match law.span {
                Some(span) => fault.at(span, ""),
                None => fault,
            }
        };
        if gradable(policy, slug).is_none() {
            faults.push(unknown("rule", slug, gradable_names().collect()));
            continue;
        }
        let codes = codes_of(slug);
        for code in law.severity.keys().filter(|code| !codes.contains(&code.as_str())) {
            faults.push(unknown(&format!("finding of {slug}"), code, codes.clone()));
        }
        let exemptions = find(slug).map_or(&[][..], |rule| rule.exemptions);
        for case in law.exempt.iter().filter(|case| !exemptions.contains(&case.as_str())) {
            faults.push(unknown(&format!("exemption of {slug}"), case, exemptions.to_vec()));
        }
    }
}
