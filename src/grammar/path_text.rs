//! Ids as text, written and read.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use super::ElementKind;
use super::extra_kind::can_name_kind;
use super::path::{ElementPath, Family, InvalidPath, KindPath, MemberName, VersionPath};

/// The words that ids begin with, but for those of the API.
pub(super) const CONFIG: &str = "config";
pub(super) const CLI: &str = "cli";

impl FromStr for ElementPath<'static> {
    type Err = InvalidPath;

    fn from_str(text: &str) -> Result<Self, InvalidPath> {
        ElementPath::parse(text).map(ElementPath::into_owned)
    }
}

impl fmt::Display for ElementPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.append_to(&mut text);
        f.write_str(&text)
    }
}

impl<'a> ElementPath<'a> {
    /// Reads an id, borrowing its names.
    ///
    /// # Errors
    ///
    /// If the text has the form of no id.
    pub(crate) fn parse(text: &'a str) -> Result<Self, InvalidPath> {
        parse(text).ok_or_else(|| InvalidPath(text.to_owned()))
    }

    /// Appends the id to a text, and answers where in it the element's own name begins: of a field after its kind, of a
    /// flag after `cli `.
    pub(crate) fn append_to(&self, text: &mut String) -> usize {
        append(self, text)
    }
}

impl<'a> MemberName<'a> {
    /// Reads a name as [`written`](Self::written) makes it. A kind of element that is no member is taken for a field.
    pub(crate) fn of(kind: ElementKind, written: &'a str) -> Self {
        if kind == ElementKind::Subresource {
            return Self::Subresource(written.into());
        }
        if kind == ElementKind::Annotation {
            return Self::Annotation(written.into());
        }
        parse_field(written).unwrap_or(Self::Field(written.into()))
    }

    /// Appends it to the id of its kind, and answers where in it the member's own name begins.
    pub(crate) fn append_to(&self, text: &mut String) -> usize {
        append_member(self, text)
    }

    /// The same with the sign before it: `/scale`, `.spec.replicas`, `@example.com/size`.
    pub(crate) fn with_sign(&self) -> String {
        let mut text = String::new();
        append_member(self, &mut text);
        text.trim_start().to_owned()
    }

    /// As the end of ids writes it: `scale`, `spec.replicas`, `spec.strategy.type=Recreate`, `example.com/size`.
    pub(crate) fn written(&self) -> String {
        let mut text = String::new();
        append_member_name(self, &mut text);
        text
    }
}

impl fmt::Display for VersionPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        append_version(self, &mut text);
        f.write_str(&text)
    }
}

impl fmt::Display for KindPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        append_kind(self, &mut text);
        f.write_str(&text)
    }
}

/// Appends an id; answers where its own name begins.
fn append(path: &ElementPath<'_>, text: &mut String) -> usize {
    match path {
        ElementPath::Version(version) => append_version(version, text),
        ElementPath::Kind(kind) => append_kind(kind, text),
        ElementPath::Member(kind, member) => {
            append_kind(kind, text);
            append_member(member, text)
        }
        ElementPath::Command { program, command } => {
            let own = append_program(program, text);
            append_command(command, text);
            own
        }
        ElementPath::Flag { program, command, flag } => {
            let own = append_program(program, text);
            if let Some(command) = command {
                append_command(command, text);
            }
            append_flag(flag, text);
            own
        }
        ElementPath::Named(kind, name) => {
            text.push_str(kind.row().section.as_str());
            append_plain(" ", name, text)
        }
        ElementPath::Extra { kind, name } => {
            text.push_str(kind);
            append_plain(" ", name, text)
        }
    }
}

fn append_version(path: &VersionPath<'_>, text: &mut String) -> usize {
    let VersionPath { family, group, version } = path;
    if *family == Family::Config {
        append_plain(CONFIG, " ", text);
    }
    let own = text.len();
    append_name(group, text, !group.contains(' ') && !group.contains("/\""));
    text.push('/');
    append_name(version, text, !version.contains([' ', '/']));
    own
}

fn append_kind(path: &KindPath<'_>, text: &mut String) -> usize {
    append_version(&path.version, text);
    text.push(' ');
    let own = text.len();
    append_name(&path.kind, text, !path.kind.contains([' ', '/']));
    own
}

fn append_member(member: &MemberName<'_>, text: &mut String) -> usize {
    text.push_str(match member {
        MemberName::Subresource(_) => "/",
        MemberName::Annotation(_) => " @",
        MemberName::Field(_) | MemberName::Value { .. } => " .",
    });
    let own = text.len();
    append_member_name(member, text);
    own
}

