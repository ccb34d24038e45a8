// The page of flagmenu serve. Rows are patched, never built again: focus, scroll position and an edit survive changes.

const ui = Object.fromEntries([...document.querySelectorAll("[id]")].map((element) => [element.id, element]));
const client = new URLSearchParams(location.search).get("client") || null;

// The last responses. `own` has the overrides of this page's set: a client's page also shows those of the shared set.
let [status, flags, own, writable] = [null, [], {}, false];
/** The name of each flag's group, in the order of the list, if the groups are not the categories. */
let groupNames = null;
let [view, only, current] = ["flags", false, null];
const rows = new Map();
const sections = new Map();

// MARK: requests

const query = (id) => (id === null ? "" : `?client=${encodeURIComponent(id)}`);
const apiURL = (path) => `/api/v1/${path}${path.includes("?") ? query(client).replace("?", "&") : query(client)}`;

async function request(method, path, body) {
  const response = await fetch(apiURL(path), {
    method,
    body: body && JSON.stringify(body),
    headers: { "Content-Type": "application/json" },
    signal: AbortSignal.timeout(15_000), // A write may wait 10 s for other writers.
  }).catch(() => {
    disconnected();
    const effect = "It is unknown whether this was changed. When the server responds again, the list shows the current state.";
    throw new Error(`The server does not respond. ${method === "GET" ? "" : effect}`);
  });
  const content = await response.json().catch(() => null);
  if (response.ok && content) return content;
  const message = content?.error?.message ?? `The server responded with status ${response.status}. Reload the page.`;
  throw Object.assign(new Error(message), { code: content?.error?.code, preview: content?.preview });
}

// Writes run one after the other: the last choice must be the last to arrive.
let lastWrite = Promise.resolve();
let writtenAt = 0;

/** Sends a change, and describes its effect or error. Returns the error, if any. */
function write(method, path, body) {
  lastWrite = lastWrite.then(async () => {
    try {
      const { changes = [], notes = [], activated } = await request(method, path, body);
      if (activated) notes.push("The fetched values are active.");
      announce([described(changes), ...notes].join(" ").trim() || "Nothing was changed.");
    } catch (error) {
      announce(error.message, true);
      return error;
    } finally {
      writtenAt = Date.now();
      refresh();
    }
  });
  return lastWrite;
}

// MARK: words

const markers = { overridden: "* changed", sameAsRemote: "= same as remote", stale: "~ stale", invalid: "! invalid" };
const shown = (value) => (value == null ? "not set" : value === "" ? '""' : value);
const cut = (text, length) => (text.length <= length ? text : `${text.slice(0, length - 12)}…${text.slice(-10)}`);
const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** The changes as sentences; of many, the first three. */
function described(changes) {
  const sentences = changes.slice(0, 3).map(({ key, old, oldLayer, new: value, newLayer }) => {
    const [from, to] = [old, value].map((text) => cut(shown(text), 60));
    if (newLayer === "override" && oldLayer === newLayer && old === value) return `${key} is still ${to}; its note or end changed.`;
    if (newLayer === "override") return `${key}: ${from} -> ${to} (${oldLayer ? `was ${oldLayer}` : "was not set"}).`;
    return `${key} is ${newLayer === oldLayer ? `still ${to}` : `${to} again`}${newLayer ? ` (${newLayer})` : ""}.`;
  });
  if (changes.length > 3) sentences.push(`And ${changes.length - 3} more.`);
  return sentences.join(" ");
}

/** A time span in its largest unit; null for less than a minute. */
function span(milliseconds) {
  const minutes = Math.floor(milliseconds / 60_000);
  if (!(minutes > 0)) return null;
  if (minutes < 60) return `${minutes} min`;
  return minutes < 1440 ? `${Math.floor(minutes / 60)} h` : counted(Math.floor(minutes / 1440), "day");
}

function age(time) {
  const past = span(Date.now() - Date.parse(time));
  return past ? `${past} ago` : "just now";
}

/** When an override ends by itself, in the words of the menu; null if it does not. */
function endOf({ endsAt, endsWithRestart }) {
  if (endsWithRestart) return "ends when the app restarts";
  if (endsAt == null) return null;
  const left = Date.parse(endsAt) - Date.now();
  return left < 0 ? "ends now" : `ends in ${span(left) ?? "less than a minute"}`;
}

/** Why an override exists and when it ends, as far as somebody said it. */
const additionsOf = (override) => [override.note, endOf(override)].filter(Boolean);

/** The applied scenario, and how many changes deviate from it. */
const scenarioWords = ({ name, deviation }) => (deviation ? `${name} +${deviation}` : name);

function announce(text, isError = false) {
  ui.message.classList.toggle("error", isError);
  ui.message.textContent = isError ? `! ${text}` : text;
}

// MARK: elements

function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

const focused = () => document.activeElement;

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Makes the nodes the children of the parent, in this order. Does not touch nodes in place, and keeps the focus. */
function arrange(parent, nodes) {
  const wanted = new Set(nodes);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  let next = parent.firstElementChild;
  for (const node of nodes) {
    if (node === next) next = next.nextElementSibling;
    else {
      const focus = node.contains(focused()) ? focused() : null;
      parent.insertBefore(node, next);
      focus?.focus({ preventScroll: true });
    }
  }
}

