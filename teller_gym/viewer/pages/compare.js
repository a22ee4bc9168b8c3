"use strict";
/* Two runs side by side: a table of the tasks played in both. */
(() => {
  const view = tellerView;
  const { h } = view;
  const PAGE = 100;
  const STEPS = { tab: "", step: "", with: "" };

  const SHOW = [
    ["", "all tasks", () => true],
    ["changed", "score changed", (pair) => pair.change === null || Math.abs(pair.change) > 5e-4],
    ["better", "second is better", (pair) => pair.change > 5e-4],
    ["worse", "second is worse", (pair) => pair.change < -5e-4],
    ["success", "success changed", (pair) => pair.left.success !== pair.right.success],
  ];
  const ORDER = [
    ["", "in the order of the run", null],
    ["down", "largest loss first", (one, two) => (one.change ?? 0) - (two.change ?? 0)],
    ["up", "largest gain first", (one, two) => (two.change ?? 0) - (one.change ?? 0)],
  ];

  const chosen = (options, key) => options.find(([name]) => name === (key || "")) || options[0];

  /** Returns the names of the two runs compared in a state. */
  view.twoRuns = (state) => {
    const names = view.index.runs.map((run) => run.name);
    const first = names.includes(state.a) ? state.a : names[0];
    const second = names.includes(state.b) ? state.b : names.find((name) => name !== first) || first;
    return [first, second];
  };

  /** Returns the rows of tasks and trials played in both runs, filtered and sorted by the state. */
  view.pairs = (state) => {
    const [first, second] = view.twoRuns(state);
    const pairs = [];
    for (const left of view.rows) {
      if (left.runName !== first) continue;
      const right = view.byId.get(`${second}/${left.task}/${left.trial}`);
      if (right)
        pairs.push({
          left,
          right,
          change: left.score === null || right.score === null ? null : right.score - left.score,
        });
    }
    const kept = pairs.filter(chosen(SHOW, state.show)[2]);
    const order = chosen(ORDER, state.order)[2];
    return { all: pairs, kept: order ? kept.sort(order) : kept };
  };

  view.pairLink = ({ left, right }) => view.link({ view: "pair", e: left.id, with: right.id, tab: "", step: "" });

  function line(pair) {
    const { left, right, change } = pair;
    const tone = change === null ? "" : change > 5e-4 ? "gain" : change < -5e-4 ? "loss" : "";
    const success = (row) => (row.success === null ? "–" : view.mark(row.success));
    const cell = (label, className, ...content) => h("td", { "data-label": label, class: className }, content);
    return h(
      "tr",
      {},
      cell(
        "Task",
        "c-task",
        h("a", { href: view.pairLink(pair) }, left.task, left.trial ? ` · trial ${left.trial}` : ""),
      ),
      cell("Outcome", "c-outcome", left.outcome),
      cell("First score", "num", view.number(left.score)),
      cell("Second score", "num", view.number(right.score)),
      cell(
        "Change",
        `num ${tone}`,
        change === null ? "–" : [change > 5e-4 ? "▲ " : change < -5e-4 ? "▼ " : "", view.signed(change)],
      ),
      cell("Success", "c-pair", success(left), " → ", success(right)),
      cell("Steps", "num", `${view.count(left.steps)} → ${view.count(right.steps)}`),
      cell("Errors of the second", "c-errors", view.kindsOf(right.errors)),
    );
  }

  function means(pairs, first, second) {
    const valid = pairs.filter((pair) => pair.change !== null);
    if (!valid.length) return null;
    const mean = (value) => valid.reduce((sum, pair) => sum + Number(value(pair)), 0) / valid.length;
    const item = (label, value) => h("div", {}, h("dt", {}, label), h("dd", {}, value));
    return h(
      "dl",
      { class: "totals" },
      item("Pairs", view.count(valid.length)),
      item(`Score, ${first}`, view.number(mean((pair) => pair.left.score))),
      item(`Score, ${second}`, view.number(mean((pair) => pair.right.score))),
      item("Change, mean", view.signed(mean((pair) => pair.change))),
      item(
        "Better / worse",
        `${valid.filter((pair) => pair.change > 5e-4).length} / ${valid.filter((pair) => pair.change < -5e-4).length}`,
      ),
    );
  }

  view.showCompare = (main, state) => {
    document.title = "Two runs side by side";
    const names = view.index.runs.map((run) => run.name);
    if (names.length < 2)
      return view.clear(
        main,
        h("h1", {}, "Two runs side by side"),
        h(
          "p",
          { class: "note" },
          "These pages hold one run. Give teller-gym view two run folders or more to compare them; two trials of a task can be compared from an episode's page.",
        ),
      );
    const [first, second] = view.twoRuns(state);
    const { all, kept } = view.pairs(state);
    const options = names.map((name) => [name, name]);
    const page = Math.min(
      Math.max(1, Math.trunc(Number(state.cpage)) || 1),
      Math.max(1, Math.ceil(kept.length / PAGE)),
    );
    const pick = (label, id, value, list, key) => {
      const field = view.select(label, value, list, (choice) => view.go({ [key]: choice, cpage: "", ...STEPS }));
      field.querySelector("select").id = id;
      return field;
    };
    const head = [
      ["Task", "c-task"],
      ["Outcome", ""],
      ["First", "num"],
      ["Second", "num"],
      ["Change", "num"],
      ["Success", "c-pair"],
      ["Steps", "num"],
      ["Errors of the second", "c-errors"],
    ];
    const turn = (to, text) =>
      h(
        "button",
        { type: "button", disabled: (to - 1) * PAGE >= kept.length || to < 1, onclick: () => view.go({ cpage: to }) },
        text,
      );
    return view.clear(
      main,
      h("h1", {}, "Two runs side by side"),
      h(
        "div",
        { class: "filters" },
        pick("First run", "run-a", first, options, "a"),
        pick("Second run", "run-b", second, options, "b"),
        pick("Show", "show", state.show || "", SHOW, "show"),
        pick("Order", "order", state.order || "", ORDER, "order"),
      ),
      h(
        "div",
        { class: "above" },
        h(
          "p",
          { class: "status", role: "status" },
          `${view.count(kept.length)} of ${view.many(all.length, "episode")} that both runs played`,
        ),
        kept.length > PAGE
          ? h("div", { class: "pager" }, turn(page - 1, "← Previous"), turn(page + 1, "Next →"))
          : null,
      ),
      means(kept, first, second),
      h(
        "div",
        { class: "scroll" },
        h(
          "table",
          { class: "episodes pairs" },
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              head.map(([name, className]) => h("th", { scope: "col", class: className }, name)),
            ),
          ),
          h(
            "tbody",
            {},
            kept.slice((page - 1) * PAGE, page * PAGE).map(line),
            kept.length
              ? null
              : h(
                  "tr",
                  { class: "none" },
                  h(
                    "td",
                    { colspan: head.length },
                    all.length ? "No task passes this filter." : "The two runs have no task in common.",
                  ),
                ),
          ),
        ),
      ),
    );
  };
})();
