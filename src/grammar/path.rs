//! The ids of elements, as parts with names.
//!
//! Everything that needs a part of an id, or an id of parts, asks an [`ElementPath`]: nothing else knows where a slash
//! or a space stands in an id.

use std::borrow::Cow;

use super::{ElementKind, FileSection};

/// The group without a name, as ids and model files write it.
pub(crate) const CORE: &str = "core";

/// Whether a group is served by the API or read from configuration files. The same rules hold for both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// An API group.
    Api,
    /// The configuration of a component.
    Config,
}

/// The id of an element: `apps/v1`, `apps/v1 Deployment .spec.replicas`, `cli kubectl drain --force`, `gate Frobber2D`.
///
/// Its text reads back to the same parts. A name that would make that ambiguous stands in quotes, with `\"` and `\\`
/// within: `example.com/"v1 draft" Widget`. Ordinary names never do.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ElementPath<'a> {
    /// `apps/v1`, `config kubelet.config.k8s.io/v1beta1`.
    Version(VersionPath<'a>),
    /// `apps/v1 Deployment`.
    Kind(KindPath<'a>),
    /// `apps/v1 Deployment .spec.replicas`.
    Member(KindPath<'a>, MemberName<'a>),
    /// `cli kubectl drain`.
    Command {
        /// The program.
        program: Cow<'a, str>,
        /// The command, which may be several words.
        command: Cow<'a, str>,
    },
    /// `cli kubectl drain --force`.
    Flag {
        /// The program.
        program: Cow<'a, str>,
        /// The command; `None` for a flag of the program itself.
        command: Option<Cow<'a, str>>,
        /// The flag, with its dashes.
        flag: Cow<'a, str>,
    },
    /// An element that has only a name, after its kind: `gate Frobber2D`.
    Named(ElementKind, Cow<'a, str>),
    /// An element of a kind that is not built in: `endpoint GET /v1/users`.
    Extra {
        /// The name of its kind.
        kind: Cow<'a, str>,
        /// Its name.
        name: Cow<'a, str>,
    },
}

/// A version of a group.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VersionPath<'a> {
    /// API or configuration.
    pub(crate) family: Family,
    /// The group.
    pub(crate) group: Cow<'a, str>,
    /// The version's name.
    pub(crate) version: Cow<'a, str>,
}

/// A kind in a version.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KindPath<'a> {
    /// The version.
    pub(crate) version: VersionPath<'a>,
    /// The kind's name.
    pub(crate) kind: Cow<'a, str>,
}

