//! Models made from marks of deprecation in code, and from lists of deprecations.

#![cfg(test)]

use crate::imports::tagged;
use crate::lints::read;
use crate::program::{Run, each, folder, run_in, run_on};

/// The output of an import of two releases, whose only file has these texts.
fn of_two(language: &str, name: &str, old: &str, new: &str) -> Run {
    let (first, second) = (format!("old/{name}"), format!("new/{name}"));
    let folder = folder(&[(first.as_str(), old), (second.as_str(), new)]);
    let arguments = [
        "import",
        "markers",
        language,
        "-v",
        "--at",
        "1.0=2024-01-10",
        "old",
        "--at",
        "1.1=2024-05-10",
        "new",
    ];
    run_in(&folder, &arguments)
}

const RUST: &str = r###"//! Docs with #[deprecated] in them.
pub struct Client<T: Fn() -> u8> {
    /// A field.
    #[deprecated(since = "1.0.0", note = "use `hosts`\n instead")]
    pub host: HashMap<String, Vec<T>>,
    pub hosts: u8,
}
impl<'a, T> Client<T> where T: Fn() -> u8 {
    pub const fn new() -> Self { let s = '}'; let t = "}"; let r = r##"}"#}"##; Self {} }
    #[deprecated]
    pub fn connect(&self) { #[deprecated] fn inner() {} }
    pub fn open(&self) {}
}
impl<T> Drop for Client<T> { fn drop(&mut self) {} }
cfg_net! {
    #[deprecated = "gone"]
    #[doc(hidden)]
    pub async unsafe fn listen() {}
}
pub enum Mode { Fast(u8, u8), #[deprecated(note = "slow")] Slow { a: u8 }, Other = 3 }
pub mod inner { pub trait Read { #[deprecated] fn read(&self); } #[deprecated] pub type Old = u8; }
#[deprecated] pub use crate::{a, b};
#[deprecated] pub use crate::long as Short;
#[deprecated] macro_rules! old { () => {} }
"###;

#[test]
fn rust_has_items_fields_and_variants_by_module() {
    let new = RUST
        .replace(
            "#[deprecated]\n    pub fn connect(&self) { #[deprecated] fn inner() {} }\n",
            "",
        )
        .replace("pub fn open", "#[deprecated(since = \"1.1.0\")] pub fn open")
        .replace("#[deprecated = \"gone\"]\n    ", "");
    let run = of_two("rust", "net/src/tcp/mod.rs", RUST, &new).ended(1);
    run.says(&[
        "\"net::tcp::Client::connect\" = { introduced = \"1.0\", deprecated = \"1.0\", removed = \"1.1\" }\n",
        "\"net::tcp::Client::host\" = { introduced = \"1.0\", deprecated = \"1.0\", warning = \"use `hosts` instead\" }\n",
        "\"net::tcp::Client::open\" = { introduced = \"1.0\", deprecated = \"1.1\" }\n",
        "\"net::tcp::listen\" = { introduced = \"1.0\", deprecated = \"1.0\", undeprecated = \"1.1\", warning = \"gone\" }\n",
        "\"net::tcp::Mode::Slow\" =",
        "\"net::tcp::inner::Read::read\" =",
        "\"net::tcp::inner::Old\" =",
        "\"net::tcp::Short\" =",
        "\"net::tcp::old\" =",
        "read: old/net/src/tcp/mod.rs:10: net::tcp::Client::connect is deprecated since 1.0\n",
        "read: new/net/src/tcp/mod.rs:10: net::tcp::Client::open is deprecated since 1.1\n",
        "warning: skipped old/net/src/tcp/mod.rs:22:1: `#[deprecated]` on something that has no name of its own\n",
    ])
    .silent_on(&["inner\"", "drop", "Fast"]);
}

#[test]
fn the_release_that_shipped_a_mark_first_counts() {
    let marked = "#[deprecated(since = \"1.0.0\")]\npub fn open() {}\n";
    of_two("rust", "src/lib.rs", "pub fn open() {}\n", marked).ended(0).says(&[
        "open = { introduced = \"1.0\", deprecated = \"1.1\" }\n",
        "warning: new/src/lib.rs:1: open states that it is deprecated since 1.0, but 1.1 is the first release with the mark\n",
    ]);
    let early = "#[deprecated(since = \"0.4.0\")]\npub fn open() {}\n";
    of_two("rust", "src/lib.rs", early, early).ended(0).says(&[
        "open = { introduced = \"1.0\", deprecated = \"1.0\" }\n",
        "open names 0.4, which the calendar lacks: imported as 1.0\n",
    ]);
    of_two("rust", "src/lib.rs", "pub fn open() {}\n", "pub fn open() {}\n")
        .ended(2)
        .says(&["no #[deprecated] was found"]);
}

#[test]
fn what_moves_to_another_file_is_the_same_thing() {
    let marked = |name: &str| format!("#[deprecated]\npub fn {name}() {{}}\n");
    let folder = folder(&[
        ("old/src/a.rs", &marked("open")),
        ("new/src/b.rs", &marked("open")),
        ("old/src/c.rs", &marked("shut")),
    ]);
    let arguments = [
        "import",
        "markers",
        "rust",
        "--at",
        "1.0=2024-01-10",
        "old",
        "--at",
        "1.1=2024-05-10",
        "new",
    ];
    run_in(&folder, &arguments).ended(0).says(&[
        "\"b::open\" = { introduced = \"1.0\", deprecated = \"1.0\" }\n",
        "\"c::shut\" = { introduced = \"1.0\", deprecated = \"1.0\", removed = \"1.1\" }\n",
        "changed: 1.1: a::open is now b::open: imported as one element\n",
    ]);
}

const JAVA: &str = r#"/* A licence. */
package org.example.io;

import java.util.*;

/**
 * Reads. */
public final class Reader<T> extends Base implements Closeable {
    /** @deprecated Use {@link #open()}
     * instead.
     * @since 1.0 */
    @Deprecated(since = "1.0", forRemoval = true)
    public static <K> void open(final Map<String, List<K>> all, @Nullable int... sizes) throws IOException {
        String s = "}"; char c = '}'; @Deprecated int local;
    }
    public void open() {}
    @java.lang.Deprecated
    public static final int LARGEST = 1, SMALLEST = 2;
    enum Mode { @Deprecated FAST(1) { void run() {} }, SLOW; @Deprecated void go() {} }
    interface Inner { @Deprecated default int size() { return 1; } }
    @Deprecated { }
}
"#;

#[test]
fn java_has_types_methods_with_parameters_and_constants() {
    let new = JAVA.replace("SLOW; @Deprecated", "SLOW;");
    of_two("java", "Reader.java", JAVA, &new).ended(1).says(&[
        "\"org.example.io.Reader.open(Map,int...)\" = { introduced = \"1.0\", deprecated = \"1.0\", warning = \"Use open() \
         instead.\" }\n",
        "\"org.example.io.Reader.LARGEST\" =",
        "\"org.example.io.Reader.Mode.FAST\" =",
        "\"org.example.io.Reader.Mode.go()\" = { introduced = \"1.0\", deprecated = \"1.0\", undeprecated = \"1.1\" }\n",
        "\"org.example.io.Reader.Inner.size()\" =",
        "warning: skipped old/Reader.java:21:5: `@Deprecated` on something whose name cannot be read\n",
    ])
    .silent_on(&["local", "\"org.example.io.Reader.open()\"", "SLOW"]);
}

#[test]
fn code_in_any_script_is_read() {
    let text = "package a;\n/* → */ class B { char c = '»', d = '\\é'; // ü\n  @Deprecated int größe; ± @Deprecated int 名;\n}\n";
    of_two("java", "B.java", text, text)
        .ended(0)
        .says(&["\"a.B.größe\" =", "\"a.B.名\" ="]);
    let text = "/* « /* » */ */ fn a() { '»'; \"\\é\"; }\n#[deprecated(note = \"ü\")] pub fn größe() {}\n± #[deprecated] pub fn b() {}\n";
    of_two("rust", "src/lib.rs", text, text).ended(0).says(&[
        "größe\" = { introduced = \"1.0\", deprecated = \"1.0\", warning = \"ü\" }\n",
        "b = { introduced = \"1.0\", deprecated = \"1.0\" }\n",
    ]);
}

#[test]
fn what_becomes_private_in_java_is_removed() {
    let text = "package a;\npublic class Lazy {\n  private int hidden;\n  /** @deprecated prefer {@link Lazy#of(Supplier, int) of}, \
                {@link Lazy#of(Supplier, int)} or {@code new}. */\n  @Deprecated public Lazy(Supplier<T> supplier) { }\n  \
                @Deprecated private void inner() { }\n  @Deprecated int last;\n}\n";
    let new = text.replace("public Lazy(", "private Lazy(");
    of_two("java", "Lazy.java", text, &new)
        .ended(0)
        .says(&[
            "\"a.Lazy.Lazy(Supplier)\" = { introduced = \"1.0\", deprecated = \"1.0\", removed = \"1.1\", warning = \"prefer of, \
             Lazy.of(Supplier, int) or new.\" }\n",
            "\"a.Lazy.last\" = { introduced = \"1.0\", deprecated = \"1.0\" }\n",
        ])
        .silent_on(&["hidden", "inner"]);
    let text = "package a\nclass Door {\n    var size = 1\n        private set\n    @Deprecated(\"no\")\n    fun open() { }\n    \
                @Deprecated(\"no\")\n    private fun shut() { }\n}\n";
    of_two("java", "Door.kt", text, text)
        .ended(0)
        .says(&["\"a.Door.open()\" ="])
        .silent_on(&["shut"]);
}

#[test]
fn kotlin_has_functions_and_properties() {
    let text = "package a.b\n\n@Deprecated(\"Use open\", ReplaceWith(\"open(x)\"))\nfun String.shut(x: Int = 1, f: (Int) -> Unit): Int = 3\n\n\
                class Door(val a: Int) {\n    @Deprecated(\"no\")\n    val size: Int get() = 1\n    fun open() { }\n    companion object {\n        \
                @Deprecated(message = \"old\", level = DeprecationLevel.ERROR)\n        fun make() {}\n    }\n}\n";
    of_two("java", "Door.kt", text, text).ended(0).says(&[
        "\"a.b.shut(Int,)\" = { introduced = \"1.0\", deprecated = \"1.0\", warning = \"Use open\" }\n",
        "\"a.b.Door.size\" = { introduced = \"1.0\", deprecated = \"1.0\", warning = \"no\" }\n",
        "\"a.b.Door.Companion.make()\" = { introduced = \"1.0\", deprecated = \"1.0\", warning = \"old\" }\n",
    ]);
}

const PHP: &str = r#"<p>It's a page</p>
<?php
namespace Acme\Lib;
// trigger_deprecation('acme/lib', '1.0', 'in a comment');
class Door {
    public function shut() {
        trigger_deprecation('acme/lib', '1.0', 'The "%s()" method is deprecated, use "%s::%s()".', __METHOD__, Gate::class, $name);
        @trigger_error(sprintf('The "%s" option is deprecated since version 1.0 and '.'will go.', $option), E_USER_DEPRECATED);
        trigger_error('A warning', E_USER_WARNING);
        trigger_deprecation($package, $version, $message);
    }
}
function trigger_deprecation(string $package) {}
?>
<p>It's</p>
"#;

#[test]
fn php_has_calls_by_package_and_message() {
    let new = PHP.replace("        @trigger_error", "        // @trigger_error");
    of_two("php", "Door.php", PHP, &new).ended(1).says(&[
        "'acme/lib: The \"Acme\\Lib\\Door::shut()\" method is deprecated, use \"Gate::%s()\".' = { deprecated = \"1.0\" }\n",
        "'The \"%s\" option is deprecated since version 1.0 and will go.' = { deprecated = \"1.0\", removed = \"1.1\" }\n",
        "read: old/Door.php:7: acme/lib: The",
        "warning: skipped old/Door.php:10:9: `trigger_deprecation` whose package or version is not a text\n",
    ])
    .silent_on(&["in a comment", "A warning"]);
}

const OSLO: &str = r#"from oslo_config import cfg

opts = [
    cfg.StrOpt('host-name', deprecated_for_removal=True, deprecated_since='1.0.0',
               deprecated_reason="""Not used:
it ("host") went.""", default='x'),
    cfg.IntOpt(name="port", default=1),
    cfg.BoolOpt('tls', deprecated_for_removal=False, help=_("deprecated_for_removal=True")),
    cfg.BoolOpt('old', deprecated_for_removal=is_old),
    cfg.BoolOpt(prefix + 'any', deprecated_for_removal=True),
]
rules = [policy.RuleDefault('r', '@', deprecated_for_removal=True)]
"#;

#[test]
fn oslo_has_options_by_file() {
    let new = OSLO.replace("default=1", "deprecated_for_removal=True, deprecated_since='Pike'");
    of_two("oslo", "conf/server.py", OSLO, &new).ended(1).says(&[
        "\"server.host_name\" = { introduced = \"1.0\", deprecated = \"1.0\", warning = 'Not used: it (\"host\") went.' }\n",
        "\"server.port\" = { introduced = \"1.0\", deprecated = \"1.1\" }\n",
        "server.port states `Pike` as the release of its deprecation, which is not the name of one\n",
        "warning: skipped old/conf/server.py:9:9: old: `deprecated_for_removal` is `is_old`, neither True nor False\n",
        "warning: skipped old/conf/server.py:10:9: `deprecated_for_removal` on an option whose name is not a text\n",
        "warning: skipped old/conf/server.py:12:39: `deprecated_for_removal` on something else than an option\n",
    ])
    .silent_on(&["server.tls", "server.old\" ="]);
}

#[test]
fn ansible_has_plugins_with_their_removals() {
    let old = "requires_ansible: '>=2'\nplugin_routing:\n  modules:\n    one:\n      deprecation:\n        removal_version: 1.1.0\n        \
               warning_text: Use two.\n    two: {redirect: a.b.c}\n    three:\n      deprecation: {removal_version: 3.0.0}\n    four:\n      \
               deprecation: {removal_version: 3.0.0}\n  lookup:\n    bad: {deprecation: 3}\n";
    let new = old
        .replace(
            "deprecation:\n        removal_version: 1.1.0",
            "tombstone:\n        removal_version: 1.1.0",
        )
        .replace(
            "three:\n      deprecation: {removal_version: 3.0.0}",
            "three:\n      deprecation: {removal_version: 4.0.0}",
        );
    of_two("ansible", "meta/runtime.yml", old, &new)
        .ended(1)
        .says(&[
            "\"modules.one\" = { deprecated = \"1.0\", removed = \"1.1\", warning = \"Use two.\" }\n",
            "\"modules.three\" = { deprecated = \"1.0\", removed = \"4.0\" }\n",
            "\"modules.four\" = { deprecated = \"1.0\", removed = \"3.0\" }\n",
            "modules.three is to be removed in 4.0, no longer in 3.0\n",
            "plugin lookup.bad: expected a table, found a number\n",
        ])
        .silent_on(&["modules.two"]);
}

const GITLAB: &str = "- title: \"The `old` field\"  # A comment\n  announcement_milestone: \"1.0\"\n  removal_milestone: \"2.0\"\n  \
                      breaking_change: true\n  body: |\n    Long.\n- title: Nameless\n  removal_milestone: \"2.0\"\n";

#[test]
fn gitlab_has_announcements_that_outlive_their_list() {
    let new = "- title: Another\n  announcement_milestone: \"1.1\"\n  removal_milestone: \"3.0\"\n";
    of_two("gitlab", "a.yml", GITLAB, new).ended(1).says(&[
        "\"The `old` field\" = { deprecated = \"1.0\", removed = \"2.0\" }\n",
        "Another = { deprecated = \"1.1\", removed = \"3.0\" }\n",
        "warning: skipped old/a.yml:7:1: an entry without `announcement_milestone`\n",
    ]);
}

const CSV: &str = "Name,kind,introduced,deprecated,removed,team\nold.key,config-key,0.9,1.0,2.0,a\n\"GET /v1/a\",endpoint,,1.1,,b\n,x,,,,\n\
                   \"two\nlines\",Bad Kind,,,,\nfast,tide-probe,,1.1,,\n";

#[test]
fn a_table_has_elements_of_any_kind() {
    let folder = folder(&[("a.csv", CSV)]);
    let arguments = [
        "import",
        "markers",
        "csv",
        "--release",
        "1.1",
        "--date",
        "2024-05-10",
        "a.csv",
    ];
    run_in(&folder, &arguments).ended(1).says(&[
        "[config-key]\n\"old.key\" = { introduced = \"1.1\", deprecated = \"1.1\", removed = \"2.0\" }\n",
        "a.csv:2: old.key names 0.9, which the calendar lacks: imported as 1.1\n",
        "[endpoint]\n\"GET /v1/a\" = { deprecated = \"1.1\" }\n",
        "[element-kind.tide-probe]\nword = \"tide probe\"\n\n[tide-probe]\nfast = { deprecated = \"1.1\" }\n",
        "warning: skipped a.csv:1:1: columns that are not read: `team`\n",
        "warning: skipped a.csv:4:1: a line without a name\n",
        "`Bad Kind` cannot name a kind of elements such as `behavior` or `symbol`\n",
    ]);
}

#[test]
fn a_model_whose_policy_declares_kinds_is_updated() {
    let model = "policy = \"ours.toml\"\n[calendar]\ncurrent = \"1.0\"\n[calendar.releases]\n\"1.0\" = 2024-01-10\n[tide-probe]\n\
                 fast = { introduced = \"1.0\" }\n";
    let policy = "name = \"ours\"\nextends = \"months-and-releases\"\n[element-kind.tide-probe]\n";
    let list = "name,kind,deprecated\nfast,tide-probe,1.1\n";
    let folder = folder(&[("lifecycle.toml", model), ("ours.toml", policy), ("a.csv", list)]);
    let arguments = [
        "import",
        "markers",
        "csv",
        "--at",
        "1.1=2024-05-10",
        "a.csv",
        "--update",
        "lifecycle.toml",
    ];
    run_in(&folder, &arguments)
        .ended(0)
        .says(&["lifecycle.toml: 3 additions\n"]);
    let text = read(&folder.path().join("lifecycle.toml"));
    assert!(
        text.contains("[tide-probe]\nfast = { introduced = \"1.0\", deprecated = \"1.1\" }\n"),
        "{text}"
    );
}

#[test]
fn an_update_continues_the_lives_and_repeats_without_change() {
    let marked = "#[deprecated]\npub fn a() {}\n#[deprecated]\npub fn b() {}\npub fn c() {}\n";
    let later = "#[deprecated]\npub fn a() {}\n#[deprecated]\npub fn c() {}\n";
    let folder = folder(&[("old/src/lib.rs", marked), ("new/src/lib.rs", later)]);
    let first = [
        "import",
        "markers",
        "rust",
        "--release",
        "1.0",
        "--date",
        "2024-01-10",
        "old",
        "-o",
        "lifecycle.toml",
    ];
    run_in(&folder, &first).ended(0);
    let second = [
        "import",
        "markers",
        "rust",
        "--release",
        "1.1",
        "--date",
        "2024-05-10",
        "new",
        "--update",
        "lifecycle.toml",
    ];
    run_in(&folder, &second).ended(0).says(&[
        "the source does not have 1 of the model, such as b; --all removes them",
        "additions",
    ]);
    let all = [second.as_slice(), &["--all"]].concat();
    run_in(&folder, &all).ended(0).says(&["1 addition"]);
    run_in(&folder, &all).ended(0).says(&["already up to date"]);
    run_in(&folder, &["plan", "--all", "--format", "json"])
        .ended(0)
        .says(&["symbol a", "symbol b", "symbol c"]);
    run_in(&folder, &["check"]).ended(0);
}

#[test]
fn tags_show_when_a_mark_was_added_and_when_its_bearer_was_removed() {
    let file = |text: &str| vec![("src/lib.rs".to_owned(), text.to_owned())];
    let folder = tagged([
        (vec!["v1.0.0"], file("pub fn a() {}\n")),
        (vec!["v1.1.0"], file("#[deprecated]\npub fn a() {}\n")),
        (vec!["v1.2.0"], file("pub fn b() {}\n")),
    ]);
    run_in(&folder, &["import", "markers", "rust", "--git", ".", "-v"])
        .ended(0)
        .says(&[
            "a = { introduced = \"1.0\", deprecated = \"1.1\", removed = \"1.2\" }\n",
            "read: v1.1.0:src/lib.rs:1: a is deprecated since 1.1\n",
        ]);
}

/// A text of each language, with the name of a file.
const TEXTS: [(&str, &str, &str); 7] = [
    ("rust", "a.rs", RUST),
    ("java", "a.java", JAVA),
    ("php", "a.php", PHP),
    ("oslo", "a.py", OSLO),
    (
        "ansible",
        "runtime.yml",
        "plugin_routing:\n  a:\n    b: {deprecation: {removal_version: '3.0'}}\n",
    ),
    ("gitlab", "a.yml", GITLAB),
    ("csv", "a.csv", CSV),
];

#[test]
fn hostile_texts_are_refused_or_read_quickly() {
    for (language, _, good) in TEXTS {
        let half: String = good.chars().take(good.chars().count() * 2 / 3).collect();
        let deep = [
            "(",
            "{",
            "[",
            "/*",
            "#[deprecated(",
            "cfg.Opt(",
            "<?php trigger_deprecation(",
            "class A {",
            "mod a {",
        ];
        let deep = deep.map(|open| open.repeat(50_000));
        let noise = "\u{0}\u{1}'\"`\n".repeat(1000);
        let wide = each(20_000, |n| {
            format!("@Deprecated #[deprecated] cfg.AOpt('a{n}', deprecated_for_removal=x)\n")
        });
        // Each of these once looked at all that follows it.
        let repeated = ["namespace a ", "<<<A "].map(|word| format!("<?php {}", word.repeat(80_000)));
        let texts = deep.iter().chain(&repeated).map(String::as_str);
        for text in texts.chain(["", "\n\n", "'", "\"", "/*", "<<<", "r#", &half, &noise, &wide]) {
            let arguments = ["import", "markers", language, "--release", "1.1", "-"];
            let run = run_on(text, &arguments);
            assert!(matches!(run.code, Some(0..=2)), "{language} {text:.40}: {:?}", run.code);
            assert!(!run.all().contains("panicked"), "{language} {text:.40}: {}", run.all());
        }
    }
}
