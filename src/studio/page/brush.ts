// The brush over the photo. Strokes go to the program as they are drawn and come back as dots.
// Until then an overlay shows them.
import type { Stage } from "./canvas";
import { canvasOf } from "./canvas";
import type { FrameHead } from "./protocol";
import { words } from "./words";

// A stroke of the brush; points are pairs of shares of the photo's width and height.
export interface Stroke { tool: Tool; size: number; softness: number; points: number[]; }

export type Tool = "more" | "fewer" | "protect" | "erase";
const tools: Tool[] = ["more", "fewer", "protect", "erase"];
const colors: Record<Tool, [number, number, number]> = {
  more: [32, 120, 220], fewer: [235, 130, 20], protect: [205, 40, 80], erase: [128, 128, 128],
};
const tint = 0.38;         // opacity of the current stroke and of protected areas
const slowest = 300;       // ms until a second finger, which means that the first was no stroke
const longest = 2000;      // numbers in a message about a stroke
const weightTint = 0.2;    // opacity of finished strokes; their dots stay visible

interface Heard {
  begin: (stroke: number) => void;  // called at the start of a stroke; requests then include it
  grown: () => void;
  drop: () => void;   // takes the last stroke back
  say: (message: object) => void;
}

export class Brush {
  on = false;
  private tool: Tool = "more";
  private size = 0.1;  // diameter, as a share of the photo's longer side
  private softness = 0.6;
  private readonly bar = document.getElementById("brush") as HTMLElement;
  private readonly marks = document.getElementById("marks") as HTMLCanvasElement;
  private readonly buttons = new Map<Tool, HTMLButtonElement>();
  private readonly sizeRange: HTMLInputElement;
  private layer: HTMLCanvasElement | null = null;  // the finished strokes as colors
  strokes = new Map<number, Stroke>();
  private number = 0;  // of the last stroke
  private way: [number, number][] = [];  // points of the current or last stroke
  private wayTool: Tool = "more";
  private waiting: number[] = [];        // points of the stroke that are not sent yet
  private drawing = false;
  private release: (() => PointerEvent) | null = null;  // ends the stroke under way and returns its pointer
  private waySettled = true;             // the layer contains the stroke
  private pointer: [number, number] | null = null;  // on the canvas

  constructor(private readonly stage: Stage, private readonly heard: Heard) {
    for (const tool of tools) {
      const button = document.createElement("button");
      button.textContent = words.tools[tool].name;
      button.title = words.tools[tool].says;
      button.dataset.brush = tool;
      button.style.setProperty("--tool", `rgb(${colors[tool].join(",")})`);
      button.addEventListener("click", () => this.choose(tool));
      this.buttons.set(tool, button);
      this.bar.append(button);
    }
    // The slider changes the size by equal factors, from 1/200 to half of the photo.
    this.sizeRange = this.slider("size", words.brushSize, Math.log(0.1 / 0.005) / Math.log(100), (at) => {
      this.size = 0.005 * 100 ** at;
    });
    this.slider("softness", words.brushSoftness, this.softness, (at) => { this.softness = at; });
    this.bar.append(Object.assign(document.createElement("span"), { className: "hint", textContent: words.brushHint }));
    this.choose("more");
    stage.hand = (event) => this.take(event);
    stage.letGo = () => this.release?.() ?? null;
    stage.drawn = () => this.draw();
    const over = document.getElementById("stage")!;
    over.addEventListener("pointermove", (event) => {
      this.pointer = this.stage.onCanvas(event.clientX, event.clientY);
      if (this.on) this.draw();
    });
    over.addEventListener("pointerleave", () => { this.pointer = null; this.draw(); });
    over.addEventListener("focus", () => this.draw());
    over.addEventListener("blur", () => this.draw());
  }

  private slider(name: string, label: string, value: number, set: (at: number) => void): HTMLInputElement {
    const box = document.createElement("label");
    const range = Object.assign(document.createElement("input"), { type: "range", min: "0", max: "1", step: "0.01", value: String(value) });
    range.dataset.brush = name;
    range.addEventListener("input", () => { set(Number(range.value)); this.draw(); });
    box.append(label, range);
    this.bar.append(box);
    return range;
  }

  private choose(tool: Tool): void {
    this.tool = tool;
    for (const [name, button] of this.buttons) button.setAttribute("aria-pressed", String(name === tool));
    this.draw();
  }

  toggle(on = !this.on): void {
    this.on = on;
    this.bar.hidden = !on;
    document.getElementById("stage")!.classList.toggle("brushing", on);
    this.draw();
  }

  resize(factor: number): void {
    const at = Number(this.sizeRange.value) + Math.log(factor) / Math.log(100);
    this.sizeRange.value = String(at);
    this.sizeRange.dispatchEvent(new Event("input"));
  }

  // Adds one touch at the pointer, or in the middle of the view for the keyboard.
  dab(fewer: boolean): void {
    const [x, y] = this.pointer ?? this.stage.middle();
    this.start(fewer);
    this.add(x, y, true);
    this.finish();
  }

  private take(down: PointerEvent): boolean {
    if (!this.on || down.button !== 0 || down.ctrlKey || down.metaKey) return false;
    const over = down.currentTarget as HTMLElement;
    over.setPointerCapture(down.pointerId);
    this.start(down.shiftKey);
    this.add(...this.stage.onCanvas(down.clientX, down.clientY), true);
    this.flush();
    let last = down;
    const move = (event: PointerEvent) => {
      if (event.pointerId !== down.pointerId) return;
      last = event;
      const all = event.getCoalescedEvents?.() ?? [];
      for (const one of all.length ? all : [event]) this.add(...this.stage.onCanvas(one.clientX, one.clientY), false);
    };
    const end = (event: PointerEvent) => {
      if (event.pointerId !== down.pointerId) return;
      this.release = null;
      over.removeEventListener("pointermove", move);
      over.removeEventListener("pointerup", end);
      over.removeEventListener("pointercancel", end);
      this.add(...this.stage.onCanvas(event.clientX, event.clientY), false);
      this.finish();
    };
    over.addEventListener("pointermove", move);
    over.addEventListener("pointerup", end);
    over.addEventListener("pointercancel", end);
    const from = performance.now();
    this.release = () => {
      end(last);
      if (performance.now() - from < slowest) this.heard.drop();
      return last;
    };
    return true;
  }

