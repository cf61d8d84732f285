//! The functions and operators that servers declare, with the types that they take.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::types::{Library, Type};

/// One way to call a function.
#[derive(Debug)]
pub(super) struct Overload {
    /// The server's name of it, by which costs differ.
    pub name: String,
    /// Called on a value: `value.function()`.
    pub is_method: bool,
    /// With the value that a method is called on.
    pub takes: Vec<Type>,
    pub gives: Type,
    /// How many variables the types have, numbered from 0.
    pub variables: usize,
}

/// All functions by name.
static FUNCTIONS: LazyLock<HashMap<String, Vec<Overload>>> = LazyLock::new(declare);

pub(super) fn overloads(function: &str) -> Option<&'static [Overload]> {
    FUNCTIONS.get(function).map(Vec::as_slice)
}

/// Functions of later servers than those that are judged here.
pub(super) const NEWER: [&str; 1] = ["includes"];

/// Function, overload, what it takes (methods with a dot before it), what it gives. `A` and `B` are variables.
const ROWS: &str = "
_?_:_ conditional bool;A;A A
_&&_ logical_and bool;bool bool
_||_ logical_or bool;bool bool
!_ logical_not bool bool
@not_strictly_false not_strictly_false bool bool
_==_ equals A;A bool
_!=_ not_equals A;A bool
_+_ add_bytes bytes;bytes bytes
_+_ add_double double;double double
_+_ add_duration_duration duration;duration duration
_+_ add_duration_timestamp duration;timestamp timestamp
_+_ add_timestamp_duration timestamp;duration timestamp
_+_ add_int64 int;int int
_+_ add_list list<A>;list<A> list<A>
_+_ add_string string;string string
_+_ add_uint64 uint;uint uint
_/_ divide_double double;double double
_/_ divide_int64 int;int int
_/_ divide_uint64 uint;uint uint
_%_ modulo_int64 int;int int
_%_ modulo_uint64 uint;uint uint
_*_ multiply_double double;double double
_*_ multiply_int64 int;int int
_*_ multiply_uint64 uint;uint uint
-_ negate_double double double
-_ negate_int64 int int
_-_ subtract_double double;double double
_-_ subtract_duration_duration duration;duration duration
_-_ subtract_int64 int;int int
_-_ subtract_timestamp_duration timestamp;duration timestamp
_-_ subtract_timestamp_timestamp timestamp;timestamp duration
_-_ subtract_uint64 uint;uint uint
_[_] index_list list<A>;int A
_[_] index_map map<A,B>;A B
_[_] optional_list_index_int optional<list<A>>;int optional<A>
_[_] optional_map_index_value optional<map<A,B>>;A optional<B>
_[?_] list_optindex_optional_int list<A>;int optional<A>
_[?_] optional_list_optindex_optional_int optional<list<A>>;int optional<A>
_[?_] map_optindex_optional_value map<A,B>;A optional<B>
_[?_] optional_map_optindex_optional_value optional<map<A,B>>;A optional<B>
@in in_list A;list<A> bool
@in in_map A;map<A,B> bool
size size_bytes bytes int
size bytes_size .bytes int
size size_list list<A> int
size list_size .list<A> int
size size_map map<A,B> int
size map_size .map<A,B> int
size size_string string int
size string_size .string int
type type A type<A>
bool bool_to_bool bool bool
bool string_to_bool string bool
bytes bytes_to_bytes bytes bytes
bytes string_to_bytes string bytes
double double_to_double double double
double int64_to_double int double
double string_to_double string double
double uint64_to_double uint double
duration duration_to_duration duration duration
duration int64_to_duration int duration
duration string_to_duration string duration
dyn to_dyn A dyn
int int64_to_int64 int int
int double_to_int64 double int
int duration_to_int64 duration int
int string_to_int64 string int
int timestamp_to_int64 timestamp int
int uint64_to_int64 uint int
string string_to_string string string
string bool_to_string bool string
string bytes_to_string bytes string
string double_to_string double string
string duration_to_string duration string
string int64_to_string int string
string timestamp_to_string timestamp string
string uint64_to_string uint string
string ip_to_string ip string
string cidr_to_string cidr string
timestamp timestamp_to_timestamp timestamp timestamp
timestamp int64_to_timestamp int timestamp
timestamp string_to_timestamp string timestamp
uint uint64_to_uint64 uint uint
uint double_to_uint64 double uint
uint int64_to_uint64 int uint
uint string_to_uint64 string uint
contains contains_string .string;string bool
endsWith ends_with_string .string;string bool
startsWith starts_with_string .string;string bool
matches matches string;string bool
matches matches_string .string;string bool
optional.of optional_of A optional<A>
optional.ofNonZeroValue optional_ofNonZeroValue A optional<A>
optional.none optional_none - optional<A>
optional.unwrap optional_unwrap list<optional<A>> list<A>
unwrapOpt optional_unwrapOpt .list<optional<A>> list<A>
value optional_value .optional<A> A
hasValue optional_hasValue .optional<A> bool
or optional_or_optional .optional<A>;optional<A> optional<A>
orValue optional_orValue_value .optional<A>;A A
first list_first .list<A> optional<A>
last list_last .list<A> optional<A>
cel.@mapInsert @mapInsert_key_value map<A,B>;A;B map<A,B>
cel.@mapInsert @mapInsert_map map<A,B>;map<A,B> map<A,B>
charAt string_char_at_int .string;int string
indexOf string_index_of_string .string;string int
indexOf string_index_of_string_int .string;string;int int
indexOf list_a_index_of_int .list<A>;A int
lastIndexOf string_last_index_of_string .string;string int
lastIndexOf string_last_index_of_string_int .string;string;int int
lastIndexOf list_a_last_index_of_int .list<A>;A int
lowerAscii string_lower_ascii .string string
upperAscii string_upper_ascii .string string
replace string_replace_string_string .string;string;string string
replace string_replace_string_string_int .string;string;string;int string
split string_split_string .string;string list<string>
split string_split_string_int .string;string;int list<string>
substring string_substring_int .string;int string
substring string_substring_int_int .string;int;int string
trim string_trim .string string
format string_format .string;list<dyn> string
strings.quote strings_quote string string
join list_join .list<string> string
join list_join_string .list<string>;string string
find string_find_string .string;string string
findAll string_find_all_string .string;string list<string>
findAll string_find_all_string_int .string;string;int list<string>
slice list_slice .list<A>;int;int list<A>
flatten list_flatten .list<list<A>> list<A>
flatten list_flatten_int .list<dyn>;int list<dyn>
lists.range lists_range int list<int>
reverse list_reverse .list<A> list<A>
distinct list_distinct .list<A> list<A>
sets.contains list_sets_contains_list list<A>;list<A> bool
sets.equivalent list_sets_equivalent_list list<A>;list<A> bool
sets.intersects list_sets_intersects_list list<A>;list<A> bool
url string_to_url string url
isURL is_url_string string bool
getScheme url_get_scheme .url string
getHost url_get_host .url string
getHostname url_get_hostname .url string
getPort url_get_port .url string
getEscapedPath url_get_escaped_path .url string
getQuery url_get_query .url map<string,list<string>>
ip string_to_ip string ip
ip cidr_ip .cidr ip
isIP is_ip string bool
ip.isCanonical ip_is_canonical string bool
family ip_family .ip int
isUnspecified ip_is_unspecified .ip bool
isLoopback ip_is_loopback .ip bool
isLinkLocalMulticast ip_is_link_local_multicast .ip bool
isLinkLocalUnicast ip_is_link_local_unicast .ip bool
isGlobalUnicast ip_is_global_unicast .ip bool
cidr string_to_cidr string cidr
isCIDR is_cidr string bool
containsIP cidr_contains_ip_string .cidr;string bool
containsIP cidr_contains_ip_ip .cidr;ip bool
containsCIDR cidr_contains_cidr_string .cidr;string bool
containsCIDR cidr_contains_cidr .cidr;cidr bool
prefixLength cidr_prefix_length .cidr int
masked cidr_masked .cidr cidr
quantity string_to_quantity string quantity
isQuantity is_quantity_string string bool
sign quantity_sign quantity int
isGreaterThan quantity_is_greater_than .quantity;quantity bool
isLessThan quantity_is_less_than .quantity;quantity bool
compareTo quantity_compare_to .quantity;quantity int
asApproximateFloat quantity_get_float .quantity double
asInteger quantity_get_int .quantity int
isInteger quantity_is_integer .quantity bool
add quantity_add .quantity;quantity quantity
add quantity_add_int .quantity;int quantity
sub quantity_sub .quantity;quantity quantity
sub quantity_sub_int .quantity;int quantity
semver string_to_semver string semver
semver string_bool_to_semver string;bool semver
isSemver is_semver_string string bool
isSemver is_semver_string_bool string;bool bool
isGreaterThan semver_is_greater_than .semver;semver bool
isLessThan semver_is_less_than .semver;semver bool
compareTo semver_compare_to .semver;semver int
major semver_major .semver int
minor semver_minor .semver int
patch semver_patch .semver int
validate format-validate .format;string optional<list<string>>
format.named format-named string optional<format>
path authorizer_path .authorizer;string pathCheck
group authorizer_group .authorizer;string groupCheck
serviceAccount authorizer_serviceaccount .authorizer;string;string authorizer
resource groupcheck_resource .groupCheck;string resourceCheck
subresource resourcecheck_subresource .resourceCheck;string resourceCheck
namespace resourcecheck_namespace .resourceCheck;string resourceCheck
name resourcecheck_name .resourceCheck;string resourceCheck
fieldSelector authorizer_fieldselector .resourceCheck;string resourceCheck
labelSelector authorizer_labelselector .resourceCheck;string resourceCheck
check pathcheck_check .pathCheck;string decision
check resourcecheck_check .resourceCheck;string decision
errored decision_errored .decision bool
error decision_error .decision string
allowed decision_allowed .decision bool
reason decision_reason .decision string
";

