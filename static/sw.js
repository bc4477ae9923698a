// Works while no page is open: shows that it is somebody's turn, and leads to the table.
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("push", (event) => {
  const { title, text, url, leave } = event.data.json();
  const actions = [{ action: "leave", title: leave.title }];
  event.waitUntil(registration.showNotification(title, { body: text, tag: url, renotify: true, data: { url, leave: leave.url }, actions }));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { url, leave } = event.notification.data;
  event.waitUntil(event.action === "leave" ? clients.openWindow(leave) : come(url));
});

// To the page that shows the table already, else to a new one.
async function come(url) {
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((one) => one.url.split(/[?#]/)[0] === url);
  return page ? page.focus() : clients.openWindow(url);
}
