// Rollouts and tasks as tables, a page at a time.
const PAGE = 100;
const COLUMNS = [
  ["task", "task"], ["policy", "policy"], ["run", "run"], ["attempt", "attempt"], ["outcome", "outcome"], [null, "score"],
  ["reward", "reward"], ["turns", "turns"], ["tokens", "tokens"], ["seconds", "time"], ["termination", "ended by"],
];
const NUMBERS = ["attempt", "score", "reward", "turns", "tokens", "seconds"];

function showRollouts(chosen, rows) {
  const shown = COLUMNS.filter(([key]) =>
    (key !== "run" || index.runs.length > 1) && (key !== "tokens" || rollouts.some((row) => row.tokens)) &&
    (key !== "attempt" || rollouts.some((row) => row.attempt)));
  const { part, pager } = paged(chosen, rows, "rollouts");
  if (!rows.length) return [nothing()];
  return [
    scrollable(make("table", { class: "rows" },
      make("thead", {}, make("tr", {}, shown.map(([key, name]) => heading(chosen, key, name)))),
      make("tbody", {}, part.map((row) => make("tr", { class: `hued ${row.task.modality}` }, shown.map(([key]) => cell(row, key, chosen))))))),
    pager,
  ];
}

function nothing() {
  return make("p", { class: "nothing" }, "No rollout fits these filters.");
}

function heading(chosen, key, name) {
  const kind = NUMBERS.includes(key ?? name) ? "number" : "";
  if (key === null) return make("th", { scope: "col", class: kind }, name);
  const sort = chosen.get("sort");
  const order = sort === key ? "ascending" : sort === `-${key}` ? "descending" : null;
  // Of numbers, the largest first.
  const next = order === null ? (kind ? `-${key}` : key) : order === "descending" ? key : `-${key}`;
  const button = make("button", { type: "button" }, name, order ? (order === "ascending" ? " ↑" : " ↓") : "");
  button.addEventListener("click", () => change({ sort: next, page: null }, `th button[data-key="${key}"]`));
  button.dataset.key = key;
  return make("th", { scope: "col", class: kind, "aria-sort": order }, button);
}

function cell(row, key, chosen) {
  if (key === "task") {
    const place = make("a", { href: rolloutAddress(row, chosen) }, row.task.id);
    return make("th", { scope: "row" }, place, make("span", { class: "kind" },
      make("span", { class: "modality" }, row.task.modality), ` ${row.task.type.replaceAll("_", " ")} · ${row.task.metric} ${row.task.lower ? "↓" : "↑"}`));
  }
  if (key === "outcome") return make("td", {}, badge(row.outcome), row.note ? make("span", { class: "why", title: legible(row.note) }, legible(row.note)) : null);
  const texts = {
    policy: row.who, run: row.run, attempt: row.attempt, reward: row.reward === null ? "–" : row.reward.toFixed(2), turns: row.turns,
    tokens: row.tokens.toLocaleString(), seconds: seconds(row.seconds), termination: row.termination.replaceAll("_", " "),
  };
  const text = key === null ? row.score ?? "–" : texts[key];
  return make("td", { class: `${NUMBERS.includes(key ?? "score") ? "number" : ""} ${key ?? "score"}` }, String(text));
}

// What is on this page of a list, and the buttons to its others.
function paged(chosen, list, noun) {
  const pages = Math.max(1, Math.ceil(list.length / PAGE));
  const page = Math.min(pages, Math.max(1, Number.parseInt(chosen.get("page") ?? "1", 10) || 1));
  const first = (page - 1) * PAGE;
  const part = list.slice(first, first + PAGE);
  if (pages === 1) return { part, pager: null };
  const turn = (to, name, text) => {
    const button = make("button", { type: "button", class: name, disabled: to < 1 || to > pages }, text);
    button.addEventListener("click", () => { change({ page: to === 1 ? null : to }, `.pager .${name}`); scrollTo(0, 0); });
    return button;
  };
  const pager = make("nav", { class: "pager", "aria-label": "Pages" },
    turn(page - 1, "back", "← Previous"),
    make("span", {}, `${(first + 1).toLocaleString()}–${(first + part.length).toLocaleString()} of ${list.length.toLocaleString()} ${noun}`),
    turn(page + 1, "on", "Next →"));
  return { part, pager };
}

const LETTERS = { gold: "G", silver: "S", bronze: "B", median: "m", none: "–", invalid: "×", unscored: "?" };

// A row for each task, and in it all its rollouts by who played.
function showTasks(chosen, rows) {
  if (!rows.length) return [nothing()];
  const byTask = Map.groupBy(rows, (row) => row.task);
  const present = players.filter(({ player }) => rows.some((row) => row.player === player));
  const { part, pager } = paged(chosen, [...byTask].sort(([a], [b]) => a.id.localeCompare(b.id)), "tasks");
  const line = ([task, own]) => make("tr", { class: `hued ${task.modality}` },
    make("th", { scope: "row" }, make("a", { href: linkTo({ task: task.id }) }, task.id), make("span", { class: "kind" },
      make("span", { class: "modality" }, task.modality), ` ${task.type.replaceAll("_", " ")} · ${task.metric} ${task.lower ? "↓" : "↑"}`)),
    present.map(({ player }) => make("td", {}, make("span", { class: "dots" },
      own.filter((row) => row.player === player).map((row) => dot(row, chosen))))));
  return [
    legend(),
    scrollable(make("table", { class: "rows tasks" },
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "task"), present.map(({ name }) => make("th", { scope: "col" }, name)))),
      make("tbody", {}, part.map(line)))),
    pager,
  ];
}

function dot(row, chosen) {
  const words = `${row.who}, attempt ${row.attempt}: ${OUTCOME_WORDS[row.outcome]}${row.reward === null ? "" : `, reward ${row.reward.toFixed(2)}`}`;
  return make("a", { class: `dot ${row.outcome}`, href: rolloutAddress(row, chosen), title: words, "aria-label": words }, LETTERS[row.outcome]);
}
