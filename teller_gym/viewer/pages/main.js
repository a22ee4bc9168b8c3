"use strict";
/* Shows the page for the state, and handles the keyboard. */
(() => {
  const view = tellerView;
  const PAGES = { episode: view.showEpisode, pair: view.showPair, compare: view.showCompare };
  const KEYS = { j: "after", ArrowRight: "after", k: "before", ArrowLeft: "before", Escape: "back" };
  const PLACE = { e: "", with: "", tab: "", step: "" };
  let shown = "";
  let turn = 0;

  async function render(state) {
    const main = document.getElementById("main");
    turn += 1;
    const mine = turn;
    document.getElementById("to-list").href = view.link({ view: "", ...PLACE });
    document.getElementById("to-compare").href = view.link({ view: "compare", ...PLACE });
    document.getElementById("to-list").toggleAttribute("aria-current", !state.view);
    document.getElementById("to-compare").toggleAttribute("aria-current", state.view === "compare");
    document.getElementById("keys").textContent =
      state.view === "episode" || state.view === "pair" ? "j / k: next, previous · Esc: back" : "";
    const page = view.has(PAGES, state.view) ? PAGES[state.view] : view.showList;
    const place = `${state.view} ${state.e} ${state.with}`;
    try {
      await page(main, state, () => mine === turn);
    } catch (error) {
      if (mine === turn) view.clear(main, view.h("p", { class: "error" }, String(error.message)));
    }
    if (mine !== turn) return;
    main.dataset.shown = place; // for those who wait until a page stands
    if (shown && place !== shown && !state.step) {
      scrollTo(0, 0);
      main.focus({ preventScroll: true });
    }
    shown = place;
  }

  function pressed(event) {
    const target = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || target.closest("input, select, textarea"))
      return;
    if (event.key.startsWith("Arrow") && target.closest("pre, .scroll")) return; // there they move the text
    const link = view.has(KEYS, event.key) ? document.getElementById(KEYS[event.key]) : null;
    if (!link || !link.href) return;
    event.preventDefault();
    link.click();
  }

  view.start = () => {
    const main = document.getElementById("main");
    document.querySelector(".skip").addEventListener("click", (event) => {
      event.preventDefault();
      main.focus();
    });
    document.addEventListener("keydown", pressed);
    document.addEventListener("click", (event) => event.target.closest("a") && view.settle(), true);
    try {
      view.readIndex();
    } catch (error) {
      view.clear(main, view.h("p", { class: "error" }, String(error.message)));
      return;
    }
    view.listen(render);
  };
})();
