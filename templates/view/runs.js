// How policies fared, all in all: outcomes, metrics with their intervals, modalities, endings.
function badge(outcome, text) {
  return make("span", { class: `badge ${outcome}` }, text ?? OUTCOME_WORDS[outcome]);
}

// Outcomes as one bar; what it shows is said in words, too.
function outcomeBar(rows, size) {
  const counts = OUTCOMES.map((name) => [name, rows.filter((row) => row.outcome === name).length]).filter(([, count]) => count);
  const words = counts.map(([name, count]) => `${count} ${OUTCOME_WORDS[name]}`).join(", ");
  return make("span", { class: `bar ${size}`, role: "img", "aria-label": words, title: words }, counts.map(([name, count]) => {
    const part = make("span", { class: name }, size === "large" && count / rows.length > 0.06 ? String(count) : "");
    part.style.flexGrow = count;
    return part;
  }));
}

function legend() {
  const present = OUTCOMES.filter((name) => rollouts.some((row) => row.outcome === name));
  return make("p", { class: "key" }, present.map((name) => make("span", { class: name }, OUTCOME_WORDS[name])));
}

function linkTo(chosen) {
  return `#rollouts?${new URLSearchParams(chosen)}`;
}

function address(player) {
  return { ...(index.runs.length > 1 && { run: player.run }), ...(index.policies.length > 1 && { policy: player.policy }) };
}

function mean(values) {
  return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null;
}

function showRuns() {
  return [
    section("How policies fared", legend(), faredTable()),
    section("Metrics", make("p", { class: "note" }, "Means over tasks, each with its 95% interval under redraws of the tasks."), metricsTable()),
    medalsSection(),
    make("div", { class: "side-by-side" },
      section("How episodes ended", endedTable()),
      section("What they took", tookTable())),
    configSection(),
  ];
}

function section(title, ...parts) {
  return make("section", { class: "panel" }, make("h2", {}, title), ...parts);
}

function wonMedal(row) {
  return ["gold", "silver", "bronze"].includes(row.outcome);
}

function faredTable() {
  const rows = players.map((player) => {
    const mine = player.own;
    const rewards = mine.map((row) => row.reward).filter((reward) => reward !== null);
    const reward = mean(rewards);
    return make("tr", {},
      make("th", { scope: "row" }, make("a", { href: linkTo(address(player)) }, player.name)),
      make("td", { class: "number" }, mine.length.toLocaleString()),
      make("td", { class: "wide" }, outcomeBar(mine, "large")),
      make("td", { class: "number" }, percent(mine.filter(wonMedal).length / mine.length)),
      make("td", { class: "number strong" }, reward === null ? "unscored" : reward.toFixed(3)));
  });
  return scrollable(make("table", { class: "fared" },
    make("thead", {}, make("tr", {}, ["policy", "rollouts", "outcomes", "any medal", "mean reward"].map((name, place) =>
      make("th", { scope: "col", class: place === 1 || place > 2 ? "number" : "" }, name)))),
    make("tbody", {}, rows)));
}

function scrollable(table) {
  return make("div", { class: "scroll" }, table);
}

// A row for each name and a column for each who played.
function table(corner, names, cell) {
  return scrollable(make("table", { class: "crossed" },
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, corner), players.map(({ name }) => make("th", { scope: "col", title: name }, name)))),
    make("tbody", {}, names.map((name) => make("tr", {}, make("th", { scope: "row" }, String(name).replaceAll("_", " ")),
      players.map((player) => make("td", {}, cell(player, name))))))));
}

function metricsTable() {
  const names = [...new Set(players.flatMap(({ told }) => told.metrics.map((metric) => metric.name)))];
  return table("metric", names, ({ told }, name) => interval(told.metrics.find((metric) => metric.name === name)));
}

