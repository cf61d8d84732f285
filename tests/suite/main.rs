//! The tests of the whole: through the library's public face, and through the built program.

#[macro_use]
mod calendar;

mod architecture;
mod change;
mod ci;
mod comparisons;
mod costs;
mod examples;
mod exports;
mod exports_prerelease;
mod fixes;
mod golden;
mod history;
mod imports;
mod imports_api;
mod imports_data;
mod imports_deprecation_lists;
mod imports_hostile;
mod imports_lists;
mod imports_metrics;
mod imports_openapi;
mod imports_properties;
mod lints;
mod lints_known;
mod lints_server;
mod notes;
mod options;
mod pictures;
mod program;
mod propose;
mod schemas;
mod schemas_check;
mod schemas_conversion;
mod schemas_data;
mod schemas_hostile;
mod schemas_kinds;
mod schemas_lifecycle;
mod schemas_openapi;
mod schemas_places;
mod schemas_round_trip;
mod support;
mod timeline_page;
mod trust;
mod worked_example;
mod worlds;
