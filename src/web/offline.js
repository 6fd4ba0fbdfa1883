// Keeps the page's files, so that it opens without a network. A new version of the files replaces all.
const name = "dapple-VERSION";
const files = FILES;
addEventListener("install", (event) => event.waitUntil(caches.open(name).then((cache) => cache.addAll(files)).then(() => skipWaiting())));
addEventListener("activate", (event) =>
  event.waitUntil(caches.keys().then((all) => Promise.all(all.filter((one) => one !== name && one.startsWith("dapple-")).map((one) => caches.delete(one))))));
addEventListener("fetch", (event) => event.respondWith(caches.match(event.request).then((kept) => kept ?? fetch(event.request))));
