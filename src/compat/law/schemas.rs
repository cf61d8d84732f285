//! What becomes of a schema and its fields.

use crate::schema::{ChangeKind as Kind, Effect};

use super::{BREAK, MERGE, MERGE_HELP, NEW_VERSION, OK, RATCHET, REFUSED, RISK, Row, SURPRISE, TWO_STEPS, row, when};

pub(super) const SCHEMAS: &[Row] = &[
    row(Kind::FieldAdded, OK, OK, ["the field is new", "", ""]),
    row(
        Kind::RequiredFieldAdded,
        BREAK,
        OK,
        [
            "the field is new and has to be set",
            REFUSED,
            "make it optional, or give it a default, or demand it in a new version",
        ],
    ),
    when(
        Effect::Narrower,
        row(
            Kind::FieldClaimed,
            OK,
            OK,
            ["the field, which could be there unlisted, is listed", "", ""],
        ),
    ),
    row(
        Kind::FieldClaimed,
        RISK,
        RISK,
        [
            "the field, which could be an entry of a map, is listed",
            "what it held may not fit its schema",
            "take a name that nobody uses",
        ],
    ),
    when(
        Effect::Wider,
        row(
            Kind::FieldRemoved,
            OK,
            BREAK,
            [
                "the field is not listed any more",
                "what is written to it is kept, but may be anything, and nothing says what it means",
                "keep the field, deprecated, until its version is gone; a new name comes beside it",
            ],
        ),
    ),
    row(
        Kind::FieldRemoved,
        BREAK,
        BREAK,
        [
            "the field is gone",
            "what is written to it is dropped, and who reads it finds nothing",
            "keep the field, deprecated, until its version is gone; a new name comes beside it",
        ],
    ),
    when(
        Effect::Wider,
        row(
            Kind::TypeChanged,
            OK,
            BREAK,
            [
                "the type changed",
                SURPRISE,
                "add a field of the new type, and keep both in step",
            ],
        ),
    ),
    row(
        Kind::TypeChanged,
        BREAK,
        BREAK,
        [
            "the type changed",
            "objects that were accepted are refused, and readers fail on new ones",
            "add a field of the new type, and keep both in step",
        ],
    ),
    when(
        Effect::Same,
        row(
            Kind::FormatChanged,
            OK,
            OK,
            ["the format changed, and means what was meant", "", ""],
        ),
    ),
    when(
        Effect::Wider,
        row(
            Kind::FormatChanged,
            OK,
            BREAK,
            [
                "the format changed",
                "readers of the old format fail on values of the new one",
                "add a field of the new format",
            ],
        ),
    ),
    row(
        Kind::FormatChanged,
        BREAK,
        BREAK,
        ["the format changed", REFUSED, "add a field of the new format"],
    ),
    // The server puts the default in before it asks; other checkers and the clients' own checks still refuse.
    row(
        Kind::RequiredWithDefault,
        BREAK,
        OK,
        [
            "the field has to be set, and has a default",
            "the server puts the default in; clients that hold objects against the schema refuse them without it",
            "leave it optional: the default does the same",
        ],
    ),
    row(
        Kind::RequiredAdded,
        BREAK,
        OK,
        ["the field has to be set", REFUSED, NEW_VERSION],
    ),
    when(
        Effect::Same,
        row(
            Kind::RequiredRemoved,
            OK,
            OK,
            ["the field need not be set any more, and has a default", "", ""],
        ),
    ),
    row(
        Kind::RequiredRemoved,
        OK,
        RISK,
        [
            "the field need not be set any more",
            "readers that count on it find nothing",
            "give it a default, or make sure that readers expect its absence",
        ],
    ),
    row(
        Kind::NullableAdded,
        OK,
        RISK,
        [
            "`null` is a value",
            SURPRISE,
            "leave the field out instead of setting it to null",
        ],
    ),
    row(
        Kind::NullableRemoved,
        BREAK,
        OK,
        ["`null` is no value any more", REFUSED, NEW_VERSION],
    ),
    when(
        Effect::Wider,
        row(
            Kind::DefaultAdded,
            OK,
            OK,
            ["an unset field, which was refused, gets a value", "", ""],
        ),
    ),
    row(
        Kind::DefaultAdded,
        BREAK,
        BREAK,
        [
            "an unset field gets a value",
            "what it means not to set the field changes",
            "let the controller do what the default would, or give the default to a new version",
        ],
    ),
    when(
        Effect::Narrower,
        row(
            Kind::DefaultRemoved,
            BREAK,
            OK,
            [
                "a field that has to be set gets no value any more",
                REFUSED,
                "keep the default in this version",
            ],
        ),
    ),
    row(
        Kind::DefaultRemoved,
        BREAK,
        BREAK,
        [
            "an unset field gets no value any more",
            "what it means not to set the field changes",
            "keep the default in this version",
        ],
    ),
    row(
        Kind::DefaultChanged,
        BREAK,
        BREAK,
        [
            "an unset field gets another value",
            "what it means not to set the field changes",
            "give the new default to a new version",
        ],
    ),
    row(
        Kind::EnumAdded,
        BREAK,
        OK,
        ["the values are enumerated", REFUSED, RATCHET],
    ),
    row(
        Kind::EnumRemoved,
        OK,
        RISK,
        ["the values are not enumerated any more", SURPRISE, TWO_STEPS],
    ),
    row(Kind::EnumValueAdded, OK, RISK, ["a value is new", SURPRISE, TWO_STEPS]),
    row(
        Kind::EnumValueRemoved,
        BREAK,
        OK,
        [
            "a value is gone",
            REFUSED,
            "keep it, deprecated, until its version is gone",
        ],
    ),
    row(
        Kind::BoundTightened,
        BREAK,
        OK,
        ["the bound is narrower", REFUSED, RATCHET],
    ),
    row(
        Kind::BoundLoosened,
        OK,
        RISK,
        ["the bound is wider", SURPRISE, TWO_STEPS],
    ),
    row(
        Kind::BoundChanged,
        BREAK,
        RISK,
        ["the bound is another", REFUSED, RATCHET],
    ),
    row(
        Kind::PatternAdded,
        BREAK,
        OK,
        ["a pattern is demanded", REFUSED, RATCHET],
    ),
    row(
        Kind::PatternRemoved,
        OK,
        RISK,
        ["no pattern is demanded any more", SURPRISE, TWO_STEPS],
    ),
    when(
        Effect::Wider,
        row(
            Kind::PatternChanged,
            OK,
            RISK,
            ["the pattern is less anchored", SURPRISE, TWO_STEPS],
        ),
    ),
    when(
        Effect::Narrower,
        row(
            Kind::PatternChanged,
            BREAK,
            OK,
            ["the pattern is more anchored", REFUSED, RATCHET],
        ),
    ),
    row(
        Kind::PatternChanged,
        BREAK,
        RISK,
        [
            "another pattern is demanded",
            "nobody can tell that it lets through all that the old one did",
            RATCHET,
        ],
    ),
    when(
        Effect::Same,
        row(
            Kind::RuleAdded,
            BREAK,
            OK,
            [
                "a rule for updates is new",
                "updates that worked are refused",
                NEW_VERSION,
            ],
        ),
    ),
    row(
        Kind::RuleChanged,
        BREAK,
        RISK,
        [
            "a rule is another",
            "nobody can tell that it lets through all that the old one did",
            RATCHET,
        ],
    ),
    row(Kind::RuleAdded, BREAK, OK, ["a rule is new", REFUSED, RATCHET]),
    row(Kind::RuleRemoved, OK, RISK, ["a rule is gone", SURPRISE, TWO_STEPS]),
    row(
        Kind::RuleMessageChanged,
        OK,
        OK,
        ["the message of a rule changed", "", ""],
    ),
    row(
        Kind::ImmutableAdded,
        BREAK,
        OK,
        [
            "the value cannot be changed any more",
            "updates that worked are refused",
            NEW_VERSION,
        ],
    ),
    row(
        Kind::ImmutableRemoved,
        OK,
        RISK,
        [
            "the value can be changed",
            "readers that read it once miss changes",
            "make sure that all readers follow it",
        ],
    ),
    row(
        Kind::CombinationTightened,
        BREAK,
        OK,
        ["the alternatives let less through", REFUSED, RATCHET],
    ),
    row(
        Kind::CombinationLoosened,
        OK,
        RISK,
        ["the alternatives let more through", SURPRISE, TWO_STEPS],
    ),
    row(
        Kind::AlternativeAdded,
        RISK,
        RISK,
        [
            "an alternative is new",
            "objects that fit it as well as another one are refused",
            "make sure that alternatives exclude one another, and that readers expect the new one",
        ],
    ),
    row(
        Kind::CombinationChanged,
        BREAK,
        RISK,
        [
            "the alternatives are others",
            "nobody can tell that they let through all that the old ones did",
            RATCHET,
        ],
    ),
    row(
        Kind::ItemsAdded,
        BREAK,
        OK,
        ["the items are described", REFUSED, NEW_VERSION],
    ),
    row(
        Kind::ItemsRemoved,
        OK,
        BREAK,
        ["the items are not described any more", SURPRISE, "keep the description"],
    ),
    row(
        Kind::AdditionalLoosened,
        OK,
        RISK,
        ["more of unlisted fields is allowed", SURPRISE, TWO_STEPS],
    ),
    row(
        Kind::AdditionalTightened,
        BREAK,
        OK,
        [
            "less of unlisted fields is allowed",
            "what was kept in them is refused or dropped",
            NEW_VERSION,
        ],
    ),
    row(
        Kind::UnknownKept,
        BREAK,
        RISK,
        ["unlisted fields are kept", MERGE, MERGE_HELP],
    ),
    row(
        Kind::UnknownDropped,
        BREAK,
        BREAK,
        [
            "unlisted fields are dropped",
            "what was stored in them is lost with the next write",
            "list them in the schema first",
        ],
    ),
    row(
        Kind::EmbeddedAdded,
        BREAK,
        OK,
        ["the value has to be an object with a kind", REFUSED, NEW_VERSION],
    ),
    row(
        Kind::EmbeddedRemoved,
        BREAK,
        BREAK,
        [
            "the value is no object with a kind any more",
            "its metadata is dropped",
            "keep it in this version",
        ],
    ),
    row(
        Kind::ListTypeChanged,
        BREAK,
        OK,
        ["the list is merged otherwise", MERGE, MERGE_HELP],
    ),
    row(
        Kind::ListKeysChanged,
        BREAK,
        OK,
        ["the items of the list are told apart otherwise", MERGE, MERGE_HELP],
    ),
    row(
        Kind::MapTypeChanged,
        BREAK,
        OK,
        ["the map is merged otherwise", MERGE, MERGE_HELP],
    ),
    row(Kind::DescriptionChanged, OK, OK, ["the description changed", "", ""]),
    row(
        Kind::DocumentationChanged,
        OK,
        OK,
        ["the documentation changed", "", ""],
    ),
    row(
        Kind::Restated,
        OK,
        OK,
        ["it is said otherwise, and means what was meant", "", ""],
    ),
    row(
        Kind::UnknownChanged,
        BREAK,
        BREAK,
        [
            "a keyword that is not known changed",
            "nobody can tell what it does",
            "look at what it means; a policy can say that it is harmless",
        ],
    ),
];
