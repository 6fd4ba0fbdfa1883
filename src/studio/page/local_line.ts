// The line to a program that runs in workers of this page, for hosts that only serve files. Photos
// stay on this machine. One worker makes drafts and everything beside the picture. The other makes
// results and files; it hears nothing while it computes, so it asks for an address that the page revokes.
import { unpack, type FrameHead, type Hello, type Line, type Listener, type Photo, type State, type Told } from "./protocol";
import { local } from "./words";

type Message = { type?: string; number?: number } & Record<string, unknown>;

const quiet = 150;  // ms without a change before a result is made
const longestDraft = 1000;  // ms that a result waits for its draft
const patience = 2000;  // ms until a worker that does not stop is replaced
const store = "photos";  // name of the browser's store for photos of the last visit
const again = 30;  // ms between two checks that it has stopped
const forResults = new Set(["export", "line", "tones", "stroke", "view"]);
const forDrafts = new Set(["set", "view", "looks", "strip", "lesson", "spectrum", "stroke"]);
const kept = new Set(["view", "tones", "strip"]);  // the last of each, and all strokes, serve later workers too

export class LocalLine implements Line {
  private drafts: Worker | null = null;
  private results: Worker | null = null;
  private ready: Worker[] = [];  // workers that have the program but no photos yet
  private program!: Promise<[WebAssembly.Module, Record<string, string>]>;  // with the presets
  private photos: Photo[] = [];
  private said: Message[] = [];  // what later workers must hear
  private looks: Message | null = null;  // waits for the first result, which needs the processor more
  private greeted = false;   // the page has the options
  private posted = 0;        // messages to the second worker
  private solving = false;   // it makes a result
  private writing = false;   // it writes files
  private finalNumber = -1;  // of the last result that is shown
  private lastNumber = 0;    // of the last request
  private wanted: Message | null = null;  // the request of the next result
  private wantedAt = 0;  // time of the last change, ms
  private token = "";    // address that is revoked to stop the result under way
  private timer = 0;

  constructor(private readonly listener: Listener, private readonly say: (text: string, wrong?: boolean) => void,
    private readonly offer: (recent: string[]) => void, private readonly wait: () => void) {
    if (location.protocol === "file:") {  // browsers let no script read files beside the page
      setTimeout(() => listener.ended(local.asFile));
      return;
    }
    this.program = Promise.all([
      fetched("dapple.wasm").then(compiled),
      fetched("presets.json").then((answer) => answer.json() as Promise<Record<string, string>>),
    ]);
    this.ready = [this.load(), this.load()];
    void this.last().then((photos) => {
      const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
      if (photos.length && entry?.type !== "navigate") this.open(photos);
      else this.offer(photos.map((photo) => photo.name));
    });
    // Secure contexts only. It loads all files again, so the program goes first; the page works without it.
    if (window.isSecureContext) this.program.then(() => navigator.serviceWorker.register("offline.js")).catch(() => {});
  }

  send(message: Message): void {
    const type = message.type ?? "";
    if (kept.has(type)) this.said = this.said.filter((one) => one.type !== type);
    if (kept.has(type) || type === "stroke") this.said.push(message);
    if (type === "set" && !this.drafts && this.greeted) this.drafts = this.start("drafts");
    if (type === "looks" && this.finalNumber < 0) this.looks = message;
    else if (forDrafts.has(type)) this.drafts?.postMessage({ said: message });
    if (type === "set") return this.sendLater(message);
    if (type === "cancel") return this.stop();
    if (!forResults.has(type)) return;
    if (type === "export" || type === "line") {
      if (!this.results) this.startResults();
      this.writing = true;
    }
    this.tell({ said: message });
  }

  // Requests a result when the draft, which needs the processor more, is made and 150 ms have passed
  // without a change, at the latest after a second. The first result begins at once.
  private sendLater(message: Message): void {
    this.lastNumber = message.number ?? 0;
    URL.revokeObjectURL(this.token);
    this.wanted = message;
    this.wantedAt = performance.now();
    this.requestIn(this.finalNumber < 0 ? 0 : longestDraft);
  }

  // Stops the result under way, and its files.
  private stop(): void {
    clearTimeout(this.timer);
    URL.revokeObjectURL(this.token);
    this.wanted = null;
    if (this.writing) this.endResults();
    this.listener.told({ type: "stopped", number: this.lastNumber });
  }

