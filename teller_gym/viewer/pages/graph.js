"use strict";
/* Draws graphs; positions were computed in Python. */
(() => {
  const view = tellerView;
  const { h, svg } = view;
  const LINE = 14;
  const GAP = 14;
  const LEAST_SCALE = 0.85;
  const WIDEST_NUMBERS = 18;

  const TOOL = {
    right: ["✓", "done right"],
    wrong: ["✗", "called, never right"],
    missing: ["○", "required, never called"],
    extra: ["+", "called, not required"],
    unknown: ["?", "called, no such tool in play"],
    unused: ["", "not part of this task"],
  };
  const SIDE = {
    common: ["✓", "in both graphs"],
    missing: ["○", "only in the procedure's"],
    added: ["+", "only in the answer"],
  };
  const EDGE = { data: "takes a value", state: "needs its effect", temporal: "comes after" };

  /** Returns the path of an edge: curved between layers, straight through a layer. */
  const course = (points) =>
    points
      .map(([x, y], i) => {
        if (i === 0) return `M${x} ${y}`;
        const [fromX, fromY] = points[i - 1];
        const half = (fromY + y) / 2;
        return i % 2 ? `C${fromX} ${half} ${x} ${half} ${x} ${y}` : `L${x} ${y}`;
      })
      .join("");

  /** Returns a box with a label, a sign, and the numbers of the steps that called the tool. */
  function box([name, x, y, lines], [width, height], { kind, sign, title, steps = [], href = null }) {
    const numbers = steps.map((step) => `#${step}`).join(" ");
    const told = numbers.length > WIDEST_NUMBERS ? `${numbers.slice(0, WIDEST_NUMBERS)}…` : numbers;
    const top = y + 15 + (lines.length === 1 ? 3 : 0);
    const parts = [
      svg("title", {}, title),
      svg("rect", { x, y, width, height, rx: 6 }),
      lines.map((line, i) => svg("text", { x: x + 9, y: top + i * LINE, class: "label" }, line)),
      told ? svg("text", { x: x + 9, y: y + height - 6, class: "steps" }, told) : null,
      sign ? svg("text", { x: x + width - 8, y: y + height - 6, class: "sign" }, sign) : null,
    ];
    const group = svg(
      "g",
      { class: `node ${kind}`, "data-name": name, role: "img", "aria-label": title, tabindex: href ? null : 0 },
      parts,
    );
    return href ? svg("a", { href, "aria-label": title }, group) : group;
  }

  function edge([up, down, points], kind, title) {
    const d = course(points);
    return svg(
      "g",
      { class: `edge ${kind}`, "data-edge": `${up} ${down}` },
      svg("title", {}, title),
      svg("path", { class: "reach", d }),
      svg("path", { class: "line", d, "marker-end": `url(#end-${kind.split(" ")[0]})` }),
    );
  }

  const marker = (kind) =>
    svg(
      "marker",
      {
        id: `end-${kind}`,
        class: `end ${kind}`,
        viewBox: "0 0 8 8",
        refX: 7,
        refY: 4,
        markerWidth: 7,
        markerHeight: 7,
        orient: "auto-start-reverse",
        markerUnits: "userSpaceOnUse",
      },
      svg("path", { d: "M0 0.5L8 4L0 7.5z" }),
    );

  /** Returns a drawing that shrinks slightly on small screens and scrolls if that is not enough. */
  function canvas(width, height, label, ends, ...content) {
    const drawing = svg(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, width, height, class: "graph" },
      svg("defs", {}, ends.map(marker)),
      content,
    );
    drawing.style.minWidth = `${Math.round(width * LEAST_SCALE)}px`;
    return h("div", { class: "scroll canvas", tabindex: 0, role: "group", "aria-label": label }, drawing);
  }

  function legend(items) {
    const sample = (kind, sign) =>
      svg(
        "svg",
        { width: 26, height: 18, "aria-hidden": "true" },
        svg(
          "g",
          { class: `node ${kind}` },
          svg("rect", { x: 1.5, y: 1.5, width: 23, height: 15, rx: 4 }),
          svg("text", { x: 13, y: 13, class: "sign middle" }, sign),
        ),
      );
    const line = (kind) =>
      svg(
        "svg",
        { width: 34, height: 18, "aria-hidden": "true" },
        svg("g", { class: `edge ${kind}` }, svg("path", { class: "line", d: "M2 9H32" })),
      );
    return h(
      "ul",
      { class: "legend" },
      items.map(([what, kind, sign, text]) => h("li", {}, what === "node" ? sample(kind, sign) : line(kind), text)),
    );
  }

  function stray(tools, across, size, top, draw) {
    return tools.map(([name, lines], i) =>
      draw([name, GAP + (i % across) * (size[0] + GAP), top + Math.floor(i / across) * (size[1] + GAP), lines]),
    );
  }

  /** Stage 2: the procedure's graph with the required and the called tools; `whole` shows all tools. */
  view.pathGraph = (episode, whole) => {
    const { path, row } = episode;
    const scenario = view.has(view.index.scenarios, row.scenario) ? view.index.scenarios[row.scenario] : null;
    if (!scenario && row.scenario === "day")
      return h("p", {}, "A working day has no graph of its own; each of its cases is worked by that of its desk.");
    if (!path) return h("p", {}, "There is no path: the episode is invalid.");
    if (!scenario)
      return h(
        "p",
        {},
        `The scenario ${row.scenario} was not known where these pages were written, so its graph cannot be drawn.`,
      );
    const drawing = whole ? scenario.graph : path.own;
    const found = new Map(path.states.map(([name, kind, steps]) => [name, { kind, steps }]));
    const reasons = new Map(episode.checks.map((check) => [check.id, check.reason]));
    const whys = new Map(scenario.edges.map(([up, down, kind, why]) => [`${up} ${down}`, [kind, why]]));
    const draw = (node) => {
      const { kind, steps } = found.get(node[0]);
      const reason = reasons.get(`call:${node[0]}`);
      const title = [
        `${node[0]}: ${TOOL[kind][1]}`,
        steps.length ? `step ${steps.join(", ")}` : null,
        reason,
        scenario.tools[node[0]],
      ]
        .filter(Boolean)
        .join("\n");
      return box(node, drawing.box, {
        kind,
        sign: TOOL[kind][0],
        title,
        steps,
        href: steps.length ? view.link({ tab: "", step: steps[0] }) : null,
      });
    };
    const link = (item) => {
      const [kind, why] = whys.get(`${item[0]} ${item[1]}`) || ["data", ""];
      const done = [item[0], item[1]].every((name) => found.get(name).kind === "right");
      return edge(item, `${done ? "done" : "open"} ${kind}`, `${item[0]} → ${item[1]}\n${EDGE[kind] || kind}: ${why}`);
    };
    const across = Math.min(path.stray.length, Math.max(3, Math.floor((drawing.width - GAP) / (drawing.box[0] + GAP))));
    const rows = Math.ceil(path.stray.length / (across || 1));
    const width = Math.max(drawing.width, across ? GAP + across * (drawing.box[0] + GAP) : 0);
    const below = rows ? 34 + rows * (drawing.box[1] + GAP) : 0;
    const heading = rows
      ? svg(
          "text",
          { x: GAP, y: drawing.height + 18, class: "heading" },
          "called besides the procedure" + (path.more ? ` (and ${path.more} more)` : ""),
        )
      : null;
    const label = "Graph of the procedure. Each tool's state and steps are in its label.";
    const kinds = [...new Set(path.states.map(([, kind]) => kind))].filter((kind) => whole || kind !== "unused");
    return [
      legend([
        ...Object.keys(TOOL)
          .filter((kind) => kinds.includes(kind))
          .map((kind) => ["node", kind, ...TOOL[kind]]),
        ...Object.entries(EDGE).map(([kind, text]) => ["edge", `open ${kind}`, "", text]),
      ]),
      canvas(
        width,
        drawing.height + below,
        label,
        ["done", "open"],
        drawing.edges.map(link),
        drawing.nodes.map(draw),
        heading,
        stray(path.stray, across, drawing.box, drawing.height + 30, draw),
      ),
    ];
  };

  /** Stage 1: the procedure's graph compared with the answer. */
  view.answerGraph = (episode) => {
    const { graph } = episode;
    if (!graph.drawing) return h("p", {}, "There is no graph to draw.");
    const sideOf = (lists, key) =>
      new Map(Object.entries(lists).flatMap(([side, items]) => items.map((item) => [key(item), side])));
    const nodes = sideOf(graph.nodes, (name) => name);
    const edges = sideOf(graph.edges, (pair) => pair.join(" "));
    const draw = (node) =>
      box(node, graph.drawing.box, {
        kind: `in-${nodes.get(node[0])}`,
        sign: SIDE[nodes.get(node[0])][0],
        title: `${node[0]}: ${SIDE[nodes.get(node[0])][1]}`,
      });
    const link = (item) =>
      edge(
        item,
        `in-${edges.get(`${item[0]} ${item[1]}`)}`,
        `${item[0]} → ${item[1]}\n${SIDE[edges.get(`${item[0]} ${item[1]}`)][1]}`,
      );
    const items = Object.entries(SIDE).flatMap(([side, [sign, text]]) => [
      ["node", `in-${side}`, sign, `node ${text} (${graph.nodes[side].length})`],
      ["edge", `in-${side}`, "", `edge ${text} (${graph.edges[side].length})`],
    ]);
    const [hiddenNodes, hiddenEdges] = graph.left_out;
    const left =
      hiddenNodes || hiddenEdges
        ? h(
            "p",
            { class: "note" },
            `Not drawn: ${view.many(hiddenNodes, "node")} and ${view.many(hiddenEdges, "edge")} of the answer. The lists below hold all.`,
          )
        : null;
    return [
      legend(items),
      left,
      canvas(
        graph.drawing.width,
        graph.drawing.height,
        "The procedure's graph against the answer's",
        ["in-common", "in-missing", "in-added"],
        graph.drawing.edges.map(link),
        graph.drawing.nodes.map(draw),
      ),
    ];
  };

  /** Stage 1: lists of the nodes and edges in both graphs or in only one of them. */
  view.answerLists = (episode) =>
    ["nodes", "edges"].flatMap((what) =>
      Object.entries(SIDE).map(([side, [sign, text]]) => {
        const items = episode.graph[what][side];
        const list = () =>
          h(
            "ul",
            { class: "tools" },
            items.slice(0, 2000).map((item) => h("li", {}, what === "nodes" ? item : item.join(" → "))),
            items.length > 2000 ? h("li", {}, `and ${view.count(items.length - 2000)} more`) : null,
          );
        return items.length ? view.fold(`${sign} ${what} ${text} · ${items.length}`, list) : null;
      }),
    );
})();
