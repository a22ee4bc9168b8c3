"use strict";
/* Aligns the steps of two episodes. */
(() => {
  const view = tellerView;
  const MOST = 400;
  const SAME = 3;
  const SAME_TOOL = 2;

  const name = (step) => (step.tool === null ? null : step.original || step.tool);

  /** Returns a value with sorted keys, so that equal arguments have equal texts. */
  function ordered(value) {
    if (Array.isArray(value)) return value.map(ordered);
    if (value === null || typeof value !== "object") return value;
    return Object.keys(value)
      .sort()
      .map((key) => [key, ordered(value[key])]);
  }

  function whole(step) {
    if (step.whole === undefined)
      step.whole =
        step.arguments === undefined
          ? `${step.kind}\n${step.action}`
          : `${name(step)}\n${JSON.stringify(ordered(JSON.parse(step.arguments)))}`;
    return step.whole;
  }

  function likeness(one, two) {
    if (whole(one) === whole(two)) return SAME;
    return name(one) !== null && name(one) === name(two) ? SAME_TOOL : 0;
  }

  /** Returns the names of arguments that differ between two calls of a tool. */
  view.differing = (one, two) => {
    if (one.arguments === undefined || two.arguments === undefined) return [];
    const [a, b] = [JSON.parse(one.arguments), JSON.parse(two.arguments)];
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    return keys.filter((key) => JSON.stringify(ordered(a[key])) !== JSON.stringify(ordered(b[key])));
  };

  /**
   * Returns pairs of indices (null for a step without a counterpart) with `kind`: same, arguments (the same tool with
   * different arguments) or other. As many equal calls as possible are paired, in the order of both episodes.
   */
  view.aligned = (left, right) => {
    const longer = Math.max(left.length, right.length);
    if (longer > MOST)
      return Array.from({ length: longer }, (_, i) =>
        pair(left, right, i < left.length ? i : null, i < right.length ? i : null),
      );
    const best = Array.from({ length: left.length + 1 }, () => new Int32Array(right.length + 1));
    for (let i = left.length - 1; i >= 0; i -= 1) {
      for (let j = right.length - 1; j >= 0; j -= 1) {
        const like = likeness(left[i], right[j]);
        best[i][j] = Math.max(best[i + 1][j], best[i][j + 1], like ? like + best[i + 1][j + 1] : 0);
      }
    }
    const rows = [];
    let [i, j] = [0, 0];
    while (i < left.length || j < right.length) {
      const like = i < left.length && j < right.length ? likeness(left[i], right[j]) : 0;
      if (like && best[i][j] === like + best[i + 1][j + 1]) rows.push(pair(left, right, i++, j++));
      else if (j >= right.length || (i < left.length && best[i][j] === best[i + 1][j]))
        rows.push(pair(left, right, i++, null));
      else rows.push(pair(left, right, null, j++));
    }
    return rows;
  };

  function pair(left, right, i, j) {
    const like = i === null || j === null ? 0 : likeness(left[i], right[j]);
    return { left: i, right: j, kind: like === SAME ? "same" : like === SAME_TOOL ? "arguments" : "other" };
  }
})();
