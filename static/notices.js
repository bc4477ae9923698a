// Lets this browser be told while it is closed. The other ways need no script.
const box = document.getElementById("push");
const button = box.querySelector("button");
const line = box.querySelector("[role=status]");
const say = (what) => (line.textContent = what);

// One that the server does not list any more is worth nothing; a new one is made then.
async function listed() {
  const worker = await navigator.serviceWorker.getRegistration("/");
  const known = await worker?.pushManager.getSubscription();
  const item = known && document.querySelector(`[data-endpoint="${CSS.escape(known.endpoint)}"]`);
  if (known && !item) await known.unsubscribe();
  return item;
}

async function subscribe() {
  await navigator.serviceWorker.register("/sw.js");
  const worker = await navigator.serviceWorker.ready;
  const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: button.dataset.key });
  const { endpoint, keys } = made.toJSON();
  const body = new URLSearchParams({ endpoint, p256dh: keys.p256dh, auth: keys.auth });
  const answer = await fetch("/me/notices/push", { method: "POST", body });
  if (answer.ok) return location.assign(box.dataset.next);
  await made.unsubscribe();
  say(await answer.text());
}

button.addEventListener("click", async () => {
  button.disabled = true;
  try {
    if ((await Notification.requestPermission()) !== "granted") say(box.dataset.denied);
    else await subscribe();
  } catch {
    say(box.dataset.failed);
  }
  button.disabled = false;
});

if (!isSecureContext) say(box.dataset.insecure);
else if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) say(box.dataset.unable);
else {
  const item = await listed();
  if (item) {
    item.querySelector("[data-here]").hidden = false;
    say(box.dataset.here);
  } else button.hidden = false;
}
