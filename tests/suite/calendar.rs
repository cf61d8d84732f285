//! The calendar of the models in these tests: a release every four months, from 1.0 on 2023-01-01 on.

/// The lines of the releases up to one.
macro_rules! releases {
    ("1.2") => {
        "\"1.0\" = 2023-01-01\n\"1.1\" = 2023-05-01\n\"1.2\" = 2023-09-01\n"
    };
    ("1.4") => {
        concat!(releases!("1.2"), "\"1.3\" = 2024-01-01\n\"1.4\" = 2024-05-01\n")
    };
    ("1.5") => {
        concat!(releases!("1.4"), "\"1.5\" = 2024-09-01\n")
    };
    ("1.6") => {
        concat!(releases!("1.5"), "\"1.6\" = 2025-01-01\n")
    };
    ("1.7") => {
        concat!(releases!("1.6"), "\"1.7\" = 2025-05-01\n")
    };
    ("1.9") => {
        concat!(releases!("1.7"), "\"1.8\" = 2025-09-01\n\"1.9\" = 2026-01-01\n")
    };
}

/// The tables `[calendar]` and `[calendar.releases]`; the current release is among those listed.
macro_rules! calendar {
    (current $current:literal, to $last:tt) => {
        concat!(
            "[calendar]\ncurrent = \"",
            $current,
            "\"\ncadence = { months = 4 }\n[calendar.releases]\n",
            releases!($last)
        )
    };
}
