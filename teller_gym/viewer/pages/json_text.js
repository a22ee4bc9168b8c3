"use strict";
/* Formats JSON with line breaks and colours. The text is only split into tokens, so that numbers stay unchanged. */
(() => {
  const view = tellerView;
  const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
  const CLOSES = { "{": "}", "[": "]" };
  const MOST = 200000;
  const SHORT = 72;

  view.isJson = (text) => {
    try {
      const value = JSON.parse(text);
      return value !== null && typeof value === "object";
    } catch (error) {
      return false;
    }
  };

  /** Returns the index of the token that closes the bracket at `start` if the content fits on one line, else -1. */
  function shortEnd(tokens, start) {
    let length = 0;
    let depth = 0;
    for (let i = start; i < tokens.length; i += 1) {
      length += tokens[i].length + 1;
      if (length > SHORT) return -1;
      if (tokens[i] === "{" || tokens[i] === "[") depth += 1;
      if (tokens[i] === "}" || tokens[i] === "]") depth -= 1;
      if (depth === 0) return i;
    }
    return -1;
  }

  /** Indents JSON by two spaces per level; short lists and objects stay on one line. */
  view.indented = (text) => {
    const tokens = text.match(TOKENS) || [];
    const out = [];
    let depth = 0;
    let inline = -1;
    const line = () => out.push("\n" + "  ".repeat(Math.min(depth, 40)));
    tokens.forEach((token, i) => {
      const flat = i <= inline;
      if (token in CLOSES) {
        const empty = tokens[i + 1] === CLOSES[token];
        if (!flat && (empty || depth > 0)) inline = Math.max(inline, shortEnd(tokens, i));
        out.push(token);
        depth += 1;
        if (i > inline && !empty) line();
      } else if (token === "}" || token === "]") {
        depth -= 1;
        if (!flat && !(tokens[i - 1] in CLOSES)) line();
        out.push(token);
      } else if (token === ",") {
        out.push(flat ? ", " : ",");
        if (!flat) line();
      } else out.push(token === ":" ? ": " : token);
    });
    return out.join("");
  };

  function tone(token, next) {
    if (token[0] === '"') return next === ":" ? "key" : "text";
    if (/^-?\d/.test(token)) return "figure";
    return /^(true|false|null)$/.test(token) ? "word" : "";
  }

  /** Returns a block for text that may be JSON. */
  view.jsonBlock = (text, label) => {
    if (text.length > MOST || !view.isJson(text)) return view.block(text, "plain");
    const shown = view.visible(view.indented(text));
    const pre = view.h("pre", { class: "json", tabindex: 0, "aria-label": label });
    let last = 0;
    for (const match of shown.matchAll(TOKENS)) {
      if (match.index > last) pre.append(shown.slice(last, match.index));
      const kind = tone(match[0], shown[match.index + match[0].length]);
      pre.append(kind ? view.h("span", { class: `t-${kind}` }, match[0]) : match[0]);
      last = match.index + match[0].length;
    }
    return pre;
  };
})();
