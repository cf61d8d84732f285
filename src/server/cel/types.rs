//! Types of expressions, and their names in messages.

use std::sync::Arc;

/// What a schema declares for one value, by its number.
pub(super) type DeclId = usize;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Type {
    Bool,
    Bytes,
    Double,
    Duration,
    Int,
    Null,
    Text,
    Timestamp,
    Uint,
    /// Known only when the rule runs.
    Dyn,
    /// Of an expression that is reported already.
    Error,
    List(Arc<Type>),
    Map(Arc<Type>, Arc<Type>),
    Optional(Arc<Type>),
    /// Of a type itself, such as `int`.
    Meta(Option<Arc<Type>>),
    /// Of an object in the schema.
    Object(DeclId),
    /// A type of the server's libraries.
    Library(Library),
    /// Not yet known: what it stands for is bound where it is used.
    Variable(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Library {
    Ip,
    Cidr,
    Url,
    Quantity,
    Semver,
    Format,
    Authorizer,
    PathCheck,
    GroupCheck,
    ResourceCheck,
    Decision,
}

impl Type {
    pub(super) fn list(of: Self) -> Self {
        Self::List(Arc::new(of))
    }

    pub(super) fn map(key: Self, value: Self) -> Self {
        Self::Map(Arc::new(key), Arc::new(value))
    }

    pub(super) fn optional(of: Self) -> Self {
        Self::Optional(Arc::new(of))
    }

    /// The type that a name such as `int` stands for.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "bool" => Self::Bool,
            "bytes" => Self::Bytes,
            "double" => Self::Double,
            "duration" => Self::Duration,
            "int" => Self::Int,
            "list" => Self::list(Self::Dyn),
            "map" => Self::map(Self::Dyn, Self::Dyn),
            "null_type" => Self::Null,
            "optional_type" => Self::optional(Self::Dyn),
            "string" => Self::Text,
            "timestamp" => Self::Timestamp,
            "type" => Self::Meta(None),
            "uint" => Self::Uint,
            _ => return None,
        })
    }

    /// Whether nothing can be said of a value of this type.
    pub(super) fn is_open(&self) -> bool {
        matches!(self, Self::Dyn | Self::Error)
    }

    /// Whether every value has the size 1.
    pub(super) fn is_scalar(&self) -> bool {
        match self {
            Self::Bool | Self::Double | Self::Duration | Self::Int | Self::Timestamp | Self::Uint => true,
            Self::Optional(of) => of.is_scalar(),
            _ => false,
        }
    }

    /// `an integer`, `a list of strings`
    pub(super) fn one(&self) -> String {
        let words = match self {
            Self::List(of) => return format!("a list{}", of.plural_of(2)),
            Self::Map(_, value) => return format!("a map{}", value.plural_of(2)),
            Self::Optional(of) => match **of {
                Self::Variable(_) | Self::Dyn | Self::Error => "an optional value",
                _ => return format!("an optional value, of which the content is {}", of.one()),
            },
            Self::Bool => "a boolean",
            Self::Bytes => "bytes",
            Self::Double => "a floating-point number",
            Self::Duration => "a duration",
            Self::Int => "an integer",
            Self::Null => "null",
            Self::Text => "a string",
            Self::Timestamp => "a timestamp",
            Self::Uint => "an unsigned integer",
            Self::Dyn | Self::Error | Self::Variable(_) => "a value of any type",
            Self::Meta(_) => "a type",
            Self::Object(_) => "an object",
            Self::Library(library) => library.one(),
        };
        words.to_owned()
    }

    fn plural_of(&self, deep: u8) -> String {
        let words = match self {
            Self::Bool => " of booleans",
            Self::Bytes => " of bytes",
            Self::Double => " of floating-point numbers",
            Self::Duration => " of durations",
            Self::Int => " of integers",
            Self::Text => " of strings",
            Self::Timestamp => " of timestamps",
            Self::Uint => " of unsigned integers",
            Self::Object(_) => " of objects",
            Self::List(of) if deep > 0 => return format!(" of lists{}", of.plural_of(deep - 1)),
            Self::Map(_, value) if deep > 0 => return format!(" of maps{}", value.plural_of(deep - 1)),
            _ => "",
        };
        words.to_owned()
    }
}

impl Library {
    fn one(self) -> &'static str {
        match self {
            Self::Ip => "an IP address",
            Self::Cidr => "a CIDR block",
            Self::Url => "a URL",
            Self::Quantity => "a quantity",
            Self::Semver => "a semantic version",
            Self::Format => "a format",
            Self::Authorizer => "an authorizer",
            Self::PathCheck | Self::GroupCheck | Self::ResourceCheck => "a check of an authorizer",
            Self::Decision => "a decision of an authorizer",
        }
    }

    /// Whether the type has fields in principle, though none can be named.
    pub(super) fn is_structured(self) -> bool {
        !matches!(self, Self::Ip | Self::Cidr)
    }
}