// MARK: values

// Firebase's rule, as for all bools of FlagMenu.
const isTrue = (value) => /^(1|true|t|yes|y|on)$/i.test(value);
const isBool = (value) => value === null || isTrue(value) || /^(0|false|f|no|n|off|)$/i.test(value);
const titleOf = (flag) => flag.title ?? flag.key;
const isOverridden = ({ key }) => Object.hasOwn(own, key);
/** The layer whose value applies without the override. */
const baseLayer = ({ values }) => ["team", "remote", "default"].find((layer) => values[layer] != null);

/** The layer of the value, unless it is remote as usual or the marker says that it is the override. */
const layerWord = ({ layer, state }) => (layer === "remote" || (layer === "override" && markers[state]) ? "" : layer ?? "not set");

/** What applies without the override, and who set it. */
function noteOf(flag) {
  const { type, state, layer, values, setBy, setAt } = flag;
  const base = baseLayer(flag);
  const old = type === "json" && base ? "another value" : cut(shown(values[base]), 24);
  const was = `was ${old}${base === "remote" || !base ? "" : ` (${base})`}`;
  return [
    state === "overridden" && (layer === "launch" ? "override hidden" : was),
    state === "invalid" && `override ${cut(shown(values.override), 24)} unused`,
    state !== "notSet" && !isOverridden(flag) && "of the shared set",
    setBy && `by ${setBy}`,
    setAt && age(setAt),
    ...additionsOf(layer === "team" && flag.team ? flag.team : flag).map((text) => cut(text, 80)),
  ].filter(Boolean).join(" · ");
}

const withoutSpaces = (json) => json.replace(/("(?:\\.|[^"\\])*")|\s+/g, "$1");

/** The JSON with line breaks, unless parsing would change it, as it does with long numbers. */
function indented(json) {
  try {
    const value = JSON.parse(json);
    return JSON.stringify(value) === withoutSpaces(json) ? JSON.stringify(value, null, 2) : json;
  } catch {
    return json; // The reader of the text sees what is wrong with it, and can save another.
  }
}

// MARK: controls

const isListed = ({ value, options }) => options.some((option) => option.value === value);

function kindOf(flag) {
  const { type, value, options } = flag;
  if (type === "bool" && isBool(value)) return "toggle";
  if (options.length < 2) return "text";
  const { length } = options.map(({ value, label }) => label ?? value).join("");
  return options.length <= 3 && length <= 24 && isListed(flag) ? "choice" : "menu";
}

// What a maker returns shows a value, goes to the next (`step`), and starts choosing or editing (`open`).
const makers = {
  toggle(row) {
    const word = make("span");
    const target = make("button", { className: "switch", role: "switch" }, make("span", { className: "track" }), word);
    row.add(target);
    const show = (flag) => {
      target.ariaChecked = isTrue(flag.value);
      setText(word, shown(flag.value));
    };
    const step = () => {
      // The server stores the option with the same meaning, such as "yes".
      const value = String(target.ariaChecked !== "true");
      show({ value });
      row.set(value);
    };
    target.onclick = step;
    return { target, show, step, open: step };
  },

  choice(row) {
    const group = make("div", { role: "radiogroup" });
    const inputs = row.flag.options.map(({ value, label }) => {
      const input = make("input", { type: "radio", name: row.id, value, onchange: () => row.set(value) });
      group.append(make("label", {}, input, make("span", {}, label ?? shown(value))));
      return input;
    });
    row.add(group);
    const chosen = () => inputs.findIndex((input) => input.checked);
    return {
      get target() { return inputs[Math.max(chosen(), 0)]; },
      show: ({ value }) => inputs.forEach((input) => (input.checked = input.value === value)),
      step: () => inputs[(chosen() + 1) % inputs.length].click(),
    };
  },

  menu(row) {
    const { value, options } = row.flag;
    // The value in use may be none of the options.
    const other = { value: value ?? "", label: value === null ? "not set" : `${shown(value)} (not an option)` };
    const onblur = () => {
      row.hinted("");
      row.showControl();
    };
    const choices = isListed(row.flag) ? options : [other, ...options];
    const select = make("select", { onchange: () => row.set(select.value), onblur });
    select.append(...choices.map((option) => make("option", { value: option.value }, option.label ?? shown(option.value))));
    row.add(select);
    return {
      target: select,
      show: (flag) => (select.value = flag.value ?? ""),
      // A change would move the highlighted option of an open menu.
      isOpen: () => focused() === select,
    };
  },

  text(row) {
    const open = () => openEditor(row);
    const target = make("button", { className: "value mono", onclick: open });
    row.add(target);
    return {
      target,
      open,
      show: ({ type, value }) => setText(target, cut(type === "json" && value ? withoutSpaces(value) : shown(value), 2000)),
    };
  },
};

// MARK: rows

let made = 0;

