//! The policy: windows of shipped releases do not get shorter, and lower severities are reported.

use std::collections::BTreeSet;

use crate::diagnostic::RuleId;
use crate::policy::{Class, Key, LevelOrigin, Period, RuleLaw, StepLaw};
use crate::release::Release;
use crate::rules::RULES;
use crate::source::Span;
use crate::stability::Track;

use super::{Comparison, beginning, finding};

impl Comparison<'_> {
    /// For each release that had shipped, no window is shorter than it was.
    pub(super) fn windows(&mut self) {
        let mut shortened: BTreeSet<(&'static str, String)> = BTreeSet::new();
        for release in self.turning_points() {
            let Some(now) = self.in_head(release) else { continue };
            for rule in RULES {
                let before = self.base.law.rule(rule.slug).at(release);
                let after = self.head.law.rule(rule.slug).at(now);
                for loss in before.map_or_else(Vec::new, |before| losses(before, after)) {
                    if shortened.insert((rule.slug, loss.clone())) {
                        self.shortened(rule.slug, &loss, now);
                    }
                }
            }
        }
    }

    /// For the newest shipped release, no finding has a lower severity, and no case is newly exempt.
    pub(super) fn severities(&mut self) {
        let Some(now) = self.in_head(self.shipped) else { return };
        for rule in RULES {
            let before = self.base.law.rule(rule.slug).at(self.shipped);
            let after = self.head.law.rule(rule.slug).at(now);
            let (Some(before), Some(after)) = (before, after) else {
                continue;
            };
            let added = after.exempt.iter().filter(|case| !before.exempt.contains(case));
            let mut losses: Vec<String> = added.map(|case| format!("{case} is exempt")).collect();
            losses.extend(
                rule.codes
                    .iter()
                    .filter_map(|code| self.lower_severity(rule.slug, code, now)),
            );
            if !losses.is_empty() {
                self.loosened(rule.slug, &losses.join(", "), now);
            }
        }
    }

    /// The lower severity of a finding, if it is lower for elements of some stability.
    fn lower_severity(&self, rule: RuleId, code: &str, now: Release) -> Option<String> {
        let tracks = [Track::Ga, Track::Beta, Track::Alpha];
        let grades = tracks.iter().filter_map(|track| {
            let was = self.base.law.severity(rule, code, *track, self.shipped)?;
            let is = self.head.law.severity(rule, code, *track, now)?;
            (is < was).then_some((was, is))
        });
        let (was, is) = grades.max()?;
        Some(format!("`{code}` changed from {was} to {is}"))
    }

    fn loosened(&mut self, rule: RuleId, losses: &str, now: Release) {
        let (place, number) = self.stated(rule, now);
        let level = self.head.law.levels_of(rule).find_map(|level| match level.origin {
            LevelOrigin::Model(span) => Some(span),
            LevelOrigin::CommandLine(_) => None,
        });
        let message = format!("{rule}{number} is checked less strictly: {losses}");
        let help = "check that this is intended: fewer violations will be reported";
        self.report(finding("loosened", level.unwrap_or(place), message).help(help));
    }

    /// The shipped releases from which an edition of either state applies: between them nothing changes.
    fn turning_points(&self) -> BTreeSet<Release> {
        let of_base = self.base.law.editions().iter().map(|edition| edition.from);
        let of_head = self
            .head
            .law
            .editions()
            .iter()
            .filter_map(|edition| self.in_base(edition.from));
        std::iter::once(Release(0))
            .chain(of_base)
            .chain(of_head)
            .filter(|release| *release <= self.shipped)
            .collect()
    }

    /// The place of a rule in the edition of a release, and its number there in parentheses.
    fn stated(&self, rule: RuleId, now: Release) -> (Span, String) {
        let editions = self.head.law.editions();
        let edition = editions.iter().rev().find(|edition| edition.from <= now);
        let edition = edition.or(editions.first());
        let span = edition.and_then(|edition| edition.policy.rules.get(rule)?.span);
        let named = edition.and_then(|edition| edition.named_at);
        let place = span
            .filter(|span| span.file.0 != u16::MAX)
            .or(named)
            .unwrap_or(beginning());
        let number = edition.and_then(|edition| edition.policy.rules.get(rule)?.number.clone());
        let number = number.map_or_else(String::new, |number| format!(" (#{number})"));
        (place, number)
    }

    fn shortened(&mut self, rule: &'static str, loss: &str, now: Release) {
        let (place, number) = self.stated(rule, now);
        let next = self.next_open();
        let message = format!("{rule}{number}: {loss}, for shipped releases");
        let help = format!(
            "announced deprecations keep their windows; leave the policy of shipped releases as it was, and name the \
             new one in `policy` too, with from = \"{next}\""
        );
        self.report(finding("window-shortened", place, message).help(help));
    }
}

