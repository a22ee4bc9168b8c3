"use strict";
/* Filters and sorts the rows of the list, and computes their totals. */
(() => {
  const view = tellerView;

  /** Filter keys in the address, each with its label and the values of a row. */
  view.FILTERS = [
    ["run", "Run", (row) => [row.runName]],
    ["scenario", "Scenario", (row) => [row.scenario]],
    ["stage", "Stage", (row) => [String(row.stage)]],
    ["split", "Split", (row) => [row.split]],
    ["outcome", "Outcome", (row) => [row.outcome]],
    ["status", "Status", (row) => [row.status]],
    ["success", "Success", (row) => [row.success === null ? "invalid" : row.success ? "yes" : "no"]],
    ["cause", "Root cause", (row) => [row.score === null ? "invalid" : row.cause || "none"]],
    ["error", "Error kind", (row) => (row.score === null ? ["invalid"] : row.kinds.length ? row.kinds : ["none"])],
  ];

  /** Keys of the address that belong to the list. */
  view.LIST_KEYS = [...view.FILTERS.map(([key]) => key), "min", "max", "q", "sort", "page"];

  const bound = (text, otherwise) =>
    text === undefined || text === "" || Number.isNaN(Number(text)) ? otherwise : Number(text);

  /** Returns the rows that pass the filters of a state, sorted by it. */
  view.filtered = (rows, state) => {
    const tests = view.FILTERS.filter(([key]) => state[key] !== undefined).map(
      ([key, , has]) =>
        (row) =>
          has(row).includes(state[key]),
    );
    const least = bound(state.min, -Infinity);
    const most = bound(state.max, Infinity);
    if (least > -Infinity || most < Infinity)
      tests.push((row) => row.score !== null && row.score >= least && row.score <= most);
    const words = (state.q || "").toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length) tests.push((row) => words.every((word) => row.hay.includes(word)));
    const kept = rows.filter((row) => tests.every((test) => test(row)));
    return sorted(kept, state.sort);
  };

  const VALUE = {
    errors: (row) => row.mistakes,
    success: (row) => (row.success === null ? null : Number(row.success)),
    run: (row) => row.runName,
  };

  function sorted(rows, order) {
    if (!order) return rows;
    const down = order.startsWith("-");
    const key = down ? order.slice(1) : order;
    if (!view.COLUMNS.some(([name]) => name === key)) return rows;
    const value = VALUE[key] || ((row) => row[key]);
    const sign = down ? -1 : 1;
    return rows
      .map((row, place) => [value(row), place, row])
      .sort(([a, i], [b, j]) => {
        if (a === b) return i - j;
        if (a === null) return 1; // what has no value stands last either way
        if (b === null) return -1;
        if (typeof a === "string") return sign * a.localeCompare(b, "en", { numeric: true }) || i - j;
        return sign * (a - b);
      })
      .map(([, , row]) => row);
  }

  const mean = (values) => {
    const known = values.filter((value) => value !== null);
    return known.length ? known.reduce((sum, value) => sum + Number(value), 0) / known.length : null;
  };

  /** Returns counts and means of rows by stage; means ignore invalid episodes. */
  view.totals = (rows) => {
    const stages = [...new Set(rows.map((row) => row.stage))].sort();
    return stages.map((stage) => {
      const mine = rows.filter((row) => row.stage === stage);
      const valid = mine.filter((row) => row.score !== null);
      return {
        stage,
        count: mine.length,
        invalid: mine.length - valid.length,
        score: mean(valid.map((row) => row.score)),
        accurate: mean(valid.map((row) => row.accurate)),
        success: mean(valid.map((row) => row.success)),
        scoreOfAll: mean(mine.map((row) => row.score || 0)),
        successOfAll: mean(mine.map((row) => row.success || false)),
        clean: mean(valid.map((row) => row.clean)),
        steps: mean(valid.map((row) => row.steps)),
        tokens: mean(valid.map((row) => row.tokens)),
        errors: mean(valid.map((row) => row.mistakes > 0)),
      };
    });
  };
})();
