// The page: sends the user's requests to the program and shows its pictures.
import { Form } from "./form";
import { learnHash, type Command, type FrameHead, type Hello, type LessonHead, type Line, type Look, type Photo, type Saved, type SpectrumHead, type State, type Told } from "./protocol";
import { Stage, canvasOf } from "./canvas";
import { Brush } from "./brush";
import { Busy } from "./busy";
import { helpIsOpen, toggleHelp } from "./help";
import { Keeper, remembered, type RenderRequest } from "./memory";
import { Start } from "./start";
import { Learn } from "./learn";
import { Levels } from "./levels";
import { Strip, lookSide, lookTitleOf } from "./preset_previews";
import { Photos, photoSide } from "./photos";
import { Tray } from "./layer_panel";
import { LocalLine } from "./local_line";
import { SocketLine } from "./socket_line";
import { explained, speak, start as startWords, words } from "./words";

speak();  // before any code that uses texts or sizes

const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const commandList = byId<HTMLSelectElement>("command");
const presetList = byId<HTMLSelectElement>("preset");
const formatList = byId<HTMLSelectElement>("format");
const message = byId<HTMLOutputElement>("message");
const button = (action: string) => document.querySelector<HTMLButtonElement>(`[data-action="${action}"]`)!;

let hello: Hello | null = null;
let request: RenderRequest = { command: "stipple", preset: "", settings: {}, strokes: [[]] };
let past: RenderRequest[] = [];
let future: RenderRequest[] = [];
let number = 0;
let since = 0;  // number of the first request for this photo; pictures of earlier ones are of others
let lastChange = { name: "", at: 0 };

// True in pages of a static host, in which the program itself runs (scripts/web).
declare const DAPPLE_LOCAL: boolean;
const start = new Start({ open, reopen: () => line.reopen(), bare: () => leaveStart(), say });
const line: Line = DAPPLE_LOCAL
  ? new LocalLine({ told, framed, ended }, say, (recent) => offer(recent, false), () => start.tell(startWords.opening))
  : new SocketLine({ told, framed, ended });
const busy = new Busy(() => line.send({ type: "cancel" }), () => send());
const keeper = new Keeper(
  () => ({ request, past, future, strokes: [...brush.strokes], photo: photos.chosen, format: formatList.value }), (state) => line.save(state));
const stage = new Stage((view) => line.send(view), (zoom) => {
  byId("zoom").textContent = (100 * zoom).toFixed(zoom < 0.1 ? 1 : 0) + " %";
});
const form = new Form(change);
const levels = new Levels(change);
const tray = new Tray(() => stage.again());
stage.shows = () => ({ hidden: tray.hidden, until: tray.until });
const strip = new Strip(takeLook);
const photos = new Photos(takePhoto);
const brush = new Brush(stage, {
  say: (message) => line.send(message),
  begin: (stroke) => {
    remember("");
    request.strokes = request.strokes.map((one, i) => (i === photos.chosen ? [...one, stroke] : one));
    send();
  },
  grown: send,
  drop: () => step(past, future),
});

const learn = new Learn((message) => line.send(message), leave);
function leave(): void {
  history.pushState(null, "", location.pathname);
  learns();
  button("learn").focus();
}
// Shows the page, or #learn over it.
function learns(): void {
  const opens = location.hash === learnHash;
  document.body.classList.toggle("learns", opens);
  learn.open(opens && !!hello);
}
window.addEventListener("hashchange", learns);
window.addEventListener("popstate", learns);

function framed(head: FrameHead | LessonHead, pixels: Uint8Array): void {
  if (head.kind === "lesson") return learn.lesson(head, pixels);
  if (head.kind === "spectrum") return learn.spectrum(head as SpectrumHead, pixels);
  if (head.kind === "look") return strip.frame(head, pixels);
  if (head.kind === "strip") return photos.frame(head, pixels);
  if (head.kind === "tones") return showTones(head, pixels);
  if (head.kind === "strokes") return brush.frame(head, pixels);
  if (head.kind !== "photo") {
    if (head.number < since) return;
    stage.frame(head, pixels);
    return busy.frame(head.number, head.state);
  }
  stage.setPhoto(canvasOf(head, pixels));
  button("wipe").hidden = false;
}

function say(text: string, wrong = false): void {
  message.textContent = text;
  message.title = text;
  message.classList.toggle("wrong", wrong);
}

// Shows a text in place of the page.
function ended(text: string): void {
  document.body.classList.remove("learns");
  learn.open(false);
  document.body.classList.remove("starts");
  start.tell(text);
}

