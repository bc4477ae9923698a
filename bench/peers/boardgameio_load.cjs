// Matches of four clients each, speaking boardgame.io's protocol over raw sockets, so that the server is measured.
// node boardgameio_load.cjs PORT MATCHES SECONDS PACE_MS: moves/s, and milliseconds until all four have the update.
const http = require("http");
const io = require("socket.io-client");

const [port, matches, seconds, pace] = process.argv.slice(2).map(Number);

function post(path, body) {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port: port + 1, path, method: "POST", headers: { "Content-Type": "application/json" } };
    const request = http.request(options, (answer) => {
      let text = "";
      answer.on("data", (chunk) => (text += chunk));
      answer.on("end", () => resolve(JSON.parse(text)));
    });
    request.on("error", reject);
    request.end(JSON.stringify(body));
  });
}

async function open() {
  const { matchID } = await post("/games/ttt/create", { numPlayers: 4 });
  const match = { matchID, credentials: [], sockets: [], state: null };
  for (let player = 0; player < 4; player++) {
    const joined = await post(`/games/ttt/${matchID}/join`, { playerID: `${player}`, playerName: `p${player}` });
    match.credentials.push(joined.playerCredentials);
    const socket = io(`http://127.0.0.1:${port}/ttt`, { transports: ["websocket"] });
    match.sockets.push(socket);
    await new Promise((resolve) => {
      socket.on("connect", () => {
        socket.emit("sync", matchID, `${player}`, match.credentials[player], 4);
        socket.once("sync", (_, info) => {
          match.state = info.state;
          resolve();
        });
      });
    });
  }
  return match;
}

const now = () => Number(process.hrtime.bigint()) / 1e6;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function play(match, until, times) {
  if (pace) await sleep(pace * Math.random());
  for (let turn = 0; now() < until; turn++) {
    const player = Number(match.state.ctx.currentPlayer);
    const payload = { type: "clickCell", args: [turn], playerID: `${player}`, credentials: match.credentials[player] };
    const sent = now();
    let left = 4;
    await new Promise((resolve) => {
      for (const socket of match.sockets) {
        socket.once("update", (_, state) => {
          match.state = state;
          if (--left === 0) resolve();
        });
      }
      match.sockets[player].emit("update", { type: "MAKE_MOVE", payload }, match.state._stateID, match.matchID, `${player}`);
    });
    times.push(now() - sent);
    if (pace) await sleep(pace * (0.5 + Math.random()));
  }
}

(async () => {
  const open_matches = [];
  for (let number = 0; number < matches; number++) open_matches.push(await open());
  const times = [];
  const began = now();
  await Promise.all(open_matches.map((match) => play(match, began + seconds * 1000, times)));
  const spent = (now() - began) / 1000;
  times.sort((a, b) => a - b);
  const quantile = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))];
  console.log(JSON.stringify({ moves_per_second: times.length / spent, p50: quantile(0.5), p99: quantile(0.99) }));
  process.exit(0);
})();
