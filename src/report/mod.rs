//! The answer as plain data: what `--format json` prints and every renderer sees.
//!
//! The names are a contract; more may be added, none is changed or taken away without a new [`SCHEMA_VERSION`].

use serde::Serialize;

use crate::release::DateKind;

/// The version of the contract.
pub const SCHEMA_VERSION: u32 = 1;

/// The whole answer.
#[derive(Debug, Serialize)]
pub struct Report<'a> {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The newest release that has shipped, if the calendar says.
    pub current: Option<Moment<'a>>,
    /// The editions of the policy that judged, in turn.
    pub policies: Vec<PolicyReport<'a>>,
    /// Each group through the releases.
    pub groups: Vec<GroupReport<'a>>,
    /// Each element with its bounds.
    pub elements: Vec<ElementReport<'a>>,
    /// What the findings were held against, if they were: only what is not known from there counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared: Option<ComparedReport>,
    /// The removals that were proposed; the findings are then what speaks against them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proposals: Vec<ProposalReport<'a>>,
    /// The findings.
    pub diagnostics: Vec<DiagnosticReport<'a>>,
    /// The breaches that were agreed to.
    pub exceptions: Vec<ExceptionReport<'a>>,
}

/// A rule, or a sort of findings that are no rule's, as reports that explain themselves carry it.
#[derive(Debug, Clone, Copy)]
pub struct PageReport<'a> {
    /// Its lasting name.
    pub slug: &'a str,
    /// What it says, in one line.
    pub title: &'a str,
    /// Its number in the policy.
    pub number: Option<&'a str>,
    /// Its page, in Markdown.
    pub page: &'a str,
}

/// A proposed removal, answered.
#[derive(Debug, Clone, Serialize)]
pub struct ProposalReport<'a> {
    /// The element.
    pub element: &'a str,
    /// The release proposed.
    pub release: Option<Moment<'a>>,
    /// Whether nothing forbids it.
    pub allowed: bool,
    /// The soonest release that would be allowed, if it is in sight.
    pub soonest: Option<Moment<'a>>,
    /// The major release before which it is not removed, where the calendar does not have it yet.
    pub never_before_major: Option<String>,
    /// The release in which it has to be deprecated for that; null where it is announced.
    pub if_deprecated: Option<Moment<'a>>,
    /// What speaks against it, or is to be looked at.
    pub reasons: Vec<String>,
    /// What still names it then.
    pub named_by: Vec<NamedByReport<'a>>,
}

/// Somebody who names an element.
#[derive(Debug, Clone, Serialize)]
pub struct NamedByReport<'a> {
    /// Who.
    pub element: &'a str,
    /// In what way: "is gated by it".
    pub how: &'static str,
    /// The file.
    pub file: Option<String>,
    /// The line.
    pub line: Option<u32>,
}

/// What findings were held against.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ComparedReport {
    /// The base of the change: a revision, a file.
    pub base: Option<String>,
    /// How many findings the base has too.
    pub known_in_base: usize,
    /// The baseline file.
    pub baseline: Option<String>,
    /// How many findings it puts aside.
    pub put_aside: usize,
}

/// An edition of a policy.
#[derive(Debug, Serialize)]
pub struct PolicyReport<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its edition.
    pub edition: &'a str,
    /// The release from which it holds, if the user gave one.
    pub from: Option<&'a str>,
}

/// A release with its date, as an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Moment<'a> {
    /// The release.
    pub release: &'a str,
    /// Its day, `2017-09-28`; null where there is none.
    pub date: Option<&'a str>,
    /// `actual`, `announced`, `projected` or `symbolic`.
    pub date_kind: DateKind,
    /// Whether the user declared it, where the moment is that of an event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declared: Option<bool>,
    /// Present and true where the calendar ends before the bound: this release or a later one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub at_least: bool,
}

/// A group through the releases.
#[derive(Debug, Serialize)]
pub struct GroupReport<'a> {
    /// Its name; a configuration's begins with `config `.
    pub group: String,
    /// One row a release.
    pub releases: Vec<ReleaseReport<'a>>,
}

/// A group in one release.
#[derive(Debug, Serialize)]
pub struct ReleaseReport<'a> {
    /// The release.
    pub release: &'a str,
    /// Its day.
    pub date: Option<&'a str>,
    /// How sure that is.
    pub date_kind: DateKind,
    /// The versions served, newest generation first.
    pub versions: Vec<VersionReport<'a>>,
    /// The preferred version.
    pub preferred: Option<&'a str>,
    /// The storage version; null where the group's kinds differ.
    pub storage: Option<&'a str>,
    /// Whether preferred and storage versions were declared by a move in this very release.
    pub moves: MovesReport,
    /// The kinds.
    pub kinds: Vec<KindReport<'a>>,
    /// What to tell users.
    pub notes: Vec<NoteReport<'a>>,
}

