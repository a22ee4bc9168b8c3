"use strict";
/* Two episodes side by side, step by step. */
(() => {
  const view = tellerView;
  const { h } = view;

  const KINDS = { same: "same call", arguments: "other arguments", other: "not in the other" };

  function told(row, left, right) {
    if (row.kind !== "arguments") return KINDS[row.kind];
    const names = view.differing(left[row.left], right[row.right]);
    return names.length ? `other ${names.join(", ")}` : KINDS.arguments;
  }

  function side(steps, index, prefix, folded) {
    return index === null
      ? h("div", { class: "nothing", "aria-label": "no step" })
      : view.step(steps[index], index + 1, { prefix, folded });
  }

  function line(row, left, right, first) {
    return h(
      "div",
      {
        class: `pair-row ${row.kind} ${first ? "first" : ""}`,
        id: first ? "divergence" : null,
        tabindex: first ? -1 : null,
      },
      h(
        "p",
        { class: "verdict" },
        first ? h("strong", {}, "First divergence: ") : null,
        row.kind === "same" ? "= " : "≠ ",
        told(row, left, right),
      ),
      side(left, row.left, "left", row.kind === "same"),
      side(right, row.right, "right", row.kind === "same"),
    );
  }

  function column(episode) {
    const { row } = episode;
    const open = h(
      "a",
      { href: view.link({ view: "episode", e: row.id, with: "" }) },
      row.runName,
      row.trial ? ` · trial ${row.trial}` : "",
    );
    const state = h(
      "p",
      {},
      view.badge(row.status, row.status),
      " ",
      h("strong", {}, view.number(row.score)),
      " ",
      row.success === null ? null : view.mark(row.success),
      ` ${view.many(row.steps || 0, "step")}`,
    );
    return h(
      "div",
      { class: "side" },
      h("h2", {}, open),
      state,
      episode.failure ? h("p", { class: "error" }, episode.failure) : null,
    );
  }

  function terms(left, right) {
    const names = [...new Set([...Object.keys(left.terms), ...Object.keys(right.terms)])];
    const value = (episode, name) => (view.has(episode.terms, name) ? episode.terms[name] : null);
    const change = (name) =>
      value(left, name) === null || value(right, name) === null
        ? "–"
        : view.signed(right.terms[name] - left.terms[name]);
    const head = ["Term", left.row.runName, right.row.runName, "Change"];
    const line = (name) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, name.replace(/_/g, " ")),
        h("td", { class: "num" }, view.number(value(left, name))),
        h("td", { class: "num" }, view.number(value(right, name))),
        h("td", { class: "num" }, change(name)),
      );
    return names.length
      ? view.fold(
          "Terms of the score",
          () =>
            h(
              "table",
              { class: "fields terms" },
              h(
                "thead",
                {},
                h(
                  "tr",
                  {},
                  head.map((name, i) => h("th", { scope: "col", class: i ? "num" : null }, name)),
                ),
              ),
              h("tbody", {}, names.map(line)),
            ),
          { open: left.row.stage === 1 },
        )
      : null;
  }

  function steps(left, right) {
    const rows = view.aligned(left.steps, right.steps);
    const first = rows.findIndex((row) => row.kind !== "same");
    const jump = () => {
      const target = document.getElementById("divergence");
      target.scrollIntoView({ block: "start" });
      target.focus({ preventScroll: true });
    };
    const same = rows.filter((row) => row.kind === "same").length;
    return [
      h(
        "div",
        { class: "tools-row" },
        first < 0
          ? h("p", { class: "note" }, "Both made the same calls in the same order.")
          : h("button", { type: "button", id: "to-divergence", onclick: jump }, "To the first divergence"),
        h("span", { class: "quiet" }, `${view.many(same, "equal call")} of ${rows.length} rows`),
      ),
      h(
        "div",
        { class: "pair" },
        rows.map((row, i) => line(row, left.steps, right.steps, i === first)),
      ),
    ];
  }

  function answers(left, right) {
    const one = (episode) => h("div", { class: "side" }, view.answerGraph(episode), view.answerLists(episode));
    return h("div", { class: "two" }, one(left), one(right));
  }

  /** Returns the neighbours of a pair in the table of both runs, if the pair is in it. */
  function around(left, right, state) {
    if (left.runName === right.runName || left.trial !== right.trial) return null;
    const own = { ...state, a: left.runName, b: right.runName };
    const { kept } = view.pairs(own);
    const at = kept.findIndex((pair) => pair.left === left);
    const to = (index) => (at >= 0 && kept[index] ? view.pairLink(kept[index]) : null);
    return {
      before: to(at - 1),
      after: to(at + 1),
      position: at < 0 ? "not in the table as filtered" : `${at + 1} of ${kept.length}`,
    };
  }

  view.showPair = async (main, state, current) => {
    const rows = [view.byId.get(state.e), view.byId.get(state.with)];
    if (!rows[0] || !rows[1] || rows[0].stage !== rows[1].stage)
      return view.clear(main, h("p", { class: "note" }, "There is no such pair of episodes in these runs."));
    const [left, right] = await Promise.all(rows.map(view.episode));
    if (!current()) return null;
    const places = around(rows[0], rows[1], state);
    const back = h(
      "a",
      {
        class: "button",
        id: "back",
        href: view.link({
          view: "compare",
          a: rows[0].runName,
          b: rows[1].runName,
          e: "",
          with: "",
          tab: "",
          step: "",
        }),
      },
      "↑ Both runs",
    );
    view.clear(
      main,
      h("div", { class: "bar" }, back, places ? view.turning(places.before, places.after, places.position) : null),
      h(
        "div",
        { class: "heading" },
        h("h1", {}, rows[0].task),
        h(
          "p",
          { class: "tags" },
          view.badge(`${rows[0].scenario} · stage ${rows[0].stage} · ${rows[0].split}`),
          rows[0].outcome ? view.badge(rows[0].outcome) : null,
        ),
      ),
      h("div", { class: "two heads" }, column(left), column(right)),
      terms(left, right),
      rows[0].stage === 1 ? answers(left, right) : steps(left, right),
    );
    document.title = `${rows[0].task} · ${rows[0].runName} and ${rows[1].runName}`;
    return null;
  };
})();
