// A page that holds a whole game: unpacks it and turns from one moment to another, without a server.
{
  const unpack = async () => {
    const packed = Uint8Array.from(atob(document.getElementById("game").textContent), (sign) => sign.charCodeAt(0));
    return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
  };
  const game = unpack();
  const LOG = 64;
  const placed = {};
  const until = (changes, at) => changes.findLastIndex(([start]) => start <= at);

  globalThis.leaf = async (_, at) => {
    const { pieces, log } = await game;
    for (const [name, changes] of Object.entries(pieces)) {
      const index = until(changes, at);
      if (index < 0 || index === (placed[name] ?? 0)) continue;
      placed[name] = index;
      document.getElementById(name).outerHTML = changes[index][1];
    }
    const end = until(log, at) + 1;
    document.getElementById("log").innerHTML = log.slice(Math.max(0, end - LOG), end).reverse().map(([, entry]) => entry).join("");
    document.getElementById("rev").setAttribute("value", at);
  };
}
