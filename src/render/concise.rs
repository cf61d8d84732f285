//! One line per finding, as compilers print them: `lifecycle.toml:12:9: error[version-lifetime:early] …`.

use std::io::{self, Write};

use super::{Findings, one_line};

/// Prints the findings in the order of their places.
pub(super) fn report(given: &Findings<'_>, out: &mut dyn Write) -> io::Result<()> {
    for finding in given.shown() {
        let file = finding.file.as_deref().or(given.stands_in);
        let place = match (file, finding.line, finding.column) {
            (Some(file), Some(line), Some(column)) => format!("{}:{line}:{column}: ", one_line(file)),
            (Some(file), _, _) => format!("{}: ", one_line(file)),
            (None, _, _) => String::new(),
        };
        let known = if finding.known.is_some() { "known " } else { "" };
        let (severity, rule, code) = (finding.severity, finding.rule, &finding.code);
        let message = one_line(&finding.message);
        writeln!(out, "{place}{known}{severity}[{rule}:{code}] {message}")?;
    }
    Ok(())
}