const takesStrokes = () => !!hello?.input && command().options.some((option) => option.name === "weight");
const command = (): Command => hello!.commands.find((one) => one.name === request.command)!;

function told(heard: Told): void {
  switch (heard.type) {
    case "hello": return greet(heard);
    case "state": return show(heard);
    case "looks":
      strip.list(heard.looks);
      document.body.classList.toggle("in-strip", strip.mark(request.command, request.preset));
      button("looks").hidden = false;
      return;
    case "problems":
      if (heard.number === 0 && learn.isOpen) return learn.problem(heard.problems);
      if (heard.number !== 0 && heard.number !== number) return;
      busy.writing(false);
      if (heard.number === number) busy.end(number, "wrong");
      if (!hello?.input) offer(hello?.recent ?? [], !DAPPLE_LOCAL);
      return say(form.problems(heard.problems).join("  ·  "), true);
    case "progress": return busy.progress(heard.share);
    case "stopped":
      busy.writing(false);
      return busy.end(heard.number, "stopped");
    case "saved": return saved(heard);
    case "histogram": return levels.count(heard.counts);
    case "line":
      void copyText(heard.line, heard.files);
      return;
    case "exported":
      byId("line").textContent = heard.line;
      busy.writing(false);
      wrote = heard.files;
      byId("files").hidden = DAPPLE_LOCAL || !hello?.showsFiles || !wrote.length;
      return say([words.wrote(heard.files), ...(heard.batch ? [words.batch] : []), ...heard.warnings.map(explained)].join("  "));
    case "elsewhere": return ended(words.elsewhere);
  }
}

function offer(recent: string[], bare: boolean): void {
  document.body.classList.add("starts");
  start.show(recent, bare);
}

function leaveStart(): void {
  document.body.classList.remove("starts");
  start.hide();
  if (hello && !hello.input) send();
}

// Opens photos in place of the current ones. New photos keep the settings, but not the strokes and
// their weights, which belong to a photo.
let taken: RenderRequest | null = null;
function open(opened: Photo[]): void {
  keeper.forget();
  taken = hello?.input ? structuredClone(request) : null;
  delete taken?.settings.weight;
  say(startWords.opening);
  line.open(opened);
}

function greet(heard: Hello): void {
  hello = heard;
  button("open").hidden = false;
  if (heard.input) {
    strip.open();
    leaveStart();
  }
  photos.open(heard.photos);
  button("exportAll").hidden = !photos.several;
  commandList.replaceChildren();
  for (const { name, summary, needsPicture } of heard.commands) {
    const choice = new Option(name, name);
    choice.title = summary;
    choice.disabled = needsPicture && !heard.input;
    commandList.append(choice);
  }
  request = { command: heard.command, preset: heard.preset, settings: { ...heard.settings }, strokes: (heard.photos.length ? heard.photos : [""]).map(() => []) };
  if (taken) request = { ...taken, strokes: request.strokes };
  taken = null;
  past = [];
  future = [];
  lastChange = { name: "", at: 0 };
  const memory = heard.saved ? remembered(heard.saved, request.strokes.length, heard.commands.map((one) => one.name)) : null;
  brush.restore(memory?.strokes ?? []);
  let said = "";
  if (memory) {
    ({ request, past, future } = memory);
    formatList.replaceChildren(new Option(memory.format, memory.format));  // until the formats are listed
    if (photos.names[memory.photo]) photos.choose(memory.photo);
    if (past.length) said = words.continued;
  }
  said = [said, ...heard.warnings].filter((text) => text).join("  ·  ");
  say(said);
  forgetPhoto();
  arrange();
  learns();
  if (!heard.input) return offer(heard.recent ?? [], true);
  send();
  if (said) say(said);
  ofPhoto();
  if (photos.several) line.send({ type: "strip", side: dense(photoSide, 400) });
}

const dense = (side: number, most: number) => Math.min(most, Math.round(side * (window.devicePixelRatio || 1)));

// Updates the title and the looks, which depend on the current photo.
function ofPhoto(): void {
  const name = photos.names[photos.chosen] ?? "";
  document.title = (name ? name + " – " : "") + "Dapple Studio";
  line.send({ type: "looks", side: dense(lookSide, 640), ...which() });
}

function takePhoto(photo: number): void {
  if (photo === photos.chosen) return;
  photos.choose(photo);
  lastChange = { name: "", at: 0 };
  forgetPhoto();
  send();
  ofPhoto();
}

