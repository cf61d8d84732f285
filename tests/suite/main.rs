//! The tests of the whole: through the library's public face, and through the built program.

mod architecture;
mod cases;
mod change;
mod ci;
mod data;
mod examples;
mod exports;
mod fixes;
mod golden;
mod history;
mod imports;
mod imports_data;
mod imports_lists;
mod imports_peers;
mod imports_properties;
mod notes;
mod options;
mod oracle;
mod pages;
mod pictures;
mod program;
mod properties;
mod reports;
mod support;
mod timeline_page;
mod worked_example;