fn append_member_name(member: &MemberName<'_>, text: &mut String) {
    match member {
        MemberName::Subresource(name) | MemberName::Annotation(name) => text.push_str(name),
        MemberName::Field(path) => append_field(path, text),
        MemberName::Value { path, value } => {
            append_field(path, text);
            text.push('=');
            text.push_str(value);
        }
    }
}

fn append_field(path: &str, text: &mut String) {
    if path.starts_with('"') || path.contains('=') {
        append_quoted(path, text);
    } else {
        text.push_str(path);
    }
}

fn append_program(program: &str, text: &mut String) -> usize {
    append_plain(CLI, " ", text);
    let own = text.len();
    append_name(program, text, !program.contains(' '));
    own
}

fn append_command(command: &str, text: &mut String) {
    text.push(' ');
    append_name(command, text, !command.starts_with('-') && !command.contains(" -"));
}

/// A flag begins with a dash; one that does not, or that looks quoted, is quoted after a dash.
fn append_flag(flag: &str, text: &mut String) {
    text.push(' ');
    if flag.starts_with('-') && !flag.starts_with("-\"") {
        text.push_str(flag);
    } else {
        text.push('-');
        append_quoted(flag, text);
    }
}

/// A name that goes on to the end of the id, whatever is in it.
fn append_plain(before: &str, name: &str, text: &mut String) -> usize {
    text.push_str(before);
    let own = text.len();
    text.push_str(name);
    own
}

/// A name that ends where the next one begins: in quotes unless `is_plain`.
fn append_name(name: &str, text: &mut String, is_plain: bool) {
    if is_plain && !name.is_empty() && !name.starts_with('"') {
        text.push_str(name);
    } else {
        append_quoted(name, text);
    }
}

fn append_quoted(name: &str, text: &mut String) {
    text.push('"');
    for c in name.chars() {
        if matches!(c, '"' | '\\') {
            text.push('\\');
        }
        text.push(c);
    }
    text.push('"');
}

/// The paths of the fields that a field or value is within, the outermost first: `spec` and `spec.strategy` of
/// `spec.strategy.type`.
pub(crate) fn fields_around(written: &str) -> impl Iterator<Item = &str> {
    written.match_indices(['.', '=']).map(|(end, _)| &written[..end])
}

/// The path of the innermost of these fields.
pub(crate) fn field_around(written: &str) -> Option<&str> {
    written.rfind(['.', '=']).map(|end| &written[..end])
}

/// What an id has after the id of something that it is within: ` .spec.size` within `apps/v1 Widget`. Empty if the two
/// are equal.
///
/// Both may lack the parts before, such as the group.
pub(crate) fn rest_within<'a>(id: &'a str, whole: &str) -> Option<&'a str> {
    let rest = id.strip_prefix(whole)?;
    (rest.is_empty() || rest.starts_with([' ', '/', '='])).then_some(rest)
}

/// The kind of element that a word names, if its ids are that word and a name.
pub(super) fn named(word: &str) -> Option<ElementKind> {
    let mut kinds = ElementKind::ALL.into_iter().filter(|kind| kind.is_named());
    kinds.find(|kind| kind.row().section.as_str() == word)
}

/// Reads an id; `None` if it has no such form.
fn parse(text: &str) -> Option<ElementPath<'_>> {
    match text.split_once(' ') {
        Some((CLI, rest)) => parse_cli(rest),
        Some((CONFIG, rest)) => parse_object(Family::Config, rest),
        Some((word, name)) if named(word).is_some() => Some(ElementPath::Named(named(word)?, name.into())),
        Some((kind, name)) if can_name_kind(kind) => Some(ElementPath::Extra {
            kind: kind.into(),
            name: name.into(),
        }),
        _ => parse_object(Family::Api, text),
    }
}

fn parse_object(family: Family, text: &str) -> Option<ElementPath<'_>> {
    let (group, rest) = parse_group(text)?;
    let (version, rest) = parse_name(rest, rest.find([' ', '/']))?;
    let version = VersionPath { family, group, version };
    if rest.is_empty() {
        return Some(version.into());
    }
    let rest = rest.strip_prefix(' ')?;
    let (kind, rest) = parse_name(rest, rest.find([' ', '/']))?;
    let kind = version.with_kind(kind);
    if rest.is_empty() {
        return Some(kind.into());
    }
    Some(kind.with_member(parse_member(rest)?))
}

/// A group, and what follows the slash after it. A group may have slashes of its own: a plain version has none.
pub(super) fn parse_group(text: &str) -> Option<(Cow<'_, str>, &str)> {
    if text.starts_with('"') {
        let (group, rest) = parse_quoted(text)?;
        return Some((group, rest.strip_prefix('/')?));
    }
    let head = &text[..text.find(' ').unwrap_or(text.len())];
    let slash = head.find("/\"").or_else(|| head.rfind('/'))?;
    (slash > 0).then(|| (text[..slash].into(), &text[slash + 1..]))
}

