//! What is known of values.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The largest size of a text, a list or a map that a request to a server has room for: 3 MiB.
pub(crate) const LARGEST: i64 = 3 << 20;

/// The sizes of which nothing is known.
pub(crate) const ANY_SIZE: [i64; 2] = [0, LARGEST];

/// What is known of a value: all that it may be.
#[derive(Debug, Clone)]
pub(crate) enum Known {
    /// Nothing, not even its type.
    Any,
    /// A value of a type that has no parts and no size, and is not compared.
    Plain,
    /// Whether it may be false, and whether it may be true.
    Bool([bool; 2]),
    /// The least and the greatest number.
    Int([i64; 2]),
    /// The same of a number that may have a fraction.
    Real([f64; 2]),
    Text(Texts),
    List {
        items: Rc<Self>,
        sizes: [i64; 2],
    },
    /// A list of these.
    Each(Rc<[Self]>),
    Map {
        values: Rc<Self>,
        sizes: [i64; 2],
    },
    Object(Rc<Facts>),
}

/// What is known of a text.
#[derive(Debug, Clone)]
pub(crate) struct Texts {
    /// The only texts that it may be, where these are known.
    pub(crate) of: Option<Rc<BTreeSet<String>>>,
    pub(crate) sizes: [i64; 2],
}

/// What is known of the fields of an object.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    fields: BTreeMap<String, Field>,
}

/// What is known of a field.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    /// Whether all objects have it, or none.
    pub(crate) is_set: Option<bool>,
    pub(crate) value: Known,
}

impl Facts {
    /// Adds what is known of a field. A name that rules write otherwise is left out.
    pub(crate) fn add(&mut self, name: &str, field: Field) {
        if !name.contains("__") {
            self.fields.insert(name.to_owned(), field);
        }
    }

    pub(in crate::cel) fn get(&self, name: &str) -> Option<&Field> {
        self.fields.get(name)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (&str, &Field)> {
        self.fields.iter().map(|(name, field)| (name.as_str(), field))
    }
}

impl Known {
    /// Whether it is an object that always has a field.
    pub(crate) fn is_always_set(&self, name: &str) -> bool {
        match self {
            Self::Object(facts) => facts.get(name).is_some_and(|field| field.is_set == Some(true)),
            _ => false,
        }
    }

    /// One of some texts.
    pub(crate) fn of_texts(texts: impl IntoIterator<Item = String>) -> Self {
        let texts = texts.into_iter().collect();
        let sizes = sizes_of(&texts).unwrap_or(ANY_SIZE);
        let of = Some(Rc::new(texts));
        Self::Text(Texts { of, sizes })
    }

    /// The size of a text, a list or a map.
    pub(in crate::cel) fn sizes(&self) -> Option<[i64; 2]> {
        match self {
            Self::Text(Texts { sizes, .. }) | Self::List { sizes, .. } | Self::Map { sizes, .. } => Some(*sizes),
            Self::Each(items) => i64::try_from(items.len()).ok().map(|size| [size; 2]),
            _ => None,
        }
    }

    /// What the items of a list may be; `None` of one without items.
    pub(in crate::cel) fn items(&self) -> Option<Self> {
        match self {
            Self::List { items, .. } => Some((**items).clone()),
            Self::Each(items) => items.iter().cloned().reduce(|one, other| one.or(&other)),
            _ => Some(Self::Any),
        }
    }

    /// Either of two values.
    pub(crate) fn or(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Plain, Self::Plain) => Self::Plain,
            (Self::Bool(one), Self::Bool(other)) => Self::Bool([0, 1].map(|at| one[at] || other[at])),
            (Self::Int(one), Self::Int(other)) => Self::Int(hull(*one, *other)),
            (Self::Real(one), Self::Real(other)) => Self::Real([one[0].min(other[0]), one[1].max(other[1])]),
            (Self::Text(one), Self::Text(other)) => {
                let both = one.of.as_ref().zip(other.of.as_ref());
                Self::Text(Texts {
                    of: both.map(|(one, other)| Rc::new(&**one | &**other)),
                    sizes: hull(one.sizes, other.sizes),
                })
            }
            (Self::List { .. } | Self::Each(_), Self::List { .. } | Self::Each(_)) => {
                let sizes = self.sizes().zip(other.sizes());
                let items = match (self.items(), other.items()) {
                    (Some(one), Some(other)) => one.or(&other),
                    (one, other) => one.or(other).unwrap_or(Self::Any),
                };
                Self::List {
                    items: Rc::new(items),
                    sizes: sizes.map_or(ANY_SIZE, |(one, other)| hull(one, other)),
                }
            }
            (Self::Object(one), Self::Object(other)) if Rc::ptr_eq(one, other) => self.clone(),
            _ => Self::Any,
        }
    }
}

/// The least and the greatest length of some texts.
pub(super) fn sizes_of(texts: &BTreeSet<String>) -> Option<[i64; 2]> {
    let sizes = texts.iter().map(|text| i64::try_from(text.chars().count()));
    let sizes: Vec<i64> = sizes.collect::<Result<_, _>>().ok()?;
    Some([*sizes.iter().min()?, *sizes.iter().max()?])
}

fn hull(one: [i64; 2], other: [i64; 2]) -> [i64; 2] {
    [one[0].min(other[0]), one[1].max(other[1])]
}
