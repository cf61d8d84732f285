#![doc = include_str!("user-cli-lifetime.md")]

use crate::model::Audience;
use crate::obligation::{Obligations, Scope};

use super::{COMMAND_KEYS, LIFETIME_CODES, Rule};

pub(super) const RULE: Rule = Rule {
    slug: "user-cli-lifetime",
    page: include_str!("user-cli-lifetime.md"),
    codes: LIFETIME_CODES,
    keys: COMMAND_KEYS,
    state,
};

fn state(scope: &Scope<'_>, out: &mut Obligations) {
    let because = "a command or flag for users keeps working";
    scope.commands_keep_working(out, Audience::User, because);
}
