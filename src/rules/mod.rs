//! The law: one file per rule, with its page in the same folder.
//!
//! A rule is a record and a function. Its page is its documentation, the output of `explain`, and a test: the models on
//! it are checked, and a `# error: [slug] code` mark names the finding of a line.

mod admin_cli_lifetime;
mod behavior_lifetime;
mod behavior_replacement;
mod cli_replacement;
mod cli_warning;
mod element_lifetime;
mod element_removal;
mod element_replacement;
mod gate_lifetime;
mod gate_warning;
mod metric_deprecation;
mod metric_lifetime;
mod preferred_and_storage;
mod round_trip;
mod user_cli_lifetime;
mod version_lifetime;
mod version_replacement;

use crate::compat::codes_under;
use crate::diagnostic::RuleId;
use crate::model::{Audience, ElementId, Event, Exception, Group, Kind, Model, Version};
use crate::obligation::{Find, Obligation, Obligations, Scope, Steps};
use crate::policy::{Class, LIFETIME, Law, Policy, RuleKeys};
use crate::release::Release;

pub(crate) use gate_lifetime::transition;
pub(crate) use preferred_and_storage::{Candidate, Candidates, MoveLaw, Permission, Service, declared_moves};

/// One rule of the law.
#[derive(Debug)]
pub struct Rule {
    /// Its lasting name.
    pub slug: RuleId,
    /// Its page. The third line says in one sentence what the rule demands.
    pub page: &'static str,
    /// The codes of its findings.
    pub codes: &'static [&'static str],
    pub(crate) keys: RuleKeys,
    pub(crate) state: fn(&Scope<'_>, &mut Obligations),
}

impl Rule {
    /// What it says, in one line.
    pub fn title(&self) -> &'static str {
        self.page.lines().nth(2).unwrap_or_default()
    }
}

/// What the rules for commands and flags read: a window for each track.
const COMMAND_KEYS: RuleKeys =
    RuleKeys::of(&[(Class::Alpha, LIFETIME), (Class::Beta, LIFETIME), (Class::Ga, LIFETIME)]);

/// The findings about a lifetime.
const LIFETIME_CODES: &[&str] = &[
    "early",
    "overdue",
    "wrong-release",
    "step-missing",
    "sooner-than-preferred",
];

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
    element_lifetime::RULE,
    element_replacement::RULE,
];

/// The obligations of every rule in force, in the order of the rules.
pub(crate) fn state(model: &Model, law: &Law) -> Obligations {
    let mut obligations = Obligations::for_elements(model.elements().len());
    for rule in RULES {
        let scope = Scope::new(rule.slug, model, law);
        if scope.law.in_force() {
            (rule.state)(&scope, &mut obligations);
        }
    }
    obligations
}

/// The obligations that depend on what is planned: a version stays until the next one is there to move to, and a
/// replacement as long as what it replaces.
pub(crate) fn state_planned(
    model: &Model,
    law: &Law,
    releases: &dyn Fn(Event) -> Option<Release>,
    steps: &Steps,
) -> Vec<Obligation> {
    let mut planned = Vec::new();
    let scope = Scope::new(preferred_and_storage::RULE.slug, model, law);
    if scope.law.in_force() {
        planned.extend(preferred_and_storage::overlaps(&scope, releases, steps));
    }
    let scope = Scope::new(version_replacement::RULE.slug, model, law);
    if scope.law.in_force() {
        planned.extend(version_replacement::last_links(&scope, releases));
        planned.extend(version_replacement::expected(&scope, releases));
    }
    let scope = Scope::new(version_lifetime::RULE.slug, model, law);
    if scope.law.in_force() {
        planned.extend(version_lifetime::as_planned(&scope, releases));
    }
    planned
}

/// The obligations of some kinds of a group, and of its versions if that is asked for, to stay until the next version
/// is there to move to, if everything came in these releases.
pub(crate) fn state_supposed(
    model: &Model,
    law: &Law,
    group: &Group,
    lines: (&[&Kind], bool),
    releases: &dyn Fn(Event) -> Option<Release>,
    steps: &Steps,
) -> Vec<Obligation> {
    let scope = Scope::new(preferred_and_storage::RULE.slug, model, law);
    if !scope.law.in_force() {
        return Vec::new();
    }
    preferred_and_storage::overlaps_of(&scope, releases, group, lines, steps)
}

/// The first release in which another one may move to what begins in a release.
pub(crate) fn overlapped_in(model: &Model, law: &Law, begin: Event, since: Release) -> Release {
    let scope = Scope::new(preferred_and_storage::RULE.slug, model, law);
    preferred_and_storage::overlapped_in(&scope, begin, since)
}