class Row {
  constructor(flag) {
    this.element = ui.rowTemplate.content.firstElementChild.cloneNode(true);
    const [name, fieldset, state, buttons, hint] = this.element.children;
    const [why, reset] = buttons.children;
    Object.assign(this, { fieldset, whyButton: why, resetButton: reset, hint, id: `row-${(made += 1)}`, pending: 0 });
    this.path = `overrides/${encodeURIComponent(flag.key)}`;
    [this.title, this.key, this.description] = name.children;
    [this.chip, this.layer, this.note] = state.children;
    const parts = { title: this.title, description: this.description, state, hint };
    for (const part in parts) parts[part].id = `${this.id}-${part}`;
    this.element.setAttribute("aria-labelledby", `${this.id}-title ${this.id}-state`);
    why.onclick = () => showWhy(this);
    reset.onclick = () => this.reset();
    this.element.hidden = only || ui.search.value !== "";
    this.element.row = this;
    this.show(flag);
  }

  /** Adds a control, which the texts of the row name and describe. */
  add(control, ...others) {
    control.setAttribute("aria-labelledby", `${this.id}-title`);
    control.setAttribute("aria-describedby", `${this.id}-description ${this.id}-state ${this.id}-hint`);
    this.fieldset.append(control, ...others);
  }

  /** Shows the flag. Returns whether anything has changed. */
  show(flag) {
    const text = JSON.stringify(flag);
    if (text === this.text) return false;
    const elsewhere = flag.value === this.value ? "" : `Now ${cut(shown(flag.value), 60)}, changed elsewhere.`;
    if (ui.editDialog.open && edited === this) setText(ui.editError, elsewhere);
    Object.assign(this, { text, flag });
    this.words = [titleOf(flag), flag.key, flag.description, flag.category].join("\n").toLowerCase();
    setText(this.title, titleOf(flag));
    this.title.classList.toggle("mono", flag.title === null);
    setText(this.key, flag.title === null ? "" : flag.key);
    setText(this.description, flag.description ?? "");
    this.whyButton.ariaLabel = `Why ${titleOf(flag)} has its value`;
    this.resetButton.ariaLabel = `Reset ${titleOf(flag)}`;
    this.showControl(elsewhere);
    return true;
  }

  showState() {
    const { flag } = this;
    this.element.dataset.state = flag.state;
    setText(this.chip, markers[flag.state] ?? "");
    setText(this.layer, layerWord(flag));
    setText(this.note, noteOf(flag));
    const hides = !writable || !isOverridden(flag);
    if (hides && focused() === this.resetButton) this.element.focus({ preventScroll: true });
    this.resetButton.hidden = hides;
    this.fieldset.disabled = !writable;
  }

  /** Shows the value in a control. While a menu is open, a hint says what was changed `elsewhere`. */
  showControl(elsewhere) {
    const { flag } = this;
    if (this.control?.isOpen?.()) return this.hinted(elsewhere);
    const kind = kindOf(flag);
    const form = JSON.stringify([kind, flag.options, kind === "menu" && !isListed(flag) && flag.value]);
    if (form !== this.form) {
      const hadFocus = this.fieldset.contains(focused());
      this.fieldset.replaceChildren();
      this.form = form;
      this.element.dataset.kind = kind;
      this.control = makers[kind](this);
      this.control.open ??= () => this.control.target.focus();
      if (hadFocus) this.control.target.focus();
    }
    this.value = flag.value;
    this.control.show(flag);
  }

  hinted(text, isError = false) {
    setText(this.hint, text);
    this.hint.classList.toggle("error", isError);
  }

  /** Overrides the flag. Returns the error, if any. */
  async set(value) {
    this.pending += 1;
    const error = await write("PUT", this.path, { value, any: false, new: false });
    this.pending -= 1;
    if (error) this.control.show(this.flag);
    else this.value = value;
    this.hinted(error && !ui.editDialog.open ? error.message : "", true);
    return error;
  }

  reset() {
    if (this.resetButton.hidden) return announce(writable ? `${this.flag.key} has no override to reset.` : ui.readOnly.textContent);
    write("DELETE", this.path);
  }
}

const rowOf = (node) => node.closest?.(".row")?.row;

// MARK: list

/** Shows the flags by category, in the catalog's order. Returns the changed values in words. */
async function showFlags() {
  const changes = [];
  const listed = new Set(flags.map((flag) => flag.key));
  for (const key of rows.keys()) if (!listed.has(key)) rows.delete(key);
  for (const [index, flag] of flags.entries()) {
    const row = rows.get(flag.key) ?? new Row(flag);
    if (!rows.has(flag.key)) {
      rows.set(flag.key, row);
      // The first screens appear before thousands of rows are made.
      if (index % 500 === 250) {
        arrangeSections(flags.slice(0, index));
        await new Promise((resolve) => setTimeout(resolve));
      }
    } else if (row.pending === 0) {
      if (row.flag.value !== flag.value) changes.push(`${flag.key}: ${cut(shown(flag.value), 60)}`);
      if (row.show(flag)) row.element.animate({ background: ["var(--flash)", "transparent"] }, 1500);
    }
  }
  arrangeSections(flags);
  return changes;
}