  private start(shift: boolean): void {
    this.wayTool = shift ? (this.tool === "fewer" ? "more" : "fewer") : this.tool;
    this.way = [];
    this.waiting = [];
    this.drawing = true;
    this.waySettled = false;
    ++this.number;
  }

  // Adds a point unless it is too near the last one for this brush size.
  private add(x: number, y: number, first: boolean): void {
    const [u, v] = this.stage.onPhoto(x, y);
    if (!first) {
      const [lastX, lastY] = this.stage.ofPhoto(...this.way[this.way.length - 1]);
      if (Math.hypot(x - lastX, y - lastY) < Math.max(1, (this.size * this.stage.photoSide()) / 16)) return;
    }
    this.way.push([u, v]);
    this.waiting.push(Number(u.toFixed(5)), Number(v.toFixed(5)));
    this.draw();
    if (this.waiting.length === 2 && !first) requestAnimationFrame(() => this.flush());
  }

  private flush(): void {
    if (!this.waiting.length) return;
    const begins = this.waiting.length === 2 * this.way.length;
    const stroke = { tool: this.wayTool, size: this.size, softness: this.softness, points: this.waiting };
    this.heard.say({ type: "stroke", number: this.number, ...stroke });
    this.strokes.set(this.number, { ...stroke, points: [...(this.strokes.get(this.number)?.points ?? []), ...this.waiting] });
    this.waiting = [];
    if (begins) this.heard.begin(this.number);
    else this.heard.grown();
  }

  private finish(): void {
    this.flush();
    this.drawing = false;
    this.draw();
  }

  // Sets the strokes of a page, which the program hears again.
  restore(strokes: [number, Stroke][]): void {
    this.strokes = new Map(strokes);
    this.number = Math.max(0, ...this.strokes.keys());
    this.layer = null;
    for (const [number, stroke] of strokes) {
      for (let at = 0; at < stroke.points.length; at += longest) {
        this.heard.say({ type: "stroke", number, ...stroke, points: stroke.points.slice(at, at + longest) });
      }
    }
  }

  // Shows weight and shield of the layers as colors.
  frame(head: FrameHead, pixels: Uint8Array): void {
    this.layer = null;
    if (head.width > 0) {
      const colored = new Uint8Array(pixels.length);
      for (let i = 0; i < pixels.length; i += 4) {
        const weight = pixels[i] - 128;
        const over = (tint * pixels[i + 1]) / 255;
        const under = (1 - over) * weightTint * Math.min(1, Math.abs(weight) / 64);
        if (over + under === 0) continue;
        const low = colors[weight > 0 ? "more" : "fewer"];
        for (let c = 0; c < 3; ++c) colored[i + c] = (low[c] * under + colors.protect[c] * over) / (over + under);
        colored[i + 3] = 255 * (over + under);
      }
      this.layer = canvasOf({ ...head, gray: false }, colored);
    }
    if (!this.drawing) this.waySettled = true;
    this.draw();
  }

  private draw(): void {
    const { width, height } = this.stage.canvasSize();
    if (this.marks.width !== width || this.marks.height !== height) {
      this.marks.width = width;
      this.marks.height = height;
    }
    const pen = this.marks.getContext("2d")!;
    pen.clearRect(0, 0, width, height);
    if (!this.on) return;
    if (this.layer) this.stage.overPhoto(pen, this.layer);
    if (this.drawing || !this.waySettled) this.drawWay(pen);
    if (this.pointer) this.ring(pen, ...this.pointer);
    else if (document.activeElement?.id === "stage") this.ring(pen, ...this.stage.middle());
  }

  private drawWay(pen: CanvasRenderingContext2D): void {
    pen.save();
    pen.strokeStyle = `rgba(${colors[this.wayTool].join(",")}, ${tint})`;
    pen.lineWidth = this.size * (1 - this.softness / 2) * this.stage.photoSide();
    pen.lineCap = pen.lineJoin = "round";
    pen.beginPath();
    this.way.forEach(([u, v], i) => {
      const [x, y] = this.stage.ofPhoto(u, v);
      if (i === 0) pen.moveTo(x, y);
      pen.lineTo(x, y);
    });
    pen.stroke();
    pen.restore();
  }

  // Draws a ring of the brush's size, and inside it the ring where the brush begins to fade.
  private ring(pen: CanvasRenderingContext2D, x: number, y: number): void {
    const radius = (this.size * this.stage.photoSide()) / 2;
    for (const [r, dash] of [[radius, []], [radius * (1 - this.softness), [3, 4]]] as [number, number[]][]) {
      if (r < 2 && dash.length) continue;
      for (const [color, wide] of [["rgba(255,255,255,.9)", 3], ["rgba(20,20,20,.95)", 1.2]] as [string, number][]) {
        pen.strokeStyle = color;
        pen.lineWidth = wide * (window.devicePixelRatio || 1);
        pen.setLineDash(dash);
        pen.beginPath();
        pen.arc(x, y, Math.max(1, r), 0, 2 * Math.PI);
        pen.stroke();
      }
    }
    pen.setLineDash([]);
  }
}
