// Keeps a room's page up to date: when the server says that something changed, the page is fetched and put in place.
// Nothing here knows what the news mean.
let rev = Number(document.getElementById("room").dataset.rev);
let socket;
let pause = 1000;

const typing = () => [...document.querySelectorAll("main input:not([type=hidden])")].some((input) => input.value);

async function refresh() {
  if (typing()) return setTimeout(refresh, 2000); // a half-typed message stays
  const answer = await fetch(location.pathname).catch(() => null);
  if (!answer?.ok) return; // the socket breaks too, and whoever comes back asks again
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const active = document.activeElement?.textContent;
  document.getElementById("content").replaceChildren(...fresh.getElementById("content").children);
  document.title = fresh.title;
  rev = Number(document.getElementById("room").dataset.rev);
  if (active) [...document.querySelectorAll("main button")].find((button) => button.textContent === active)?.focus();
}

function listen() {
  const code = document.getElementById("room").dataset.code;
  socket = new WebSocket(`${location.origin.replace("http", "ws")}/api/rooms/${code}/live?rev=${rev}`);
  socket.onopen = () => (pause = 1000);
  socket.onmessage = (message) => {
    const news = JSON.parse(message.data);
    if (news.behind || (news.rev && news.rev !== rev)) refresh();
  };
  socket.onclose = (event) => {
    if (event.code >= 4400) return refresh();
    setTimeout(listen, pause);
    pause = Math.min(30000, pause * 2);
  };
}

listen();
