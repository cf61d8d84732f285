//! The approximate width of text, on the wide side: there is no font to ask.

/// A font of one size, with the width of a character in hundredths of a pixel.
#[derive(Debug, Clone, Copy)]
pub(super) struct Font(usize);

impl Font {
    /// Ids: 11 pixels, all characters alike.
    pub(super) const ID: Self = Self(663);
    /// Words within a band: 10 pixels.
    pub(super) const BAND: Self = Self(620);
    /// Releases, days and the legend: 11 pixels.
    pub(super) const SMALL: Self = Self(680);
    /// The picture's title: 15 pixels, bold.
    pub(super) const HEADING: Self = Self(900);
    /// Names of groups: 12 pixels, bold.
    pub(super) const GROUP: Self = Self(740);

    /// The approximate width of a text in pixels, rounded up.
    pub(super) fn width(self, text: &str) -> usize {
        let cells: usize = text.chars().map(cells).sum();
        (cells * self.0).div_ceil(100)
    }

    /// How many letters fit, approximately.
    pub(super) fn letters(self, width: usize) -> usize {
        width * 100 / self.0
    }

    /// The text, or its beginning and end if it is too wide.
    pub(super) fn fit(self, text: &str, width: usize) -> String {
        if self.width(text) <= width {
            return text.to_owned();
        }
        let room = (width * 100 / self.0).saturating_sub(1);
        let begin = take(text.chars(), room.div_ceil(2));
        let end = take(text.chars().rev(), room / 2);
        let end: String = end.chars().rev().collect();
        format!("{begin}…{end}")
    }
}

/// Ideographs and emoji are wider than letters.
fn cells(c: char) -> usize {
    if c < '\u{1100}' { 1 } else { 2 }
}

/// The first characters, as many as fit.
fn take(text: impl Iterator<Item = char>, room: usize) -> String {
    let mut used = 0;
    text.take_while(|c| {
        used += cells(*c);
        used <= room
    })
    .collect()
}
