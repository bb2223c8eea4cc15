// Elements, and text from models and their code, which is shown by text nodes alone: no markup, no
// style and no address is ever made of it.

function make(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

function draw(name, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// Colours of a terminal are left out. Control characters, and others that hide or turn around what
// stands beside them, are shown by their number.
const UNSEEN = /\x1b\[[\d;:]*m|[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

function legible(text) {
  return text.replace(/\r\n?/g, "\n").replace(UNSEEN, (found) =>
    (found.length > 1 ? "" : `\u27e8U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}\u27e9`));
}

// A text in full, or its first and last lines with a button between them where it is long.
// `paint` turns a text into nodes.
function block(text, { head = 40, tail = 0, most = 12000, kind = "", paint = (part) => [part] } = {}) {
  const shown = legible(text);
  const lines = shown.split("\n");
  const pre = (part) => make("pre", { class: kind, tabindex: "-1" }, paint(part));
  if (lines.length <= head + tail + 6 && shown.length <= 2 * most) return pre(shown);
  const count = lines.length > head + tail ? `all ${lines.length.toLocaleString()} lines` : `all ${shown.length.toLocaleString()} characters`;
  const more = make("button", { type: "button", class: "more" }, `Show ${count}`);
  const whole = make("div", { class: "long" }, pre(lines.slice(0, head).join("\n").slice(0, most)), more);
  if (tail) whole.append(pre(lines.slice(-tail).join("\n").slice(-most)));
  more.addEventListener("click", () => {
    const full = pre(shown);
    whole.replaceWith(full);
    full.focus();
  });
  return whole;
}

function seconds(value) {
  if (value > 0 && value < 0.0005) return "under 1 ms";
  if (value < 0.9995) return `${Math.round(1000 * value)} ms`;
  if (value < 100) return `${value.toPrecision(3)} s`;
  return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}

function percent(share) {
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)}%`;
}

function plural(count, noun) {
  return `${count.toLocaleString()} ${noun}${count === 1 ? "" : "s"}`;
}