/// The obligations that do not change the plan, and depend on it: a member has a counterpart while both versions are
/// served.
pub(crate) fn state_served(model: &Model, law: &Law, releases: &dyn Fn(Event) -> Option<Release>) -> Vec<Obligation> {
    let scope = Scope::new(round_trip::RULE.slug, model, law);
    if !scope.law.in_force() {
        return Vec::new();
    }
    let mut served = round_trip::gaps(&scope, releases);
    let elements = Scope::new(element_removal::RULE.slug, model, law);
    served.extend(round_trip::kept(&scope, releases, &|removed| {
        element_removal::may_leave(&elements, removed)
    }));
    served
}

/// The obligations of elements that could end now because they are alpha, or with an earlier life of their version, and
/// no longer could when all else permits their end: in the release that `soonest` finds. `planned` finds the release of
/// a deprecation.
pub(crate) fn state_lasting(
    model: &Model,
    law: &Law,
    (soonest, planned): (Find<'_, Release>, Find<'_, Option<Release>>),
) -> Vec<Obligation> {
    let removals = Scope::new(element_removal::RULE.slug, model, law);
    let mut lasting = Vec::new();
    if removals.law.in_force() {
        lasting.extend(element_removal::stays_after_all(&removals, soonest));
    }
    if model.judged_gates().all(|gate| gate.guards.is_empty()) {
        return lasting;
    }
    let versions = model.judged_groups().flat_map(|group| &group.versions);
    let versions: Vec<ElementId> = versions.flat_map(Version::served).copied().collect();
    let [users, admins] = [Audience::User, Audience::Admin].map(|audience| {
        let commands = model.judged_commands();
        let own = commands.filter(|command| command.audience == audience);
        own.map(|command| command.element).collect()
    });
    let extras: Vec<ElementId> = model.judged_extras().map(|extra| extra.element).collect();
    for (rule, elements) in [
        (version_lifetime::RULE, versions),
        (user_cli_lifetime::RULE, users),
        (admin_cli_lifetime::RULE, admins),
        (element_lifetime::RULE, extras),
    ] {
        let scope = Scope::new(rule.slug, model, law);
        if scope.law.in_force() {
            let ends = elements.iter();
            lasting.extend(ends.filter_map(|element| scope.announced_as_alpha(*element, (soonest, planned))));
        }
    }
    lasting
}

const MOST_LINKS_NAMED: usize = 12;

/// A chain of elements, link by link: "a → b → a".
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

pub(crate) fn find(slug: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.slug == slug)
}

/// Whether a finding is about schemas or their changes.
pub(crate) fn judges_schemas(slug: &str, code: &str) -> bool {
    codes_under(slug).any(|known| known == code)
}

/// The finding that an exception covers: the one with the code that it names, or the only one of its rule. `None` if it
/// names no code and the rule has several.
pub(crate) fn excepted<'e>(law: &Law, exception: &'e Exception) -> Option<(&'static Rule, &'e str)> {
    let rule = find_in(&law.editions().last()?.policy, &exception.rule.text)?;
    // What only few policies state does not make the exception of a rule ambiguous.
    let own = rule
        .codes
        .iter()
        .copied()
        .filter(|code| *code == "early" || !LIFETIME_CODES.contains(code));
    let mut codes = own.chain(codes_under(rule.slug));
    let code = match (&exception.code, codes.next(), codes.next()) {
        (Some(code), ..) => &code.text,
        (None, Some(only), None) => only,
        _ => return None,
    };
    Some((rule, code))
}

/// Whether an exception covers a finding of a rule in a release, if it is granted for the element of the finding.
pub(crate) fn covers(law: &Law, exception: &Exception, finding: (RuleId, &str), release: Release) -> bool {
    exception.until.is_none_or(|(until, _)| release < until) && is_about(law, exception, finding)
}

/// Whether an exception is about a finding of a rule, in whatever release.
pub(crate) fn is_about(law: &Law, exception: &Exception, finding: (RuleId, &str)) -> bool {
    excepted(law, exception).is_some_and(|(rule, code)| (rule.slug, code) == finding)
}

/// The rule with this slug, or with this number in a policy (`4a`, `#4a`).
pub fn find_in(policy: &Policy, name: &str) -> Option<&'static Rule> {
    let number = name.strip_prefix('#').unwrap_or(name);
    find(name).or_else(|| {
        let mut rules = policy.rules.iter();
        let (slug, _) = rules.find(|(_, rule)| rule.number.as_deref() == Some(number))?;
        find(slug)
    })
}
