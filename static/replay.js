// Steps through a game that was played. What a step changes comes drawn: from the server, or from the file that this
// stands in (then `leaf` is there). The links do the same without a script.
{
  const replay = document.getElementById("replay");
  const slider = document.getElementById("at");
  const button = document.getElementById("play");
  const { path, query } = replay.dataset;
  const last = Number(replay.dataset.last);
  const turns = replay.dataset.turns.split(",").map(Number);
  const address = (at) => `${path}?at=${at}&${query}`;
  const ask = (from, to) => htmx.ajax("GET", `${address(to)}&from=${from}`, { target: "#replay", swap: "none" });
  const turn = globalThis.leaf ?? ask;
  const PACE = 1200;

  let shown = Number(slider.value);
  let wanted = shown;
  let busy = false;
  let playing;

  async function go(to) {
    wanted = Math.min(Math.max(to, 0), last);
    slider.value = wanted;
    if (busy) return;
    busy = true;
    while (shown !== wanted) {
      const [from, next] = [shown, wanted];
      const before = pieces();
      await turn(from, next);
      if (Number(rev()) !== next) return location.assign(address(next)); // the connection is broken, or the room is gone
      shown = next;
      if (path) history.replaceState(null, "", address(next));
      if (next === from + 1) move(before);
    }
    busy = false;
    tell();
  }

  const pieces = () => new Map(Array.from(document.querySelectorAll("[data-mark]"), (piece) => [piece.id, piece.outerHTML]));

  // One step on, what moved moves, and what has changed glows for a moment.
  function move(before) {
    if (calm.matches || document.hidden) return;
    for (const thing of document.getElementById("motion")?.children ?? []) show(thing.dataset);
    for (const piece of document.querySelectorAll("[data-mark]")) if (before.get(piece.id) !== piece.outerHTML) mark(piece);
  }

  function tell() {
    for (const link of document.querySelectorAll("#steps a")) {
      if (ways[link.dataset.way]() === shown) link.setAttribute("aria-disabled", "true");
      else link.removeAttribute("aria-disabled");
    }
    slider.setAttribute("aria-valuetext", document.querySelector("#step .where").innerText);
  }

  const ways = {
    first: () => 0,
    turn_back: () => turns.findLast((start) => start < wanted) ?? 0,
    back: () => Math.max(wanted - 1, 0),
    on: () => Math.min(wanted + 1, last),
    turn_on: () => turns.find((start) => start > wanted) ?? last,
    last: () => last,
  };
  const keys = { Home: "first", PageUp: "turn_back", ArrowLeft: "back", ArrowRight: "on", PageDown: "turn_on", End: "last" };

  function play(on) {
    clearInterval(playing);
    playing = on ? setInterval(() => (wanted < last ? busy || go(wanted + 1) : play(false)), PACE) : undefined;
    button.setAttribute("aria-pressed", Boolean(playing));
    if (on) go(wanted < last ? wanted + 1 : 0);
  }

  button.hidden = false;
  button.addEventListener("click", () => play(!playing));
  slider.addEventListener("input", () => (play(false), go(Number(slider.value))));
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-to]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    play(false);
    go(link.dataset.way ? ways[link.dataset.way]() : Number(link.dataset.to));
  });
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || used(target, key)) return;
    if (key === " ") play(!playing);
    else if (keys[key]) play(false), go(ways[keys[key]]());
    else return;
    event.preventDefault();
  });

  // Who writes, presses or scrolls something needs these keys there.
  function used(target, key) {
    if (key === " " && target.closest("a, button, summary")) return true;
    if (target.closest("input:not([type=range]), textarea, select, [popover]")) return true;
    const frame = target.closest("[tabindex='0']");
    const across = key === "ArrowLeft" || key === "ArrowRight";
    return Boolean(frame) && (across ? frame.scrollWidth > frame.clientWidth : frame.scrollHeight > frame.clientHeight);
  }

  tell();
}