/// Which moves of a release the user declared.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct MovesReport {
    /// The preferred version.
    pub preferred_declared: bool,
    /// The storage version of every kind.
    pub storage_declared: bool,
}

/// A version in one release.
#[derive(Debug, Serialize)]
pub struct VersionReport<'a> {
    /// Its name.
    pub version: &'a str,
    /// `served` or `deprecated`.
    pub state: &'static str,
}

/// A kind in one release.
#[derive(Debug, Serialize)]
pub struct KindReport<'a> {
    /// Its name.
    pub kind: &'a str,
    /// The versions that serve it.
    pub versions: Vec<&'a str>,
    /// Its storage version.
    pub storage: Option<&'a str>,
}

/// Something to tell users of a group in a release.
#[derive(Debug, Serialize)]
pub struct NoteReport<'a> {
    /// What happens.
    pub event: &'static str,
    /// To which version.
    pub version: &'a str,
    /// Whether users have to do something.
    pub action_required: bool,
    /// Whether the user declared it.
    pub declared: bool,
    /// In words.
    pub text: String,
}

/// An element with what is known, planned and allowed of it.
#[derive(Debug, Serialize)]
pub struct ElementReport<'a> {
    /// Its id.
    pub id: &'a str,
    /// What sort of thing.
    pub kind: &'static str,
    /// Its stability.
    pub stability: &'static str,
    /// What replaces it.
    pub replacement: Option<&'a str>,
    /// Where the chain of replacements ends.
    pub migrate_to: Option<&'a str>,
    /// When it was introduced.
    pub introduced: Option<Moment<'a>>,
    /// When it is deprecated.
    pub deprecated: Option<Moment<'a>>,
    /// When it is hidden.
    pub hidden: Option<Moment<'a>>,
    /// When it is no longer served.
    pub removed: Option<Moment<'a>>,
    /// The soonest it may be deprecated.
    pub earliest_deprecation: Option<Moment<'a>>,
    /// The latest it is to be deprecated.
    pub latest_deprecation: Option<Moment<'a>>,
    /// The soonest it may be removed.
    pub earliest_removal: Option<Moment<'a>>,
    /// The release in which it is to be gone.
    pub removal_due: Option<Moment<'a>>,
    /// The major release before which it is not removed, where the calendar does not have it yet.
    pub never_before_major: Option<String>,
    /// What decides the earliest removal: `releases`, `months`, `major`, or a rule.
    pub binding: Option<&'a str>,
    /// Why.
    pub because: Vec<FactReport<'a>>,
    /// Lives before this one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub earlier_lives: Vec<LifeReport<'a>>,
    /// Who looks after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<&'a str>,
    /// What tracks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tracking: Option<&'a str>,
}

/// A life that is over.
#[derive(Debug, Serialize)]
pub struct LifeReport<'a> {
    /// When it began.
    pub introduced: Option<Moment<'a>>,
    /// When its end was announced.
    pub deprecated: Option<Moment<'a>>,
    /// When it ended.
    pub removed: Option<Moment<'a>>,
}

/// A step of a reason.
#[derive(Debug, Serialize)]
pub struct FactReport<'a> {
    /// The rule that says so, or the principle of planning (`P1` to `P9`).
    pub rule: Option<&'a str>,
    /// Its number in the policy.
    pub number: Option<&'a str>,
    /// The sentence.
    pub text: String,
}

/// A finding.
#[derive(Debug, Serialize)]
pub struct DiagnosticReport<'a> {
    /// The rule.
    pub rule: &'static str,
    /// Its number in the policy.
    pub number: Option<String>,
    /// Which of its findings.
    pub code: String,
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// The element.
    pub element: Option<String>,
    /// The finding.
    pub message: String,
    /// The file.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The character in the line, from 1.
    pub column: Option<u32>,
    /// The next step.
    pub help: Option<String>,
    /// The soonest release in which it would be legal.
    pub earliest: Option<Moment<'a>>,
    /// Why.
    pub because: Vec<FactReport<'a>>,
    /// The places, the first one the finding's own.
    pub labels: Vec<LabelReport>,
    /// What stays the same when lines move: rule, code, element, and which of several alike.
    pub fingerprint: String,
    /// `base` or `baseline`, if the finding was there before; such a one fails no run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<&'static str>,
    /// The edits that mend it, where there is one right answer: all of these together.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fix: Vec<EditReport>,
}

