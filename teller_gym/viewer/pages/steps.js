"use strict";
/* One step of an episode: the model's text and the tool's result. */
(() => {
  const view = tellerView;
  const { h } = view;
  const FEW = 600;

  const lines = (text) => text.split("\n").length;

  /** Returns a block of text, folded if it is long. */
  function part(title, text, { json = false, open = false, folded = false, className = "" } = {}) {
    const make = () => (json ? view.jsonBlock(text, title) : view.block(text, "plain"));
    const long = text.length > FEW || lines(text) > 14;
    const size = long ? ` · ${view.many(text.length, "character")}` : "";
    return view.fold(`${title}${size}`, make, { open: !folded && (open || !long), className });
  }

  /** Returns prompt and completion tokens, time, and the finish reason. */
  function usage(model, seconds) {
    const told = [];
    if (typeof model.prompt === "number")
      told.push(`${view.count(model.prompt)} + ${view.count(model.completion || 0)} tokens`);
    if (typeof seconds === "number") told.push(view.time(seconds));
    if (model.finish_reason) told.push(String(model.finish_reason));
    return told.length ? h("span", { class: "usage" }, told.join(" · ")) : null;
  }

  function title(step, stage) {
    if (stage === 1) return "answer";
    if (step.kind === "response") return "final response";
    if (step.tool === null) return "no readable call";
    return step.original && step.original !== step.tool
      ? [step.tool, h("span", { class: "own" }, ` = ${step.original}`)]
      : step.tool;
  }

  /** Notes of the model that have their own block; all others are shown below as JSON. */
  const TOLD = new Set(["prompt", "completion", "finish_reason", "thinking", "said"]);

  function notes(model) {
    const text = (value) => (typeof value === "string" ? value : JSON.stringify(value));
    const rest = Object.fromEntries(Object.entries(model).filter(([key]) => !TOLD.has(key)));
    return [
      model.thinking ? part("Thinking", text(model.thinking), { className: "thinking" }) : null,
      model.said ? part("Said", text(model.said), { className: "said" }) : null,
      Object.keys(rest).length ? part("Notes", JSON.stringify(rest), { json: true }) : null,
    ];
  }

  function written(step, folded, stage) {
    if (stage === 1)
      return [
        view.fold("Answer as written", () => view.block(step.action, "plain"), { open: true, className: "arguments" }),
      ];
    if (step.arguments === undefined)
      return [part(step.kind === "response" ? "Response" : "Action", step.action, { open: step.kind === "response" })];
    return [
      step.words ? part("Words before the call", step.words, { open: true }) : null,
      part("Arguments", step.arguments, { json: true, open: !folded, folded, className: "arguments" }),
      view.fold("Action as written", () => view.block(step.action, "plain"), { className: "raw" }),
    ];
  }

  const label = (checkpoint) => checkpoint.replace(/^(call|field):/, "");

  /** Returns the article of a step; `number` counts from 1; `prefix` makes its id unique on pages with two episodes. */
  view.step = (step, number, { prefix = "step", folded = false, stage = 2, cause = null } = {}) => {
    const failed = step.error !== null;
    const reward =
      Math.abs(step.reward) > 5e-5
        ? h("span", { class: step.reward > 0 ? "gain" : "loss" }, `reward ${view.signed(step.reward)}`)
        : null;
    return h(
      "article",
      {
        class: `step ${failed ? "failed" : ""} ${step.kind}`,
        id: `${prefix}-${number}`,
        tabindex: -1,
        "aria-label": `Step ${number}`,
      },
      h(
        "header",
        {},
        h("span", { class: "n" }, number),
        h("h3", {}, title(step, stage)),
        step.kind === "malformed" && stage !== 1 ? view.badge("malformed", "invalid") : null,
        reward,
        usage(step.model, step.seconds),
      ),
      cause ? h("p", { class: "cause" }, h("strong", {}, "Root cause"), ` ${cause.reason}`) : null,
      notes(step.model),
      written(step, folded, stage),
      failed && stage !== 1
        ? h("p", { class: "error" }, view.badge(step.error.kind, "invalid"), " ", String(step.error.message))
        : null,
      step.defect ? h("p", { class: "error defect" }, h("strong", {}, "A defect of ours"), ` ${step.defect}`) : null,
      step.result
        ? part("Result", step.result, { json: true, folded: folded || stage === 1, className: "result" })
        : null,
      step.passed.length
        ? h(
            "p",
            { class: "passed" },
            "passed ",
            step.passed.map((name) => h("span", { class: "chip" }, "✓ ", label(name))),
          )
        : null,
    );
  };

  /** Returns system prompt and request, folded. */
  view.prompts = (episode) =>
    episode.prompt.map(([role, text]) => {
      const name =
        { system: "System prompt", user: episode.row.stage === 1 ? "Context and signatures" : "Request" }[role] || role;
      return view.fold(`${name} · ${view.many(text.length, "character")}`, () => view.block(text, "plain"), {
        className: "prompt",
      });
    });
})();