  private requestIn(delay: number): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      if (!this.wanted) return;
      const stops = performance.now() < this.wantedAt + patience;
      if (this.writing || (this.solving && stops)) return this.requestIn(again);
      if (this.solving || !this.results) this.startResults();
      this.solving = true;
      this.token = URL.createObjectURL(new Blob(["1"], { type: "text/plain" }));
      this.tell({ said: this.wanted, token: this.token });
      this.wanted = null;
    }, delay);
  }

  private tell(message: object): void {
    if (this.results) ++this.posted;
    this.results?.postMessage(message);
  }

  // Returns the photos of the last visit, which the browser keeps on this device.
  private async last(): Promise<Photo[]> {
    try {
      const files = await caches.open(store);
      const names = JSON.parse(localStorage.getItem("photos") ?? "[]") as string[];
      return await Promise.all(names.map(async (name) => ({ name, bytes: await (await files.match("/photo/" + encodeURIComponent(name)))!.arrayBuffer() })));
    } catch {
      return [];  // pages without a secure context keep nothing
    }
  }

  private async keep(photos: Photo[]): Promise<void> {
    await caches.delete(store);
    const files = await caches.open(store);
    for (const { name, bytes } of photos) await files.put("/photo/" + encodeURIComponent(name), new Response(bytes));
    localStorage.setItem("photos", JSON.stringify(photos.map((photo) => photo.name)));
  }

  reopen(): void { void this.last().then((photos) => this.open(photos)); }

  save(state: string): void {
    try {
      localStorage.setItem("page", JSON.stringify({ photos: this.photos.map((photo) => photo.name), state }));
    } catch {
      // a full or forbidden store: the page still works
    }
  }

  private saved(): string {
    try {
      const { photos, state } = JSON.parse(localStorage.getItem("page") ?? "{}") as { photos?: string[]; state?: string };
      return JSON.stringify(photos) === JSON.stringify(this.photos.map((photo) => photo.name)) ? state ?? "" : "";
    } catch {
      return "";
    }
  }

  open(photos: Photo[]): void {
    const names = new Set<string>();
    for (const photo of photos) {  // files of two folders may have one name
      while (names.has(photo.name)) photo.name = "_" + photo.name;
      names.add(photo.name);
    }
    this.photos = photos;
    this.said = [];
    this.looks = null;
    this.wanted = null;  // it belongs to the earlier photos
    this.greeted = false;
    this.finalNumber = -1;
    this.wait();
    this.keep(photos).catch(() => {});
    this.drafts?.terminate();
    this.drafts = this.start("drafts");
    this.startResults();
  }

  private startResults(): void {
    this.endResults();
    this.results = this.start("results");
  }

  private endResults(): void {
    this.results?.terminate();
    this.results = null;
    this.posted = 0;
    this.solving = this.writing = false;
    URL.revokeObjectURL(this.token);
  }

  private start(makes: "drafts" | "results"): Worker {
    const worker = this.ready.shift() ?? this.load();
    const types = makes === "results" ? forResults : forDrafts;
    const later = this.said.filter((message) => types.has(message.type ?? ""));
    worker.postMessage({ open: { makes, photos: this.photos } });
    for (const message of later) worker.postMessage({ said: message });
    if (makes === "results") this.posted = 1 + later.length;
    return worker;
  }

  // Starts a worker that gets the program as soon as it is here.
  private load(): Worker {
    const worker = new Worker(new URL("session_worker.mjs", document.baseURI), { type: "module" });
    worker.onmessage = (event: MessageEvent) => this.receive(worker, event.data);
    worker.onerror = (event) => this.fail(worker, event.message);
    this.program.then(([program, presets]) => worker.postMessage({ load: { program, presets } }),
      (error: Error) => this.listener.ended(local.noProgram(error.message)));
    return worker;
  }

  private receive(worker: Worker, data: string | ArrayBuffer | { files?: Photo[]; failed?: string; idle?: number; solved?: number }): void {
    if (!(data instanceof ArrayBuffer) && typeof data === "object" && data.failed) return this.fail(worker, data.failed);
    const isResult = worker === this.results;
    if (!isResult && worker !== this.drafts) return;
    if (typeof data === "string") return this.hear(isResult, JSON.parse(data) as Told);
    if (!(data instanceof ArrayBuffer)) {
      // A worker is idle after so many messages.
      if (isResult && data.idle === this.posted) this.solving = this.writing = false;
      if (data.solved && data.solved === this.wanted?.number) this.requestIn(Math.max(0, this.wantedAt + quiet - performance.now()));
      for (const file of data.files ?? []) download(file);
      return;
    }
    const [head, pixels] = unpack(data);
    const taken = { said: { type: "ack" } };
    if (!head.kind && isResult) this.tell(taken);
    else if (!head.kind) worker.postMessage(taken);
    if (!head.kind && !isResult && head.number <= this.finalNumber) return;
    if (head.kind === "strokes" && isResult) return;  // the other worker sends them too
    this.listener.framed(head as FrameHead, pixels);
  }

  private hear(isResult: boolean, message: Told): void {
    if (message.type === "hello") {
      if (this.greeted) return;
      this.greeted = true;
      (message as Hello).saved = this.saved();
    }
    if (message.type === "state") {
      const { number } = message as State;
      if (isResult) {
        this.finalNumber = number;
      } else if (number <= this.finalNumber) {
        return;
      }
    }
    this.listener.told(message);
    if (isResult && this.looks) {
      this.drafts?.postMessage({ said: this.looks });
      this.looks = null;
    }
  }

  // Says why a worker ended; the next request starts another. A worker that ends before the page has
  // the options would end again and again, so then only another photo helps.
  private fail(worker: Worker, why: string): void {
    worker.terminate();
    this.ready = this.ready.filter((one) => one !== worker);
    if (worker === this.results) {
      this.endResults();
      this.say(local.failed(why), true);
    } else if (worker === this.drafts) {
      this.drafts = null;
      if (this.greeted) this.say(local.failed(why), true);
      else this.listener.ended(local.failed(why));
    }
  }
}

async function fetched(name: string): Promise<Response> {
  const answer = await fetch(new URL(name, document.baseURI));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer;
}

// Compiles during the download if the server names the type, which the streaming function requires.
function compiled(answer: Response): Promise<WebAssembly.Module> {
  if (answer.headers.get("content-type")?.startsWith("application/wasm")) return WebAssembly.compileStreaming(answer);
  return answer.arrayBuffer().then((bytes) => WebAssembly.compile(bytes));
}

function download(file: Photo): void {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([file.bytes])), download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