/// The name of a member within its kind.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MemberName<'a> {
    /// A subresource: `scale`.
    Subresource(Cow<'a, str>),
    /// A field, by its path: `spec.replicas`.
    Field(Cow<'a, str>),
    /// A value of an enumeration.
    Value {
        /// The path of the field: `spec.strategy.type`.
        path: Cow<'a, str>,
        /// The value, which may be empty: `Recreate`.
        value: Cow<'a, str>,
    },
    /// An annotation, by its key: `example.com/size`.
    Annotation(Cow<'a, str>),
}

/// A text that is not the id of an element.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an id of an element, such as `apps/v1`, `apps/v1 Deployment` or `gate Frobber2D`")]
pub struct InvalidPath(pub(crate) String);

impl<'a> ElementPath<'a> {
    /// The kind of element that has such an id.
    pub(crate) fn element_kind(&self) -> ElementKind {
        match self {
            Self::Version(version) => version.family.version_kind(),
            Self::Kind(kind) => kind.version.family.kind_kind(),
            Self::Member(_, member) => member.element_kind(),
            Self::Command { .. } => ElementKind::Command,
            Self::Flag { .. } => ElementKind::Flag,
            Self::Named(kind, _) => *kind,
            Self::Extra { .. } => ElementKind::Extra,
        }
    }

    /// The version that it is, or is in.
    pub(crate) fn version(&self) -> Option<&VersionPath<'a>> {
        match self {
            Self::Version(version) => Some(version),
            Self::Kind(kind) | Self::Member(kind, _) => Some(&kind.version),
            Self::Command { .. } | Self::Flag { .. } | Self::Named(..) | Self::Extra { .. } => None,
        }
    }

    /// The kind that it is, or is a member of.
    pub(crate) fn kind(&self) -> Option<&KindPath<'a>> {
        match self {
            Self::Kind(kind) | Self::Member(kind, _) => Some(kind),
            Self::Version(_) | Self::Command { .. } | Self::Flag { .. } | Self::Named(..) | Self::Extra { .. } => None,
        }
    }

    /// The member that it is.
    pub(crate) fn member(&self) -> Option<&MemberName<'a>> {
        match self {
            Self::Member(_, member) => Some(member),
            Self::Version(_)
            | Self::Kind(_)
            | Self::Command { .. }
            | Self::Flag { .. }
            | Self::Named(..)
            | Self::Extra { .. } => None,
        }
    }

    /// The last of its names: of `apps/v1 Deployment/scale` it is `scale`, of `cli kubectl drain --force` `--force`.
    pub(crate) fn last_name(&self) -> Cow<'_, str> {
        match self {
            Self::Version(version) => Cow::Borrowed(&*version.version),
            Self::Kind(kind) => Cow::Borrowed(&*kind.kind),
            Self::Member(_, member) => member.written().into(),
            Self::Command { command: name, .. }
            | Self::Flag { flag: name, .. }
            | Self::Named(_, name)
            | Self::Extra { name, .. } => Cow::Borrowed(&**name),
        }
    }

    /// What it is part of: the version of a kind, the kind of a member, the command of a flag.
    pub(crate) fn owner(&self) -> Option<ElementPath<'a>> {
        match self {
            Self::Kind(kind) => Some(Self::Version(kind.version.clone())),
            Self::Member(kind, _) => Some(Self::Kind(kind.clone())),
            Self::Flag {
                program,
                command: Some(command),
                ..
            } => Some(Self::Command {
                program: program.clone(),
                command: command.clone(),
            }),
            Self::Version(_)
            | Self::Command { .. }
            | Self::Flag { command: None, .. }
            | Self::Named(..)
            | Self::Extra { .. } => None,
        }
    }

    /// Whether it is another element or part of it: a kind of the version, a member of the kind, a flag of the command.
    pub(crate) fn is_within(&self, other: &Self) -> bool {
        self == other || self.owner().is_some_and(|owner| owner.is_within(other))
    }

    /// The keys that lead to its entry in the model file. Those of a member lead to its entry for all versions; one
    /// that is declared version by version has another below `in`.
    pub(crate) fn keys(&self) -> Vec<String> {
        match self {
            Self::Version(version) => version.keys(),
            Self::Kind(kind) => below(&kind.keys(), &["version", &kind.version.version]),
            Self::Member(kind, member) => kind.keys().into_iter().chain(member.keys()).collect(),
            Self::Command { program, command } => below(&[], &[FileSection::Cli.as_str(), program, "command", command]),
            Self::Flag { program, command, flag } => match command {
                Some(command) => below(
                    &[],
                    &[FileSection::Cli.as_str(), program, "command", command, "flag", flag],
                ),
                None => below(&[], &[FileSection::Cli.as_str(), program, "flag", flag]),
            },
            Self::Named(kind, name) => below(&[], &[kind.row().section.as_str(), name]),
            Self::Extra { kind, name } => below(&[], &[kind, name]),
        }
    }

    /// The same with names of its own.
    pub(crate) fn into_owned(self) -> ElementPath<'static> {
        match self {
            Self::Version(version) => ElementPath::Version(version.into_owned()),
            Self::Kind(kind) => ElementPath::Kind(kind.into_owned()),
            Self::Member(kind, member) => ElementPath::Member(kind.into_owned(), member.into_owned()),
            Self::Command { program, command } => ElementPath::Command {
                program: owned(program),
                command: owned(command),
            },
            Self::Flag { program, command, flag } => ElementPath::Flag {
                program: owned(program),
                command: command.map(owned),
                flag: owned(flag),
            },
            Self::Named(kind, name) => ElementPath::Named(kind, owned(name)),
            Self::Extra { kind, name } => ElementPath::Extra {
                kind: owned(kind),
                name: owned(name),
            },
        }
    }
}

impl<'a> VersionPath<'a> {
    /// A version of an API group.
    pub fn api(group: impl Into<Cow<'a, str>>, version: impl Into<Cow<'a, str>>) -> Self {
        Self::new(Family::Api, group, version)
    }

    /// A version of a group of a family.
    pub(crate) fn new(family: Family, group: impl Into<Cow<'a, str>>, version: impl Into<Cow<'a, str>>) -> Self {
        Self {
            family,
            group: group.into(),
            version: version.into(),
        }
    }

