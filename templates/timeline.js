{
  const picture = JSON.parse(document.getElementById("picture").textContent);
  const releases = picture.releases;
  const byId = (id) => document.getElementById(id);
  const [board, status, search, at] = ["board", "status", "search", "at"].map(byId);
  const selects = { group: byId("group"), kind: byId("kind"), track: byId("stability"), in: byId("in") };
  const only = byId("only");
  const chips = [...document.querySelectorAll(".chip")];
  const heads = [...board.querySelectorAll(".release")];

  /* What is chosen. A group and a release are positions; null is "all". */
  const start = picture.current ?? 0;
  const fresh = () => ({
    q: "", group: null, kind: null, track: null, in: null, only: false, states: new Set(), at: start, pin: null,
  });
  let chosen = fresh();
  let shown = null;

  /* Rows and groups as the page has them, in the order of the data. */
  const groups = [...board.querySelectorAll(".group")].map((box, at) => {
    const name = box.firstElementChild;
    const lines = [...box.querySelectorAll(".row")];
    const blocks = [...box.querySelectorAll(".rows")].map((box) => ({ box, drawn: box.childElementCount, visible: 0 }));
    return { at, box, name, lines, blocks, count: name.querySelector("small"), hidden: false, visible: 0 };
  });
  const rows = groups.flatMap((group, at) => group.lines.map((line, n) => {
    const data = picture.groups[at].rows[n];
    const block = group.blocks[Math.floor(n / group.blocks[0].drawn)];
    return { group, block, line, data, key: data.id.toLowerCase(), hidden: false, now: null };
  }));
  const rowOf = new Map(rows.map((row) => [row.line, row]));
  const groupOf = new Map(groups.map((group) => [group.name, group]));

  const stateIn = (row, release) => row.data.bands[bandIn(row, release)]?.state ?? "not yet";

  /* Whether something about the row begins or ends in a release. */
  function changesIn(row, release) {
    const roles = row.data.preferred.concat(row.data.stored);
    return row.data.bands.some((band) => band.from === release)
      || roles.some((span) => span.from === release || span.until === release);
  }

  /* Whether something is laid over the row: its states before a change, or its way to a target. */
  const isLaid = (data) => data.before !== undefined || data.way !== undefined;

  /* The words that a row has to have, and the filters, the state apart. */
  function matches(row, words) {
    return words.every((word) => row.key.includes(word))
      && (!chosen.only || isLaid(row.data))
      && (chosen.group === null || row.group.at === chosen.group)
      && (chosen.kind === null || row.data.kind === chosen.kind)
      && (chosen.track === null || row.data.stability === chosen.track)
      && (chosen.in === null || changesIn(row, chosen.in));
  }

  /* Shows what is chosen: only what changes is touched. */
  function apply() {
    const words = chosen.q.toLowerCase().split(/\s+/).filter(Boolean);
    const counts = new Map();
    let found = 0;
    for (const block of groups.flatMap((group) => group.blocks)) block.visible = 0;
    for (const row of rows) {
      const now = stateIn(row, chosen.at);
      if (row.now !== now) row.line.dataset.now = row.now = now;
      let fits = matches(row, words);
      if (fits) counts.set(now, (counts.get(now) ?? 0) + 1);
      fits &&= chosen.states.size === 0 || chosen.states.has(now);
      if (row.hidden === fits) row.line.hidden = row.hidden = !fits;
      if (fits) row.block.visible += 1;
      if (fits) found += 1;
    }
    for (const group of groups) applyGroup(group);
    for (const chip of chips) chip.lastElementChild.textContent = counts.get(chip.dataset.now) ?? 0;
    report(found);
    reachable();
  }

  function applyGroup(group) {
    group.visible = group.blocks.reduce((sum, block) => sum + block.visible, 0);
    for (const block of group.blocks) applyBlock(block);
    const hidden = group.visible === 0;
    if (group.hidden !== hidden) group.box.hidden = group.hidden = hidden;
    const all = group.lines.length;
    const count = group.visible === all ? `${all}` : `${group.visible} of ${all}`;
    if (group.count.textContent !== count) group.count.textContent = count;
  }

  /* A block that is out of sight is as high as its rows would be. */
  function applyBlock(block) {
    if (block.drawn === block.visible) return;
    block.drawn = block.visible;
    block.box.hidden = block.visible === 0;
    block.box.style.setProperty("--rows", block.visible);
  }

  function report(found) {
    const closed = groups.filter((group) => !isOpen(group) && !group.hidden).length;
    const more = closed === 0 ? "" : `, ${closed} ${closed === 1 ? "group" : "groups"} collapsed`;
    const text = `${found} of ${rows.length} elements shown${more}`;
    if (status.textContent !== text) status.textContent = text;
  }

  /* Controls in the state of what is chosen. */
  function showControls() {
    if (search.value.trim() !== chosen.q) search.value = chosen.q;
    for (const [name, select] of Object.entries(selects)) {
      select.value = chosen[name] ?? "";
      select.classList.toggle("set", chosen[name] !== null);
    }
    for (const chip of chips) chip.setAttribute("aria-pressed", chosen.states.has(chip.dataset.now));
    only?.setAttribute("aria-pressed", chosen.only);
    showRelease();
  }

  function showRelease() {
    const release = releases[chosen.at];
    if (!release) return;
    at.value = chosen.at;
    const kind = chosen.at === picture.current ? "current" : release.date_kind;
    const detail = [["actual", "symbolic"].includes(kind) ? null : kind, release.date].filter(Boolean).join(" ");
    at.setAttribute("aria-valuetext", [release.release, detail].filter(Boolean).join(", "));
    byId("at-name").replaceChildren(release.release, element("small", ` ${detail}`));
    board.style.setProperty("--at", chosen.at);
    heads.forEach((head, n) => head.classList.toggle("at", n === chosen.at));
  }

  function choose(change) {
    Object.assign(chosen, change);
    showControls();
    apply();
    if (shown) showDetails(shown.row, shown.band);
    remember();
  }

  /* Groups */
  const isOpen = (group) => group.name.getAttribute("aria-expanded") === "true";
  function open(group, wanted) {
    group.name.setAttribute("aria-expanded", wanted);
  }
  function openAll(wanted) {
    for (const group of groups) open(group, wanted);
    apply();
    remember();
  }
  function toggle(group) {
    open(group, !isOpen(group));
    apply();
    remember();
  }

  /* Links: what is chosen is behind the #, by name. Unknown parts are ignored. */
  let writing = 0;
  function remember() {
    clearTimeout(writing);
    writing = setTimeout(() => {
      const hash = hashOf();
      if (hash !== location.hash.slice(1)) history.replaceState(null, "", `#${hash}`);
    }, 120);
  }

  function hashOf() {
    const closed = groups.filter((group) => !isOpen(group)).map((group) => picture.groups[group.at].group);
    const name = (release) => (release === null ? null : releases[release].release);
    const parts = {
      q: chosen.q,
      group: chosen.group === null ? null : picture.groups[chosen.group].group,
      kind: chosen.kind,
      stability: chosen.track,
      in: name(chosen.in),
      only: chosen.only ? "laid" : null,
      state: [...chosen.states].join(",") || null,
      at: chosen.at === start ? null : name(chosen.at),
      pin: chosen.pin?.data.id,
    };
    const pairs = Object.entries(parts).filter(([, value]) => value);
    if (closed.length === groups.length && closed.length > 1) pairs.push(["closed", "*"]);
    else for (const group of closed) pairs.push(["closed", group]);
    return pairs.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&");
  }

  function readHash() {
    const position = (list, name) => {
      const found = list.findIndex((entry) => entry === name);
      return found < 0 ? null : found;
    };
    const names = { groups: picture.groups.map((group) => group.group), releases: releases.map((r) => r.release) };
    const has = (select, value) => [...select.options].some((option) => option.value === value);
    chosen = fresh();
    const closed = new Set();
    for (const part of location.hash.slice(1).split("&")) {
      const [key, value] = decoded(part);
      if (key === "q") chosen.q = value.trim();
      if (key === "group") chosen.group = position(names.groups, value);
      if (key === "kind" && value && has(selects.kind, value)) chosen.kind = value;
      if (key === "stability" && value && has(selects.track, value)) chosen.track = value;
      if (key === "only") chosen.only = only !== null && value === "laid";
      if (key === "in") chosen.in = position(names.releases, value);
      if (key === "at") chosen.at = position(names.releases, value) ?? start;
      if (key === "state") chosen.states = new Set(value.split(",").filter((s) => chips.some((c) => c.dataset.now === s)));
      if (key === "pin") chosen.pin = rows.find((row) => row.data.id === value) ?? null;
      if (key === "closed") closed.add(value);
    }
    groups.forEach((group, n) => open(group, !closed.has("*") && !closed.has(names.groups[n])));
  }

  function decoded(part) {
    const cut = part.indexOf("=");
    try {
      return cut < 0 ? ["", ""] : [part.slice(0, cut), decodeURIComponent(part.slice(cut + 1))];
    } catch {
      return ["", ""];
    }
  }

  function restore() {
    readHash();
    showControls();
    pin(chosen.pin);
    apply();
    if (chosen.pin) {
      open(chosen.pin.group, true);
      chosen.pin.line.scrollIntoView({ block: "center", inline: "nearest" });
    }
  }

  /* Details of the row that is pinned, or else pointed at or moved to. */
  const details = new Details(picture, byId("details"), { togglePin, close: closeDetails, follow });
  let selected = null;

  function showDetails(row, band = null) {
    shown = { row, band };
    details.show(row, { band, at: chosen.at, pinned: chosen.pin === row });
  }
  function pin(row) {
    selected?.line.removeAttribute("aria-selected");
    chosen.pin = selected = row;
    row?.line.setAttribute("aria-selected", "true");
    shown = null;
    if (row) showDetails(row);
    else details.overview();
  }
  function togglePin(row) {
    pin(chosen.pin === row ? null : row);
    if (chosen.pin === null) showDetails(row);
    remember();
  }
  function closeDetails() {
    const row = shown?.row;
    const inside = byId("details").contains(document.activeElement);
    if (inside && row) focus(row.line);
    pin(null);
    remember();
  }
  function follow(id) {
    const target = rows.find((row) => row.data.id === id);
    if (!target) return;
    open(target.group, true);
    if (target.hidden) choose({ ...fresh(), at: chosen.at });
    pin(target);
    apply();
    focus(target.line);
    remember();
  }

  /* The keyboard: one line of the board is in the order of Tab, arrows move it. */
  let current = null;
  const lines = () => groups.filter((group) => !group.hidden)
    .flatMap((group) => [group.name, ...(isOpen(group) ? group.lines.filter((line) => !line.hidden) : [])]);
  function reachable(line = current) {
    const isGone = !line || line.hidden || line.parentElement.hidden
      || (rowOf.has(line) && (rowOf.get(line).group.hidden || !isOpen(rowOf.get(line).group)));
    const next = isGone ? groups.find((group) => !group.hidden)?.name ?? null : line;
    if (next === current) return;
    current?.removeAttribute("tabindex");
    current = next;
    if (current) current.tabIndex = 0;
  }
  function focus(line) {
    reachable(line);
    line.focus({ preventScroll: true });
    line.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  function move(steps) {
    const all = lines();
    const from = all.indexOf(current);
    const next = all[Math.max(0, Math.min(all.length - 1, from + steps))];
    if (next) focus(next);
  }
  function sideways(wanted) {
    const group = groupOf.get(current);
    if (group && isOpen(group) !== wanted) toggle(group);
    else if (group && wanted) move(1);
    else if (!group && !wanted) focus(rowOf.get(current).group.name);
  }
  function enter() {
    const group = groupOf.get(current);
    if (group) toggle(group);
    else togglePin(rowOf.get(current));
  }
  const keys = {
    ArrowDown: () => move(1), ArrowUp: () => move(-1), PageDown: () => move(15), PageUp: () => move(-15),
    Home: () => move(-Infinity), End: () => move(Infinity),
    ArrowRight: () => sideways(true), ArrowLeft: () => sideways(false), Enter: enter, " ": enter,
  };
  board.addEventListener("keydown", (event) => {
    const key = keys[event.key];
    if (!key || event.ctrlKey || event.metaKey || event.altKey || event.target !== current) return;
    event.preventDefault();
    key();
  });
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target !== at;
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      search.focus();
      search.select();
    }
    if (event.key !== "Escape") return;
    if (event.target === search && chosen.q) choose({ q: "" });
    else if (shown) closeDetails();
    else if (chosen.q) choose({ q: "" });
  });

  /* The pointer */
  board.addEventListener("focusin", ({ target }) => {
    if (rowOf.has(target) && !chosen.pin) showDetails(rowOf.get(target));
  });
  board.addEventListener("mouseover", ({ target }) => {
    const row = rowOf.get(target.closest(".rows > .row"));
    if (!row || chosen.pin || matchMedia("(max-width: 72rem)").matches) return;
    const band = target.tagName === "I" ? [...target.parentElement.querySelectorAll("i")].indexOf(target) : null;
    if (shown?.row !== row || shown.band !== band) showDetails(row, band);
  });
  board.addEventListener("click", ({ target }) => {
    const line = target.closest(".rows > .row, .name");
    const head = target.closest(".release");
    if (head) choose({ at: heads.indexOf(head) });
    if (!line) return;
    focus(line);
    enter();
  });

  /* Controls */
  search.addEventListener("input", () => choose({ q: search.value.trim() }));
  at.addEventListener("input", () => choose({ at: Number(at.value) }));
  for (const [name, select] of Object.entries(selects)) {
    const number = name === "group" || name === "in";
    select.addEventListener("change", () => {
      choose({ [name]: select.value === "" ? null : number ? Number(select.value) : select.value });
    });
  }
  for (const chip of chips) {
    chip.addEventListener("click", () => {
      const states = new Set(chosen.states);
      if (!states.delete(chip.dataset.now)) states.add(chip.dataset.now);
      choose({ states });
    });
  }
  only?.addEventListener("click", () => choose({ only: !chosen.only }));
  byId("clear").addEventListener("click", () => choose({ ...fresh(), at: chosen.at, pin: chosen.pin }));
  byId("expand").addEventListener("click", () => openAll(true));
  byId("collapse").addEventListener("click", () => openAll(false));
  byId("more").addEventListener("click", ({ target }) => {
    const opened = byId("filters").classList.toggle("open");
    target.setAttribute("aria-expanded", opened);
  });

  /* The theme: that of the system until the button is used. */
  const dark = matchMedia("(prefers-color-scheme: dark)");
  function showTheme() {
    const theme = document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light");
    byId("theme").setAttribute("aria-pressed", theme === "dark");
  }
  byId("theme").addEventListener("click", () => {
    const wasDark = byId("theme").getAttribute("aria-pressed") === "true";
    document.documentElement.dataset.theme = wasDark ? "light" : "dark";
    showTheme();
  });
  dark.addEventListener("change", showTheme);

  addEventListener("hashchange", restore);
  showTheme();
  restore();
  const column = heads[chosen.at];
  if (column) board.scrollLeft = column.offsetLeft + column.offsetWidth - board.clientWidth / 2 - column.offsetWidth;
}
