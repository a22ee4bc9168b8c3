"use strict";
/* Elements, numbers and folds. All text is inserted with textContent, since records contain text from models. */
const tellerView = {};
(() => {
  const view = tellerView;
  const SVG = "http://www.w3.org/2000/svg";
  const LONG = 4000;

  const UNSEEN = /[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]|\p{Cs}/u;
  const ALL_UNSEEN = new RegExp(UNSEEN.source, "gu");

  function shown(character) {
    const code = character.codePointAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "\u2421" : `\u27e8U+${code.toString(16).toUpperCase().padStart(4, "0")}\u27e9`;
  }

  /** Replaces invisible characters by visible signs: control characters, direction marks, lone surrogates. */
  view.visible = (text) => (UNSEEN.test(text) ? text.replace(ALL_UNSEEN, shown) : text);

  function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value === true ? "" : String(value));
    }
    for (const child of children.flat(3)) {
      if (child === null || child === undefined || child === false) continue;
      element.append(child instanceof Node ? child : document.createTextNode(view.visible(String(child))));
    }
    return element;
  }

  /** Returns an element with attributes (`onclick` etc. are listeners) and children, which are texts or elements. */
  view.h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
  view.svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

  view.clear = (element, ...children) => {
    element.replaceChildren(
      ...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false),
    );
    return element;
  };

  /** Returns true if an object has its own key of this name; records may have keys such as `constructor`. */
  view.has = (object, key) => Object.prototype.hasOwnProperty.call(object, key);

  /** Returns a bar whose length is a share from 0 to 1, with the number next to it. */
  view.level = (share) => {
    const inner = view.h("span", {});
    inner.style.width = `${Math.round(100 * Math.max(0, Math.min(1, share)))}%`;
    return view.h("span", { class: "level", "aria-hidden": "true" }, inner);
  };

  view.number = (value, digits = 3) => (value === null || value === undefined ? "–" : value.toFixed(digits));
  view.count = (value) => (value === null || value === undefined ? "–" : value.toLocaleString("en-US"));
  /** Formats seconds. */
  view.time = (seconds) => {
    if (seconds >= 90) return `${view.count(Math.floor(seconds / 60))} min ${Math.round(seconds % 60)} s`;
    return seconds >= 0.0995 ? `${seconds.toPrecision(seconds < 10 ? 2 : 3)} s` : `${(1000 * seconds).toPrecision(2)} ms`;
  };
  view.signed = (value) => (Math.abs(value) < 5e-4 ? "0.000" : (value > 0 ? "+" : "−") + Math.abs(value).toFixed(3));
  view.many = (count, one, more = one + "s") => `${view.count(count)} ${count === 1 ? one : more}`;

  /** Returns a block of text; a long text is shortened, with a button that shows the rest. */
  view.block = (text, className = "") => {
    const pre = view.h("pre", { class: className, tabindex: 0 });
    if (text.length <= LONG) {
      pre.textContent = view.visible(text);
      return pre;
    }
    pre.textContent = view.visible(text.slice(0, LONG)) + " …";
    const more = view.h("button", { type: "button", class: "more" }, `Show all ${view.count(text.length)} characters`);
    more.addEventListener("click", () => {
      pre.textContent = view.visible(text);
      more.remove();
      pre.focus();
    });
    return view.h("div", { class: "long" }, pre, more);
  };

  /** Returns a part that can be folded; its content is made when it is first opened. */
  view.fold = (title, content, { open = false, className = "" } = {}) => {
    const details = view.h("details", { class: `fold ${className}`, open }, view.h("summary", {}, title));
    const make = () => {
      if (details.open && details.childElementCount === 1) details.append(...[content()].flat());
    };
    details.addEventListener("toggle", make);
    make();
    return details;
  };

  /** Returns the name of a tool and argument with possible line breaks. */
  view.broken = (name) => name.split(/(?<=[_.])/).flatMap((part, i) => (i ? [view.h("wbr"), part] : [part]));

  view.badge = (text, kind = "") => view.h("span", { class: `badge ${kind}` }, text);

  /** Returns a mark that distinguishes right from wrong by shape as well as by colour. */
  view.mark = (right) =>
    view.h(
      "span",
      { class: right ? "mark right" : "mark wrong", role: "img", "aria-label": right ? "passed" : "failed" },
      right ? "✓" : "✗",
    );

  view.select = (label, value, options, onchange) => {
    const box = view.h("select", { onchange: () => onchange(box.value) });
    for (const [key, text] of options) box.append(view.h("option", { value: key, selected: key === value }, text));
    box.value = value;
    return view.h("label", { class: "field" }, view.h("span", {}, label), box);
  };
})();