fn parse_member(text: &str) -> Option<MemberName<'_>> {
    if let Some(name) = text.strip_prefix('/') {
        return Some(MemberName::Subresource(name.into()));
    }
    if let Some(name) = text.strip_prefix(" @") {
        return Some(MemberName::Annotation(name.into()));
    }
    parse_field(text.strip_prefix(" .")?)
}

/// A field, or a value of one.
fn parse_field(text: &str) -> Option<MemberName<'_>> {
    let (path, rest) = if text.starts_with('"') {
        parse_quoted(text)?
    } else {
        let end = text.find('=').unwrap_or(text.len());
        (text[..end].into(), &text[end..])
    };
    if rest.is_empty() {
        return Some(MemberName::Field(path));
    }
    let value = rest.strip_prefix('=')?.into();
    Some(MemberName::Value { path, value })
}

fn parse_cli(text: &str) -> Option<ElementPath<'_>> {
    let (program, rest) = parse_name(text, text.find(' '))?;
    let rest = rest.strip_prefix(' ')?;
    if rest.starts_with('-') {
        let (command, flag) = (None, parse_flag(rest)?);
        return Some(ElementPath::Flag { program, command, flag });
    }
    let (command, rest) = parse_name(rest, rest.find(" -"))?;
    if rest.is_empty() {
        return Some(ElementPath::Command { program, command });
    }
    Some(ElementPath::Flag {
        program,
        command: Some(command),
        flag: parse_flag(rest.strip_prefix(' ')?)?,
    })
}

fn parse_flag(text: &str) -> Option<Cow<'_, str>> {
    let rest = text.strip_prefix('-')?;
    if !rest.starts_with('"') {
        return Some(text.into());
    }
    let (flag, rest) = parse_quoted(rest)?;
    rest.is_empty().then_some(flag)
}

/// A name in quotes or up to its end, and the rest.
pub(super) fn parse_name(text: &str, end: Option<usize>) -> Option<(Cow<'_, str>, &str)> {
    if text.starts_with('"') {
        return parse_quoted(text);
    }
    let end = end.unwrap_or(text.len());
    (end > 0).then(|| (text[..end].into(), &text[end..]))
}