/// A stretch of a file, and what is to stand there instead.
#[derive(Debug, Clone, Serialize)]
pub struct EditReport {
    /// The file.
    pub file: String,
    /// The line in which the stretch begins, from 1.
    pub line: u32,
    /// Its first character in that line, from 1.
    pub column: u32,
    /// The line in which it ends.
    pub end_line: u32,
    /// The character after its last one.
    pub end_column: u32,
    /// What is to stand there.
    pub text: String,
}

/// A place of a finding.
#[derive(Debug, Clone, Serialize)]
pub struct LabelReport {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The character in the line, from 1.
    pub column: u32,
    /// The line in which the place ends.
    pub end_line: u32,
    /// The character after its last one.
    pub end_column: u32,
    /// What is to be seen there.
    pub text: String,
    /// The bytes of the source, for snippets.
    #[serde(skip)]
    pub span: crate::source::Span,
}

/// A breach of the policy that was agreed to.
#[derive(Debug, Serialize)]
pub struct ExceptionReport<'a> {
    /// The rule.
    pub rule: &'a str,
    /// The element.
    pub element: &'a str,
    /// Why.
    pub reason: &'a str,
    /// Who agreed.
    pub approved_by: &'a str,
    /// The first release in which it no longer holds.
    pub until: Option<Moment<'a>>,
    /// `in-force`, `unneeded` or `expired`.
    pub state: &'static str,
    /// How many findings it makes notes of.
    pub covers: usize,
    /// The file in which it stands.
    pub file: Option<String>,
    /// The line.
    pub line: Option<u32>,
}

/// The exceptions alone: what `exceptions` prints.
#[derive(Debug, Serialize)]
pub struct ExceptionsReport<'a> {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The breaches of the policy that were agreed to.
    pub exceptions: Vec<ExceptionReport<'a>>,
}

/// Which rules are in force: what `rules` prints.
#[derive(Debug, Serialize)]
pub struct RulesReport<'a> {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The editions of the policy, earliest first.
    pub editions: Vec<EditionRulesReport<'a>>,
    /// Findings that are no rule's and can be graded.
    pub outside: Vec<RuleReport<'a>>,
}

/// The rules of one edition.
#[derive(Debug, Serialize)]
pub struct EditionRulesReport<'a> {
    /// The policy.
    pub policy: &'a str,
    /// Its edition.
    pub edition: &'a str,
    /// The release from which it holds, if the user gave one.
    pub from: Option<&'a str>,
    /// Its rules, in the order of the law.
    pub rules: Vec<RuleReport<'a>>,
}

/// A rule, and how grave its findings are.
#[derive(Debug, Serialize)]
pub struct RuleReport<'a> {
    /// Its lasting name.
    pub rule: &'a str,
    /// Its number in the edition.
    pub number: Option<&'a str>,
    /// What it says, in one line.
    pub title: &'a str,
    /// Whether the edition has it.
    pub in_force: bool,
    /// Its findings; none where it is not in force.
    pub findings: Vec<GradeReport>,
}

/// How grave one finding of a rule is.
#[derive(Debug, Serialize)]
pub struct GradeReport {
    /// The finding.
    pub code: &'static str,
    /// How grave, by the stability of what it is about.
    pub severity: SeverityReport,
    /// Who says so: the command line's words, a place in the model or the policy.
    pub set_by: String,
}

/// A severity by stability.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SeverityReport {
    /// For alpha elements.
    pub alpha: &'static str,
    /// For beta elements.
    pub beta: &'static str,
    /// For GA elements.
    pub ga: &'static str,
}

/// Why the events of an element fall where they do: what `why` prints.
#[derive(Debug, Serialize)]
pub struct Derivation<'a> {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The element.
    pub element: String,
    /// Its stability.
    pub stability: &'static str,
    /// Its events.
    pub events: Vec<EventDerivation<'a>>,
}

/// Why one event falls where it does.
#[derive(Debug, Serialize)]
pub struct EventDerivation<'a> {
    /// What happens, of which element.
    pub event: String,
    /// When; null if it is neither declared nor planned.
    pub moment: Option<Moment<'a>>,
    /// `declared`, `planned`, `implied` or `open`.
    pub origin: &'static str,
    /// Where it is declared.
    pub place: Option<LabelReport>,
    /// What bears on it.
    pub steps: Vec<StepReport<'a>>,
}

/// One obligation and what it comes to.
#[derive(Debug, Serialize)]
pub struct StepReport<'a> {
    /// The rule, or the principle of planning.
    pub rule: &'a str,
    /// The rule's number.
    pub number: Option<&'a str>,
    /// `not-before`, `not-after`, `forbidden` or `requires`.
    pub demand: &'static str,
    /// The sentence.
    pub text: String,
    /// What it comes to.
    pub bound: Option<Moment<'a>>,
    /// Whether it is the one that decides.
    pub binding: bool,
}
