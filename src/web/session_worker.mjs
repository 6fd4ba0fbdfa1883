// A worker with the studio's session: takes messages of the page and sends its answers.
import createDapple from "./engine.mjs";
import { namePresetFolder, writePresets } from "./presets.mjs";

const pause = 30;  // ms between two questions whether a result is still wanted

let module = null;
let waiting = [];
let busy = false;
let token = "";  // address of the page that lasts as long as the page wants the result
let askedAt = 0;
let mayAsk = null;  // true if the policy of the host allows the question; null: not tried
let heard = 0;  // messages since the start

const fail = (error) => postMessage({ failed: error?.message ?? String(error) });

// Returns whether an address made by the page still leads to its data.
function isThere(address) {
  try {
    const request = new XMLHttpRequest();
    request.open("GET", address, false);
    request.send();
    return true;
  } catch {
    return false;
  }
}

// Returns whether the policy of the host allows such requests.
function canAsk() {
  const own = URL.createObjectURL(new Blob(["1"], { type: "text/plain" }));
  const can = isThere(own);
  URL.revokeObjectURL(own);
  return can;
}

// Returns whether the page has revoked the token. A worker that computes receives no message, and shared
// memory needs headers of the server, but a synchronous request reaches the addresses of the page.
globalThis.isOutdated = () => {
  const now = performance.now();
  if (!token || now - askedAt < pause) return false;
  askedAt = now;
  mayAsk ??= canAsk();
  if (!mayAsk || isThere(token)) return false;
  postMessage({ stopped: true });
  return true;
};

async function load({ program, presets }) {
  const loaded = await createDapple({
    noInitialRun: true,
    instantiateWasm: (imports, receive) => {
      WebAssembly.instantiate(program, imports).then((instance) => receive(instance, program)).catch(fail);
      return {};
    },
    preRun: [namePresetFolder],
    onAbort: fail,
  });
  loaded.FS.mkdir("/out");
  writePresets(loaded.FS, presets);
  module = loaded;
}

function open({ makes, photos }) {
  for (const photo of photos) module.FS.writeFile("/" + photo.name, new Uint8Array(photo.bytes));
  module.ccall("dapple_web_open", null, ["string", "number"], [photos.map((photo) => photo.name).join("\n"), makes === "drafts" ? 1 : 2]);
}

// Sends the files of an export and removes them.
function sendFiles() {
  const { FS } = module;
  const files = [];
  for (const name of FS.readdir("/out")) {
    if (name.startsWith(".")) continue;
    files.push({ name, bytes: FS.readFile("/out/" + name).buffer });
    FS.unlink("/out/" + name);
  }
  if (files.length) postMessage({ files }, files.map((file) => file.bytes));
}

function later() {
  if (busy) return;
  busy = true;
  setTimeout(work, 0);
}

function work() {
  busy = false;
  try {
    const messages = waiting;
    let solved = 0;  // number of the newest request
    waiting = [];
    for (const message of messages) {
      if (message.open) open(message.open);
      else {
        if (message.token) token = message.token;
        if (message.said.type === "set") solved = message.said.number;
        module.ccall("dapple_web_said", null, ["string"], [JSON.stringify(message.said)]);
      }
    }
    const any = module._dapple_web_step();
    if (solved) postMessage({ solved });
    sendFiles();
    if (any) later();
    else if (!waiting.length) postMessage({ idle: heard });
  } catch (error) {
    fail(error);
  }
}

onmessage = async (event) => {
  if (event.data.load) await load(event.data.load).catch(fail);
  else {
    ++heard;
    waiting.push(event.data);
  }
  if (module && waiting.length) later();
};
