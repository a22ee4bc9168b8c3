"use strict";
/* The list of all episodes: filters, totals, a table in pages. */
(() => {
  const view = tellerView;
  const { h } = view;
  const PAGE = 50;
  let parts = null;
  let names = new Map();

  /** Key of the row, heading, class, and function that renders a cell. */
  view.COLUMNS = [
    ["run", "Run", "c-run", (row) => row.runName],
    [
      "task",
      "Task",
      "c-task",
      (row) =>
        h("a", { href: view.link({ view: "episode", e: row.id }) }, row.task, row.trial ? ` · trial ${row.trial}` : ""),
    ],
    ["scenario", "Scenario", "c-scenario", (row) => row.scenario],
    ["stage", "Stage", "c-stage num", (row) => row.stage],
    ["split", "Split", "c-split", (row) => row.split],
    ["outcome", "Outcome", "c-outcome", (row) => row.outcome],
    ["status", "Status", "c-status", (row) => view.badge(row.status, row.status)],
    ["score", "Score", "c-score num", (row) => score(row.score)],
    ["success", "Success", "c-success", (row) => (row.success === null ? "–" : view.mark(row.success))],
    ["steps", "Steps", "c-steps num", (row) => view.count(row.steps)],
    ["tokens", "Tokens", "c-tokens num", (row) => view.count(row.tokens)],
    ["cause", "Root cause", "c-cause", (row) => view.broken(row.cause || "–")],
    ["errors", "Errors", "c-errors", (row) => view.kindsOf(row.errors)],
  ];

  function score(value) {
    const cell = h("span", { class: "score" }, view.number(value));
    if (value !== null) cell.append(view.level(value));
    return cell;
  }

  /** Returns error kinds with their counts, such as `order ×2`. */
  view.kindsOf = (errors) =>
    Object.entries(errors)
      .map(([kind, count]) => (count > 1 ? `${kind} ×${count}` : kind))
      .join(", ") || "–";

  const values = (has) =>
    [...new Set(view.rows.flatMap(has))].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));

  function amend(changes) {
    view.amend({ ...changes, page: changes.page || "" });
    update(view.state());
  }

  function controls(state) {
    const fields = view.FILTERS.map(([key, label, has]) => {
      const options = [["", "all"], ...names.get(key).map((name) => [name, name === "" ? "(empty)" : name])];
      const field = view.select(label, state[key] || "", options, (value) => amend({ [key]: value }));
      field.querySelector("select").id = `f-${key}`;
      return field;
    });
    const entry = (key, label, attributes) => {
      const input = h("input", { id: `f-${key}`, ...attributes, oninput: () => amend({ [key]: input.value }) });
      input.value = state[key] || "";
      return h("label", { class: `field ${key === "q" ? "wide" : "short"}` }, h("span", {}, label), input);
    };
    const range = { type: "number", min: 0, max: 1, step: 0.05 };
    return h(
      "form",
      {
        class: "filters",
        role: "search",
        "aria-label": "Filter the episodes",
        onsubmit: (event) => event.preventDefault(),
      },
      entry("q", "Search", { type: "search", placeholder: "task id, tool, words of the final action" }),
      fields,
      entry("min", "Score from", { ...range, placeholder: "0" }),
      entry("max", "to", { ...range, placeholder: "1" }),
      h("button", { type: "button", id: "reset", onclick: reset }, "Reset"),
    );
  }

  function reset() {
    amend(Object.fromEntries(view.LIST_KEYS.map((key) => [key, ""])));
    const fresh = controls(view.state());
    parts.form.replaceWith(fresh);
    parts.form = fresh;
    fresh.querySelector("#f-q").focus();
  }

  function sortBy(key) {
    const current = view.state().sort || "";
    const next = current === key ? `-${key}` : current === `-${key}` ? "" : key;
    amend({ sort: next });
    parts.head.querySelector(`[data-key="${key}"]`).focus();
  }

  function heading(state) {
    return view.COLUMNS.map(([key, label, className]) => {
      const order = state.sort === key ? "ascending" : state.sort === `-${key}` ? "descending" : "none";
      const sign = { ascending: "▲", descending: "▼", none: "" }[order];
      const button = h(
        "button",
        { type: "button", "data-key": key, onclick: () => sortBy(key) },
        label,
        h("span", { class: "order", "aria-hidden": "true" }, sign),
      );
      return h("th", { scope: "col", class: className, "aria-sort": order }, button);
    });
  }

  function line(row) {
    const cells = view.COLUMNS.map(([, label, className, show]) =>
      h("td", { class: className, "data-label": label }, show(row)),
    );
    const open = (event) => {
      if (event.target.closest("a") || String(getSelection())) return;
      view.go({ view: "episode", e: row.id });
    };
    return h("tr", { onclick: open, class: row.status === "invalid" ? "is-invalid" : "" }, cells);
  }

  function total(sum, several) {
    const item = (label, value) => h("div", {}, h("dt", {}, label), h("dd", {}, value));
    return h(
      "dl",
      { class: "totals" },
      several ? item("Stage", sum.stage) : null,
      item("Episodes", view.count(sum.count)),
      item("Mean score", view.number(sum.score)),
      sum.stage === 1
        ? item("Exactly right", view.number(sum.success))
        : [
            item("Accuracy", view.number(sum.accurate)),
            item("Success", view.number(sum.success)),
            item("Clean success", view.number(sum.clean)),
          ],
      item("With errors", view.number(sum.errors)),
      item("Steps, mean", view.number(sum.steps, 1)),
      item("Tokens, mean", sum.tokens === null ? "–" : view.count(Math.round(sum.tokens))),
      item("Invalid", view.count(sum.invalid)),
      // The second reading, in which no mean benefits from left-out episodes.
      sum.invalid
        ? [
            item("Score, invalid as failures", view.number(sum.scoreOfAll)),
            item("Success, invalid as failures", view.number(sum.successOfAll)),
          ]
        : null,
    );
  }

  function pager(page, pages) {
    if (pages < 2) return [];
    const turn = (to, label) =>
      h("button", { type: "button", disabled: to < 1 || to > pages, onclick: () => amend({ page: to }) }, label);
    return [turn(page - 1, "← Previous"), h("span", {}, `Page ${page} of ${pages}`), turn(page + 1, "Next →")];
  }

  function update(state) {
    const rows = view.filtered(view.rows, state);
    const pages = Math.max(1, Math.ceil(rows.length / PAGE));
    const page = Math.min(pages, Math.max(1, Math.trunc(Number(state.page)) || 1));
    const sums = view.totals(rows);
    view.clear(parts.status, `${view.many(rows.length, "episode")} of ${view.count(view.rows.length)}`);
    view.clear(
      parts.totals,
      sums.map((sum) => total(sum, sums.length > 1)),
    );
    view.clear(parts.head, heading(state));
    view.clear(parts.body, rows.slice((page - 1) * PAGE, page * PAGE).map(line));
    if (!rows.length)
      parts.body.append(
        h("tr", { class: "none" }, h("td", { colspan: view.COLUMNS.length }, "No episode passes these filters.")),
      );
    for (const place of parts.pagers) view.clear(place, pager(page, pages));
  }

  view.showList = (main, state) => {
    if (!names.size) names = new Map(view.FILTERS.map(([key, , has]) => [key, values(has)]));
    const nav = () => h("div", { class: "pager" });
    parts = {
      form: controls(state),
      status: h("p", { class: "status", role: "status", "aria-live": "polite" }),
      totals: h("div", { class: "all-totals" }),
      head: h("tr"),
      body: h("tbody"),
      pagers: [nav(), nav()],
    };
    const table = h(
      "table",
      { class: "episodes" },
      h("caption", { class: "hidden" }, "Episodes"),
      h("thead", {}, parts.head),
      parts.body,
    );
    view.clear(
      main,
      h("h1", { class: "hidden" }, "Episodes"),
      parts.form,
      h("div", { class: "above" }, parts.status, parts.pagers[0]),
      parts.totals,
      h("div", { class: "scroll" }, table),
      parts.pagers[1],
    );
    update(state);
    document.title = "Episodes";
  };
})();
