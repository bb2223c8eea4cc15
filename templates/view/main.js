// What is open: the address says it, so that it can be sent, and Back leads where one was.
const main = document.querySelector("main");
const output = filters.querySelector("output");
const chosenBefore = { key: null, rows: [] };
let open = null; // the rollout that is drawn
let listPlace = 0; // how far the list was scrolled

function rolloutAddress(row, chosen, turn = null) {
  const own = without(chosen, "turn");
  if (turn !== null) own.set("turn", turn);
  return `#rollout/${row.address}${question(own)}`;
}

function listAddress(chosen) {
  return `#rollouts${question(without(chosen, "turn"))}`;
}

function without(chosen, ...names) {
  const own = new URLSearchParams(chosen);
  for (const name of names) own.delete(name);
  return own;
}

function question(chosen) {
  return chosen.size ? `?${chosen}` : "";
}

function read() {
  const [path, rest = ""] = location.hash.slice(1).split(/\?(.*)/s);
  const [view, ...names] = path.split("/");
  const row = view === "rollout" ? byAddress.get(names.map(respelled).join("/")) : undefined;
  return { view: ["runs", "tasks", "rollouts", "rollout"].includes(view) ? view : "runs", row, chosen: new URLSearchParams(rest) };
}

// A part of an address as this page spells it, whatever a browser or a person made of it.
function respelled(part) {
  try {
    return encodeURIComponent(decodeURIComponent(part));
  } catch {
    return part;
  }
}

// The rollouts that fit the address; searched again only where that has changed.
function chosenRows(chosen) {
  const own = without(chosen, "page", "turn");
  const key = own.toString();
  if (key !== chosenBefore.key || own.get("inside")) Object.assign(chosenBefore, { key, rows: choose(own) });
  return chosenBefore.rows;
}

// Other values in the address, in place: Back does not go through every letter of a search.
function change(values, focus) {
  const { view, chosen } = read();
  for (const [name, value] of Object.entries(values)) value === null ? chosen.delete(name) : chosen.set(name, value);
  history.replaceState(null, "", `#${view}${question(chosen)}`);
  show();
  if (focus) main.querySelector(focus)?.focus();
}

function show() {
  const { view, row, chosen } = read();
  setFilters(chosen);
  document.body.className = view;
  for (const tab of document.querySelectorAll(".tabs a")) {
    const name = tab.dataset.view;
    name === view || (name === "rollouts" && view === "rollout") ? tab.setAttribute("aria-current", "page") : tab.removeAttribute("aria-current");
    if (name !== "runs") tab.href = `#${name}${question(without(chosen, "page", "turn"))}`;
  }
  const rows = chosenRows(chosen);
  output.value = (rows.length === rollouts.length ? plural(rows.length, "rollout") : `${rows.length.toLocaleString()} of ${plural(rollouts.length, "rollout")}`) + searchStatus();
  filters.hidden = view === "runs" || view === "rollout";
  if (view === "rollout") {
    showRollout(row, chosen, rows);
    return;
  }
  open = null;
  const draw = { runs: showRuns, tasks: showTasks, rollouts: showRollouts }[view];
  main.replaceChildren(...draw(chosen, rows).filter(Boolean));
}

async function showRollout(row, chosen, rows) {
  if (row === undefined) {
    open = null;
    main.replaceChildren(make("p", { class: "nothing" }, "There is no such rollout on this page."));
    return;
  }
  const head = rolloutHead(row, chosen, rows);
  if (open === row) { // only the list around it has changed
    main.querySelector(".rollout-head")?.replaceWith(head);
    return;
  }
  open = row;
  const place = make("div", { class: "rollout-body", "aria-busy": "true" });
  main.replaceChildren(head, place);
  scrollTo(0, 0);
  let drawn;
  try {
    drawn = drawRollout(row, await bodyOf(row), chosen);
  } catch (fault) {
    drawn = [make("p", { class: "nothing", role: "alert" }, fault.message)];
  }
  if (open !== row) return;
  place.replaceChildren(...drawn);
  place.removeAttribute("aria-busy");
  showTurn(chosen);
}

// The turn that the address names, if it names one.
function showTurn(chosen) {
  const turns = [...main.querySelectorAll(".turn")];
  turns.find((turn) => turn.dataset.turn === chosen.get("turn"))?.scrollIntoView();
}

// To another rollout of the list, in place: Back still leads to the list.
function step(by) {
  const { row, chosen } = read();
  const rows = chosenRows(chosen);
  const next = rows[rows.indexOf(row) + by];
  if (!next || (by < 0 && !rows.includes(row))) return;
  history.replaceState(null, "", rolloutAddress(next, chosen));
  show();
}

function walk(by) {
  const links = [...main.querySelectorAll(".rows tbody th a")];
  const here = links.indexOf(document.activeElement);
  links[Math.min(links.length - 1, Math.max(0, here + by))]?.focus();
}

function searchFromAnywhere() {
  const { view, chosen } = read();
  if (view === "runs" || view === "rollout") location.hash = listAddress(chosen);
  show();
  filters.elements.words.focus();
  filters.elements.words.select();
}

const KEYS = {
  j: (view) => (view === "rollout" ? step(1) : walk(1)),
  k: (view) => (view === "rollout" ? step(-1) : walk(-1)),
  "/": searchFromAnywhere,
  f: () => {
    const parts = [...main.querySelectorAll(".conversation .reasoning")];
    const unfold = parts.some((part) => !part.open);
    for (const part of parts) part.open = unfold;
  },
  Escape: (view, chosen) => { if (view === "rollout") location.hash = listAddress(chosen); },
};

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(KEYS, event.key)) return;
  if (event.target.closest("input, select, textarea")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  event.preventDefault();
  const { view, chosen } = read();
  KEYS[event.key](view, chosen);
});

function filter() {
  const { view, chosen } = read();
  const wanted = chosenFilters();
  if (chosen.get("sort")) wanted.set("sort", chosen.get("sort"));
  history.replaceState(null, "", `#${view === "tasks" ? "tasks" : "rollouts"}${question(wanted)}`);
  show();
}

filters.addEventListener("input", filter);
filters.addEventListener("submit", (event) => event.preventDefault());
filters.querySelector(".clear").addEventListener("click", () => {
  setFilters(new URLSearchParams());
  filter();
});
main.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (link?.matches(".previous, .next") && link.hash) {
    event.preventDefault();
    step(link.matches(".next") ? 1 : -1);
    main.querySelector(link.matches(".next") ? ".next" : ".previous").focus();
  } else if (link && read().view !== "rollout") listPlace = scrollY;
});
addEventListener("hashchange", () => {
  const { view, chosen } = read();
  const was = document.body.className;
  show();
  if (view === "rollout") {
    main.focus({ preventScroll: true });
    showTurn(chosen);
  }
  else if (view !== was) scrollTo(0, was === "rollout" ? listPlace : 0);
});

document.querySelector(".summary").textContent = [
  plural(rollouts.length, "rollout"), plural(index.tasks.length, "task"),
  index.policies.length === 1 ? index.policies[0] : `${index.policies.length} policies`,
].join(" · ");
show();
