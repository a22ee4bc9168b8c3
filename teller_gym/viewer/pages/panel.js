"use strict";
/* The panel next to an episode: score and its terms, checkpoints, the answer's fields, facts. */
(() => {
  const view = tellerView;
  const { h } = view;

  const section = (title, ...content) => h("section", {}, h("h2", {}, title), content);
  /** Open if there is room next to the episode; folded on small screens, where it is above. */
  const part = (title, ...content) =>
    view.fold(title, () => content.flat().filter(Boolean), {
      open: matchMedia("(min-width: 1001px)").matches,
      className: "part",
    });
  const words = (name) => name.replace(/_/g, " ");

  function bar(name, value) {
    return h(
      "div",
      { class: "term" },
      h("span", {}, words(name)),
      view.level(value),
      h("span", { class: "num" }, view.number(value)),
    );
  }

  /** Returns score, success and all terms. */
  view.scorePanel = (episode) => {
    const { row } = episode;
    if (row.score === null)
      return section(
        "Score",
        h("p", {}, "This episode is invalid: it is in no mean."),
        h("pre", { class: "plain" }, episode.failure || ""),
      );
    const what = row.stage === 1 ? ["exactly right", "not exactly right"] : ["success", "no success"];
    const right = [row.accurate ? "accurate" : "not accurate", row.clean ? "clean" : "not clean"];
    return section(
      "Score",
      h(
        "p",
        { class: "big" },
        h("strong", {}, view.number(row.score)),
        " ",
        view.mark(row.success),
        ` ${what[row.success ? 0 : 1]}`,
        row.stage === 2 ? h("span", { class: "quiet" }, ` · ${right.join(" · ")}`) : null,
      ),
      h(
        "div",
        { class: "terms" },
        Object.entries(episode.terms).map(([name, value]) => bar(name, value)),
      ),
    );
  };

  function fault(one, episode) {
    const pairs = [
      ["SOP", one.clause],
      ["from", one.field === null ? null : view.broken(one.field)],
      ["expected", one.expected],
      ["got", one.got],
    ].filter(([, value]) => value !== null && value !== "null");
    const there = one.step >= 1 && one.step <= episode.steps.length;
    return h(
      "div",
      { class: "fault" },
      h(
        "p",
        { class: "name" },
        view.broken(one.name),
        " ",
        there ? h("a", { href: view.link({ tab: "", step: one.step }), class: "at" }, `step ${one.step}`) : null,
      ),
      h("p", { class: "reason" }, one.reason),
      facts(pairs),
    );
  }

  /** Returns the root cause, its consequences, and the faults that the agent corrected. */
  view.causePanel = (episode) => {
    const { row } = episode;
    if (!row.cause && !episode.made_good.length) return null;
    const list = (faults) => () => faults.map((one) => fault(one, episode));
    const many = (title, faults) => (faults.length ? view.fold(`${title} · ${faults.length}`, list(faults)) : null);
    const alike = view.link({ view: "", e: "", step: "", tab: "", cause: row.cause });
    return section(
      row.cause ? "Root cause" : "Made good",
      row.cause && episode.cause ? fault(episode.cause, episode) : null,
      row.cause && !episode.cause ? h("p", {}, row.cause) : null,
      row.cause ? h("p", {}, h("a", { href: alike, class: "at", id: "alike" }, "all episodes with it")) : null,
      many("Consequences", episode.consequences),
      many("Made good by the agent", episode.made_good),
    );
  };

  function checkpoint(check, steps) {
    const at = steps.findIndex((step) => step.passed.includes(check.id)) + 1;
    const where = at ? h("a", { href: view.link({ tab: "", step: at }), class: "at" }, `step ${at}`) : null;
    return h(
      "li",
      { class: check.passed ? "ok" : "no" },
      view.mark(check.passed),
      h(
        "div",
        {},
        h("span", { class: "name", title: check.reason }, check.label),
        " ",
        where,
        check.passed ? null : h("p", { class: "reason" }, check.reason),
      ),
    );
  }

  /** Returns the checkpoints, with reasons for failed ones. */
  view.checkPanel = (episode) => {
    if (!episode.checks.length) return null;
    const passed = episode.checks.filter((check) => check.passed).length;
    return part(
      `Checkpoints ${passed} / ${episode.checks.length}`,
      h(
        "ul",
        { class: "checks" },
        episode.checks.map((check) => checkpoint(check, episode.steps)),
      ),
    );
  };

  /** Returns the answer's fields with expected and actual values. */
  view.fieldPanel = (episode) => {
    if (!episode.fields.length) return null;
    const passed = episode.fields.filter((field) => field.passed).length;
    const line = (field) =>
      h(
        "tr",
        { class: field.passed ? "ok" : "no" },
        h("th", { scope: "row" }, words(field.name)),
        field.expected === null
          ? h("td", { colspan: 2 }, field.reason)
          : [h("td", {}, field.expected), h("td", {}, field.got === null ? "–" : field.got)],
        h("td", {}, view.mark(field.passed)),
      );
    const head = h(
      "tr",
      {},
      ["Field", "Expected", "Got", ""].map((name) =>
        h("th", { scope: "col" }, name || h("span", { class: "hidden" }, "Right")),
      ),
    );
    return part(
      `Fields of the answer ${passed} / ${episode.fields.length}`,
      h("table", { class: "fields" }, h("thead", {}, head), h("tbody", {}, episode.fields.map(line))),
    );
  };

  const facts = (pairs) =>
    h(
      "dl",
      { class: "facts" },
      pairs
        .filter(([, value]) => value !== null)
        .map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
    );

  /** Returns facts about the task and the run. */
  view.factPanel = (episode) => {
    const { row } = episode;
    const tokens = episode.tokens;
    return part(
      "Task",
      facts([
        ["outcome", row.outcome || null],
        ["difficulty", typeof episode.difficulty === "number" ? view.number(episode.difficulty, 2) : null],
        ["errors", row.kinds.length ? view.kindsOf(row.errors) : "none"],
        ["steps", view.count(row.steps)],
        ["tokens", tokens ? `${view.count(tokens.prompt)} read, ${view.count(tokens.completion)} written` : null],
        ["time", episode.wall_s === null ? null : view.time(episode.wall_s)],
        ["agent", episode.agent],
        ["seed", String(episode.seed)],
      ]),
      Object.keys(episode.branches).length
        ? view.fold("Decision points", () =>
            facts(Object.entries(episode.branches).map(([name, value]) => [words(name), words(String(value))])),
          )
        : null,
      episode.tools.length
        ? view.fold(`Tools in play · ${episode.tools.length}`, () =>
            h(
              "ul",
              { class: "tools" },
              episode.tools.map((name) => h("li", {}, name)),
            ),
          )
        : null,
    );
  };
})();