const COMPARED: [&str; 8] = [
    "int",
    "uint",
    "double",
    "bool",
    "duration",
    "timestamp",
    "string",
    "bytes",
];

const SUMMED: [&str; 4] = ["int", "uint", "double", "duration"];

const NUMBERS: [&str; 3] = ["int", "uint", "double"];

const COMPARISONS: [(&str, &str); 4] = [
    ("_<_", "less"),
    ("_<=_", "less_equals"),
    ("_>_", "greater"),
    ("_>=_", "greater_equals"),
];

const FORMATS: [&str; 13] = [
    "dns1123Label",
    "dns1123Subdomain",
    "dns1035Label",
    "qualifiedName",
    "dns1123LabelPrefix",
    "dns1123SubdomainPrefix",
    "dns1035LabelPrefix",
    "labelValue",
    "uri",
    "uuid",
    "byte",
    "date",
    "datetime",
];

const PARTS: [&str; 10] = [
    "getFullYear",
    "getMonth",
    "getDayOfYear",
    "getDayOfMonth",
    "getDate",
    "getDayOfWeek",
    "getHours",
    "getMinutes",
    "getSeconds",
    "getMilliseconds",
];

fn declare() -> HashMap<String, Vec<Overload>> {
    let mut rows: Vec<String> = ROWS.lines().map(str::to_owned).collect();
    for (function, name) in COMPARISONS {
        rows.extend(COMPARED.map(|of| format!("{function} {name}_{of} {of};{of} bool")));
        for of in NUMBERS {
            let others = NUMBERS.iter().filter(|other| **other != of);
            rows.extend(others.map(|other| format!("{function} {name}_{of}_{other} {of};{other} bool")));
        }
    }
    for of in COMPARED {
        rows.push(format!("isSorted list_{of}_is_sorted_bool .list<{of}> bool"));
        rows.push(format!("max list_{of}_max_{of} .list<{of}> {of}"));
        rows.push(format!("min list_{of}_min_{of} .list<{of}> {of}"));
        rows.push(format!("sort list_{of}_sort .list<{of}> list<{of}>"));
        let function = "@sortByAssociatedKeys";
        rows.push(format!(
            "{function} list_{of}_sortByAssociatedKeys .list<A>;list<{of}> list<A>"
        ));
    }
    rows.extend(SUMMED.map(|of| format!("sum list_{of}_sum_{of} .list<{of}> {of}")));
    rows.extend(FORMATS.map(|format| format!("format.{format} format.{format} - format")));
    for part in PARTS {
        rows.push(format!("{part} timestamp_{part} .timestamp int"));
        rows.push(format!("{part} timestamp_{part}_with_tz .timestamp;string int"));
    }
    let of_durations = PARTS.iter().filter(|part| part.ends_with('s'));
    rows.extend(of_durations.map(|part| format!("{part} duration_{part} .duration int")));
    let mut functions: HashMap<String, Vec<Overload>> = HashMap::new();
    for row in &rows {
        if let Some((function, overload)) = read(row) {
            functions.entry(function.to_owned()).or_default().push(overload);
        }
    }
    functions
}

