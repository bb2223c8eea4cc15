// The numbers of the step under the pointer. They stand in the paths themselves, see plots.py.
const told = document.querySelector(".pointed");

function pointsOf(path) {
  return [...path.getAttribute("d").matchAll(/[ML]([^\sMLhz]+) ([^MLhz]+)/g)].map(([, step, value]) => [Number(step), Number(value)]);
}

// The tops of a layer, without the way back along the floor.
function topsOf(path) {
  const points = pointsOf(path);
  return points.length > 1 ? points.slice(0, -2) : points;
}

function nearest(points, step) {
  return points.reduce((best, point) => (Math.abs(point[0] - step) < Math.abs(best[0] - step) ? point : best));
}

function written(value, unit) {
  if (unit === "%") return `${Number((100 * value).toPrecision(3))}%`;
  return Number(value.toPrecision(4)).toLocaleString("en") + (unit === "s" ? " s" : "");
}

function rowsAt(axes, step) {
  const stack = "stack" in axes.dataset;
  const named = [...axes.querySelectorAll("path[data-name]")].map((path) => ({
    name: path.dataset.name,
    colour: getComputedStyle(path).getPropertyValue("--level"),
    isLayer: path.classList.contains("layer"),
    point: nearest(stack && path.classList.contains("layer") ? topsOf(path) : pointsOf(path), step),
  }));
  const layers = named.filter((row) => row.isLayer);
  layers.forEach((row, place) => { row.value = row.point[1] - (layers[place + 1]?.point[1] ?? 0); });
  return named.map((row) => ({ ...row, value: row.value ?? row.point[1] }));
}

function tell(axes, event) {
  const box = axes.getBoundingClientRect();
  const group = axes.querySelector("g").transform.baseVal.getItem(0).matrix;
  const step = (100 * (event.clientX - box.left) / box.width - group.e) / group.a;
  const rows = rowsAt(axes, step);
  if (!rows.length) return;
  const here = nearest(rows.map((row) => row.point), step)[0];
  const head = document.createElement("b");
  head.textContent = `step ${here.toLocaleString("en")}`;
  told.replaceChildren(head, ...rows.map((row) => {
    const line = document.createElement("span");
    const at = row.point[0] === here ? "" : ` (step ${row.point[0].toLocaleString("en")})`;
    line.textContent = `${row.name} ${written(row.value, axes.dataset.unit)}${at}`;
    line.style.setProperty("--level", row.colour);
    return line;
  }));
  told.hidden = false;
  const left = Math.min(event.clientX + 14, innerWidth - told.offsetWidth - 8);
  const top = Math.min(event.clientY + 16, innerHeight - told.offsetHeight - 8);
  told.style.left = `${Math.max(8, left)}px`;
  told.style.top = `${top}px`;
  axes.style.setProperty("--at", `${group.a * here + group.e}%`);
}

for (const axes of document.querySelectorAll(".axes")) {
  axes.addEventListener("pointermove", (event) => tell(axes, event));
  axes.addEventListener("pointerdown", (event) => tell(axes, event));
  axes.addEventListener("pointerleave", () => {
    told.hidden = true;
    axes.style.removeProperty("--at");
  });
}
