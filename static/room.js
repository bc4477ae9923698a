// Keeps a room's page alive: shows whether we are connected, moves things that have moved, and calls whose turn it is.
// Everything it shows comes drawn from the server. Nothing here knows a rule.
const live = document.getElementById("live");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const rev = () => document.getElementById("rev")?.value ?? "0";
const where = (selector) => document.querySelector(selector)?.getBoundingClientRect();

// The connection. After a break the server is told what has been seen, and sends what is missing.
let lost = false;
live.addEventListener("htmx:ws:before:connection", ({ detail }) => {
  const address = new URL(detail.connection.url);
  address.searchParams.set("rev", rev());
  address.searchParams.set("lang", document.documentElement.lang);
  detail.connection.url = address.href;
});
live.addEventListener("htmx:ws:after:connection", () => {
  if (lost) say(live.dataset.back, 3000);
  lost = live.classList.toggle("offline", false);
});
live.addEventListener("htmx:ws:close", ({ detail }) => {
  if (detail.code >= 4400) return location.reload();
  lost = live.classList.toggle("offline", true);
  say(live.dataset.lost);
});

let hiding;
function say(text, milliseconds) {
  const line = document.getElementById("connection");
  clearTimeout(hiding);
  line.textContent = text;
  line.classList.toggle("bad", !milliseconds);
  line.hidden = false;
  if (milliseconds) hiding = setTimeout(() => (line.hidden = true), milliseconds);
}

// A form's answer. A stored move is told by the socket; where that is broken, the page is fetched anew.
document.addEventListener("htmx:after:request", ({ target, detail }) => {
  const status = detail.ctx?.response?.status ?? detail.ctx?.response?.raw?.status;
  if (status !== 204) return;
  if (lost) return location.reload();
  if (target.dataset?.clear) target.elements[target.dataset.clear].value = "";
});

// News: what has changed is in place by now.
let seen = rev();
let played = document.getElementById("motion")?.dataset.seq;
let focused;
const asked = () => document.querySelector("#act [name=decision]")?.value;
let decision = asked();
live.addEventListener("htmx:ws:before:message:incoming", () => (focused = document.activeElement));
live.addEventListener("htmx:ws:after:message:incoming", ({ detail }) => {
  // A pressed button may be gone by now; who uses the keyboard goes on from the prompt.
  if (focused !== document.body && !focused?.isConnected) document.getElementById("prompt")?.focus({ preventScroll: true });
  if (rev() === seen) return;
  seen = rev();
  document.getElementById("problem")?.replaceChildren();
  // While the same is to be decided, a choice stays open, whatever others say or answer.
  if (asked() !== decision) for (const choice of document.querySelectorAll(":popover-open")) choice.hidePopover();
  decision = asked();
  const motion = document.getElementById("motion");
  if (motion && motion.dataset.seq !== played) {
    played = motion.dataset.seq;
    if (!calm.matches && !document.hidden) for (const thing of motion.children) show(thing.dataset);
    for (const [, id] of detail.message.data.matchAll(/hx-target="#([\w-]+)"/g)) mark(document.getElementById(id));
  }
  if (detail.message.data.includes('hx-target="#chat"')) heard();
  call();
});

// Somebody has said something where nobody looks.
function heard() {
  const chat = document.getElementById("chat");
  const folded = chat?.closest("details:not([open])");
  const line = chat?.querySelector(".chat li:last-child");
  if (!folded || !line) return;
  folded.classList.add("unread");
  folded.addEventListener("toggle", () => folded.classList.remove("unread"), { once: true });
  say(line.firstChild.textContent + line.firstChild.nextSibling.textContent, 5000);
}

// What has changed glows for a moment.
function mark(piece) {
  const glow = { outline: "3px solid #e0a020", outlineOffset: "2px" };
  if (piece?.matches("[data-mark]")) piece.animate([glow, glow, { outline: "3px solid transparent", outlineOffset: "2px" }], { duration: 1200 });
}

function show({ from, to, what, turn, roll }) {
  if (roll) {
    const tilt = (degrees) => `translateY(${-degrees / 9}px) rotate3d(1, .6, .4, ${degrees}deg)`;
    document.querySelector(roll)?.animate([{ transform: tilt(360), opacity: 0.3 }, { transform: tilt(160) }, { transform: "none" }], { duration: 390, easing: "ease-out" });
    return;
  }
  if (turn) {
    const page = document.querySelector(turn);
    const over = page?.classList.contains("left") ? 100 : -100;
    page?.animate([{ transform: `rotateY(${over}deg)` }, { transform: "none" }], { duration: 380, easing: "ease-out" });
    return;
  }
  const start = where(from), end = where(to);
  if (!start?.width || !end?.width) return;
  const thing = document.createElement("b");
  thing.className = `flying ${what}`;
  document.body.append(thing);
  const at = (box) => `translate(${box.x + box.width / 2}px, ${box.y + box.height / 2}px) translate(-50%, -50%)`;
  thing.animate([{ transform: at(start) }, { transform: at(end) }], { duration: 390, easing: "ease-in-out" }).finished.then(() => thing.remove());
}