/// A name in quotes, and the rest.
fn parse_quoted(text: &str) -> Option<(Cow<'_, str>, &str)> {
    let inner = text.strip_prefix('"')?;
    let mut name = String::new();
    let mut is_escaped = false;
    for (at, c) in inner.char_indices() {
        match (is_escaped, c) {
            (false, '\\') => is_escaped = true,
            (false, '"') => return Some((name.into(), &inner[at + 1..])),
            _ => {
                name.push(c);
                is_escaped = false;
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Names with every character that means something in an id, and such that begin like an id.
    fn name() -> impl Strategy<Value = Cow<'static, str>> {
        let odd = prop::collection::vec(
            prop::sample::select(vec![
                "a", "Z", "0", "/", ".", " ", "\"", "\\", "=", "@", "-", "--", " -", "ü", "日", "'", "\n", "/\"",
            ]),
            0..6,
        );
        let like_an_id = prop::sample::select(vec![
            "gate x",
            "config ",
            "cli a",
            "metric ",
            "behavior b",
            "apps/v1",
            "core/v1 Pod",
            "a .b",
            "a @b",
            "-\"x\"",
        ]);
        let ordinary = prop::sample::select(vec![
            "apps",
            "example.com/team",
            "v1beta1",
            "Widget",
            "spec.a[].b",
            "--force",
        ]);
        prop_oneof![
            odd.prop_map(|parts| parts.concat()),
            like_an_id.prop_map(str::to_owned),
            ordinary.prop_map(str::to_owned)
        ]
        .prop_map(Cow::Owned)
    }

    fn version(family: Family) -> impl Strategy<Value = VersionPath<'static>> {
        (name(), name()).prop_map(move |(group, version)| VersionPath { family, group, version })
    }

    fn kind(family: Family) -> impl Strategy<Value = KindPath<'static>> {
        (version(family), name()).prop_map(|(version, kind)| version.with_kind(kind))
    }

    fn member(name: impl Strategy<Value = MemberName<'static>> + 'static) -> BoxedStrategy<ElementPath<'static>> {
        let family = prop::sample::select(vec![Family::Api, Family::Config]);
        let paths = (family.prop_flat_map(kind), name);
        paths.prop_map(|(kind, member)| kind.with_member(member)).boxed()
    }

    /// Ids of a kind of element.
    fn path_of(of: ElementKind) -> BoxedStrategy<ElementPath<'static>> {
        match of {
            ElementKind::ApiVersion => version(Family::Api).prop_map(ElementPath::Version).boxed(),
            ElementKind::ConfigVersion => version(Family::Config).prop_map(ElementPath::Version).boxed(),
            ElementKind::Kind => kind(Family::Api).prop_map(ElementPath::Kind).boxed(),
            ElementKind::ConfigKind => kind(Family::Config).prop_map(ElementPath::Kind).boxed(),
            ElementKind::Subresource => member(name().prop_map(MemberName::Subresource)),
            ElementKind::Field => member(name().prop_map(MemberName::Field)),
            ElementKind::EnumValue => {
                member((name(), name()).prop_map(|(path, value)| MemberName::Value { path, value }))
            }
            ElementKind::Annotation => member(name().prop_map(MemberName::Annotation)),
            ElementKind::Command => (name(), name())
                .prop_map(|(program, command)| ElementPath::Command { program, command })
                .boxed(),
            ElementKind::Flag => (name(), prop::option::of(name()), name())
                .prop_map(|(program, command, flag)| ElementPath::Flag { program, command, flag })
                .boxed(),
            ElementKind::Extra => ("[a-z][a-z0-9-]{0,6}", name())
                .prop_filter("a word of a section names no other kind", |(kind, _)| {
                    can_name_kind(kind)
                })
                .prop_map(|(kind, name)| ElementPath::Extra {
                    kind: kind.into(),
                    name,
                })
                .boxed(),
            ElementKind::Gate | ElementKind::Metric | ElementKind::Behavior => {
                name().prop_map(move |name| ElementPath::Named(of, name)).boxed()
            }
        }
    }

    fn path() -> impl Strategy<Value = ElementPath<'static>> {
        prop::sample::select(ElementKind::ALL.to_vec()).prop_flat_map(path_of)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1024))]

        #[test]
        fn an_id_reads_back_to_its_parts(path in path()) {
            let text = path.to_string();
            prop_assert_eq!(text.parse::<ElementPath<'_>>(), Ok(path), "{}", text);
        }

        #[test]
        fn two_elements_never_share_an_id(one in path(), other in path()) {
            prop_assert_eq!(one == other, one.to_string() == other.to_string());
        }

        #[test]
        fn any_text_is_refused_or_means_one_element(text in "[a-z/ .@=\"\\\\-]{0,20}") {
            if let Ok(path) = ElementPath::parse(&text) {
                let again = path.to_string();
                prop_assert_eq!(ElementPath::parse(&again), Ok(path.clone()), "{}", again);
            }
        }
    }

    #[test]
    fn ordinary_ids_have_no_quotes() {
        for id in [
            "core/v1 Pod",
            "example.com/team/v1 Widget",
            "apps/v1 Deployment .spec.template.spec.containers[].image",
            "apps/v1 Deployment .spec.strategy.type=",
            "apps/v1 Deployment .spec.quoted=\"a = b/c\"",
            "cli kubectl create deployment --dry-run",
            "cli kubectl --record",
            "metric apiserver_storage_objects",
            "behavior exec probe / timeout",
        ] {
            assert_eq!(ElementPath::parse(id).map(|path| path.to_string()).as_deref(), Ok(id));
        }
    }

    #[test]
    fn what_names_no_element_is_refused() {
        for text in [
            "",
            "apps",
            "/v1",
            "apps/",
            "apps/v1 ",
            "apps/v1 Deployment ",
            "cli kubectl",
            "cli kubectl ",
            "\"apps/v1",
        ] {
            assert!(ElementPath::parse(text).is_err(), "{text}");
        }
    }

    fn is_within(one: &str, other: &str) -> bool {
        let parsed = ElementPath::parse(one).ok().zip(ElementPath::parse(other).ok());
        parsed.is_some_and(|(one, other)| one.is_within(&other))
    }

    #[test]
    fn an_element_is_within_itself_and_what_it_is_part_of() {
        assert!(is_within("apps/v1 Deployment .spec", "apps/v1"));
        assert!(is_within("apps/v1 Deployment/scale", "apps/v1 Deployment"));
        assert!(is_within("cli kubectl drain --force", "cli kubectl drain"));
        assert!(!is_within("apps/v1beta1", "apps/v1"));
        assert!(!is_within("apps/v1 DeploymentList", "apps/v1 Deployment"));
        assert!(!is_within("apps/v1", "apps/v1 Deployment"));
    }
}