function arrangeSections(list) {
  const categories = new Map();
  for (const flag of list) {
    const name = groupNames?.get(flag.key) ?? flag.category ?? "Other";
    if (!categories.has(name)) categories.set(name, []);
    categories.get(name).push(flag);
  }
  for (const [name, flags] of categories) {
    if (!sections.has(name)) {
      const onclick = (event) => {
        event.preventDefault();
        fold(name, !folded.has(name));
      };
      const summary = make("summary", { onclick });
      summary.append(make("h2", {}, name), make("small"));
      sections.set(name, make("details", { open: true }, summary, make("ul")));
    }
    arrange(sections.get(name).lastChild, flags.map(({ key }) => rows.get(key).element));
  }
  const names = [...new Set(groupNames?.values() ?? categories.keys())].filter((name) => categories.has(name));
  arrange(ui.flags, names.map((name) => sections.get(name)));
}

const folded = new Set();
const isFiltered = () => only || ui.search.value.trim() !== "";

/** Folds a group, or unfolds it. A search shows what it finds in folded groups, too. */
function fold(name, isFolded) {
  if (isFiltered()) return;
  if (isFolded) folded.add(name);
  else folded.delete(name);
  const section = sections.get(name);
  if (isFolded && section.contains(focused())) section.firstChild.focus();
  section.open = !isFolded;
}

/** Folds or unfolds the group around an element. */
function foldAt(element, isFolded) {
  const group = [...sections].find(([, section]) => section.contains(element));
  if (group) fold(group[0], isFolded);
}

/** Shows what matches the search. A row that a change no longer lets match stays until the search changes. */
function filter({ hides = true } = {}) {
  const words = ui.search.value.toLowerCase().split(/\s+/);
  let found = 0;
  for (const row of rows.values()) {
    const matches = words.every((word) => row.words.includes(word)) && (!only || isOverridden(row.flag));
    if (matches || hides) row.element.hidden = !matches;
    if (!row.element.hidden) found += 1;
  }
  for (const [name, section] of sections) {
    section.open = isFiltered() || !folded.has(name);
    const all = [...section.lastChild.children];
    const changed = all.filter((element) => isOverridden(element.row.flag)).length;
    section.hidden = all.every((element) => element.hidden);
    setText(section.firstChild.lastChild, changed ? `${changed} of ${all.length} changed` : counted(all.length, "flag"));
  }
  setText(ui.found, isFiltered() ? `${found} of ${rows.size}` : "");
  ui.empty.hidden = found > 0 || view !== "flags";
  if (status) setText(ui.empty, rows.size ? "No flag matches. Escape clears the search." : "The sources have no flags.");
}

function showStatus() {
  const { app, sources, readOnly, issues } = status;
  setText(ui.app, ` · ${app}`);
  setText(ui.sources, sources.map(sourceText).join("; "));
  ui.activate.hidden = !writable || !sources.some(({ waiting }) => waiting);
  setText(ui.contexts, changedParts().map((change) => `${partText(change)}.`).join(" "));
  const errors = sources.filter(({ error }) => error).map(({ source, error }) => `${fileName(source)}: ${error}`);
  setText(ui.failed, [...errors, ...issues].map((error) => `! ${error}`).join(" "));
  setText(ui.readOnly, writable ? "" : readOnly ?? "Read-only. To change flags, open the link that flagmenu serve printed.");
  ui.undo.disabled = ui.redo.disabled = !writable;
  const count = Object.keys(own).length + changedParts().length;
  setText(ui.count, count || "");
  ui.resetAll.disabled = !writable || count === 0;
  ui.applyScenario.disabled = !writable;
  const badge = [count && `${count} changed`, status.scenario && scenarioWords(status.scenario)].filter(Boolean);
  setText(ui.badge, badge.join(" · "));
  document.title = [...badge, client ?? app, "FlagMenu"].join(" · ");
}

/** The conditions and attributes that were changed by hand. They belong to the shared set. */
const changedParts = () => (client === null ? status.contexts : []);

function partText({ source, condition, attribute, new: value }) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const place = status.sources.length > 1 ? ` of ${fileName(source)}` : "";
  return condition ? `The condition ${condition}${place} is ${text} by hand` : `${attribute}${place} is ${text} in the context`;
}

/** The name of a source's file without its folder; other sources as they are. */
const fileName = (source) => (/^[~/]/.test(source) ? source.split("/").pop() : source);

function sourceText({ source, state, valuesFrom, waiting }) {
  const time = valuesFrom && age(valuesFrom);
  const words = state === "read" ? time : time ? `cached ${time}` : "not read";
  return `${fileName(source)}, ${words}${waiting ? ", fetched values not active" : ""}`;
}

// MARK: live

let refreshing = null;
let isWanted = false;

/** Reads the flags again. Calls during a read lead to one more read. */
function refresh() {
  isWanted = true;
  refreshing ??= readFlags().finally(() => (refreshing = null));
  return refreshing;
}

async function readFlags() {
  while (isWanted) {
    isWanted = false;
    await reading(async () => {
      const isFirst = status === null;
      const responses = await Promise.all([
        request("GET", "status"),
        request("GET", "flags"),
        // If the overrides cannot be read, the status says why.
        request("GET", "overrides").catch(() => ({ overrides: own })),
      ]);
      let groups;
      [status, { flags, groups }, { overrides: own }] = responses;
      groupNames = groups && new Map(groups.flatMap(({ name, keys }) => keys.map((key) => [key, name])));
      writable = status.writable && !status.readOnly;
      const changes = await showFlags();
      for (const row of rows.values()) row.showState();
      showStatus();
      filter({ hides: isFirst });
      if (ui.resetDialog.open) showResetDialog();
      // The effects of this page's own changes have been described.
      const isOwn = Date.now() - writtenAt < 1000 || ui.message.className;
      if (changes.length && !isOwn) announce(`Changed elsewhere: ${changes.slice(0, 3).join("; ")}`);
      if (stream.readyState === EventSource.OPEN) ui.disconnected.hidden = true;
    });
  }
}

