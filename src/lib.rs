//! `lifecycle` plans how a product's public surface is introduced, deprecated and removed.
//!
//! A user declares in TOML what ships; a policy, TOML too, sets what may happen when. The library answers what is
//! served, deprecated, preferred and stored in each release, when each element may and must be removed, what violates
//! the policy, and why. It reads no file, clock, environment or terminal: texts go in, data comes out.
//!
//! ```
//! use lifecycle::{Document, Load, Sources, render};
//!
//! let text = r#"
//! [calendar]
//! current = "1.2"
//! releases = { "1.0" = 2024-01-10, "1.1" = 2024-05-10, "1.2" = 2024-09-10 }
//! [group."shop.example.com".version]
//! v1beta1 = { introduced = "1.0", deprecated = "1.1", removed = "1.2", replacement = "v1" }
//! v1 = { introduced = "1.1" }
//! "#;
//! let mut sources = Sources::new();
//! let documents = [Document::parse(sources.add("lifecycle.toml", text), text)];
//! let evaluation = Load::new(&documents).evaluate().expect("the model can be read");
//! let report = evaluation.report(&sources);
//! let finding = &report.diagnostics[0];
//! assert_eq!((finding.rule, finding.line), ("version-lifetime", Some(6)));
//! println!("{}: {}", finding.severity, finding.message);
//! render::json::report(&report, &mut std::io::stdout())?;
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! | to | see |
//! | --- | --- |
//! | load texts | [`Sources`], [`Document`], [`policy`] |
//! | evaluate them | [`Load`], [`Evaluation`], [`evaluate`]: check, diff, fix, removals |
//! | read the answer | [`report`], [`diagnostic`] |
//! | render it | [`render`]: one module per format |
//! | import and update models | [`import`], [`compare`] |
//! | compare schemas | [`schema`], [`compat`], [`lint`] |
//! | propose changes of a model | [`propose`] |
//! | suppress known findings | [`baseline`] |
//! | check release notes | [`proofread`] |
//! | gather evidence of usage | [`usage`] |

#![cfg_attr(not(test), warn(unreachable_pub))]

mod answer;
pub mod baseline;
mod cel;
mod check;
pub mod compare;
pub mod compat;
mod derivation;
pub mod diagnostic;
mod document;
pub mod evaluate;
pub mod grammar;
mod history;
pub mod import;
pub mod lint;
pub mod model;
mod obligation;
mod pattern;
mod plan;
pub mod policy;
pub mod proofread;
pub mod propose;
pub mod release;
pub mod render;
pub mod report;
pub mod rules;
mod scan;
pub mod schema;
mod server;
mod source;
pub mod stability;
pub mod text;
mod timeline;
pub mod usage;
pub mod what_if;

pub use document::{Diagnostics, Document, Parsed};
pub use evaluate::{Evaluation, Load};
pub use source::{FileId, Location, Region, SourceFile, Sources, Span, one_line};

// Tests name the crate as others do.
#[cfg(test)]
extern crate self as lifecycle;
#[cfg(test)]
mod tests;