// A value in [0, 1] with its interval: a dot on a line, and in figures.
function interval(metric) {
  if (!metric || metric.value === null) return "–";
  const { value, low, high } = metric;
  const figures = low === null ? value.toFixed(3) : `${value.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
  const x = (share) => 4 + 112 * Math.min(1, Math.max(0, share));
  return [
    draw("svg", { class: "interval", viewBox: "0 0 120 14", role: "img", "aria-label": figures },
      draw("line", { class: "axis", x1: x(0), x2: x(1), y1: 7, y2: 7 }),
      low === null ? null : draw("line", { class: "reach", x1: x(low), x2: x(high), y1: 7, y2: 7 }),
      draw("circle", { cx: x(value), cy: 7, r: 3.6 })),
    make("span", { class: "figures" }, make("b", {}, value.toFixed(3)), low === null ? "" : ` ${low.toFixed(3)} – ${high.toFixed(3)}`),
  ];
}

const KINDS = { modality: "modality", task_type: "kind of task", difficulty: "difficulty", metric: "metric" };
let kindShown = "modality";

// Outcomes and medals by what tasks are like.
function medalsSection() {
  const choice = make("select", { "aria-label": "By" }, Object.entries(KINDS).map(([kind, name]) =>
    make("option", { value: kind, selected: kind === kindShown }, name)));
  const place = make("div", {}, medalsTable());
  choice.addEventListener("change", () => {
    kindShown = choice.value;
    place.replaceChildren(medalsTable());
  });
  const whole = section("Medals", make("p", { class: "note" }, "Bars show outcomes; the figure is the share that wins a medal, a mean over tasks."), place);
  whole.querySelector("h2").append(" by ", choice);
  return whole;
}

function medalsTable() {
  const facet = kindShown === "task_type" ? "type" : kindShown;
  const names = [...new Set(rollouts.map((row) => row.facets[facet]))].sort();
  return table(KINDS[kindShown], names, (player, name) => {
    const rows = player.own.filter((row) => row.facets[facet] === name);
    const metric = player.told.medals[kindShown]?.[name];
    if (!rows.length) return "–";
    const bounds = metric?.low == null ? null : `95% interval ${percent(metric.low)} to ${percent(metric.high)}`;
    return make("a", { href: linkTo({ ...address(player), [facet]: name }), title: bounds }, outcomeBar(rows, "small"),
      make("span", { class: "share" }, metric?.value == null ? "–" : percent(metric.value)));
  });
}

function endedTable() {
  const names = [...new Set(rollouts.map((row) => row.termination))].sort();
  return table("ended by", names, (player, name) => {
    const count = player.own.filter((row) => row.termination === name).length;
    return count ? make("a", { href: linkTo({ ...address(player), termination: name }) }, count.toLocaleString()) : "–";
  });
}

function tookTable() {
  const time = (value) => (value === null ? "–" : seconds(value / 1000));
  const each = {
    "turns of a rollout": ({ turns, rollouts: count }) => (turns / count).toFixed(1),
    "model, a turn": ({ per_step_ms: ms }) => time(ms.model),
    "sandbox, a turn": ({ per_step_ms: ms }) => time(ms.sandbox),
    "score, a turn": ({ per_step_ms: ms }) => time(ms.score),
    "harness, a turn": ({ per_step_ms: ms }) => time(ms.harness),
    "a run of code": ({ per_code_run_ms: ms }) => time(ms),
  };
  if (players.some(({ told }) => told.took.answer_tokens)) {
    each["tokens written"] = ({ answer_tokens: tokens }) => tokens.toLocaleString();
    each["tokens read"] = ({ prompt_tokens: tokens }) => tokens.toLocaleString();
  }
  if (players.some(({ told }) => told.took.retries)) each.retries = ({ retries }) => retries.toLocaleString();
  if (players.some(({ told }) => told.took.cost !== null)) each.cost = ({ cost }) => (cost === null ? "–" : cost.toFixed(2));
  return table("mean", Object.keys(each), ({ told }, name) => each[name](told.took));
}

function configSection() {
  const told = index.runs.filter((run) => run.config !== null);
  if (!told.length) return null;
  return section("Played with", told.map((run) =>
    make("details", { open: told.length === 1 }, make("summary", {}, run.name,
      run.expected > run.rollouts ? make("span", { class: "aside" }, `${run.rollouts} of ${run.expected} rollouts so far`) : null), facts(run.config))));
}

// JSON data as names and values, what lies deeper by its path.
function facts(data) {
  const flat = [];
  const walk = (value, path) => {
    if (value !== null && typeof value === "object" && !Array.isArray(value)) {
      for (const [name, inner] of Object.entries(value)) walk(inner, [...path, name]);
    } else if (value !== null) flat.push([path.join(" › "), value]);
  };
  walk(data, []);
  const written = (value) => (Array.isArray(value) ? value.map((one) => (typeof one === "object" ? JSON.stringify(one) : one)).join(", ") : String(value));
  return make("dl", { class: "facts" }, flat.map(([name, value]) => [
    make("dt", {}, legible(name.replaceAll("_", " "))), make("dd", {}, shortFact(legible(written(value)))),
  ]));
}

// A digest by its first characters; the rest can be seen by pointing at it, and copied.
function shortFact(text) {
  if (/^[0-9a-f]{40,}$/.test(text)) return make("code", { title: text }, text.slice(0, 12), make("span", { class: "rest" }, text.slice(12)));
  return text.length > 400 ? block(text, { head: 8, most: 400, kind: "plain" }) : text;
}
