"use strict";

/* The position of the band that a row is in, in a release; -1 before the first. */
function bandIn(row, release) {
  const bands = row.data.bands;
  let n = bands.length - 1;
  while (n >= 0 && bands[n].from > release) n -= 1;
  return n;
}

/* An element with a text, which is never read as markup, and with elements or texts in it. */
function element(tag, inside = [], name = "") {
  const made = document.createElement(tag);
  made.append(...[inside].flat());
  if (name) made.className = name;
  return made;
}

function button(text, act, name = "") {
  const made = element("button", text, name);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

/* The most bars of a chart, and the most consumers in a list. */
const MOST_BARS = 60;
const MOST_CONSUMERS = 10;

/* Days as bars: equal numbers of days in each, without a count where none of them has evidence. */
function barsOf(days) {
  const DAY = 24 * 60 * 60 * 1000;
  const counts = new Map(days.map((day) => [Date.parse(day.day), day.count]));
  const first = Date.parse(days[0].day);
  const length = Math.round((Date.parse(days.at(-1).day) - first) / DAY) + 1;
  const width = Math.ceil(length / MOST_BARS);
  const name = (at) => new Date(first + at * DAY).toISOString().slice(0, 10);
  return Array.from({ length: Math.ceil(length / width) }, (_, bar) => {
    const from = bar * width;
    const to = Math.min(from + width, length) - 1;
    const within = Array.from({ length: to - from + 1 }, (_, at) => counts.get(first + (from + at) * DAY));
    const known = within.filter((count) => count !== undefined);
    const count = known.length > 0 ? known.reduce((sum, own) => sum + own, 0) : null;
    return { from: name(from), to: name(to), days: width, count };
  });
}

/* The details of a row, or of the picture if there is none. */
class Details {
  #picture;
  #panel;
  #about;
  #acts;
  #ids;

  /* The picture, the panel, and what its buttons do: `togglePin` of a row, `close`, `follow` of an id. */
  constructor(picture, panel, acts) {
    this.#picture = picture;
    this.#panel = panel;
    this.#about = panel.querySelector("#about");
    this.#acts = acts;
    this.#ids = new Set(picture.groups.flatMap((group) => group.rows.map((row) => row.id)));
  }

  /* Shows a row with one of its bands, or its state in a release. */
  show(row, { band, at, pinned }) {
    const data = row.data;
    const title = element("h3", data.id);
    const group = this.#picture.groups[row.group.at].group;
    const parts = [this.#buttons(row, pinned), title, element("p", `${data.stability} ${data.kind} in ${group}`, "what")];
    parts.push(...data.violations.map((finding) => this.#finding(finding)));
    parts.push(element("h4", "States"), this.#states(row, band ?? bandIn(row, at)));
    if (data.before) parts.push(element("h4", "Before the change"), this.#before(data.before));
    if (data.way) parts.push(element("h4", "On the way"), this.#way(data.way));
    parts.push(this.#facts(data));
    if (data.usage) parts.push(element("h4", "Usage"), ...this.#usage(data));
    if (data.because.length > 0) parts.push(element("h4", "Why"), this.#reasons(data.because));
    this.#about.replaceChildren(...parts);
    this.#panel.classList.add("open");
  }

  /* Shows a hint, and the findings about no element. */
  overview() {
    const hint = "Point at a row, or move to it with the arrow keys, to read why. Enter or a click pins it.";
    const findings = this.#picture.violations.map((finding) => this.#finding(finding));
    const heading = findings.length > 0 ? [element("h4", "Findings about no element")] : [];
    this.#about.replaceChildren(element("p", hint, "hint"), ...heading, ...findings);
    this.#panel.classList.remove("open");
  }

  #buttons(row, pinned) {
    const pin = button(pinned ? "Unpin" : "Pin", () => this.#acts.togglePin(row));
    return element("div", [pin, button("Close", () => this.#acts.close())], "acts");
  }

  #moment(at) {
    const { release, date, date_kind: kind } = this.#picture.releases[at];
    return date ? `${release} (${kind === "projected" ? "~" : ""}${date})` : release;
  }

  #states(row, current) {
    const drawn = row.line.querySelectorAll("i");
    const lines = row.data.bands.map((band, n) => {
      const planned = drawn[n].classList.contains("planned") ? "planned" : "not declared";
      const when = this.#moment(band.from) + (band.declared ? "" : `, ${planned}`);
      const swatch = element("i", [], `${band.state} ${band.declared ? "" : planned}`);
      const name = element("span", drawn[n].dataset.text ?? (band.state === "gone" ? "removed" : band.state));
      return element("li", [swatch, name, element("span", when)], n === current ? "is" : "");
    });
    return element("ol", lines, "states");
  }

  /* The states before a change; none if the element is new. */
  #before(bands) {
    const lines = bands.map((band) => {
      const swatch = element("i", [], `${band.state} ${band.declared ? "" : "planned"}`);
      const name = element("span", band.state === "gone" ? "removed" : band.state);
      const when = this.#moment(band.from) + (band.declared ? "" : ", not declared");
      return element("li", [swatch, name, element("span", when)]);
    });
    return lines.length > 0 ? element("ol", lines, "states") : element("p", "It is new.", "what");
  }

  /* The events on the way to a target, each with its releases and why it is not earlier. */
  #way(steps) {
    const moment = (at, none) => (at === null ? none : this.#moment(at));
    const lines = steps.map((step) => {
      const follows = step.standing === "follow";
      const slack = follows ? "follows, or is dropped" : step.slack === null ? "too late" : `${step.slack} ${step.slack === 1 ? "release" : "releases"} of slack`;
      const releases = `${moment(step.earliest, "never")} to ${moment(step.latest, follows ? "any release" : "no release")}`;
      const decides = step.critical ? ", decides" : "";
      return element("li", [element("span", step.event, "tag"), `${releases}: ${slack}${decides}. ${step.reason}`]);
    });
    return element("ul", lines, "reasons");
  }

  /* How often it was used over time, and by whom. */
  #usage({ usage: days, consumers = [] }) {
    const used = days.filter((day) => day.count > 0);
    const number = (count) => count.toLocaleString("en");
    const counted = (count, what) => `${number(count)} ${what}${count === 1 ? "" : "s"}`;
    const total = used.reduce((sum, day) => sum + day.count, 0);
    const often = used.length > 0 ? `, on ${counted(used.length, "day")}, last on ${used.at(-1).day}` : "";
    const summary = `${counted(total, "use")} in ${counted(days.length, "day")} of evidence${often}`;
    const bars = barsOf(days);
    const most = Math.max(1, ...bars.map((bar) => bar.count ?? 0));
    const drawn = bars.map((bar) => {
      const made = element("i", [], bar.count === null ? "none" : "");
      made.style.setProperty("--h", (bar.count ?? most) / most);
      const when = bar.from === bar.to ? bar.from : `${bar.from} to ${bar.to}`;
      made.title = `${when}: ${bar.count === null ? "no evidence" : counted(bar.count, "use")}`;
      return made;
    });
    const chart = element("div", drawn, "days");
    chart.setAttribute("role", "img");
    chart.setAttribute("aria-label", `Usage over time: ${summary}`);
    const span = bars[0].days === 1 ? "a day" : `in ${bars[0].days} days`;
    const ends = [bars[0].from, `at most ${number(most)} ${span}`, bars.at(-1).to].map((text) => element("span", text));
    const who = consumers.slice(0, MOST_CONSUMERS).map((consumer) => element("li", consumer.words));
    const more = consumers.length - who.length;
    if (more > 0) who.push(element("li", `and ${number(more)} more`));
    return [element("p", summary, "what"), chart, element("p", ends, "ends"), element("ul", who, "reasons")];
  }

  #facts(data) {
    const releases = this.#picture.releases;
    const from = (span) => `from ${releases[span.from].release}`;
    const until = (span) => (span.until === null ? "on" : `until ${releases[span.until].release}`);
    const spans = (list) => list.map((span) => `${from(span)} ${until(span)}`).join("; ");
    const moment = (at) => (at === null ? null : this.#moment(at));
    const [earliest, due] = [moment(data.earliest_removal), moment(data.removal_due)];
    const facts = [
      ["Preferred", spans(data.preferred)],
      ["Stored", spans(data.stored)],
      ["Replacement", this.#link(data.replacement)],
      ["Migrate to", data.migrate_to === data.replacement ? null : this.#link(data.migrate_to)],
      ["Earliest removal", earliest && earliest + (data.earliest_removal_open ? " or later" : "")],
      ["Not removed before", data.never_before_major],
      ["Removal due", due && due + (data.removal_due < data.earliest_removal ? " (before it is possible)" : "")],
      ["Decided by", data.binding],
      ["Owner", data.owner],
      ["Tracking", this.#tracking(data.tracking)],
    ];
    const known = facts.filter(([, value]) => value);
    return element("dl", known.flatMap(([name, value]) => [element("dt", name), element("dd", value)]));
  }

  #link(id) {
    return this.#ids.has(id) ? button(id, () => this.#acts.follow(id), "link") : id;
  }

  #tracking(text) {
    if (!/^https?:\/\//i.test(text ?? "")) return text;
    const link = element("a", text);
    link.href = text;
    link.rel = "noreferrer";
    return link;
  }

  #reasons(facts) {
    const lines = facts.map((fact) => {
      const tag = fact.rule ? [element("span", fact.number ?? fact.rule, "tag")] : [];
      return element("li", [...tag, fact.text]);
    });
    return element("ul", lines, "reasons");
  }

  #finding(finding) {
    const rule = [finding.number, finding.rule].filter(Boolean).join(" ");
    const message = element("p", [element("strong", finding.severity), ` ${rule}: ${finding.message}`]);
    const allowed = finding.at === null ? [] : [element("p", `Allowed from ${this.#moment(finding.at)}.`)];
    const help = finding.help ? [element("p", finding.help)] : [];
    const place = finding.file ? [element("p", `${finding.file}:${finding.line}`, "place")] : [];
    const card = element("div", [message, ...allowed, ...help, ...place], "finding");
    card.dataset.worst = finding.severity;
    return card;
  }
}