// Whose turn it is: in the title always, by sound and notice if somebody asked for it.
const title = document.title;
let turn = document.getElementById("prompt")?.dataset.turn;
const wants = (what) => localStorage.getItem(what) === "yes";
function call() {
  const prompt = document.getElementById("prompt");
  const mark = prompt?.dataset.title;
  document.title = mark ? `${mark} · ${title}` : title;
  const mine = prompt?.dataset.turn;
  if (mine && mine !== turn) {
    centre();
    if (wants("sound")) chime();
    if (wants("notices") && document.hidden && Notification.permission === "granted") {
      const notice = new Notification(mark, { tag: live.dataset.code, body: prompt.querySelector("p").innerText });
      notice.onclick = () => (window.focus(), notice.close());
    }
  }
  turn = mine;
}

// Clocks count on here; what they mean is decided by the server. A long time is told as the moment when it is over.
const skew = live.dataset.now - Date.now();
const when = new Intl.DateTimeFormat(document.documentElement.lang, { weekday: "short", hour: "numeric", minute: "2-digit" });
function tick() {
  const now = Date.now() + skew;
  for (const clock of document.querySelectorAll(".clock")) {
    const { left, since, stops, until } = clock.dataset;
    // In quiet hours it stands still; after them it never shows more than there is until it is over.
    const ran = Math.max(0, Math.min(now, stops ?? now) - since);
    const rest = until ? Math.max(0, Math.min(left - ran / 1000, (until - now) / 1000)) : +left;
    clock.classList.toggle("late", Boolean(until) && rest < 30);
    const text = until && left >= 21600 ? when.format(until - skew) : spell(Math.ceil(rest));
    const face = clock.querySelector("b");
    if (face.textContent !== text) face.textContent = text;
  }
}

function spell(seconds) {
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
tick();
setInterval(tick, 500);

function chime() {
  const audio = new AudioContext();
  for (const [tone, wait] of [[660, 0], [880, 0.14]]) {
    const string = new OscillatorNode(audio, { type: "triangle", frequency: tone });
    const hush = new GainNode(audio, { gain: 0 });
    string.connect(hush).connect(audio.destination);
    hush.gain.setValueAtTime(0.15, audio.currentTime + wait);
    hush.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + wait + 0.5);
    string.start(audio.currentTime + wait);
    string.stop(audio.currentTime + wait + 0.5);
  }
  setTimeout(() => audio.close(), 1000);
}

for (const box of document.querySelectorAll("[data-wish]")) {
  const wish = box.dataset.wish;
  box.closest("[hidden]")?.removeAttribute("hidden");
  box.checked = wants(wish);
  box.addEventListener("change", async () => {
    if (wish === "notices" && box.checked && (await Notification.requestPermission()) !== "granted") box.checked = false;
    localStorage.setItem(wish, box.checked ? "yes" : "no");
    if (wish === "sound" && box.checked) chime();
  });
}

// Small helps: the board closer or whole, a link copied, a line of the log that shows its place.
document.addEventListener("click", async ({ target, clientX, clientY }) => {
  const frame = target.closest(".stage")?.querySelector(".board-frame");
  if (frame && (target.closest("[data-zoom]") || (frame.matches(".whole") && frame.contains(target)))) zoom(frame, clientX, clientY);
  const sheet = target.closest("[data-sheet]")?.parentElement;
  if (sheet) sheet.className = { sheet: "sheet high", "sheet high": "sheet low", "sheet low": "sheet" }[sheet.className];
  const copy = target.closest("[data-copy]");
  if (copy) {
    await navigator.clipboard.writeText(copy.dataset.copy);
    [copy.textContent, copy.dataset.other] = [copy.dataset.other, copy.textContent];
    setTimeout(() => ([copy.textContent, copy.dataset.other] = [copy.dataset.other, copy.textContent]), 1500);
  }
  const line = target.closest(".log a");
  if (line) document.querySelector(line.getAttribute("href"))?.animate([{ scale: 1 }, { scale: 1.5 }, { scale: 1 }], { duration: calm.matches ? 0 : 390 });
});

// A small screen shows the whole board or a part of it: the part that was touched, or where one stands.
function zoom(frame, x, y) {
  const button = frame.parentElement.querySelector("[data-zoom]");
  const box = frame.firstElementChild.getBoundingClientRect();
  const spot = [(x - box.x) / box.width, (y - box.y) / box.height];
  frame.classList.toggle("whole");
  [button.textContent, button.dataset.other] = [button.dataset.other, button.textContent];
  const inside = spot[1] >= 0 && spot[1] <= 1;
  if (inside) frame.scrollTo(spot[0] * frame.scrollWidth - frame.clientWidth / 2, spot[1] * frame.scrollHeight - frame.clientHeight / 2);
  else centre(frame);
}

function centre(frame = document.querySelector(".board-frame")) {
  const pawn = frame?.querySelector(".pawn.acting");
  if (pawn) frame.scrollTo(pawn.offsetLeft - frame.clientWidth / 2, pawn.offsetTop - frame.clientHeight / 2);
}

centre();
call();
