//! The model of what was found.

use lifecycle::import::kinds::Parts;
use lifecycle::import::{
    Draft, Format, ImportError, Imported, Notice, Releases, TagFile, Topic, crds, kubernetes_api, openapi,
};

use crate::failure::{Failure, Result};

use super::find::{Sort, Survey};
use super::states::States;
use super::update::NextImport;

pub struct Model {
    pub draft: Draft,
    /// What cannot be read, or contradicts itself.
    pub notices: Vec<Notice>,
    /// The changes that the model does not express.
    pub left_out: Vec<Notice>,
    /// The folders of the schemas now, as seen from that of the model.
    pub schemas: Vec<String>,
}

impl Model {
    pub fn of(states: &States, survey: &Survey) -> Result<Self> {
        let imported = match survey.sort {
            Some(Sort::Crds) => read(states, survey, Sort::Crds, &crds::FORMAT, |known, releases| {
                crds::import(known, releases, Parts::Changed)
            })?,
            Some(Sort::Packages) => read(
                states,
                survey,
                Sort::Packages,
                &kubernetes_api::FORMAT,
                |known, releases| kubernetes_api::import(known, releases, None),
            )?,
            Some(Sort::Documents) => read(states, survey, Sort::Documents, &openapi::FORMAT, |known, releases| {
                openapi::import(known, releases, Parts::Changed)
            })?,
            None => calendar_only(survey)?,
        };
        let (left_out, notices): (Vec<_>, Vec<_>) = imported
            .notices
            .into_iter()
            .partition(|notice| matches!(notice.topic, Topic::NotInModel | Topic::Changed));
        let schemas = match survey.sort {
            Some(Sort::Packages) | None => Vec::new(),
            Some(Sort::Crds | Sort::Documents) => {
                let paths = survey.newest_paths();
                paths.iter().map(|path| states.seen_from_folder(path)).collect()
            }
        };
        Ok(Self {
            draft: imported.draft,
            notices,
            left_out,
            schemas,
        })
    }

    /// Whether it declares no element.
    pub fn is_empty(&self) -> bool {
        self.draft.groups.is_empty()
    }
}

fn read<T>(
    states: &States,
    survey: &Survey,
    sort: Sort,
    format: &Format<T>,
    make: impl FnOnce(Draft, &mut Releases<'_, T>) -> Result<Imported, ImportError>,
) -> Result<Imported> {
    let mut releases = Releases::new(format);
    for release in &survey.releases {
        let state = &release.state;
        releases.begin(&state.release, state.date)?;
        let files = release.files(sort).map(|file| {
            let tag_file = TagFile {
                tag: &state.tag,
                path: &file.path,
                content_id: &file.id,
            };
            (tag_file, file)
        });
        releases.add_tag(&state.release, files, |file, _| -> Result<_, Failure> {
            states.text(file)
        })?;
    }
    releases.check()?;
    let mut imported = make(Draft::default(), &mut releases)?;
    imported.notices.append(&mut releases.notices);
    let folders = match survey.newest_paths().as_slice() {
        [] => String::new(),
        paths => format!(" in {}", paths.join(" ")),
    };
    let next = NextImport::of(states, survey).map(|next| format!("{}: `{}`", next.when, next.command));
    let origin = format!("Imported from {}{folders} by `lifecycle init`.", sort.name());
    imported.draft.origin = std::iter::once(origin).chain(next).collect();
    Ok(imported)
}

/// The releases alone.
fn calendar_only(survey: &Survey) -> Result<Imported> {
    let mut releases = Releases::new(&crds::FORMAT);
    for release in &survey.releases {
        releases.begin(&release.state.release, release.state.date)?;
    }
    let mut draft = Draft::default();
    draft.calendar = releases.shipped();
    Ok(Imported {
        draft,
        notices: releases.notices,
        ..Imported::default()
    })
}