fn losses(before: &RuleLaw, after: Option<&RuleLaw>) -> Vec<String> {
    let Some(after) = after else {
        return vec!["the rule is no longer in force".to_owned()];
    };
    let mut losses = Vec::new();
    for ((class, key), was) in before.windows.iter().filter(|((_, key), _)| key.is_lower_bound()) {
        // "Not before the next major release" is longer than any window.
        let longer = *key == Key::AfterDeprecation && after.next_major.contains(class);
        if !longer {
            losses.extend(shorter(key.as_str(), class.as_str(), was, after.period(*class, *key)));
        }
    }
    for (class, steps) in &before.steps {
        losses.extend(steps.iter().filter_map(|step| step_loss(step, *class, after)));
    }
    for ((class, key), kinds) in &before.only_in {
        let now = after.only_in.get(&(*class, *key));
        let allows_more = now.is_none_or(|now| now.iter().any(|kind| !kinds.contains(kind)));
        if *key == Key::Remove && allows_more {
            let (class, kinds) = (class.as_str(), kinds.join(" or "));
            losses.push(format!(
                "{class} elements may now be removed in other than {kinds} releases"
            ));
        }
    }
    for class in before.next_major.difference(&after.next_major) {
        losses.push(format!(
            "{} elements may now be removed before the next major release",
            class.as_str()
        ));
    }
    losses.extend(losses_of_kinds(before, after));
    losses
}

/// A window that is shorter than it was, or that is no longer set, in words.
fn shorter(what: &str, whose: &str, was: &Period, is: Option<&Period>) -> Option<String> {
    if was.is_empty() || is.is_some_and(|is| !is.is_shorter_than(was)) {
        return None;
    }
    let is = is.map_or_else(|| "none".to_owned(), ToString::to_string);
    Some(format!("`{what}` of {whose} changed from {was} to {is}"))
}

/// A step that comes sooner than it did, or that is no longer required.
fn step_loss(was: &StepLaw, class: Class, after: &RuleLaw) -> Option<String> {
    let (name, class_name) = (&was.name, class.as_str());
    let is = after.step(class, name);
    if was.required && is.is_none_or(|is| !is.required) {
        return Some(format!("the step `{name}` of {class_name} is no longer required"));
    }
    let what = format!("{name}.after");
    shorter(
        &what,
        class_name,
        was.after.as_ref()?,
        is.and_then(|is| is.after.as_ref()),
    )
}

/// A kind of elements that is not built in, and a class of it, or all of it.
type OfKind = (String, Option<String>);

/// The windows of elements that are not built in: where a policy has no table for a kind, those of all elements go for
/// it.
fn losses_of_kinds(before: &RuleLaw, after: &RuleLaw) -> Vec<String> {
    let kinds: BTreeSet<&OfKind> = before.of_kinds.keys().chain(after.of_kinds.keys()).collect();
    let mut losses = Vec::new();
    for of in kinds {
        let tables = [before, after].into_iter().filter_map(|law| law.of_kinds.get(of));
        let set: BTreeSet<(Class, Key)> = tables.flat_map(|table| table.windows.keys().copied()).collect();
        let whose = match of {
            (kind, Some(class)) => format!("{kind} ({class})"),
            (kind, None) => kind.clone(),
        };
        for (class, key) in set.into_iter().filter(|(_, key)| key.is_lower_bound()) {
            if let Some(was) = period_of(before, of, class, key) {
                losses.extend(shorter(key.as_str(), &whose, was, period_of(after, of, class, key)));
            }
        }
    }
    losses
}

/// The window that goes for a kind of elements: that of the table of its class, that of its own table, or that of all.
fn period_of<'l>(law: &'l RuleLaw, of: &OfKind, class: Class, key: Key) -> Option<&'l Period> {
    let (kind, name) = of;
    if let Some(own) = law.of_kinds.get(of) {
        return own.period(class, key);
    }
    match law.of_kinds.get(&(kind.clone(), None)).filter(|_| name.is_some()) {
        Some(whole) => whole.period(Class::All, key),
        None if class == Class::All => law.period(Class::Ga, key),
        None => law.period(class, key),
    }
}
