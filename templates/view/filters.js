// Which rollouts are chosen: by the form, whose values stand in the address.
const filters = document.querySelector(".filters");
const FACETS = ["run", "policy", "modality", "type", "difficulty", "metric", "task", "outcome", "valid", "termination"];

// These are shown where they are used, as by a link from the view of runs; there is no room for all.
const SELDOM = ["type", "difficulty", "metric"];

for (const name of FACETS) {
  const values = [...new Set(rollouts.map((row) => row.facets[name]))];
  if (name === "outcome") values.sort((a, b) => OUTCOMES.indexOf(a) - OUTCOMES.indexOf(b));
  else if (name !== "run" && name !== "policy") values.sort();
  const words = (value) => (name === "outcome" ? OUTCOME_WORDS[value] : legible(name === "type" || name === "termination" ? value.replaceAll("_", " ") : value));
  const select = filters.elements[name];
  select.append(...values.map((value) => make("option", { value }, words(value))));
  select.closest("label").hidden = values.length < 2 || SELDOM.includes(name);
}

// What the form says, as the part of an address after the question mark.
function chosenFilters() {
  const chosen = new URLSearchParams();
  for (const name of FACETS) if (filters.elements[name].value) chosen.set(name, filters.elements[name].value);
  if (filters.elements.words.value.trim()) chosen.set("words", filters.elements.words.value.trim());
  if (filters.elements.inside.checked) chosen.set("inside", "yes");
  return chosen;
}

function setFilters(chosen) {
  for (const name of FACETS) filters.elements[name].value = chosen.get(name) ?? "";
  for (const name of SELDOM) if (chosen.get(name)) filters.elements[name].closest("label").hidden = false;
  const words = filters.elements.words;
  if (words.value.trim() !== (chosen.get("words") ?? "")) words.value = chosen.get("words") ?? "";
  filters.elements.inside.checked = chosen.get("inside") === "yes";
  filters.querySelector(".clear").disabled = !chosenFilters().size;
}

const SORTS = {
  task: (row) => row.task.id, policy: (row) => row.policy, run: (row) => row.run, attempt: (row) => row.attempt,
  outcome: (row) => OUTCOMES.indexOf(row.outcome), reward: (row) => row.reward ?? -1, turns: (row) => row.turns,
  tokens: (row) => row.tokens, seconds: (row) => row.seconds, termination: (row) => row.termination,
};

// The rollouts that fit, in their order: `sort` names a column, with a minus the other way round.
function choose(chosen) {
  const words = (chosen.get("words") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = FACETS.filter((name) => chosen.get(name)).map((name) => [name, chosen.get(name)]);
  const fitting = rollouts.filter((row) => wanted.every(([name, value]) => row.facets[name] === value));
  const inside = chosen.get("inside") === "yes" && words.length > 0;
  const said = inside ? search(fitting, words) : null;
  const found = fitting.filter((row) => said?.has(row) || words.every((word) => row.words.includes(word)));
  const key = (chosen.get("sort") ?? "").replace(/^-/, "");
  if (Object.hasOwn(SORTS, key)) {
    const value = SORTS[key];
    const sign = chosen.get("sort").startsWith("-") ? -1 : 1;
    const compare = (a, b) => (typeof a === "string" ? a.localeCompare(b) : a - b);
    found.sort((a, b) => sign * compare(value(a), value(b)));
  }
  return found;
}

// Search in conversations reads file after file; what it has found so far is shown meanwhile.
let searching = { key: "", found: new Set(), done: 0, all: 0 };

function search(rows, words) {
  const key = JSON.stringify([words, rows.length, rows[0]?.address, rows.at(-1)?.address]);
  if (key !== searching.key) {
    searching = { key, found: new Set(), done: 0, all: rows.length };
    lookInside(rows, words, searching);
  }
  return searching.found;
}

async function lookInside(rows, words, job) {
  let drawn = performance.now();
  for (const row of [...rows].sort((a, b) => a.chunk - b.chunk || a.place - b.place)) {
    let text = "";
    try {
      text = spoken(await bodyOf(row)).toLowerCase();
    } catch (fault) {
      job.fault = fault.message;
    }
    if (searching !== job) return;
    job.done += 1;
    if (words.every((word) => text.includes(word) || row.words.includes(word))) job.found.add(row);
    if (performance.now() - drawn > 250) {
      show();
      await new Promise((resolve) => setTimeout(resolve));
      drawn = performance.now();
    }
  }
  show();
}

// All that was said in a rollout after its opening, which is the same for all of a task.
function spoken(body) {
  return body.turns.flatMap((turn) => [
    ...turn.parts.map((part) => part.text),
    ...turn.calls.flatMap((call) => [call.code ?? JSON.stringify(call.arguments), call.told ?? "", call.fault]),
    ...turn.notes.map((note) => note.text),
  ]).join("\n");
}

function searchStatus() {
  if (filters.elements.inside.checked && filters.elements.words.value.trim() && searching.done < searching.all) {
    return `, ${searching.done} of ${searching.all} read`;
  }
  return filters.elements.inside.checked && searching.fault ? `, ${searching.fault}` : "";
}
