//! How a product kept its policy: what `lifecycle report` prints.

use std::cmp::Reverse;

use serde::Serialize;

use super::{Moment, PolicyReport};
use crate::grammar::{EventWord, KindName};

/// The record of a product: each deprecation, step and removal that the policy bounds and that shipped, or was due.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RecordReport<'a> {
    /// [`SCHEMA_VERSION`](super::SCHEMA_VERSION).
    pub schema_version: u32,
    /// The newest release that has shipped.
    pub current: Option<Moment<'a>>,
    /// The editions of the policy that were applied, earliest first.
    pub policies: Vec<PolicyReport<'a>>,
    /// All of it.
    pub total: Tally,
    /// By the rule that decided.
    pub rules: Vec<TallyRow>,
    /// By owner; those without one last.
    pub owners: Vec<TallyRow>,
    /// By release, oldest first.
    pub releases: Vec<TallyRow>,
    /// By the year of the release, oldest first: the trend. Empty if the calendar has no dates.
    pub years: Vec<TallyRow>,
    /// What was judged, in the order of the model.
    pub judgements: Vec<JudgementReport<'a>>,
}

/// How often the policy was kept, and how it was not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Tally {
    /// All that was judged.
    pub judged: usize,
    /// What kept the policy.
    pub kept: usize,
    /// What came too early after its deprecation.
    pub early: usize,
    /// What was removed too early without any deprecation, or without a step that the policy requires before.
    pub unannounced: usize,
    /// What came too late, or is still due.
    pub late: usize,
    /// What came in a kind of release that may not carry it.
    pub wrong_release: usize,
    /// What has a granted exception.
    pub excepted: usize,
    /// What the policy discourages, and does not forbid: it came too early, or in the wrong kind of release, and the
    /// policy reports that as a warning or a note (changes of alphas). It is not among what was judged.
    #[serde(skip_serializing_if = "is_none_of_it")]
    #[cfg_attr(test, schemars(default))]
    pub discouraged: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_none_of_it(count: &usize) -> bool {
    *count == 0
}

/// A tally of some of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TallyRow {
    /// The rule, owner, release or year; empty for what has no owner.
    pub name: String,
    /// The counts.
    #[serde(flatten)]
    pub tally: Tally,
}

/// How an event compares with the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, strum::IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Verdict {
    /// It kept the policy.
    Kept,
    /// The policy discourages it, and does not forbid it.
    Discouraged,
    /// It has a granted exception.
    Excepted,
    /// It came too late, or is still due.
    Late,
    /// It came in a kind of release that may not carry it.
    WrongRelease,
    /// It came too early after its deprecation.
    Early,
    /// It was removed too early without any deprecation, or without a step that the policy requires before.
    Unannounced,
}

/// One event, and how it compares with the policy.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct JudgementReport<'a> {
    /// The element.
    pub element: &'a str,
    /// Its kind.
    pub kind: KindName<'a>,
    /// Its owner, or that of what it is part of.
    pub owner: Option<&'a str>,
    /// What happened, or should have.
    pub event: EventWord<'a>,
    /// The verdict.
    pub verdict: Verdict,
    /// When it happened; null if it has not.
    pub release: Option<Moment<'a>>,
    /// The earliest legal release, or the one in which it was due. Null if the calendar does not have it.
    pub bound: Option<Moment<'a>>,
    /// By how many releases the bound was missed; null if the calendar does not have it.
    pub releases: Option<u32>,
    /// By how many days, if both releases have dates.
    pub days: Option<i64>,
    /// The rule.
    pub rule: &'static str,
    /// Why, in words.
    pub because: String,
}

impl Verdict {
    /// As reports write it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether the policy was broken without an exception.
    pub fn breaks(self) -> bool {
        self > Self::Excepted
    }
}

impl Tally {
    /// Counts one more.
    pub(crate) fn add(&mut self, verdict: Verdict) {
        self.judged += usize::from(verdict != Verdict::Discouraged);
        *match verdict {
            Verdict::Discouraged => &mut self.discouraged,
            Verdict::Kept => &mut self.kept,
            Verdict::Excepted => &mut self.excepted,
            Verdict::Late => &mut self.late,
            Verdict::WrongRelease => &mut self.wrong_release,
            Verdict::Early => &mut self.early,
            Verdict::Unannounced => &mut self.unannounced,
        } += 1;
    }

    /// The share of what kept the policy, in whole percents, rounded down: only a record without a breach has 100.
    pub fn percent(&self) -> usize {
        ((self.judged - self.broken()) * 100)
            .checked_div(self.judged)
            .unwrap_or(100)
    }

    /// What broke the policy without an exception.
    pub fn broken(&self) -> usize {
        self.early + self.unannounced + self.late + self.wrong_release
    }

    /// What did not keep the policy, in words: "2 early, 1 excepted"; empty if all was kept.
    pub(crate) fn unkept(&self) -> String {
        let counts = [
            (self.unannounced, "unannounced"),
            (self.early, "early"),
            (self.wrong_release, "in the wrong release"),
            (self.late, "late"),
            (self.excepted, "excepted"),
            (self.discouraged, "discouraged"),
        ];
        let present = counts.into_iter().filter(|(count, _)| *count > 0);
        let words: Vec<String> = present.map(|(count, word)| format!("{count} {word}")).collect();
        words.join(", ")
    }

    /// The counts as tables show them: judged, kept, early, unannounced, late, wrong release, excepted.
    pub fn columns(&self) -> [usize; 7] {
        [
            self.judged,
            self.kept,
            self.early,
            self.unannounced,
            self.late,
            self.wrong_release,
            self.excepted,
        ]
    }
}

impl<'a> RecordReport<'a> {
    /// The same with so many of the worst breaches as its only judgements.
    pub(crate) fn with_worst(mut self, most: usize) -> Self {
        self.judgements.retain(|judgement| judgement.verdict.breaks());
        self.judgements.sort_by_key(JudgementReport::badness);
        self.judgements.truncate(most);
        self
    }

    /// What broke the policy by most, the worst first: what waits for a release that the calendar does not have, then
    /// by days, then by releases.
    pub fn worst(&self) -> Vec<&JudgementReport<'a>> {
        let broken = self.judgements.iter().filter(|judgement| judgement.verdict.breaks());
        let mut worst: Vec<&JudgementReport<'a>> = broken.collect();
        worst.sort_by_key(|judgement| judgement.badness());
        worst
    }
}

impl JudgementReport<'_> {
    /// What sorts the worst first.
    fn badness(&self) -> Reverse<(bool, i64, u32)> {
        let releases = self.releases.unwrap_or(u32::MAX);
        Reverse((self.releases.is_none(), self.days.unwrap_or(0), releases))
    }

    /// By how much the bound was missed: "2 releases, 91 days", or "due now".
    pub fn missed_by(&self) -> String {
        let Some(releases) = self.releases else {
            return String::new();
        };
        if releases == 0 && self.days.unwrap_or(0) == 0 {
            return "due now".to_owned();
        }
        apart(releases, self.days)
    }
}

/// How far two releases are apart: "2 releases, 91 days".
pub(super) fn apart(releases: u32, days: Option<i64>) -> String {
    let releases = format!("{releases} release{}", if releases == 1 { "" } else { "s" });
    match days {
        Some(days) => format!("{releases}, {days} day{}", if days == 1 { "" } else { "s" }),
        None => releases,
    }
}
