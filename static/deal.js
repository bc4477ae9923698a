// The browser computes the hash of the seed itself, where it can (a page that did not come by https cannot).
(async () => {
  if (!globalThis.crypto?.subtle) return;
  const said = (id) => document.getElementById(id).textContent;
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(said("seed"))));
  const hash = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const line = document.getElementById("own-check");
  line.textContent = hash === said("hash") ? line.dataset.agrees : line.dataset.differs;
})();