// Removes what belongs to the photo so far: picture, looks, histogram and times.
function forgetPhoto(): void {
  since = number + 1;
  stage.clear();
  hideTones();
  strip.blank();
  levels.blank();
  tray.hide();
  for (const id of ["state", "forecast", "line"]) byId(id).textContent = "";
  byId("forecast").title = "";
  byId("files").hidden = true;
  button("wipe").hidden = true;
}

// The values that a request without settings has.
function basis(): Record<string, string> {
  const values: Record<string, string> = {};
  for (const option of command().options) values[option.name] = option.default;
  return { ...values, ...basisOf(request.preset) };
}
const basisOf = (preset: string) => hello!.presets.find((one) => one.name === preset)?.settings;

// Names the chosen photo if there are several.
const which = () => (photos.several ? { photo: photos.chosen } : {});
// The request for this photo.
const requested = () => ({ ...request, strokes: request.strokes[photos.chosen], ...which() });

// Fills the controls for the chosen command.
function arrange(): void {
  commandList.value = request.command;
  presetList.replaceChildren(new Option(words.none, ""));
  for (const preset of hello!.presets) {
    if (preset.command !== request.command) continue;
    const choice = new Option(lookTitleOf(preset.name, preset.command), preset.name);
    choice.title = preset.says;
    presetList.append(choice);
  }
  if (request.preset && ![...presetList.options].some((one) => one.value === request.preset)) {
    presetList.append(new Option(request.preset, request.preset));
  }
  presetList.value = request.preset;
  document.body.classList.toggle("in-strip", strip.mark(request.command, request.preset));
  const format = formatList.value;
  formatList.replaceChildren(new Option("", ""));  // the default, which comes with the picture
  for (const name of command().formats) formatList.append(new Option(name, name));
  if (command().formats.includes(format)) formatList.value = format;
  form.make(command());
  form.problems([]);
  showValues();
  button("saveLook").hidden = !hello!.savesLooks;
  button("brush").hidden = !takesStrokes();
  button("tones").hidden = !command().hasTones || !hello!.input;
  if (tones && !command().hasTones) toggleTones();
  if (brush.on && !takesStrokes()) actions.brush();
}

function showValues(): void {
  const values = { ...basis(), ...request.settings };
  form.show(values);
  levels.show(values);
}

function send(): void {
  button("undo").disabled = past.length === 0;
  button("redo").disabled = future.length === 0;
  say("");
  byId("files").hidden = true;
  busy.begin(++number);
  keeper.later();
  line.send({ type: "set", number, ...requested(), ...(photos.several ? { strip: request.strokes } : {}) });
}

// Saves an undo step. Quick successive changes of one option share a step.
function remember(name: string): void {
  const now = performance.now();
  const goesOn = name !== "" && name === lastChange.name && now - lastChange.at < 800;
  lastChange = { name, at: now };
  if (!goesOn) past.push(structuredClone(request));
  future = [];
}

function change(name: string, text: string): void {
  const before = basis()[name];
  if ((request.settings[name] ?? before) === text) return;
  remember(name);
  request.settings[name] = text;
  // Settings of a preset file are not known here.
  if (before === text && (!request.preset || isKnown(request.preset))) delete request.settings[name];
  send();
}

const isKnown = (preset: string) => hello!.presets.some((one) => one.name === preset);
let wrote: string[] = [];  // files of the last export

function show(state: State): void {
  if (state.number < since) return;
  if (state.number === number) {
    form.showActual(state.dots);
    form.show(state.values);
    levels.show(state.values);
    form.problems([]);
    if (message.classList.contains("wrong")) say("");
  }
  if (state.number === number && state.state !== "final") hideTones();  // until the final tones
  const word = state.state === "final" ? words.final : words.draft;
  const parts = [words.dots(state.dots, request.command), words.size(state.width, state.height)].filter((part) => part);
  byId("state").replaceChildren(Object.assign(document.createElement("b"), { textContent: word }), "  " + parts.join("  ·  "));
  byId("line").textContent = state.line;
  byId("forecast").textContent = state.forecast;  // drafts have none
  byId("forecast").title = state.plot;
  if (state.state === "final") {
    tray.show(state.layers, !!state.plot);
    if (state.number === number && state.warnings.length) say(state.warnings.map(explained).join("  ·  "));
  }
  formatList.options[0].textContent = state.own.join(" + ");
  stage.sized(state.width, state.height);
  if (state.place && state.part) stage.setPlace(state.place, state.part);
}

