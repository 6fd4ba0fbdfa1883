// The histogram of the photo before levels, with handles for black, gamma and white.
import { words } from "./words";

type Name = "black" | "gamma" | "white";
const names: Name[] = ["black", "gamma", "white"];
const closest = 0.02;  // least distance of black and white

export class Levels {
  private readonly box = document.getElementById("levels") as HTMLElement;
  private readonly canvas = document.createElement("canvas");
  private readonly handles = new Map<Name, HTMLElement>();
  private counts: number[] = [];
  private black = 0;
  private white = 1;
  private gamma = 1;
  private darkAsks = true;  // dark places require dots, not light ones

  constructor(private changed: (name: string, text: string) => void) {
    const room = Object.assign(document.createElement("div"), { className: "room" });
    this.canvas.setAttribute("aria-hidden", "true");
    room.append(this.canvas);
    for (const name of names) {
      const handle = document.createElement("div");
      handle.className = "handle";
      handle.tabIndex = 0;
      handle.dataset.handle = name;
      handle.title = words.handles[name].says;
      handle.setAttribute("role", "slider");
      handle.setAttribute("aria-label", words.handles[name].name);
      handle.addEventListener("pointerdown", (event) => this.grab(name, handle, event));
      handle.addEventListener("keydown", (event) => this.key(name, event));
      handle.addEventListener("dblclick", () => this.set(name, name === "black" ? 0 : 1));
      this.handles.set(name, handle);
      room.append(handle);
    }
    this.box.append(room);
    new ResizeObserver(() => this.draw()).observe(room);
  }

  // An empty list means that the command has no levels.
  count(counts: number[]): void {
    this.counts = counts;
    this.box.hidden = counts.length === 0;
    this.draw();
  }

  // Removes the counts of the previous photo; the space stays, so that no field moves.
  blank(): void {
    this.counts = [];
    this.draw();
  }

  show(values: Record<string, string>): void {
    this.black = Number(values.black ?? 0);
    this.white = Number(values.white ?? 1);
    this.gamma = Number(values.gamma ?? 1);
    this.darkAsks = (values.as === "tone") !== (values.invert === "true");
    this.draw();
  }

  // Convert gamma to the position between black and white of half the target density, and back.
  private middle(): number {
    const lit = 0.5 ** this.gamma;
    return this.darkAsks ? 1 - lit : lit;
  }
  private gammaOf(middle: number): number {
    const lit = Math.min(0.98, Math.max(0.02, this.darkAsks ? 1 - middle : middle));
    return Math.log(lit) / Math.log(0.5);
  }

  private place(name: Name): number {
    if (name === "gamma") return this.black + (this.white - this.black) * this.middle();
    return name === "black" ? this.black : this.white;
  }

  private set(name: Name, value: number): void {
    const text = String(Number(value.toFixed(name === "gamma" ? 2 : 3)));
    this[name] = Number(text);
    this.draw();
    this.changed(name, text);
  }

  private move(name: Name, place: number): void {
    const at = Math.min(1, Math.max(0, place));
    if (name === "black") this.set(name, Math.min(at, this.white - closest));
    else if (name === "white") this.set(name, Math.max(at, this.black + closest));
    else this.set(name, this.gammaOf((at - this.black) / (this.white - this.black)));
  }

  private grab(name: Name, handle: HTMLElement, down: PointerEvent): void {
    if (down.button !== 0) return;
    handle.setPointerCapture(down.pointerId);
    const room = this.canvas.getBoundingClientRect();
    const from = down.clientX - this.place(name) * room.width;
    const move = (event: PointerEvent) => this.move(name, (event.clientX - from) / room.width);
    const end = () => {
      handle.removeEventListener("pointermove", move);
      handle.removeEventListener("pointerup", end);
      handle.removeEventListener("pointercancel", end);
    };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("pointerup", end);
    handle.addEventListener("pointercancel", end);
  }

  private key(name: Name, event: KeyboardEvent): void {
    const way = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 10, PageDown: -10 }[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    this.move(name, this.place(name) + 0.01 * way);
  }

  private draw(): void {
    if (this.box.hidden) return;
    const ratio = window.devicePixelRatio || 1;
    const width = (this.canvas.width = Math.round(this.canvas.clientWidth * ratio));
    const height = (this.canvas.height = Math.round(this.canvas.clientHeight * ratio));
    const pen = this.canvas.getContext("2d")!;
    const style = getComputedStyle(this.box);
    // Square roots keep the rest visible beside a large even sky.
    this.box.dataset.counts = String(this.counts.length);
    const most = Math.sqrt(Math.max(1, ...this.counts));
    const wide = width / this.counts.length;
    this.counts.forEach((count, i) => {
      const value = (i + 0.5) / this.counts.length;
      pen.globalAlpha = value < this.black || value > this.white ? 0.3 : 0.75;
      pen.fillStyle = style.getPropertyValue("--quiet");
      const high = (Math.sqrt(count) / most) * (height - 2);
      pen.fillRect(i * wide, height - high, wide + 0.5, high);
    });
    // The target density of each tone.
    pen.globalAlpha = 1;
    pen.strokeStyle = style.getPropertyValue("--accent");
    pen.lineWidth = 1.5 * ratio;
    pen.beginPath();
    for (let x = 0; x <= width; x += 2) {
      const lit = Math.min(1, Math.max(0, (x / width - this.black) / (this.white - this.black)));
      const asked = (this.darkAsks ? 1 - lit : lit) ** (1 / this.gamma);
      pen.lineTo(x, height - asked * (height - 2) - 1);
    }
    pen.stroke();
    for (const [name, handle] of this.handles) {
      handle.style.left = 100 * this.place(name) + "%";
      handle.setAttribute("aria-valuemin", name === "gamma" ? "0.03" : "0");
      handle.setAttribute("aria-valuemax", name === "gamma" ? "5.64" : "1");
      handle.setAttribute("aria-valuenow", String(this[name]));
    }
  }
}
