// One rollout: its conversation, and beside it what came of it.

// Reasoning longer than this is folded at first.
const FOLDED = 700;

function drawRollout(row, body, chosen) {
  const toTurn = (turn) => rolloutAddress(row, chosen, turn);
  return [
    make("article", { class: "conversation" },
      body.opening.map((message) => opening(message)),
      body.turns.map((turn) => drawTurn(turn, body, toTurn)),
      ending(row, body)),
    make("aside", { class: "beside", "aria-label": "What came of it" }, outcomePanel(row, body, toTurn), timePanel(row, body), recordPanel(body)),
  ];
}

function rolloutHead(row, chosen, rows) {
  const place = rows.indexOf(row);
  const step = (to, name, label, text) => make("a", {
    class: `button ${name}`, "aria-label": label, title: label,
    href: to ? rolloutAddress(to, chosen) : null, "aria-disabled": to ? null : "true", role: to ? null : "link",
  }, text);
  const copies = row.copy ? ` (${row.copy + 1})` : "";
  return make("div", { class: `rollout-head hued ${row.task.modality}` },
    make("div", { class: "where" },
      make("a", { class: "button up", href: listAddress(chosen) }, "← Rollouts"),
      make("span", { class: "position" }, place < 0 ? "not among the chosen" : `${(place + 1).toLocaleString()} of ${rows.length.toLocaleString()}`),
      step(rows[place - 1], "previous", "Previous rollout (k)", "↑"),
      step(rows[place + 1], "next", "Next rollout (j)", "↓")),
    make("h2", {}, row.task.id),
    make("p", { class: "kind" },
      make("span", { class: "modality" }, row.task.modality), ` ${row.task.type.replaceAll("_", " ")} · ${row.task.metric} `,
      make("abbr", { title: row.task.lower ? "less is better" : "more is better" }, row.task.lower ? "↓" : "↑"),
      " · played by ", make("b", {}, row.who), index.runs.length > 1 ? ` in ${row.run}` : "", ` · attempt ${row.attempt}${copies}`));
}

function folded(name, title, aside, ...inner) {
  return make("details", { class: name }, make("summary", {}, make("span", { class: "title" }, title), aside ? make("span", { class: "aside" }, aside) : null), ...inner);
}

function opening({ role, text }) {
  const names = { system: "System prompt", user: "Task" };
  return folded("opening", names[role] ?? role, `${text.length.toLocaleString()} characters`,
    block(text, { head: 400, most: 60000, kind: "prose" }));
}

function drawTurn(turn, body, toTurn) {
  const codes = new Set(turn.calls.map((call) => call.code?.trim()));
  const left = body.climb.points.filter((point) => point.turn === turn.turn);
  return make("section", { class: "turn", "aria-label": `Turn ${turn.turn}`, "data-turn": turn.turn },
    make("header", {}, make("h3", {}, make("a", { href: toTurn(turn.turn) }, `Turn ${turn.turn}`)), turn.step ? timing(turn.step) : null),
    turn.parts.map((part) => drawPart(part, codes, turn.calls.length > 0)),
    turn.calls.map((call) => drawCall(call)),
    left.map((point) => drawSubmission(point)),
    turn.notes.map((note) => make("div", { class: "note-message" }, make("span", { class: "tag" }, note.role), block(note.text, { kind: "prose" }))));
}

// How long a turn took, in figures and as a bar.
const SHARES = [["policy", "model"], ["sandbox", "sandbox"], ["score", "score"]];

function timing(step) {
  const facts = SHARES.filter(([key]) => step[`${key}_seconds`] > 0).map(([key, name]) =>
    make("span", { class: `time ${key}` }, `${name} ${seconds(step[`${key}_seconds`])}`));
  if (step.tokens) facts.push(make("span", {}, `${step.tokens.toLocaleString()} tokens`));
  if (step.prompt_tokens) facts.push(make("span", {}, `${step.prompt_tokens.toLocaleString()} read`));
  if (step.retries) facts.push(make("span", { class: "warning" }, `${step.retries} ${step.retries === 1 ? "retry" : "retries"}`));
  if (step.elided) facts.push(make("span", { class: "warning", title: "older observations that the model was not shown in full" }, `${step.elided} elided`));
  if (step.finish && !["stop", "tool_calls"].includes(step.finish)) facts.push(make("span", { class: "warning" }, `finish: ${legible(step.finish)}`));
  return make("p", { class: "timing" }, facts);
}

function drawPart({ kind, text, closed }, codes, calls) {
  const open = closed ? null : make("span", { class: "warning" }, "the tag is not closed");
  if (kind === "reasoning") {
    const short = text.length <= FOLDED;
    const first = legible(text.trim().split("\n", 1)[0]).slice(0, 160);
    const part = folded("reasoning", "Reasoning", short ? null : first, open, block(text, { head: 200, most: 40000, kind: "prose" }));
    part.open = short;
    return part;
  }
  if (kind === "answer") return make("div", { class: "answer" }, make("span", { class: "tag" }, "answer"), open, block(text, { kind: "prose" }));
  if (kind === "call" || (kind === "code" && codes.has(text.trim()))) {
    return folded("written", calls ? "Tool call as written" : "Tool call as written, not read as one", null, open, block(text, { kind: "code" }));
  }
  if (kind === "code") return block(text, { kind: "code", paint: paintPython });
  return block(text, { kind: "prose said" });
}