/**
 * Reads from the server, and announces an error, unless the page says already that it is not connected. A server that
 * refuses says why.
 */
const reading = (read) => read().catch((error) => (ui.disconnected.hidden || error.code) && announce(error.message, true));

let stream;
let retry;

function connect() {
  stream?.close();
  stream = new EventSource(apiURL("events"));
  stream.onopen = () => {
    refresh();
    showClients();
  };
  stream.onmessage = ({ data }) => (JSON.parse(data).type === "clients" ? showClients() : refresh());
  stream.onerror = () => {
    disconnected();
    // A stream does not say why it ended.
    refresh();
  };
}

/** Says that values may be old, and connects again. A browser alone gives up after some errors. */
function disconnected() {
  stream?.close();
  ui.disconnected.hidden = false;
  clearTimeout(retry);
  retry = setTimeout(connect, 2000);
}

// A connection can end without an event, as on a phone that slept. Then a request fails.
setInterval(() => {
  if (!document.hidden && ui.disconnected.hidden) refresh();
}, 30_000);

// A browser allows six connections to one server: pages in the background leave theirs to others.
document.addEventListener("visibilitychange", () => (document.hidden ? stream.close() : connect()));

// MARK: clients

const showClients = () => view === "clients" && reading(async () => {
  const { clients } = await request("GET", "clients");
  const { id } = focused();
  ui.clientRows.replaceChildren(...clients.map(clientRow));
  document.getElementById(id)?.focus({ preventScroll: true });
  ui.clientRows.parentElement.hidden = clients.length === 0;
  ui.noClients.hidden = clients.length > 0;
});

function clientRow({ client: id, lastKey, lastValue, lastLayer, lastAt, evaluations, overrides }) {
  const link = make("a", { href: `/${query(id)}`, id: `client-${id}` }, id ?? "no client ID");
  const counts = make("small", {}, `${counted(evaluations, "evaluation")}, ${counted(overrides, "override")}`);
  const last = lastKey === null ? [lastAt === null ? "nothing yet" : "all flags"]
    : [make("code", {}, lastKey), " ", make("strong", {}, cut(shown(lastValue), 80)), " ", make("small", {}, lastLayer ?? "not set")];
  return make("tr", {}, make("th", { scope: "row" }, link, counts), make("td", {}, ...last),
    make("td", {}, lastAt === null ? "" : make("time", { dateTime: lastAt }, age(lastAt))));
}

// MARK: dialogs

function showResetDialog() {
  const names = Object.keys(own);
  const parts = changedParts();
  if (names.length + parts.length === 0) return ui.resetDialog.close();
  setText(ui.resetTitle, `Reset ${counted(names.length + parts.length, "change")}?`);
  setText(ui.resetNote, client === null ? "" : `Only those of ${client}. The shared set applies again.`);
  const partItems = parts.map((change) => make("li", {}, partText(change)));
  ui.resetList.replaceChildren(...partItems, ...names.map((key) => {
    const { values = {} } = rows.get(key)?.flag ?? {};
    const layer = baseLayer({ values });
    const [old, base] = [own[key].value, values[layer]].map((value) => cut(shown(value), 60));
    const effect = client === null ? ` -> ${base}${layer ? ` (${layer})` : ""}` : "";
    return make("li", {}, make("code", {}, key), " ", make("span", {}, old + effect));
  }));
  if (!ui.resetDialog.open) ui.resetDialog.showModal();
}

/** Lists the groups that the search shows; choosing one goes to its first flag. */
function showGroups() {
  const shownGroups = [...sections].filter(([, section]) => !section.hidden);
  ui.groupList.replaceChildren(...shownGroups.map(([name, section]) => {
    const onclick = () => {
      ui.groupsDialog.close();
      fold(name, false);
      const first = section.querySelector(".row:not([hidden])");
      section.scrollIntoView();
      first.focus({ preventScroll: true });
    };
    const count = make("small", {}, section.firstChild.lastChild.textContent);
    return make("li", {}, make("button", { onclick }, make("span", {}, name), count));
  }));
  ui.groupsDialog.showModal();
}

const cellsOf = (...texts) => texts.map((text) => make("td", {}, text));

