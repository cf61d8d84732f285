//! How the command line chooses a model: commands that messages name are about the same one.

use std::borrow::Cow;

use super::Model;

/// The options that choose a model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Address {
    options: String,
    /// The option that chooses a policy.
    policy: String,
    /// The options that choose a moment and severities.
    view: String,
    is_read_only: bool,
}

impl Address {
    /// The model in a file.
    pub fn file(name: &str) -> Self {
        Self {
            options: format!("-m {}", in_shell(name)),
            ..Self::default()
        }
    }

    /// A model that comes with the program, which no command can write.
    pub fn built_in(name: &str) -> Self {
        Self {
            options: format!("--builtin {}", in_shell(name)),
            is_read_only: true,
            ..Self::default()
        }
    }

    /// The same, judged by a policy, and with other options that choose how: names and values.
    #[must_use]
    pub fn judged(self, policy: Option<&str>, others: &[(&str, &str)]) -> Self {
        let others = others.iter().map(|(name, value)| format!("{name} {}", in_shell(value)));
        Self {
            policy: policy.map_or_else(String::new, |policy| format!("--policy {}", in_shell(policy))),
            view: others.collect::<Vec<_>>().join(" "),
            ..self
        }
    }
}

impl Address {
    /// A command with its options. Among changes of a model, a policy would be one of them.
    fn command_line(&self, words: &str) -> String {
        let policy = Some(&self.policy).filter(|_| !words.starts_with("what-if"));
        let options = [Some(&self.options), policy, Some(&self.view)].into_iter().flatten();
        let mut command = format!("lifecycle {words}");
        for option in options.filter(|option| !option.is_empty()) {
            command.push(' ');
            command.push_str(option);
        }
        command
    }
}

/// A word as a shell reads it, without characters that a terminal does not show as themselves.
pub fn in_shell(word: &str) -> Cow<'_, str> {
    let is_plain = word
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "-_./+=:@%,".contains(c));
    if is_plain && !word.is_empty() {
        return Cow::Borrowed(word);
    }
    let is_shown = word
        .chars()
        .all(|c| c == ' ' || c.is_ascii_graphic() || c.is_alphanumeric());
    if is_shown {
        return Cow::Owned(format!("'{}'", word.replace('\'', "'\\''")));
    }
    let escaped = word.chars().map(|c| match c {
        '\'' | '\\' => format!("\\{c}"),
        ' ' => c.to_string(),
        c if c.is_ascii_graphic() || c.is_alphanumeric() => c.to_string(),
        c => format!("\\U{:08x}", u32::from(c)),
    });
    Cow::Owned(format!("$'{}'", escaped.collect::<String>()))
}

impl Model {
    /// A command about this model, as it can be run: of `check`, `lifecycle check -m FILE`.
    pub fn command_line(&self, words: &str) -> String {
        self.address.command_line(words)
    }

    /// The same of one that writes the model, or shows what it would write where none can.
    pub(crate) fn writing_line(&self, words: &str) -> String {
        let command = self.command_line(words);
        if self.is_read_only() {
            command
        } else {
            command + " --write"
        }
    }

    /// Whether no command can write the model.
    pub fn is_read_only(&self) -> bool {
        self.address.is_read_only
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_judge_the_model_as_the_command_line_asks() {
        let address = Address::file("a b.toml").judged(Some("p.toml"), &[("--as-of", "1.2"), ("-A", "4a")]);
        let check = "lifecycle check -m 'a b.toml' --policy p.toml --as-of 1.2 -A 4a";
        assert_eq!(address.command_line("check"), check);
        let change = "lifecycle what-if --drop x -m 'a b.toml' --as-of 1.2 -A 4a";
        assert_eq!(address.command_line("what-if --drop x"), change);
        assert_eq!(Address::default().command_line("check"), "lifecycle check");
    }

    #[test]
    fn a_word_that_a_shell_would_split_is_quoted() {
        assert_eq!(in_shell("a/b.toml"), "a/b.toml");
        assert_eq!(in_shell("a b"), "'a b'");
        assert_eq!(in_shell("it's"), "'it'\\''s'");
        assert_eq!(in_shell("a\nb'"), "$'a\\U0000000ab\\''");
        assert_eq!(in_shell(""), "''");
    }
}
