"use strict";
/* Data from the data files: the index is loaded at the start, episodes when one of the same file is opened. */
(() => {
  const view = tellerView;
  const taken = new Map();
  const underWay = new Map();

  /** Called by the data files. */
  view.take = (name, text) => taken.set(name, JSON.parse(text));

  function load(name) {
    if (taken.has(name)) return Promise.resolve(taken.get(name));
    if (!underWay.has(name)) {
      underWay.set(
        name,
        new Promise((resolve, reject) => {
          const script = view.h("script", { src: `data/${name}.js` });
          script.addEventListener("load", () =>
            taken.has(name) ? resolve(taken.get(name)) : reject(new Error(`data/${name}.js is damaged`)),
          );
          script.addEventListener("error", () => {
            underWay.delete(name);
            script.remove();
            reject(new Error(`data/${name}.js cannot be loaded; is it beside this page?`));
          });
          document.head.append(script);
        }),
      );
    }
    return underWay.get(name);
  }

  /** The rows of the index: objects with a key for each column and `id`, `runName`, `kinds` and `hay` (searchable text). */
  view.readIndex = () => {
    const index = taken.get("index");
    if (!index) throw new Error("data/index.js is missing or damaged");
    const columns = Object.entries(index.columns);
    const size = columns.length ? columns[0][1].length : 0;
    const rows = [];
    for (let i = 0; i < size; i += 1) {
      const row = { place: 0 };
      for (const [name, values] of columns) row[name] = values[i];
      row.runName = index.runs[row.run].name;
      row.id = `${row.runName}/${row.task}/${row.trial}`;
      row.kinds = Object.keys(row.errors);
      row.mistakes = Object.values(row.errors).reduce((sum, count) => sum + count, 0);
      row.hay = `${row.task}\n${row.tools.join("\n")}\n${row.cause || ""}\n${row.final}`.toLowerCase();
      rows.push(row);
    }
    view.index = index;
    view.rows = rows;
    view.byId = new Map(rows.map((row) => [row.id, row]));
    view.partners = new Map();
    for (const row of rows) {
      const key = view.partnerKey(row);
      if (!view.partners.has(key)) view.partners.set(key, []);
      view.partners.get(key).push(row);
    }
  };

  /** Returns a key that is the same for a task and trial in every run. */
  view.partnerKey = (row) => `${row.task}/${row.trial}`;

  /** Resolves to the episode of a row, with its shared texts inserted. */
  view.episode = async (row) => {
    const chunk = await load(`episodes-${row.run}-${row.chunk}`);
    const episode = chunk.episodes[row.place];
    return { ...episode, row, prompt: episode.prompt.map(([role, text]) => [role, chunk.texts[text]]) };
  };
})();