/** Shows why a flag has its value, and the last changes of its override. */
const showWhy = (row) => reading(async () => {
  const { flag } = row;
  const { explanation, history } = await request("GET", `explanations/${encodeURIComponent(flag.key)}`);
  setText(ui.whyTitle, titleOf(flag));
  setText(ui.whyKey, `${flag.key} · ${flag.type}`);
  ui.whyLayers.replaceChildren(...explanation.layers.map((row) => {
    const { layer, value, castable, setBy, setAt } = row;
    const isWinner = layer === explanation.layer;
    const invalid = castable === false && `not a valid ${flag.type}, ignored`;
    const details = [invalid, setBy && `by ${setBy}`, setAt && age(setAt), ...additionsOf(row)];
    const name = make("th", { scope: "row" }, `${isWinner ? "> " : ""}${layer}`);
    const line = make("tr", {}, name, ...cellsOf(cut(shown(value), 200), details.filter(Boolean).join(" · ")));
    line.classList.toggle("winner", isWinner);
    return line;
  }));
  ui.whyConditions.replaceChildren(...explanation.conditions.map(({ name, why, part }) =>
    make("li", {}, make("strong", {}, `${part === "decides" ? "> " : ""}${name}`), ` ${why}`)));
  ui.whyHistory.replaceChildren(...history.map(({ at, by, action, change, undone }) => {
    const words = cut(change.slice(flag.key.length + 2), 200); // Without "KEY: ".
    return make("li", {}, words, make("small", {}, ` ${action} by ${by}, ${age(at)}${undone ? ", undone" : ""}`));
  }));
  ui.whyNone.hidden = history.length > 0;
  ui.whyNote.hidden = row.resetButton.hidden;
  ui.whyNote.onclick = () => {
    ui.whyDialog.close();
    openNote(row);
  };
  ui.whyDialog.showModal();
});

/** Lists the scenarios; choosing one shows what it would change. Others can be saved, renamed and deleted. */
const showScenarios = () => reading(async () => {
  const { scenarios } = await request("GET", "scenarios");
  ui.scenarioList.replaceChildren(...scenarios.map(({ name, changes, applied, deviation, fileChanged, leftOut, error }) => {
    const facts = [
      error ?? counted(changes, "change"),
      applied && `applied${deviation ? ` +${deviation}` : ""}`,
      fileChanged && "its file changed since",
      leftOut.length > 0 && `${leftOut.length} left out`,
    ];
    const onclick = () => {
      ui.scenariosDialog.close();
      ui.modes.querySelector("[value=add]").checked = true;
      showPreview(name);
    };
    const words = make("small", {}, facts.filter(Boolean).join(" · "));
    const open = make("button", { onclick, disabled: error !== null }, make("span", {}, name), words);
    if (!writable) return make("li", {}, open);
    const [rename, remove] = [["Rename", () => openName(name)], ["Delete", () => openDelete(name)]].map(([verb, onclick]) =>
      make("button", { onclick, ariaLabel: `${verb} ${name}` }, verb));
    return make("li", {}, open, rename, remove);
  }));
  ui.noScenarios.hidden = scenarios.length > 0;
  ui.saveScenario.disabled = !writable;
  if (!ui.scenariosDialog.open) ui.scenariosDialog.showModal();
});

/** The scenario that gets another name; null for one that is saved. */
let renamed;
/** The name that somebody was told is taken: saving under it again replaces the scenario. */
let taken;

/** Asks for the name under which the changes are saved, or for the new name of a scenario. */
function openName(name = null) {
  [renamed, taken] = [name, null];
  setText(ui.nameTitle, name === null ? "Save the changes as a scenario" : `Rename ${name}`);
  setText(ui.nameSave, name === null ? "Save" : "Rename");
  setText(ui.nameError, "");
  ui.withNotesLabel.hidden = name !== null;
  ui.nameText.value = name ?? "";
  ui.nameDialog.showModal();
}

async function saveName() {
  const name = ui.nameText.value.trim();
  if (!name) return setText(ui.nameError, "! A scenario needs a name, such as checkout.");
  const error = renamed === null
    ? await write("PUT", `scenarios/${encodeURIComponent(name)}`, { replace: taken === name, withNotes: ui.withNotes.checked })
    : await write("POST", `scenarios/${encodeURIComponent(renamed)}/rename`, { name });
  if (error) {
    taken = error.code === "taken" ? name : null;
    setText(ui.nameError, `! ${error.message}${taken && renamed === null ? " Save again to replace it." : ""}`);
    return ui.nameText.focus();
  }
  ui.nameDialog.close();
  showScenarios();
}

function openDelete(name) {
  setText(ui.deleteTitle, `Delete ${name}?`);
  ui.deleteConfirmed.onclick = async () => {
    await write("DELETE", `scenarios/${encodeURIComponent(name)}`);
    showScenarios();
  };
  ui.deleteDialog.showModal();
}

/** Shows the changes as one string and as a QR code, and what is in it. */
const showShared = () => reading(async () => {
  const { text, code, lines, leftOut } = await request("GET", "share");
  ui.shareNone.hidden = text !== null;
  ui.shareText.hidden = text === null;
  ui.shareText.value = text ?? "";
  ui.shareCodeBox.hidden = code === null;
  const modules = (code ?? []).flatMap((row, y) => [...row].map((module, x) => (module === "1" ? `M${x} ${y}h1v1h-1z` : "")));
  const size = (code?.length ?? 0) + 8; // The standard has four light modules on each side.
  ui.shareCode.setAttribute("viewBox", `-4 -4 ${size} ${size}`);
  ui.shareModules.setAttribute("d", modules.join(""));
  ui.shareLines.replaceChildren(...[...lines, ...leftOut].map((line) => make("li", {}, cut(line, 200))));
  ui.shareDialog.showModal();
  ui.shareText.select();
});

