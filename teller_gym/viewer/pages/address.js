"use strict";
/* The state of the pages is the part of the address after #, so that a link shows the same view. */
(() => {
  const view = tellerView;
  const LATER = 250;
  let state = {};
  let timer = 0;

  const read = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));

  const written = (values) => {
    const kept = Object.entries(values).filter(([, value]) => value !== "" && value !== null && value !== undefined);
    return `#${new URLSearchParams(kept.map(([key, value]) => [key, String(value)]))}`;
  };

  view.state = () => state;

  /** Returns a link to the current state with some values changed; an empty value removes its key. */
  view.link = (changes, keep = true) => written({ ...(keep ? state : {}), ...changes });

  view.go = (changes, keep = true) => {
    location.hash = view.link(changes, keep);
  };

  /** Changes the state without an entry in the browser's history, for filters, which change with every key. */
  view.amend = (changes) => {
    state = Object.fromEntries(new URLSearchParams(written({ ...state, ...changes }).slice(1)));
    clearTimeout(timer);
    timer = setTimeout(view.settle, LATER); // browsers refuse an address that changes too often
  };

  /** Writes pending changes of the state to the address. */
  view.settle = () => {
    clearTimeout(timer);
    timer = 0;
    if (written(state) !== location.hash) history.replaceState(null, "", written(state));
  };

  view.listen = (render) => {
    const changed = () => {
      clearTimeout(timer);
      timer = 0;
      state = read();
      render(state);
    };
    addEventListener("hashchange", changed);
    changed();
  };
})();