fn read(row: &str) -> Option<(&str, Overload)> {
    let mut words = row.split(' ');
    let (function, name) = (words.next()?, words.next()?);
    let takes = words.next()?;
    let gives = type_of(words.next()?)?;
    let is_method = takes.starts_with('.');
    let takes = match takes.trim_start_matches('.') {
        "-" => Vec::new(),
        all => all.split(';').map(type_of).collect::<Option<_>>()?,
    };
    let variables = ["A", "B"].iter().filter(|variable| row.contains(**variable)).count();
    let overload = Overload {
        name: name.to_owned(),
        is_method,
        takes,
        gives,
        variables,
    };
    Some((function, overload))
}

fn type_of(text: &str) -> Option<Type> {
    if let Some((outer, inner)) = text.strip_suffix('>').and_then(|text| text.split_once('<')) {
        return Some(match (outer, inner.split_once(',')) {
            ("map", Some((key, value))) => Type::map(type_of(key)?, type_of(value)?),
            ("list", _) => Type::list(type_of(inner)?),
            ("optional", _) => Type::optional(type_of(inner)?),
            ("type", _) => Type::Meta(Some(type_of(inner)?.into())),
            _ => return None,
        });
    }
    Some(match text {
        "A" => Type::Variable(0),
        "B" => Type::Variable(1),
        "dyn" => Type::Dyn,
        "ip" => Type::Library(Library::Ip),
        "cidr" => Type::Library(Library::Cidr),
        "url" => Type::Library(Library::Url),
        "quantity" => Type::Library(Library::Quantity),
        "semver" => Type::Library(Library::Semver),
        "format" => Type::Library(Library::Format),
        "authorizer" => Type::Library(Library::Authorizer),
        "pathCheck" => Type::Library(Library::PathCheck),
        "groupCheck" => Type::Library(Library::GroupCheck),
        "resourceCheck" => Type::Library(Library::ResourceCheck),
        "decision" => Type::Library(Library::Decision),
        name => Type::named(name)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_row() {
        for row in ROWS.lines().filter(|row| !row.is_empty()) {
            assert!(read(row).is_some(), "{row}");
        }
        assert_eq!(overloads("_<_").map(<[Overload]>::len), Some(14));
        assert_eq!(overloads("getHours").map(<[Overload]>::len), Some(3));
        assert_eq!(overloads("getMonth").map(<[Overload]>::len), Some(2));
    }
}
