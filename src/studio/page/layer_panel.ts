// The controls above the picture of a plot. They hide inks, and play or drag along the path of the
// pen.
import { words } from "./words";
import type { Layer } from "./protocol";

const playing = 12000;  // duration for the whole path, ms

export class Tray {
  hidden: number[] = [];
  until = 1;
  private readonly tray = document.getElementById("tray") as HTMLElement;
  private readonly inks = document.createElement("div");
  private readonly way = document.createElement("div");
  private readonly range: HTMLInputElement;
  private readonly play = document.createElement("button");
  private running = 0;  // id of the current playback; 0: none
  private plays = 0;
  private known = "";

  constructor(private readonly changed: () => void) {
    this.range = Object.assign(document.createElement("input"), { type: "range", min: "0", max: "1", step: "0.001", value: "1" });
    this.range.dataset.way = "until";
    this.range.setAttribute("aria-label", words.way);
    this.range.addEventListener("input", () => { this.stop(); this.go(Number(this.range.value)); });
    this.play.dataset.action = "play";
    this.play.title = words.play;
    this.play.setAttribute("aria-label", words.play);
    this.play.addEventListener("click", () => this.toggle());
    this.way.append(this.play, this.range);
    this.tray.append(this.inks, this.way);
    this.stop();
  }

  // Shows the inks and the path of a result; a draft has neither.
  show(layers: Layer[], plotted: boolean): void {
    const known = JSON.stringify(layers.map(({ name, color }) => [name, color]));
    if (known !== this.known) {
      this.known = known;
      const seen = this.hidden.length > 0;
      this.hidden = [];
      this.inks.replaceChildren(...layers.map((layer, i) => this.ink(layer, i)));
      if (seen) this.changed();
    }
    if (!plotted && this.until < 1) {
      this.stop();
      this.go(1);
    }
    this.inks.hidden = layers.length < 2;
    this.way.hidden = !plotted;
    this.tray.hidden = this.inks.hidden && this.way.hidden;
  }

  // Hides the controls until the next result.
  hide(): void { this.tray.hidden = true; }

  private ink({ name, color, marks }: Layer, index: number): HTMLElement {
    const button = document.createElement("button");
    button.dataset.layer = String(index);
    button.textContent = name.replace(/^\d+ /, "") || color;
    button.title = words.ink(marks);
    button.style.setProperty("--tool", color);
    button.setAttribute("aria-pressed", "true");
    button.addEventListener("click", () => {
      const hides = !this.hidden.includes(index);
      this.hidden = hides ? [...this.hidden, index] : this.hidden.filter((one) => one !== index);
      button.setAttribute("aria-pressed", String(!hides));
      this.changed();
    });
    return button;
  }

  private go(until: number): void {
    this.until = until;
    if (document.activeElement !== this.range || this.running) this.range.value = String(until);
    this.changed();
  }

  private stop(): void {
    this.running = 0;
    this.play.textContent = "\u25b6";
  }

  toggle(): void {
    if (this.way.hidden || this.tray.hidden) return;
    if (this.running) return this.stop();
    const run = (this.running = ++this.plays);
    this.play.textContent = "\u275a\u275a";
    const from = this.until >= 1 ? 0 : this.until;
    const start = performance.now();
    const step = (now: number) => {
      if (this.running !== run) return;
      const until = Math.min(1, from + (now - start) / playing);
      if (until >= 1) this.stop();
      this.go(until);
      if (until < 1) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }
}