/** What applying the scenario of the dialog would change, as it is shown. */
let preview;

/** Shows what a scenario would change: now, in the scenario, and after. */
const showPreview = (name) => reading(async () => {
  const mode = ui.modes.querySelector(":checked").value;
  fillPreview(await request("GET", `scenarios/${encodeURIComponent(name)}/preview?mode=${mode}`));
  setText(ui.previewError, "");
  if (!ui.previewDialog.open) ui.previewDialog.showModal();
});

function fillPreview(response) {
  preview = response;
  const { name, summary, lines, leftOut } = response;
  setText(ui.previewTitle, `Apply ${name}`);
  setText(ui.previewSummary, summary);
  ui.previewLines.replaceChildren(...lines.map(({ key, now, scenario, after, effect, additions }) => {
    const texts = [now, scenario ?? "-", after].map((value) => cut(shown(value), 80));
    const cells = cellsOf(...texts);
    const words = [effect, ...additions].filter(Boolean).join(", ");
    if (words) cells[2].append(" ", make("small", {}, words));
    return make("tr", {}, make("th", { scope: "row" }, make("code", {}, key)), ...cells);
  }));
  ui.previewLeftOut.replaceChildren(...leftOut.map(({ key, reason }) =>
    make("li", {}, "! ", make("code", {}, key), ` is left out: ${reason}`)));
}

/** Applies the scenario as it is shown. If somebody wrote meanwhile, shows what it would change now. */
async function applyScenario() {
  const { name, mode, revision } = preview;
  const error = await write("POST", `scenarios/${encodeURIComponent(name)}/apply`, { mode, revision });
  if (!error) return ui.previewDialog.close();
  if (error.preview) fillPreview(error.preview);
  setText(ui.previewError, `! ${error.message}`);
}

let annotated;

/** Edits why an override exists and when it ends. */
function openNote(row) {
  if (row.resetButton.hidden) return announce(writable ? `${row.flag.key} has no override.` : ui.readOnly.textContent);
  annotated = row;
  const { key, value } = row.flag;
  setText(ui.noteTitle, `Note and end of ${titleOf(row.flag)}`);
  setText(ui.noteKey, `${key} · ${cut(shown(value), 60)}`);
  setText(ui.noteError, "");
  setText(ui.noteEndNow, endOf(own[key]) ?? "stays until it is reset");
  ui.noteText.value = own[key].note ?? "";
  ui.noteEnd.value = "";
  ui.noteDialog.showModal();
}

async function saveNote() {
  const [note, end] = [ui.noteText.value, ui.noteEnd.value.trim()];
  const error = await write("PUT", annotated.path, { note, ...(end && { for: end }) });
  if (!error) return ui.noteDialog.close();
  setText(ui.noteError, `! ${error.message}`);
  ui.noteText.focus();
}

let edited;
const isLong = ({ type, value }) => type === "json" || value?.includes("\n");

function openEditor(row) {
  edited = row;
  const { flag } = row;
  setText(ui.editTitle, titleOf(flag));
  setText(ui.editKey, `${flag.key} · ${flag.type}`);
  setText(ui.editError, "");
  ui.editor.value = flag.type === "json" ? indented(flag.value ?? "") : flag.value ?? "";
  ui.editor.rows = isLong(flag) ? 14 : 2;
  ui.editDialog.showModal();
  if (!isLong(flag)) ui.editor.select();
}

async function saveEditor() {
  const text = ui.editor.value;
  const error = await edited.set(edited.flag.type === "json" ? withoutSpaces(text) : text);
  if (!error) return ui.editDialog.close();
  setText(ui.editError, `! ${error.message}`);
  ui.editor.focus();
}

ui.editSave.onclick = saveEditor;
ui.editor.onkeydown = (event) => {
  const isKey = event.ctrlKey || event.metaKey || !(event.shiftKey || isLong(edited.flag));
  if (event.key !== "Enter" || event.isComposing || !isKey) return;
  event.preventDefault();
  saveEditor();
};
ui.noteSave.onclick = saveNote;
ui.nameSave.onclick = saveName;
ui.nameText.onkeydown = (event) => {
  if (event.key !== "Enter" || event.isComposing) return;
  event.preventDefault();
  saveName();
};
ui.noteText.onkeydown = ui.noteEnd.onkeydown = (event) => {
  if (event.key !== "Enter" || event.isComposing) return;
  event.preventDefault();
  saveNote();
};
ui.scenariosButton.onclick = showScenarios;
ui.saveScenario.onclick = () => openName();
ui.shareButton.onclick = showShared;
ui.modes.onchange = () => showPreview(preview.name);
ui.applyScenario.onclick = applyScenario;
ui.resetConfirmed.onclick = () => write("DELETE", "overrides");
ui.skip.onclick = () => ui.main.focus();
ui.resetAll.onclick = showResetDialog;
ui.activate.onclick = () => write("POST", "activate");
ui.groupsButton.onclick = showGroups;
ui.keysButton.onclick = () => ui.keysDialog.showModal();
ui.undo.onclick = () => write("POST", "undo");
ui.redo.onclick = () => write("POST", "redo");

