//! Text in XML.

use std::fmt::{self, Display, Write as _};

use super::turns_direction;

/// Text for an element or an attribute. Characters that XML 1.0 does not allow, and those that reverse the direction of
/// text, are replaced.
pub(super) struct Escaped<'t>(pub(super) &'t str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\n' | '\t' => f.write_char(c)?,
                '\u{fffe}' | '\u{ffff}' => f.write_char(char::REPLACEMENT_CHARACTER)?,
                c if c.is_control() || turns_direction(c) => f.write_char(char::REPLACEMENT_CHARACTER)?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_the_text_is_escaped_and_what_xml_does_not_have_is_replaced() {
        let text = Escaped("<a b=\"c\" d='e'>&\u{0}\u{1b}\u{202e}\u{ffff}é\n").to_string();
        assert_eq!(
            text,
            "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;\u{fffd}\u{fffd}\u{fffd}\u{fffd}é\n"
        );
    }
}
