//! Tests of what the public face does not show; the others are in `tests/suite/`.

mod advice;
mod alike;
mod by_when;
mod cases;
mod cel;
mod costs;
mod data;
mod filters;
mod grammar;
mod json_schemas;
mod known;
mod lifetimes;
mod moves;
mod open_ends;
mod oracle;
mod others;
mod pages;
mod policies;
mod portions;
mod properties;
mod proposals;
mod replacements;
mod reports;
mod rich;
mod soonest;
#[path = "../../tests/suite/support.rs"]
mod support;
mod supposed;
mod windows;
#[path = "../../tests/suite/worlds.rs"]
mod worlds;