// MARK: search and address

function readAddress() {
  const hash = new URLSearchParams(location.hash.slice(1));
  view = hash.has("view") ? "clients" : "flags";
  setSearch(hash.get("filter") ?? "", hash.has("changed"));
  showClients();
}

/** Shows the view with its search, and keeps both in the address. */
function searched() {
  const link = view === "flags" ? ui.toFlags : ui.toClients;
  ui.toFlags.ariaCurrent = ui.toClients.ariaCurrent = null;
  link.ariaCurrent = "page";
  ui.flags.hidden = ui.tools.hidden = view !== "flags";
  ui.clients.hidden = view === "flags";
  ui.only.ariaPressed = only;
  const hash = new URLSearchParams();
  if (ui.search.value.trim()) hash.set("filter", ui.search.value.trim());
  if (only) hash.set("changed", "1");
  ui.toFlags.hash = hash;
  hash.set("view", "clients");
  ui.toClients.hash = hash;
  history.replaceState(null, "", link.href);
  filter();
}

function setSearch(text, isOnly = only) {
  ui.search.value = text;
  only = isOnly;
  searched();
}

addEventListener("hashchange", readAddress);
ui.only.onclick = () => setSearch(ui.search.value, !only);
ui.search.oninput = searched;
ui.search.onkeydown = (event) => {
  if (event.isComposing || !["Escape", "Enter", "ArrowDown"].includes(event.key)) return;
  event.preventDefault();
  if (event.key === "Escape" && ui.search.value) setSearch("");
  else visibleRows()[0]?.focus();
};

// MARK: keys

const visibleRows = () => [...ui.flags.querySelectorAll("[open] .row:not([hidden])")];

function move(step) {
  const all = visibleRows();
  const at = all.indexOf(current?.element);
  all[at < 0 ? 0 : Math.min(Math.max(at + step, 0), all.length - 1)]?.focus();
}

// Each key with its help and its action. The dialog lists them.
const keys = {
  "/": ["Search. Escape clears it.", () => ui.search.select()],
  j: ["Next flag, as ↓.", () => move(1)],
  k: ["Previous flag, as ↑.", () => move(-1)],
  g: ["First flag.", () => move(-Infinity)],
  G: ["Last flag.", () => move(Infinity)],
  Space: ["Toggle, or choose the next option.", ({ control }) => (control.step ?? control.open)()],
  Enter: ["Toggle, choose or edit. Saves a line; with Ctrl, any text.", ({ control }) => control.open()],
  Escape: ["Discard the edit, return to the flag, clear the search.", () => setSearch("")],
  "←": ["Fold the group.", () => foldAt(focused(), true)],
  "→": ["Unfold the group.", () => foldAt(focused(), false)],
  t: ["Jump to a group.", () => ui.groupsButton.click()],
  i: ["Why the flag has its value, and its history.", (row) => (row ?? current) && showWhy(row ?? current)],
  e: ["Note and end of the override.", (row) => (row ?? current) && openNote(row ?? current)],
  s: ["Scenarios: apply, save, rename and delete them.", () => ui.scenariosButton.click()],
  y: ["Share the changes as one string and a QR code.", () => ui.shareButton.click()],
  x: ["Reset the flag.", () => current?.reset()],
  u: ["Undo the last change.", () => ui.undo.click()],
  U: ["Redo the last undo.", () => ui.redo.click()],
  m: ["Show changed flags only, or all again.", () => ui.only.click()],
  X: ["Reset everything; lists it first.", () => ui.resetAll.click()],
  "?": ["Show these keys.", () => ui.keysButton.click()],
};
ui.keys.append(...Object.entries(keys).map(([key, [help]]) =>
  make("div", {}, make("dt", {}, make("kbd", {}, key)), make("dd", {}, help))));

document.addEventListener("keydown", (event) => {
  const { target } = event;
  const names = { " ": "Space", ArrowDown: "j", ArrowUp: "k", ArrowLeft: "←", ArrowRight: "→" };
  const key = names[event.key] ?? event.key;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || target.closest("dialog")) return;
  const row = rowOf(target);
  const isRow = target === row?.element;
  let action = keys[key]?.[1];
  if (row && !isRow && key === "Escape") action = () => row.element.focus();
  else if (target.matches("select, input:not([type=radio])")) return;
  else if (target.matches("summary") && event.key.startsWith("Arrow")) action = keys[key][1];
  else if (key === "Space" || key === "Enter") action = isRow && writable && action;
  else if (key === "Escape" || event.key.startsWith("Arrow")) action = row && target.type !== "radio" && action;
  else if (!ui.letters.checked || (view !== "flags" && key !== "?")) return;
  if (!action) return;
  event.preventDefault();
  action(row);
});

ui.flags.addEventListener("focusin", ({ target }) => (current = rowOf(target) ?? current));

// Letters as keys can be switched off, for speech input and for who presses them by accident.
ui.letters.checked = localStorage.letters !== "false";
ui.letters.onchange = () => (localStorage.letters = ui.letters.checked);

// MARK: start

ui.client.hidden = client === null;
ui.clientId.textContent = client;
connect();
readAddress();
refresh();
