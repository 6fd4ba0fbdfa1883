// A worker with the studio's session: takes messages of the page and sends its answers.
import createDapple from "./engine.mjs";
import { namePresetFolder, writePresets } from "./presets.mjs";

let module = null;
let waiting = [];
let busy = false;

async function open({ makes, program, presets, photos }) {
  module = await createDapple({
    noInitialRun: true,
    instantiateWasm: (imports, receive) => {
      WebAssembly.instantiate(program, imports).then((instance) => receive(instance, program));
      return {};
    },
    preRun: [namePresetFolder],
    onAbort: (why) => postMessage({ failed: String(why) }),
  });
  const { FS } = module;
  FS.mkdir("/out");
  writePresets(FS, presets);
  for (const photo of photos) FS.writeFile("/" + photo.name, new Uint8Array(photo.bytes));
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
    const said = waiting;
    waiting = [];
    for (const message of said) module.ccall("dapple_web_said", null, ["string"], [JSON.stringify(message)]);
    const any = module._dapple_web_step();
    sendFiles();
    if (any) later();
  } catch (error) {
    postMessage({ failed: error?.message ?? String(error) });
  }
}

onmessage = async (event) => {
  if (event.data.open) {
    try {
      await open(event.data.open);
    } catch (error) {
      postMessage({ failed: error?.message ?? String(error) });
      return;
    }
  } else {
    waiting.push(event.data.said);
  }
  if (module) later();
};
