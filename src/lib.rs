//! `lifecycle` plans how a product's public surface lives and dies.
//!
//! A user declares in TOML what ships; a policy, TOML too, says what may happen when. The library answers what is
//! served, deprecated, preferred and stored in each release, when each element may and must go, what breaks the policy,
//! and why. It reads no file, clock, environment or terminal: it is handed texts, and hands back data.
//!
//! [`evaluate`] is the way in: documents to a report in one call. The levels below it, lowest first:
//!
//! | module | what it is |
//! | --- | --- |
//! | [`source`], [`release`], [`stability`] | texts and places; releases, dates and windows; levels and their order |
//! | [`text`] | texts of JSON and YAML that others wrote, read within bounds |
//! | [`diagnostic`] | the one shape of every finding |
//! | [`grammar`] | the kinds of elements and events, and how the model file writes them |
//! | [`schema`] | schemas of objects, and every difference between two |
//! | [`lint`] | definitions of custom resources looked at by themselves |
//! | [`document`], [`report`] | TOML as written; the answer as plain data |
//! | [`model`], [`policy`], [`render`] | the surface, typed; the law's parameters; output formats |
//! | [`baseline`] | which findings are no news |
//! | [`compat`] | changes of schemas, judged |
//! | [`import`] | models made from what projects publish |
//! | [`obligation`] | the words in which rules speak |
//! | [`compare`] | where two sources disagree, and why |
//! | [`rules`] | the law, one rule a file |
//! | [`plan`] | the least assignment that meets every obligation |
//! | [`derivation`], [`timeline`] | obligations worked out and put into words; who is served when |
//! | [`check`], [`history`] | obligations against declared events; what a change does to what has shipped |
//! | [`answer`] | everything as a report |
//! | [`proofread`] | notes that people wrote, against what is announced |
//! | [`evaluate`] | the order of the steps |
//! | [`propose`] | proposals worked out: releases, steps, and what the model is to say |

pub mod answer;
pub mod baseline;
pub mod check;
pub mod compare;
pub mod compat;
pub mod derivation;
pub mod diagnostic;
pub mod document;
pub mod evaluate;
pub mod grammar;
pub mod history;
pub mod import;
pub mod lint;
pub mod model;
pub mod obligation;
pub mod plan;
pub mod policy;
pub mod proofread;
pub mod propose;
pub mod release;
pub mod render;
pub mod report;
pub mod rules;
pub mod schema;
pub mod source;
pub mod stability;
pub mod text;
pub mod timeline;

// Tests name the crate as others do.
#[cfg(test)]
extern crate self as lifecycle;
#[cfg(test)]
mod tests;