function step(from: RenderRequest[], to: RenderRequest[]): void {
  const next = from.pop();
  if (!next) return;
  to.push(request);
  const rearrange = next.command !== request.command || next.preset !== request.preset;
  // Shows the photo whose strokes changed.
  const same = (photo: number) => String(next.strokes[photo]) === String(request.strokes[photo]);
  const other = same(photos.chosen) ? request.strokes.findIndex((_, photo) => !same(photo)) : -1;
  request = next;
  lastChange = { name: "", at: 0 };
  if (rearrange) arrange();
  if (other >= 0) takePhoto(other);
  else {
    showValues();
    send();
  }
}

// The command line names a file of the strokes, so the program must write this file first.
function copy(): void {
  if (request.strokes[photos.chosen].length && takesStrokes()) line.send({ type: "line", number, ...requested() });
  else void copyText(byId("line").textContent ?? "", []);
}

async function copyText(text: string, files: string[]): Promise<void> {
  byId("line").textContent = text;
  try {
    await navigator.clipboard.writeText(text);
    say([words.copied, ...(files.length ? [words.wrote(files)] : [])].join("  "));
  } catch {
    say(words.notCopied, true);
  }
}

function exportFiles(): void {
  busy.writing(true);
  say(words.exporting);
  line.send({ type: "export", number, ...requested(), formats: formats() });
}

const formats = () => (formatList.value ? [formatList.value] : []);

// Exports a batch file with a job for every photo.
function exportAll(): void {
  if (!photos.several) return;
  busy.writing(true);
  say(words.exporting);
  line.send({ type: "export", number, ...requested(), strip: request.strokes, formats: formats() });
}

// Starts again from a preset or from the defaults.
function begin(command: string, preset: string): void {
  remember("");
  request = { command, preset, settings: {}, strokes: request.strokes };  // strokes belong to the photo
  arrange();
  send();
}

function takeLook(look: Look): void {
  toggleLooks(false);
  begin(look.command, look.preset);
}

// Toggles the tone errors, a picture that the program makes only for results.
let tones = false;
function toggleTones(): void {
  tones = !tones && command().hasTones;
  button("tones").setAttribute("aria-pressed", String(tones));
  line.send({ type: "tones", shows: tones });
  if (!tones) hideTones();
}
function hideTones(): void {
  stage.setTones(null);
  byId("legend").hidden = true;
}
function showTones(head: FrameHead, pixels: Uint8Array): void {
  if (!tones || head.number !== number) return;
  const legend = byId("legend");
  legend.hidden = false;
  if (!head.width) {
    legend.textContent = words.noTones;
    return stage.setTones(null);
  }
  const { dark, light, worst } = words.tones(head.range ?? 0, head.worst ?? 0, head.seenThrough ?? 0);
  legend.replaceChildren(dark, document.createElement("i"), light, Object.assign(document.createElement("span"), { textContent: worst }));
  stage.setTones(canvasOf(head, pixels));
}

let wipes = false;
function showWipe(): void {
  const slider = byId<HTMLInputElement>("wipe");
  slider.hidden = !wipes;
  button("wipe").setAttribute("aria-pressed", String(wipes));
  stage.setWipe(wipes ? Number(slider.value) : 0);
}

// If the window has no space for the strip, the strip covers the picture.
function toggleLooks(open = !document.body.classList.contains("looks-open")): void {
  document.body.classList.toggle("looks-open", open);
  button("looks").setAttribute("aria-pressed", String(open));
}

// Shows the field for the name of a look, with buttons that change the chosen look of the user.
const lookName = byId<HTMLInputElement>("lookName");
function askName(open: boolean): void {
  byId("lookBar").hidden = !open;
  const own = hello?.presets.find((preset) => preset.own && preset.name === request.preset);
  const name = own ? lookTitleOf(own.name, own.command) : "";
  for (const action of ["renameLook", "removeLook"] as const) {
    button(action).hidden = !own;
    button(action).textContent = words[action](name);
  }
  lookName.value = "";
  (open ? lookName : button("saveLook")).focus();
}
function changeLook(change: object): void {
  line.send({ type: "look", number, ...requested(), ...change });
  askName(false);
}
const lookTitle = () => lookName.value.trim();
byId("lookBar").addEventListener("submit", (event) => {
  event.preventDefault();
  if (lookTitle()) changeLook({ title: lookTitle() });
});
function saved({ preset, was, presets }: Saved): void {
  if (was) {
    // Requests that use the look take its new name, or its settings if it is removed.
    const settings = basisOf(was);
    const changed = (one: RenderRequest): RenderRequest =>
      one.preset !== was ? one : preset ? { ...one, preset } : { ...one, preset, settings: { ...settings, ...one.settings } };
    request = changed(request);
    past = past.map(changed);
    future = future.map(changed);
  }
  hello!.presets = presets;
  ofPhoto();
  if (!was) begin(request.command, preset);
  else {
    arrange();
    send();
  }
  say(preset ? words.savedLook(preset) : words.removedLook(was));
}