    /// A kind in it.
    pub(crate) fn with_kind(self, kind: impl Into<Cow<'a, str>>) -> KindPath<'a> {
        KindPath {
            version: self,
            kind: kind.into(),
        }
    }

    /// The keys that lead to its group in the model file.
    pub(crate) fn group_keys(&self) -> Vec<String> {
        below(&[], &[self.family.section(), &self.group])
    }

    /// The keys that lead to its entry in the model file.
    pub(crate) fn keys(&self) -> Vec<String> {
        below(&[], &[self.family.section(), &self.group, "version", &self.version])
    }

    /// As objects name it: `apps/v1`, and `v1` in the core group.
    pub(crate) fn api_version(&self) -> String {
        match &*self.group {
            CORE => self.version.to_string(),
            group => format!("{group}/{}", self.version),
        }
    }

    /// Reads what objects write as their `apiVersion`.
    pub(crate) fn of_api_version(text: &'a str) -> Self {
        let (group, version) = text.rsplit_once('/').unwrap_or((CORE, text));
        Self::api(group, version)
    }

    fn into_owned(self) -> VersionPath<'static> {
        VersionPath::new(self.family, owned(self.group), owned(self.version))
    }
}

impl<'a> KindPath<'a> {
    /// A kind of an API group.
    pub(crate) fn api(
        group: impl Into<Cow<'a, str>>,
        version: impl Into<Cow<'a, str>>,
        kind: impl Into<Cow<'a, str>>,
    ) -> Self {
        VersionPath::api(group, version).with_kind(kind)
    }

    /// The keys that lead to its entry for all versions in the model file.
    pub(crate) fn keys(&self) -> Vec<String> {
        below(
            &[],
            &[self.version.family.section(), &self.version.group, "kind", &self.kind],
        )
    }

    /// A member of it.
    pub(crate) fn with_member(self, member: MemberName<'a>) -> ElementPath<'a> {
        ElementPath::Member(self, member)
    }

    fn into_owned(self) -> KindPath<'static> {
        self.version.into_owned().with_kind(owned(self.kind))
    }
}

impl<'a> MemberName<'a> {
    /// A field, by its path in a schema: `.spec.ports[].name`.
    pub(crate) fn of_field(path: &'a str) -> Self {
        Self::Field(path.strip_prefix('.').unwrap_or(path).into())
    }

    /// The keys that lead to its entry from that of its kind.
    pub(crate) fn keys(&self) -> Vec<String> {
        match self {
            Self::Subresource(name) => below(&[], &["subresource", name]),
            Self::Field(path) => below(&[], &["field", path]),
            Self::Value { path, value } => below(&[], &["enum", path, value]),
            Self::Annotation(name) => below(&[], &["annotation", name]),
        }
    }

    /// The kind of element that it names.
    pub(crate) fn element_kind(&self) -> ElementKind {
        match self {
            Self::Subresource(_) => ElementKind::Subresource,
            Self::Field(_) => ElementKind::Field,
            Self::Value { .. } => ElementKind::EnumValue,
            Self::Annotation(_) => ElementKind::Annotation,
        }
    }

    /// The same with names of its own.
    pub(crate) fn into_owned(self) -> MemberName<'static> {
        match self {
            Self::Subresource(name) => MemberName::Subresource(owned(name)),
            Self::Field(path) => MemberName::Field(owned(path)),
            Self::Value { path, value } => MemberName::Value {
                path: owned(path),
                value: owned(value),
            },
            Self::Annotation(name) => MemberName::Annotation(owned(name)),
        }
    }
}

impl Family {
    /// The kind of element that its versions are.
    pub(crate) fn version_kind(self) -> ElementKind {
        match self {
            Self::Api => ElementKind::ApiVersion,
            Self::Config => ElementKind::ConfigVersion,
        }
    }

    /// The kind of element that its kinds are.
    pub(crate) fn kind_kind(self) -> ElementKind {
        match self {
            Self::Api => ElementKind::Kind,
            Self::Config => ElementKind::ConfigKind,
        }
    }

    /// The section of the model file that has its groups.
    pub(crate) fn section(self) -> &'static str {
        self.version_kind().row().section.as_str()
    }
}

fn owned(name: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(name.into_owned())
}

/// The keys of a table within another one.
pub(crate) fn below(path: &[String], keys: &[&str]) -> Vec<String> {
    let keys = keys.iter().map(|key| (*key).to_owned());
    path.iter().cloned().chain(keys).collect()
}

impl<'a> From<VersionPath<'a>> for ElementPath<'a> {
    fn from(version: VersionPath<'a>) -> Self {
        Self::Version(version)
    }
}

impl<'a> From<KindPath<'a>> for ElementPath<'a> {
    fn from(kind: KindPath<'a>) -> Self {
        Self::Kind(kind)
    }
}
