//! Deprecations for dashboards and readers of feeds: what `export deprecations.json` and `export atom` write.

use serde::Serialize;

use super::Moment;
use crate::grammar::{EventWord, KindName};
use crate::release::DateKind;
use crate::stability::Level;

/// The version of this contract, which is its own: fields may be added, but none is renamed or removed without a new
/// version.
pub const FEED_VERSION: u32 = 1;

/// Elements that are deprecated, or are or will be removed.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct FeedReport<'a> {
    /// [`FEED_VERSION`].
    pub feed_version: u32,
    /// The newest release that has shipped.
    pub current: Option<FeedMoment<'a>>,
    /// By subject.
    pub deprecations: Vec<FeedEntry<'a>>,
}

/// A release of a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FeedMoment<'a> {
    /// Its name.
    pub release: &'a str,
    /// Its date; null if unknown.
    pub date: Option<&'a str>,
    /// How certain the date is.
    pub date_kind: DateKind,
}

impl<'a> FeedMoment<'a> {
    pub(crate) fn of(moment: Moment<'a>) -> Self {
        Self {
            release: moment.release,
            date: moment.date,
            date_kind: moment.date_kind,
        }
    }
}

/// An element of a feed.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct FeedEntry<'a> {
    /// The id of the element.
    pub subject: &'a str,
    /// Its kind.
    pub kind: KindName<'a>,
    /// Its stability.
    pub stability: Level,
    /// Its state as of the current release; null without one.
    pub status: Option<FeedStatus>,
    /// What happens to it, in the order in which it does.
    pub steps: Vec<FeedStep<'a>>,
    /// What users move to: the id of an element, or what is outside the model.
    pub replacement: Option<&'a str>,
    /// Its owner, or that of what it is part of.
    pub owner: Option<&'a str>,
    /// Where to read more.
    pub links: Vec<&'a str>,
}

/// The state of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FeedStatus {
    /// It is not deprecated yet.
    Served,
    /// It is deprecated, and still served.
    Deprecated,
    /// It is served on explicit request only.
    Hidden,
    /// It is no longer served.
    Removed,
}

/// What happens to an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FeedStep<'a> {
    /// What.
    pub event: EventWord<'a>,
    /// When.
    #[serde(flatten)]
    pub at: FeedMoment<'a>,
    /// Whether the model declares it, or only plans it.
    pub declared: bool,
    /// Whether it has shipped; null without a current release.
    pub shipped: Option<bool>,
}