const shownFile = () => wrote.find((file) => file.endsWith(".png")) ?? wrote[0];

const actions: Record<string, () => void> = {
  skipToPicture: () => byId("stage").focus(),
  skipToOptions: () => byId("search").focus(),
  looks: () => toggleLooks(),
  undo: () => step(past, future),
  redo: () => step(future, past),
  fit: () => stage.fit(),
  real: () => stage.real(),
  tones: toggleTones,
  wipe: () => { wipes = !wipes; showWipe(); },
  brush: () => {
    brush.toggle(takesStrokes() && !brush.on);
    button("brush").setAttribute("aria-pressed", String(brush.on));
  },
  open: () => start.pick(),
  saveLook: () => { if (!button("saveLook").hidden) askName(byId("lookBar").hidden); },
  renameLook: () => { if (lookTitle()) changeLook({ title: lookTitle(), was: request.preset, settings: {} }); else lookName.focus(); },
  removeLook: () => changeLook({ was: request.preset }),
  lookCancel: () => askName(false),
  help: toggleHelp,
  openFile: () => line.send({ type: "show", file: shownFile() }),
  openFolder: () => line.send({ type: "show", file: shownFile(), folder: true }),
  learn: () => { location.hash = learnHash; },
  copy,
  export: exportFiles,
  exportAll,
};

for (const [name, act] of Object.entries(actions)) button(name).addEventListener("click", act);
formatList.addEventListener("change", () => keeper.later());
commandList.addEventListener("change", () => begin(commandList.value, ""));
presetList.addEventListener("change", () => begin(request.command, presetList.value));
byId("wipe").addEventListener("input", showWipe);
byId("wipe").addEventListener("pointerdown", (event) => event.stopPropagation());

const keys: Record<string, () => void> = {
  "0": actions.fit, "1": actions.real, z: actions.undo, y: actions.redo, e: actions.export, a: actions.exportAll, ",": () => photos.next(-1), ".": () => photos.next(1), c: actions.copy, x: actions.wipe, t: actions.tones, l: actions.looks, p: () => tray.toggle(), b: actions.brush, o: actions.open, s: actions.saveLook, "?": actions.help,
  "[": () => brush.resize(1 / 1.2), "]": () => brush.resize(1.2),
  "+": () => stage.zoomBy(1.25), "=": () => stage.zoomBy(1.25), "-": () => stage.zoomBy(0.8),
  ArrowLeft: () => stage.pan(-60, 0), ArrowRight: () => stage.pan(60, 0),
  ArrowUp: () => stage.pan(0, -60), ArrowDown: () => stage.pan(0, 60),
  "/": () => byId("search").focus(),
};
// Stops the work, or leaves what is open.
function escape(): void {
  if (!byId("lookBar").hidden) askName(false);
  else if (busy.working) line.send({ type: "cancel" });
  else if (brush.on) actions.brush();
}
document.addEventListener("keyup", (event) => { if (event.key === " ") stage.setBehind(false); });
window.addEventListener("blur", () => stage.setBehind(false));
document.addEventListener("keydown", (event) => {
  if (helpIsOpen()) return;
  if (learn.isOpen) return learn.key(event);
  const target = event.target as HTMLElement;
  if (event.key === " " && (target === document.body || target.id === "stage")) {
    event.preventDefault();
    return stage.setBehind(true);
  }
  if (event.key === "Escape") return escape();
  const types = target.matches("input, select, textarea");
  if (event.altKey || (types && !(event.ctrlKey || event.metaKey))) return;
  if ((event.ctrlKey || event.metaKey) && event.key !== "z" && event.key !== "y") return;
  if (types && target.matches("input[type=text], input[type=search]")) return;
  if (event.key.startsWith("Arrow") && target.id !== "stage" && target !== document.body) return;
  if (event.key === "Enter" && brush.on && target.id === "stage") return brush.dab(event.shiftKey);
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