function drawCall(call) {
  const written = call.code === null
    ? call.arguments && Object.keys(call.arguments).length ? block(JSON.stringify(call.arguments, null, 2), { kind: "code" }) : null
    : block(call.code, { head: 32, most: 8000, kind: "code", paint: paintPython });
  return make("div", { class: "call" },
    make("p", { class: "call-head" }, make("code", { class: "tool" }, legible(call.tool || "no name")), state(call), cpu(call.record),
      call.in_text ? make("span", { class: "soft" }, "called in the text") : null),
    written,
    call.told === null ? null : block(call.told, { head: 24, tail: 16, most: 3000, kind: "output" }));
}

function state({ record, fault, told, tool }) {
  if (fault) return make("span", { class: "badge invalid" }, `not run: ${legible(fault)}`);
  if (record === null) return told?.startsWith("Not run") ? make("span", { class: "badge invalid" }, "not run") : null;
  if (record.timed_out) return make("span", { class: "badge invalid" }, "timed out");
  if (record.out_of_memory) return make("span", { class: "badge invalid" }, "out of memory");
  if (record.exit_code === null) return null;
  return make("span", { class: `badge ${record.exit_code === 0 ? "ok" : "invalid"}` }, `exit ${record.exit_code}`);
}

function cpu(record) {
  if (!record || record.wall_seconds === null) return null;
  return make("span", { class: "soft" }, `${seconds(record.wall_seconds)}, processor ${seconds(record.cpu_seconds)}`);
}

function drawSubmission(point) {
  return make("p", { class: `submission ${point.level}` },
    make("code", {}, "submission.csv"), badge(point.level),
    point.score === null ? null : make("b", {}, point.score),
    point.size === null ? null : make("span", { class: "soft" }, `${point.size.toLocaleString()} bytes`),
    point.final ? make("span", { class: "counts" }, "this one counts") : null,
    point.reason ? make("span", { class: "reason" }, legible(point.reason)) : null);
}

function ending(row, body) {
  return make("p", { class: "ending" }, make("b", {}, `Ended by ${row.termination.replaceAll("_", " ")}`), ` after ${plural(row.turns, "turn")} and ${seconds(row.seconds)}.`,
    body.error ? block(body.error, { head: 20, kind: "output" }) : null);
}

function outcomePanel(row, body, toTurn) {
  const { points } = body.climb;
  return make("section", { class: "panel" },
    make("p", { class: "result" }, badge(row.outcome), row.score === null ? null : make("b", {}, row.score),
      make("span", { class: "soft" }, body.reward === null ? "no reward: not scored" : `reward ${row.reward.toFixed(2)}`)),
    points.length ? [make("h3", {}, "Score over the submissions, by turn"), drawClimb(body.climb, toTurn)] : make("p", { class: "note" }, "Nothing was submitted."),
    points.length && body.settings.score !== "test" ? make("p", { class: "note" }, "The policy was not told these scores.") : null,
    body.reward === null ? null : [make("h3", {}, "Reward ", make("span", { class: "soft" }, body.reward.weights)), rewardParts(body.reward)]);
}

function rewardParts({ parts, total }) {
  const line = (name, value, kind) => {
    const bar = make("span", { class: "fill" });
    bar.style.width = `${100 * value}%`;
    return make("tr", { class: kind }, make("th", { scope: "row" }, name), make("td", { class: "track" }, bar), make("td", { class: "number" }, value.toFixed(2)));
  };
  return make("table", { class: "reward" }, make("tbody", {},
    Object.entries(parts).map(([name, value]) => line(name.replaceAll("_", " "), value, value ? "" : "zero")), line("total", total, "total")));
}

function timePanel(row, body) {
  const steps = body.turns.map((turn) => turn.step).filter(Boolean);
  const sums = SHARES.map(([key, name]) => [key, name, steps.reduce((sum, step) => sum + step[`${key}_seconds`], 0)]);
  sums.push(["other", "other", Math.max(0, body.seconds - sums.reduce((sum, [, , value]) => sum + value, 0))]);
  const words = sums.map(([, name, value]) => `${name} ${seconds(value)}`);
  const read = steps.reduce((sum, step) => sum + step.prompt_tokens, 0);
  const bar = make("span", { class: "bar small", role: "img", "aria-label": words.join(", ") }, sums.map(([key, , value]) => {
    const part = make("span", { class: `time-${key}` });
    part.style.flexGrow = value;
    return part;
  }));
  return make("section", { class: "panel" }, make("h3", {}, `Time ${seconds(body.seconds)}`), bar,
    make("p", { class: "key" }, sums.map(([key], place) => make("span", { class: `time-${key}` }, words[place]))),
    row.tokens || read ? make("p", { class: "note" }, `${plural(row.tokens, "token")} written, ${read.toLocaleString()} read${body.cost === null ? "" : `, cost ${body.cost.toPrecision(3)}`}`) : null);
}

function recordPanel(body) {
  const told = { started: body.started, sandbox: body.backend, isolated: body.isolated, error: body.error };
  return make("section", { class: "panel" },
    folded("record", "Settings", null, facts(body.settings), facts(told)),
    body.sampling === null ? null : folded("record", "Sampling", null, facts(body.sampling)),
    folded("record", "Digests", null, facts(body.digests)));
}
