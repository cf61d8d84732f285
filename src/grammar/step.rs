//! Steps between the deprecation and the removal of an element. A policy names them; what a step means for users is one
//! of a closed list.

use std::borrow::Cow;
use std::fmt;

use super::EventKind;
use super::event_kind::MOST_STEPS;

/// Makes the enum of duties: the word in policies, what the element does then, and what that is called.
macro_rules! duties {
    ($($(#[$doc:meta])* $duty:ident = $name:literal $verb:literal $noun:literal)*) => {
        /// What a step means for users. The list is closed, so that notes and agendas know what to say of each.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        pub enum Duty {
            $($(#[$doc])* #[serde(rename = $name)] $duty,)*
        }

        impl Duty {
            /// As policies write them.
            pub(crate) const NAMES: &[&str] = &[$($name),*];

            pub(crate) fn parse(text: &str) -> Option<Self> {
                match text {
                    $($name => Some(Self::$duty),)*
                    _ => None,
                }
            }

            /// As a predicate: "warns".
            fn verb(self) -> &'static str {
                match self {
                    $(Self::$duty => $verb,)*
                }
            }

            /// As what is due: "warning at run time".
            pub(crate) fn noun(self) -> &'static str {
                match self {
                    $(Self::$duty => $noun,)*
                }
            }
        }
    };
}

duties! {
    /// The documentation says so; nothing else changes.
    Document = "document" "is documented as ending" "documentation"
    /// Its use warns at run time.
    Warn = "warn" "warns" "warning at run time"
    /// Its use fails, unless it is allowed explicitly.
    Fail = "fail" "fails by default" "failure by default"
    /// It works, and is no longer supported.
    EndSupport = "end-support" "is no longer supported" "end of support"
    /// Users can use it only on request.
    Hide = "hide" "is hidden" "hiding"
}

/// The names of an event, as people read them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventWord<'a> {
    /// What happens.
    pub kind: EventKind,
    name: &'a str,
    verb: &'a str,
}

/// The steps that the policies of a product name, in their order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Steps(Vec<Step>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) name: String,
    pub(crate) duty: Duty,
    verb: String,
}

impl Steps {
    /// Adds a step; one that is known keeps its place. `None` if there are too many.
    pub(crate) fn add(&mut self, name: &str, duty: Duty) -> Option<EventKind> {
        let known = self.0.iter().position(|step| step.name == name);
        let at = known.unwrap_or(self.0.len());
        if at >= MOST_STEPS {
            return None;
        }
        if known.is_none() {
            self.0.push(Step {
                name: name.to_owned(),
                duty,
                verb: format!("{} ({name})", duty.verb()),
            });
        }
        u8::try_from(at).ok().map(EventKind::Step)
    }

    /// The step of this name.
    pub(crate) fn find(&self, name: &str) -> Option<EventKind> {
        let at = self.0.iter().position(|step| step.name == name)?;
        u8::try_from(at).ok().map(EventKind::Step)
    }

    /// Each with its event, in their order.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (EventKind, &Step)> + Clone {
        EventKind::STEPS.into_iter().zip(&self.0)
    }

    /// The step that an event is.
    pub(crate) fn of(&self, what: EventKind) -> Option<&Step> {
        match what {
            EventKind::Step(at) => self.0.get(usize::from(at)),
            _ => None,
        }
    }

    /// The names of an event.
    pub(crate) fn name_of(&self, what: EventKind) -> EventWord<'_> {
        match self.of(what) {
            Some(step) => EventWord {
                kind: what,
                name: &step.name,
                verb: &step.verb,
            },
            None => what.into(),
        }
    }
}

impl From<EventKind> for EventWord<'_> {
    fn from(kind: EventKind) -> Self {
        Self {
            kind,
            name: kind.as_str(),
            verb: kind.verb(),
        }
    }
}

impl<'a> EventWord<'a> {
    /// As reports write it.
    pub fn as_str(self) -> &'a str {
        self.name
    }

    /// The same, independent of the policy that names it.
    pub(crate) fn owned(self) -> Cow<'static, str> {
        match self.kind {
            EventKind::Step(_) => Cow::Owned(self.name.to_owned()),
            named => Cow::Borrowed(named.as_str()),
        }
    }

    /// As a predicate: "is removed".
    pub(crate) fn verb(self) -> &'a str {
        self.verb
    }
}

impl PartialEq<EventKind> for EventWord<'_> {
    fn eq(&self, other: &EventKind) -> bool {
        self.kind == *other
    }
}

impl fmt::Display for EventWord<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl serde::Serialize for EventWord<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}

#[cfg(test)]
impl schemars::JsonSchema for EventWord<'_> {
    fn schema_name() -> Cow<'static, str> {
        "EventWord".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let known: Vec<&str> = EventKind::named().map(EventKind::as_str).collect();
        let description = format!(
            "What happens: {}, or the name of a step of the policy.",
            known.join(", ")
        );
        schemars::json_schema!({ "description": description, "type": "string" })
    }
}

/// Whether a text can name a step: `runtime`, `end-of-support`. What has a meaning already cannot.
pub(crate) fn can_name_step(text: &str) -> bool {
    let begins = text.starts_with(|c: char| c.is_ascii_lowercase());
    let has_form = begins && text.chars().all(|c| matches!(c, 'a'..='z' | '0'..='9' | '-'));
    has_form && EventKind::parse(text).is_none()
}
