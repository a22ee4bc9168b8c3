"use strict";
/* The page of one episode. */
(() => {
  const view = tellerView;
  const { h } = view;

  /** Returns the neighbours of an episode in the filtered and sorted list. */
  view.around = (row, state) => {
    const rows = view.filtered(view.rows, state);
    const at = rows.indexOf(row);
    return {
      at,
      size: rows.length,
      before: at > 0 ? rows[at - 1] : null,
      after: at >= 0 && at + 1 < rows.length ? rows[at + 1] : null,
    };
  };

  const step = { step: "", tab: "" };

  /** Returns links to the previous and the next episode, or disabled ones of the same size. */
  view.turning = (before, after, position) => {
    const turn = (target, id, text) =>
      target
        ? h("a", { class: "button", href: target, id }, text)
        : h("span", { class: "button dead", id, "aria-disabled": "true" }, text);
    return h(
      "div",
      { class: "turning" },
      turn(before, "before", "← Previous"),
      h("span", { class: "position" }, position),
      turn(after, "after", "Next →"),
    );
  };

  function others(row) {
    return view.rows.filter((other) => other !== row && other.task === row.task && other.stage === row.stage);
  }

  function against(row) {
    const found = others(row);
    if (!found.length) return null;
    const options = [
      ["", "choose …"],
      ...found.map((other) => [
        other.id,
        `${other.runName}${other.trial ? ` · trial ${other.trial}` : ""} (${view.number(other.score)})`,
      ]),
    ];
    return view.select(
      "Compare with",
      "",
      options,
      (id) => id && view.go({ view: "pair", e: row.id, with: id, ...step }),
    );
  }

  view.heading = (row) =>
    h(
      "div",
      { class: "heading" },
      h("h1", {}, row.task, row.trial ? h("span", { class: "quiet" }, ` trial ${row.trial}`) : null),
      h(
        "p",
        { class: "tags" },
        view.badge(row.runName, "run"),
        view.badge(`${row.scenario} · stage ${row.stage} · ${row.split}`),
        view.badge(row.status, row.status),
      ),
    );

  const TABS = {
    1: [
      ["", "Answer"],
      ["graph", "Graph"],
    ],
    2: [
      ["", "Conversation"],
      ["graph", "Graph"],
    ],
  };

  function tabs(row, state) {
    const link = ([key, label]) =>
      h(
        "a",
        {
          href: view.link({ tab: key, step: "" }),
          class: "tab",
          "aria-current": (state.tab || "") === key ? "page" : null,
          id: `tab-${key || "steps"}`,
        },
        label,
      );
    return h("nav", { class: "tabs", "aria-label": "Parts of the episode" }, (TABS[row.stage] || TABS[2]).map(link));
  }

  function folding(body) {
    const button = h("button", { type: "button", id: "unfold", "aria-pressed": "false" }, "Unfold all");
    button.addEventListener("click", () => {
      const open = button.getAttribute("aria-pressed") === "false";
      for (const fold of body.querySelectorAll("details.result, details.arguments, details.thinking, details.said"))
        fold.open = open;
      button.setAttribute("aria-pressed", String(open));
      button.textContent = open ? "Fold all" : "Unfold all";
    });
    return button;
  }

  function conversation(episode) {
    const body = h(
      "div",
      { class: "steps" },
      view.prompts(episode),
      episode.steps.map((one, i) =>
        view.step(one, i + 1, { cause: episode.cause && episode.cause.step === i + 1 ? episode.cause : null }),
      ),
    );
    if (!episode.steps.length)
      body.append(
        h(
          "p",
          { class: "note" },
          episode.row.status === "invalid"
            ? "Nothing of an invalid episode is kept but the reason."
            : "No step was taken.",
        ),
      );
    return [h("div", { class: "tools-row" }, folding(body)), body];
  }

  function graphs(episode, state) {
    if (episode.row.stage === 1) return [view.answerGraph(episode), view.answerLists(episode)];
    const whole = state.graph === "whole";
    const toggle = h(
      "button",
      {
        type: "button",
        id: "whole",
        "aria-pressed": String(whole),
        onclick: () => view.go({ graph: whole ? "" : "whole" }),
      },
      "Whole procedure",
    );
    return [episode.path ? h("div", { class: "tools-row" }, toggle) : null, view.pathGraph(episode, whole)];
  }

  /** Stage 1: prompt, answer and problems of the answer. */
  function answer(episode) {
    const problems = episode.answer ? episode.answer.problems : [];
    const last = episode.steps[episode.steps.length - 1];
    return h(
      "div",
      { class: "steps" },
      view.prompts(episode),
      problems.length
        ? h(
            "section",
            { class: "problems" },
            h("h2", {}, `Problems ${problems.length}`),
            h(
              "ul",
              {},
              problems.map((text) => h("li", {}, text)),
            ),
          )
        : episode.answer
          ? h("p", { class: "note" }, "Nothing is wrong with the answer as a document.")
          : null,
      last ? view.step(last, episode.steps.length, { stage: 1 }) : h("p", { class: "note" }, "There is no answer."),
    );
  }

  view.showEpisode = async (main, state, current) => {
    const row = view.byId.get(state.e);
    if (!row)
      return view.clear(
        main,
        h(
          "p",
          { class: "note" },
          "There is no such episode in these runs. ",
          h("a", { href: view.link({ view: "", e: "" }) }, "To the list"),
        ),
      );
    const episode = await view.episode(row);
    if (!current()) return null;
    const { at, size, before, after } = view.around(row, state);
    const to = (other) => (other ? view.link({ e: other.id, step: "" }) : null);
    const position = at < 0 ? "not in the list as filtered" : `${view.count(at + 1)} of ${view.count(size)}`;
    const bar = h(
      "div",
      { class: "bar" },
      h("a", { class: "button", id: "back", href: view.link({ view: "", e: "", ...step }) }, "↑ List"),
      view.turning(to(before), to(after), position),
      against(row),
    );
    const body =
      state.tab === "graph" ? graphs(episode, state) : row.stage === 1 ? answer(episode) : conversation(episode);
    const panel = h(
      "aside",
      { class: "panel", "aria-label": "Grade" },
      view.scorePanel(episode),
      view.causePanel(episode),
      view.fieldPanel(episode),
      view.checkPanel(episode),
      view.factPanel(episode),
    );
    view.clear(
      main,
      bar,
      view.heading(row),
      h("div", { class: "with-panel" }, h("div", { class: "body" }, tabs(row, state), body), panel),
    );
    document.title = `${row.task} · ${row.runName}`;
    const target = state.step ? document.getElementById(`step-${state.step}`) : null;
    if (target) {
      target.scrollIntoView({ block: "start" });
      target.focus({ preventScroll: true });
    }
    return null;
  };
})();
