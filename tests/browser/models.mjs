// Models that the tests write for themselves.

const releases = (count) => Array.from({ length: count }, (_, at) => {
  const month = at * 4;
  const date = `${2015 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}-01`;
  return `"1.${at}" = ${date}`;
});

const calendar = (count, current) => `[calendar]
current = "1.${current}"
cadence = { months = 4 }
[calendar.releases]
${releases(count).join("\n")}
`;

const gates = (count) => Array.from({ length: count }, (_, at) => `[gate.Feature${at}]
specs = [
  { stage = "alpha", since = "1.${at % 20}", default = false },
  { stage = "beta", since = "1.${(at % 20) + 3}", default = true },
]
`);

const metrics = (count) => Array.from({ length: count }, (_, at) => `[metric.requests_${at}_total]
specs = [
  { stage = "ALPHA", since = "1.${at % 15}" },
  { stage = "STABLE", since = "1.${(at % 15) + 4}" },
]
deprecated = "1.${(at % 15) + 12}"
`);

const flags = (count) => Array.from({ length: count }, (_, at) => `[cli.tool${at % 4}.flag."--option-${at}"]
introduced = "1.${at % 12}"
deprecated = "1.${(at % 12) + 8}"
warning = "Flag --option-${at} has been deprecated"
`);

const group = (name, kinds) => `[group."${name}".version]
v1alpha1 = { introduced = "1.2" }
v1beta1 = { introduced = "1.5" }
v1beta2 = { introduced = "1.9" }
v1 = { introduced = "1.12" }
v2 = { introduced = "1.20" }
${Array.from({ length: kinds }, (_, at) => `[group."${name}".kind.Thing${at}]`).join("\n")}
`;

/** A model of 5,000 elements: 100 groups of 30, 1,000 flags, 500 gates, 500 metrics. */
export const large = () => [
  calendar(30, 24),
  ...Array.from({ length: 100 }, (_, at) => group(`area${at}.example.com`, 5)),
  ...["tool0", "tool1", "tool2", "tool3"].map((tool) => `[cli.${tool}]\naudience = "user"\n`),
  ...flags(1000),
  ...gates(500),
  ...metrics(500),
].join("\n");

/** A model with an old version, and another one. */
export const shop = () => `${calendar(8, 6)}
[group."shop.example.com".version]
v1beta1 = { introduced = "1.1", deprecated = "1.4" }
v1alpha1 = { introduced = "1.0", deprecated = "1.2" }
v1 = { introduced = "1.3" }
[group."shop.example.com".kind]
Shop = {}
`;

/** Its usage: on some of 90 days, none on others, and ten days without evidence. Twelve consumers. */
export const shopUsage = () => {
  const days = Array.from({ length: 100 }, (_, at) => new Date(Date.UTC(2016, 11, 1 + at)).toISOString().slice(0, 10));
  const covered = days.map((day, at) => [day, at]).filter(([, at]) => at < 40 || at >= 50);
  const rows = covered.flatMap(([day, at]) => {
    const count = at % 7 === 0 ? 0 : 100 - at;
    const rows = [`shop.example.com/v1beta1 Shop,,${0},${day},${day}`];
    if (count > 0) rows.push(`shop.example.com/v1beta1 Shop,team-${at % 12},${count},${day},${day}`);
    return rows;
  });
  rows.push(...covered.map(([day]) => `shop.example.com/v1alpha1 Shop,,0,${day},${day}`));
  return ["element,who,count,last_seen,day", ...rows].join("\n") + "\n";
};

/** Names that would be markup, or would not read as they are, were they not taken as text. */
export const hostile = () => `${calendar(6, 3)}
[group.'<script>alert("group")</script>.example.com']
owner = '<img src=x onerror=alert("owner")>'
[group.'<script>alert("group")</script>.example.com'.version]
v1beta1 = { introduced = "1.0", deprecated = "1.2", removed = "1.3", replacement = "v1" }
v1 = { introduced = "1.1" }

[behavior.'"><svg onload=alert(1)>']
introduced = "1.0"
tracking = 'javascript:alert("tracking")'
[behavior."\\u202egnp.exe</script><script>alert(2)</script>"]
introduced = "1.1"
[behavior."'&amp; {{ page }} <!--"]
introduced = "1.0"
deprecated = "1.1"
owner = "escape \\u001b[31m \\u202e"
`;

/** A beta version that is removed before it may be. */
export const late = () => `${calendar(8, 6)}
[group."example.com".version]
v1beta1 = { introduced = "1.0", deprecated = "1.1", removed = "1.3", replacement = "v1" }
v1 = { introduced = "1.1" }
`;
