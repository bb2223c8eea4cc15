// The score climbing over the submissions of an episode, against the medal lines; up is better.
function drawClimb({ points, lines }, toTurn) {
  const left = 6, right = 226, top = 12, bottom = 138;
  const x = (place) => (points.length === 1 ? (left + right) / 2 : left + 8 + ((right - left - 16) * place) / (points.length - 1));
  const y = (place) => bottom - (bottom - top) * place;
  const scored = points.map((point, place) => ({ ...point, x: x(place) })).filter((point) => point.place !== null);
  const words = points.map((point) => `turn ${point.turn} ${point.score ?? "invalid"}${point.final ? ", which counts" : ""}`).join("; ");
  const told = lines.map((line) => `${line.name} from ${line.score}`).join(", ");
  return draw("svg", { class: "climb", viewBox: "0 0 320 170", role: "group", "aria-label": `Scores of the submissions: ${words}. ${told}` },
    apart(lines.map((line) => y(line.place))).map((label, place) => {
      const line = lines[place];
      return draw("g", { class: `line ${line.name}` }, draw("title", {}, `${line.name} from ${line.score}`),
        draw("line", { x1: left, x2: right, y1: y(line.place), y2: y(line.place) }),
        draw("text", { x: right + 6, y: label + 3 }, `${line.name} ${line.score}`));
    }),
    draw("polyline", { points: scored.map((point) => `${point.x},${y(point.place)}`).join(" ") }),
    points.map((point, place) => drawPoint(point, x(place), point.place === null ? bottom + 9 : y(point.place), bottom, toTurn)));
}

function drawPoint(point, x, y, bottom, toTurn) {
  const words = `turn ${point.turn}: ${point.score ?? point.reason ?? "invalid"}${point.final ? " (counts)" : ""}`;
  const mark = point.place === null
    ? draw("path", { d: `M${x - 4} ${y - 4}l8 8m0 -8l-8 8` })
    : point.beyond ? draw("path", { class: "beyond", d: `M${x - 5} ${y - 6}h10l-5 8z` })
      : draw("circle", { cx: x, cy: y, r: point.final ? 5 : 4 });
  return draw("a", { href: toTurn(point.turn), "aria-label": words, class: `point ${point.level}${point.final ? " final" : ""}` }, draw("title", {}, legible(words)), mark,
    point.final && point.place !== null ? draw("circle", { class: "ring", cx: x, cy: y, r: 8.5 }) : null,
    draw("text", { x, y: bottom + 28, "text-anchor": "middle" }, String(point.turn)));
}

// Places of labels: near their lines, from the lowest line up, yet apart from each other.
function apart(places, distance = 12) {
  const labels = [...places];
  for (let place = 1; place < labels.length; place += 1) labels[place] = Math.min(labels[place], labels[place - 1] - distance);
  const over = Math.max(0, 8 - Math.min(...labels));
  return labels.map((label) => label + over);
}
