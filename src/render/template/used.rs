//! What a template has used while it is rendered, and the limits of that.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tera::{Kwargs, State, Tera, TeraResult, Value};

/// The most bytes of a template that are rendered, each time counted: seconds of work.
const MOST_WORK: usize = 256 << 20;

/// The most bytes of values and of repeated template that are printed: captured text is there twice for a moment.
const MOST_PRINTED: usize = 192 << 20;

/// How many bytes the longest escape of a character adds to it.
const OF_ESCAPE: usize = 5;

/// What a repetition costs besides the text that is repeated: an empty loop takes time too.
pub(super) const OF_STEP: usize = 256;

/// What an item of a list or map counts: filters and operators take as long for it as for this many bytes of text.
const OF_LISTED: usize = 16;

/// The most characters or items of a variable: a loop that doubles it would take all memory.
pub(super) const LONGEST_VALUE: usize = 8 << 20;

/// The functions and filters that count: a repetition with its cost; what a variable, an operator or a filter is given;
/// and what is printed.
pub(super) const CHARGE: &str = "lifecycle_charge";
pub(super) const HOLD: &str = "lifecycle_hold";
pub(super) const WRITE: &str = "lifecycle_write";

/// What a template has used.
#[derive(Default)]
struct Used {
    work: AtomicUsize,
    printed: AtomicUsize,
}

impl Used {
    fn work(&self, cost: usize, message: &str) -> TeraResult<()> {
        spend(&self.work, cost, MOST_WORK, message)
    }

    /// A repetition of a part of the template.
    fn repeat(&self, cost: usize) -> TeraResult<()> {
        let message = "its loops and components render more than 256 MiB of the template; nest fewer loops, or loop over \
                       fewer items";
        self.work(cost, message)?;
        self.print(cost.saturating_sub(OF_STEP))
    }

    fn print(&self, length: usize) -> TeraResult<()> {
        let message = "it prints more than 192 MiB; show less, or loop over fewer items";
        spend(&self.printed, length, MOST_PRINTED, message)
    }

    /// What an operator or a filter is given.
    fn take(&self, length: usize) -> TeraResult<()> {
        let message =
            "its filters and operators take more than 256 MiB; shorten what they are given, or use them less often";
        self.work(length, message)
    }
}

fn spend(used: &AtomicUsize, cost: usize, most: usize, message: &str) -> TeraResult<()> {
    let before = used.fetch_add(cost, Ordering::Relaxed);
    if before.saturating_add(cost) > most {
        return Err(tera::Error::message(message));
    }
    Ok(())
}

/// Registers what counts.
pub(super) fn count(tera: &mut Tera) {
    let used = Arc::new(Used::default());
    let of = Arc::clone(&used);
    tera.register_function(CHARGE, move |arguments: Kwargs, _: &State<'_>| {
        of.repeat(arguments.must_get::<usize>("cost")?).map(|()| "")
    });
    let of = Arc::clone(&used);
    tera.register_function(HOLD, move |arguments: Kwargs, _: &State<'_>| {
        let value = arguments.get::<&Value>("value")?;
        let length = value.map_or(0, own_length);
        if length > LONGEST_VALUE {
            return Err(too_long("a variable"));
        }
        of.take(length).map(|()| "")
    });
    let of = Arc::clone(&used);
    tera.register_filter(HOLD, move |value: Value, arguments: Kwargs, _: &State<'_>| {
        let length = if arguments.must_get::<bool>("whole")? {
            whole_length(&value)?
        } else {
            own_length(&value)
        };
        let weight = if value.as_str().is_some() { 1 } else { OF_LISTED };
        let times = arguments.must_get::<usize>("times")?;
        of.take(length.saturating_mul(times).saturating_mul(weight))
            .map(|()| value)
    });
    let of = Arc::clone(&used);
    tera.register_function(WRITE, move |arguments: Kwargs, _: &State<'_>| {
        let value = arguments.get::<&Value>("value")?;
        of.print(value.map_or(Ok(0), printed_length)?).map(|()| "")
    });
    tera.register_filter(WRITE, move |value: Value, _: Kwargs, _: &State<'_>| {
        used.print(printed_length(&value)?).map(|()| value)
    });
}

fn too_long(what: &str) -> tera::Error {
    let message = format!("{what} holds more than {LONGEST_VALUE} characters or items; put less into it");
    tera::Error::message(message)
}

/// The bytes of a text, or the items of a list or map.
fn own_length(value: &Value) -> usize {
    value.as_str().map(str::len).or_else(|| value.len()).unwrap_or(0)
}

/// The length with all items, and those within.
fn whole_length(value: &Value) -> TeraResult<usize> {
    if let Some(text) = value.as_str() {
        return Ok(text.len());
    }
    let mut length = 0;
    add_length(value, &mut length)?;
    Ok(length)
}

/// One list may hold another one many times.
fn add_length(value: &Value, length: &mut usize) -> TeraResult<()> {
    *length += value.as_str().map_or(1, str::len);
    if *length > LONGEST_VALUE {
        return Err(too_long("a list or map"));
    }
    for item in value.as_array().into_iter().flatten() {
        add_length(item, length)?;
    }
    for (key, item) in value.as_map().into_iter().flatten() {
        *length += key.as_str().map_or(1, str::len);
        add_length(item, length)?;
    }
    Ok(())
}

/// The length of what is printed, escaped.
fn printed_length(value: &Value) -> TeraResult<usize> {
    let length = whole_length(value)?;
    let escaped = match value.as_str() {
        _ if value.is_safe() => 0,
        Some(text) => text.chars().filter(char::is_ascii_punctuation).count(),
        None => length,
    };
    Ok(length.saturating_add(escaped.saturating_mul(OF_ESCAPE)))
}
