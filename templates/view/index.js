// The rollouts of the page, and their bodies, which lie in script files beside it.
const index = JSON.parse(document.getElementById("index").textContent);
const OUTCOMES = ["gold", "silver", "bronze", "median", "none", "invalid", "unscored"];
const OUTCOME_WORDS = {
  gold: "gold", silver: "silver", bronze: "bronze", median: "above median", none: "below median", invalid: "invalid", unscored: "unscored",
};

const rollouts = index.rollouts.map((cells) => {
  const row = {};
  index.columns.forEach((name, place) => { row[name] = cells[place]; });
  row.player = `${row.run}/${row.policy}`;
  row.run = index.runs[row.run].name;
  row.task = index.tasks[row.task];
  row.policy = index.policies[row.policy];
  row.who = legible(row.policy);
  const names = [row.run, row.task.id, row.policy, row.attempt, ...(row.copy ? [row.copy] : [])];
  row.address = names.map((name) => encodeURIComponent(name)).join("/");
  row.facets = {
    run: row.run, policy: row.policy, modality: row.task.modality, task: row.task.id,
    type: row.task.type, difficulty: row.task.difficulty, metric: row.task.metric,
    outcome: row.outcome, valid: row.valid ? "valid" : "invalid", termination: row.termination,
  };
  row.words = [
    row.run, row.task.id, row.policy, row.task.modality, row.task.type, row.task.metric, row.outcome, row.termination, row.note,
  ].join(" ").toLowerCase();
  return row;
});
const byAddress = new Map(rollouts.map((row) => [row.address, row]));

// Who plays: a policy of a run.
const players = [...Map.groupBy(rollouts, (row) => row.player)].map(([player, own]) => {
  const { run, policy, who } = own[0];
  const several = index.policies.length > 1;
  const told = index.runs.find(({ name }) => name === run).policies.find((one) => one.policy === policy);
  return { player, own, run, policy, told, name: index.runs.length > 1 ? (several ? `${who} · ${run}` : run) : who };
});

// The files that were read last stay in memory; the others can be read again.
const KEPT = 8;
const chunks = new Map();
const waiting = new Map();
globalThis.takeBodies = (number, bodies) => waiting.get(number)?.(bodies);

function readChunk(number) {
  const name = `${index.bodies}/${String(number).padStart(5, "0")}.js`;
  return new Promise((resolve, reject) => {
    const script = make("script", { src: name });
    const missing = () => reject(new Error(`${name} is missing beside this page: write it again with sandmle view`));
    waiting.set(number, resolve);
    script.addEventListener("load", missing); // after it was taken, this does nothing
    script.addEventListener("error", missing);
    document.head.append(script);
  }).finally(() => {
    waiting.delete(number);
    document.head.querySelector(`script[src="${name}"]`)?.remove();
  });
}

function chunk(number) {
  if (!chunks.has(number)) {
    const reading = readChunk(number);
    chunks.set(number, reading);
    reading.catch(() => chunks.delete(number));
    if (chunks.size > KEPT) chunks.delete(chunks.keys().next().value);
  }
  return chunks.get(number);
}

async function bodyOf(row) {
  return JSON.parse((await chunk(row.chunk))[row.place]);
}
