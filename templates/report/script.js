const cards = [...document.querySelectorAll("article")];
const main = document.querySelector("main");
const nothing = document.querySelector(".nothing");
const filters = document.querySelector(".filters");
const dialog = document.querySelector("dialog");
const content = dialog.querySelector(".content");

// Filters and order. Hidden cards stay in the page, so that filtering 1,000 of them is instant.
function filter() {
  const words = filters.elements.words.value.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = ["modality", "task", "metric", "verdict"].map((name) => [name, filters.elements[name].value]);
  let shown = 0;
  for (const card of cards) {
    card.hidden =
      chosen.some(([name, value]) => value && card.dataset[name] !== value) ||
      words.some((word) => !card.dataset.words.includes(word));
    shown += !card.hidden;
  }
  nothing.hidden = shown > 0;
  filters.querySelector("output").value = shown === cards.length ? `${shown} tasks` : `${shown} of ${cards.length} tasks`;
}

function sort() {
  const key = filters.elements.sort.value;
  const value = (card) => (key === "id" ? card.id : card.dataset[key]);
  const numeric = key === "covered" || key === "train";
  cards.sort((a, b) =>
    (numeric ? value(a) - value(b) : value(a).localeCompare(value(b))) || a.id.localeCompare(b.id));
  main.prepend(...cards);
}

filters.addEventListener("input", filter);
filters.elements.sort.addEventListener("change", sort);
filters.addEventListener("submit", (event) => event.preventDefault());

// One task in full: its address is #id, so it can be linked to, and the back button leaves it.
function show() {
  const card = document.getElementById("task-" + decodeURIComponent(location.hash.slice(1)));
  if (!card) {
    if (dialog.open) dialog.close();
    return;
  }
  const head = [...card.querySelectorAll(":scope > :is(.top, h2, .facts, .samples, .reasons)")];
  const more = card.querySelector("template").content.cloneNode(true);
  const table = card.querySelector(":scope > .samples.table");
  if (table) more.querySelector(".samples.table")?.previousElementSibling.remove();
  if (table) more.querySelector(".samples.table")?.remove();
  content.className = "content hued " + card.dataset.modality;
  content.replaceChildren(...head.map((part) => part.cloneNode(true)), more);
  const title = content.querySelector("h2");
  title.textContent = title.textContent;
  title.id = "dialog-title";
  content.querySelector(".samples").before(content.querySelector(".story"));
  paint(content.querySelector(".spec"));
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

// Keys and comments of the YAML in colour.
function paint(spec) {
  const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  spec.innerHTML = escape(spec.textContent).replace(
    /("(?:[^"\\]|\\.)*")|(^|\s)(#.*)$|([A-Za-z_][\w.-]*)(?=:(?:\s|$))/gm,
    (all, text, space, comment, key) => text || (comment ? `${space}<i>${comment}</i>` : `<b>${key}</b>`));
}

function step(by) {
  const shown = [...main.querySelectorAll("article:not([hidden])")];
  const here = shown.findIndex((card) => card.id === "task-" + decodeURIComponent(location.hash.slice(1)));
  const next = shown[(here + by + shown.length) % shown.length];
  if (next) history.replaceState(null, "", "#" + next.id.slice(5));
  show();
}

addEventListener("hashchange", show);
dialog.addEventListener("close", () => {
  if (location.hash) history.pushState(null, "", location.pathname + location.search);
});
dialog.querySelector(".previous").addEventListener("click", () => step(-1));
dialog.querySelector(".next").addEventListener("click", () => step(1));
dialog.querySelector(".close").addEventListener("click", () => dialog.close());
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
dialog.addEventListener("keydown", (event) => {
  if (event.key === "ArrowLeft") step(-1);
  if (event.key === "ArrowRight") step(1);
});

filter();
show();
