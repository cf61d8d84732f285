//! Graphviz: replacements as a graph, one cluster per group.
//!
//! A version, a command or a gate is a node. Its kinds and their parts are lines in it if their lifecycle or their
//! replacement differs from its own; the others are counted. One node each would draw the same arrow many times.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::words;
use super::xml::Escaped;
use crate::grammar::rest_within;
use crate::report::{PictureReport, RowReport, RowsReport, State};

/// Draws the graph.
pub(super) fn picture(picture: &PictureReport<'_>, out: &mut impl Write) -> io::Result<()> {
    let graph = Graph::of(picture);
    writeln!(
        out,
        "digraph lifecycle {{\n  \
         graph [rankdir=LR, nodesep=0.15, ranksep=0.7, fontname=\"Helvetica\", fontsize=12, labelloc=t, labeljust=l, \
         label=<* planned, not declared>]\n  \
         node [shape=plain, fontname=\"Helvetica\", fontsize=11]\n  \
         edge [fontname=\"Helvetica\", fontsize=9, color=\"#52606d\", fontcolor=\"#52606d\", arrowsize=0.7]"
    )?;
    // From left to right, Graphviz lays out clusters from the bottom up.
    for (at, group) in picture.groups.iter().enumerate().rev() {
        graph.cluster(at, group, out)?;
    }
    for group in &picture.groups {
        for row in &group.rows {
            graph.edges(row, out)?;
        }
    }
    writeln!(out, "}}")
}

/// The place of an element in the graph.
#[derive(Debug, Clone, Copy)]
struct GraphPosition<'g, 'a> {
    row: &'g RowReport<'a>,
    /// The number of its node.
    node: usize,
    /// The number of its line in the node; `None` if it is the node.
    line: Option<usize>,
}

/// The elements by id, and the lines of each node.
struct Graph<'g, 'a> {
    picture: &'g PictureReport<'a>,
    places: BTreeMap<&'a str, GraphPosition<'g, 'a>>,
    within: Vec<Vec<GraphPosition<'g, 'a>>>,
}

impl<'g, 'a> Graph<'g, 'a> {
    fn of(picture: &'g PictureReport<'a>) -> Self {
        let mut graph = Self {
            picture,
            places: BTreeMap::new(),
            within: Vec::new(),
        };
        for row in picture.rows() {
            let node = graph.container(row).map(|container| container.node);
            let place = GraphPosition {
                row,
                node: node.unwrap_or(graph.within.len()),
                line: node.map(|node| graph.within[node].len()),
            };
            graph.places.insert(row.id, place);
            match place.line {
                Some(_) => graph.within[place.node].push(place),
                None => graph.within.push(Vec::new()),
            }
        }
        graph
    }

    fn container(&self, row: &RowReport<'_>) -> Option<GraphPosition<'g, 'a>> {
        self.places.get(row.parent?).copied()
    }

    fn cluster(&self, at: usize, group: &RowsReport<'_>, out: &mut impl Write) -> io::Result<()> {
        writeln!(
            out,
            "  subgraph cluster_{at} {{\n    label=<<b>{}</b>>\n    \
             style=\"rounded,filled\"; color=\"#cbd2d9\"; fillcolor=\"#f8f9fb\"; fontcolor=\"#1f2933\"",
            Escaped(&group.group)
        )?;
        for row in &group.rows {
            if let Some(place) = self.places.get(row.id).filter(|place| place.line.is_none()) {
                self.node(*place, out)?;
            }
        }
        writeln!(out, "  }}")
    }

