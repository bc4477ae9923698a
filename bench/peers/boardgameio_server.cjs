// boardgame.io with a tic-tac-toe for four: in memory, its own defaults.
const { Server, Origins } = require("boardgame.io/server");

const game = {
  name: "ttt",
  setup: () => ({ cells: Array(9).fill(null) }),
  minPlayers: 4,
  maxPlayers: 4,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    clickCell: ({ G, playerID }, id) => {
      G.cells[id % 9] = playerID;
    },
  },
};
const port = Number(process.argv[2]);
Server({ games: [game], origins: [Origins.LOCALHOST] }).run({ port, lobbyConfig: { apiPort: port + 1 } });
