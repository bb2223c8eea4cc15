// Python in colour, by its tokens: comments, strings, numbers, keywords, names that are defined.
const PYTHON = new RegExp([
  /(?<comment>#[^\n]*)/,
  /(?<string>(?:\b[rRbBfFuU]{1,2})?(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?))/,
  /(?<number>\b\d[\w.]*)/,
  /(?<keyword>\b(?:False|None|True|and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield)\b)/,
  /(?<name>(?<=\b(?:def|class) )\w+|(?<=(?:^|\n)[ \t]{0,80})@[\w.]+)/,
].map((part) => part.source).join("|"), "g");

// Longer code stays plain: it would take the browser too long.
const PAINTED = 100000;

function paintPython(code) {
  if (code.length > PAINTED) return [code];
  const nodes = [];
  let place = 0;
  for (const found of code.matchAll(PYTHON)) {
    const [kind] = Object.entries(found.groups).find(([, text]) => text !== undefined);
    nodes.push(code.slice(place, found.index), make("span", { class: `py-${kind}` }, found[0]));
    place = found.index + found[0].length;
  }
  nodes.push(code.slice(place));
  return nodes;
}
