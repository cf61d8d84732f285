//! `render`: the surface through the releases as a picture.

use std::io::{self, Write};

use lifecycle::diagnostic::did_you_mean;
use lifecycle::render::{dot, html, json, mermaid, svg};
use lifecycle::report::PictureReport;

use crate::args::{Format, PictureFormat, Render};
use crate::files;
use crate::terminal::Terminal;
use crate::write::{refuse_input, write_whole};

use super::{Context, Failure, Outcome, with_evaluation};

pub(super) fn render(arguments: &Render, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let model = &arguments.model;
    let faults = match arguments.format {
        PictureFormat::Json if arguments.output.is_none() => Format::Json,
        _ => Format::Table,
    };
    with_evaluation(model.chosen(), &model.judgement, faults, terminal, |context| {
        draw(context, arguments)
    })
}

fn draw(context: &mut Context<'_>, arguments: &Render) -> Result<Outcome, Failure> {
    if let Some(output) = &arguments.output {
        let inputs: Vec<&str> = context.files.texts().map(|text| text.name.as_str()).collect();
        if output.is_empty() || output == files::STANDARD_INPUT {
            let help = "it is printed where --output is left out";
            return Err(Failure::new(format!("--output {output}: it names no file")).help(help));
        }
        refuse_input("--output", output, output, &inputs)?;
    }
    let mut picture = context.evaluation.picture(context.sources);
    choose(&mut picture, &arguments.group)?;
    let drawn = drawn(&picture, arguments.format)?;
    match &arguments.output {
        Some(output) => {
            write_whole(output, &drawn)?;
            context.terminal.detail(&format!("written: {output}"));
        }
        None => context.terminal.write(|out| out.write_all(&drawn)),
    }
    if arguments.format == PictureFormat::Mermaid && drawn.len() > mermaid::MOST_TEXT {
        let most = mermaid::MOST_TEXT;
        context.terminal.tell(&format!(
            "Mermaid refuses diagrams of more than {most} characters unless told otherwise (maxTextSize); --group makes \
             this one smaller"
        ));
    }
    let mut findings = context.evaluation.findings().iter();
    Ok(if findings.any(|finding| finding.rule == "contradiction") {
        Outcome::Findings
    } else {
        Outcome::Clean
    })
}

/// The picture in a format.
fn drawn(picture: &PictureReport<'_>, format: PictureFormat) -> Result<Vec<u8>, Failure> {
    let mut out = Vec::new();
    let written = match format {
        PictureFormat::Svg => svg::picture(picture, &mut out),
        PictureFormat::Mermaid => mermaid::picture(picture, &mut out),
        PictureFormat::Dot => dot::picture(picture, &mut out),
        PictureFormat::Html => html::picture(picture)
            .map_err(io::Error::other)
            .and_then(|page| out.write_all(page.as_bytes())),
        PictureFormat::Json => json::value(picture, &mut out),
    };
    written.map_err(|problem| Failure::new(format!("cannot draw the picture: {problem}")))?;
    Ok(out)
}

/// Keeps the groups that were named, or all if none was.
fn choose(picture: &mut PictureReport<'_>, names: &[String]) -> Result<(), Failure> {
    for name in names {
        let known = || picture.groups.iter().map(|group| group.group.as_str());
        if !known().any(|group| group == name) {
            let some: Vec<&str> = known().take(GROUPS_LISTED).collect();
            let more = if picture.groups.len() > some.len() { ", …" } else { "" };
            let help = did_you_mean(name, known()).unwrap_or_else(|| format!("groups: {}{more}", some.join(", ")));
            return Err(Failure::new(format!("--group {name}: there is no such group")).help(help));
        }
    }
    if !names.is_empty() {
        picture.groups.retain(|group| names.contains(&group.group));
    }
    Ok(())
}

/// More names in a message help nobody.
const GROUPS_LISTED: usize = 12;