    fn node(&self, place: GraphPosition<'_, '_>, out: &mut impl Write) -> io::Result<()> {
        let GraphPosition { row, node, .. } = place;
        let [fill, line, text, style] = look(self.picture, row);
        let cell = format!("<font color=\"{text}\"");
        write!(
            out,
            "    n{node} [label=<<table cellborder=\"0\" cellspacing=\"0\" cellpadding=\"3\" style=\"{style}\" bgcolor=\"{fill}\" \
             color=\"{line}\"><tr><td align=\"left\">{cell}><b>{}</b> {}</font></td></tr><tr><td align=\"left\">{cell} \
             point-size=\"10\">{}</font></td></tr>",
            Escaped(row.label),
            Escaped(&row.stability.to_string()),
            Escaped(&self.life(row))
        )?;
        let mut with = 0;
        for part in &self.within[node] {
            let Some(line) = part.line.filter(|_| self.stands_out(part.row)) else {
                with += 1;
                continue;
            };
            let name = rest_within(part.row.label, row.label)
                .unwrap_or(part.row.label)
                .trim_start();
            write!(
                out,
                "<tr><td align=\"left\" port=\"l{line}\">{cell} point-size=\"9\">{}: {}</font></td></tr>",
                Escaped(name),
                Escaped(&self.life(part.row))
            )?;
        }
        if with > 0 {
            let parts = if with == 1 { "part" } else { "parts" };
            write!(
                out,
                "<tr><td align=\"left\">{cell} point-size=\"9\">{with} {parts} with the same lifecycle</font></td></tr>"
            )?;
        }
        writeln!(out, "</table>>, tooltip=<{}>]", Escaped(row.id))
    }

    /// Whether a part has a line of its own: its lifecycle or its replacement is not that of its container.
    fn stands_out(&self, row: &RowReport<'_>) -> bool {
        let Some(container) = self.container(row) else {
            return true;
        };
        let [own, its] = [row, container.row].map(|row| self.target(row.replacement).map(|target| target.node));
        own.is_some() && own != its || !words::alike(&container.row.bands, &row.bands)
    }

    fn target(&self, id: Option<&str>) -> Option<GraphPosition<'g, 'a>> {
        self.places.get(id?).copied()
    }

    /// From an element to its replacement, and to the end of the chain if that is another element.
    fn edges(&self, row: &RowReport<'_>, out: &mut impl Write) -> io::Result<()> {
        let Some(from) = self.places.get(row.id).filter(|_| self.stands_out(row)) else {
            return Ok(());
        };
        let end = row.migrate_to.filter(|end| row.replacement != Some(end));
        let links = [
            (row.replacement, "label=\"replaced by\""),
            (end, "label=\"migrate to\", style=dashed, constraint=false"),
        ];
        for (to, how) in links {
            let to = self
                .target(to)
                .filter(|to| to.node != from.node || to.line.is_none() != from.line.is_none());
            if let Some(to) = to {
                writeln!(out, "  {} -> {} [{how}]", self.name(*from), self.name(to))?;
            }
        }
        Ok(())
    }

    /// A node, or a line of it.
    fn name(&self, place: GraphPosition<'_, '_>) -> String {
        match place.line.filter(|_| self.stands_out(place.row)) {
            Some(line) => format!("n{}:l{line}", place.node),
            None => format!("n{}", place.node),
        }
    }

    /// `from 1.8, deprecated 1.22, removed 1.25*`.
    fn life(&self, row: &RowReport<'_>) -> String {
        let turns = row.bands.iter().enumerate().map(|(at, band)| {
            let release = self.picture.releases.get(band.from);
            let release = release.map_or("?", |moment| moment.release);
            let what = match (band.state, band.level) {
                (State::Served, Some(level)) => level.to_string(),
                (State::Served, None) if at == 0 => "from".to_owned(),
                (state, _) => state.to_string(),
            };
            let planned = if words::is_planned(self.picture, band) { "*" } else { "" };
            format!("{what} {release}{planned}")
        });
        turns.collect::<Vec<_>>().join(", ")
    }
}

/// The fill, line and text color of a node and its style, by the state in the current release; before the first state
/// begins, and where nothing has shipped, plain.
fn look(picture: &PictureReport<'_>, row: &RowReport<'_>) -> [&'static str; 4] {
    let now = picture.current.and_then(|current| {
        let mut bands = row.bands.iter().rev();
        bands.find(|band| band.from <= current)
    });
    match now.map(|band| band.state) {
        Some(State::Served) => ["#d5ebdf", "#3f8a68", "#174a34", "rounded"],
        Some(State::Deprecated) => ["#fbe6bf", "#b7862b", "#5d3c05", "rounded"],
        Some(State::Hidden) => ["#e6e8ec", "#6b7480", "#374151", "dashed"],
        Some(State::Removed) => ["#ffffff", "#9aa5b1", "#52606d", "dotted"],
        Some(State::Tolerated) => ["#eef3fd", "#5f7fc4", "#2b4580", "dashed"],
        None => ["#ffffff", "#52606d", "#1f2933", "rounded"],
    }
}
