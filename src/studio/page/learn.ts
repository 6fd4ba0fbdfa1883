// #learn: shows how points are placed. The page can show any moment of a computed lesson.
import { Lesson } from "./lesson";
import { drawRings, drawSquare, drawWindow, type Shows } from "./lessondraw";
import { Plane } from "./plane";
import { canvasOf } from "./canvas";
import type { LessonHead, SpectrumHead } from "./protocol";
import { lessons } from "./words";

type Method = keyof typeof lessons.methods;
const side = 1000;           // side of the square that darts and growth fill
const duration = 20;         // seconds of a played lesson, slow at first
const margin = 0.25;         // margin of a window around its view, in views
const least = 3;             // fewest screen pixels per r
const farthest = 9e5;        // distance of a view from the origin, in r
const bounds = { radius: [12, 300], tries: { darts: [1, 1000], bridson: [1, 100], plane: [1, 1] } } as const;

const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const control = <T extends HTMLElement>(name: string) => document.querySelector<T>(`[data-learn="${name}"]`)!;

export class Learn {
  isOpen = false;
  private readonly plane = new Plane();
  private method: Method = "bridson";
  private radius = 40;
  private tries = 30;
  private seed = 1;
  private first: [number, number] | null = null;
  private shown: Shows = { discs: true, grid: false, tree: false, fill: false };
  private number = 0;
  private waits: "nothing" | "lesson" | "newer" = "nothing";  // awaited reply; newer: ask again
  private heard: Lesson | null = null;
  private window: { head: LessonHead; places: Float32Array } | null = null;
  private trial = 0;  // number of trials shown
  private plays = 0;  // animation frame of playback; 0: none
  private from = 0;   // virtual start time of playback
  private startsAnew = true;
  private measured = { asked: -1, busy: false };
  private views: Partial<Record<"square" | "plane", Plane["view"]>> = {};
  private spectrumHead: SpectrumHead | null = null;

  constructor(private say: (message: object) => void, private leave: () => void) {
    this.makeControls();
    this.plane.draw = () => this.draw();
    this.plane.moved = () => this.moved();
    this.plane.clicked = (x, y) => this.begin(x, y);
    this.plane.sized = () => this.fit();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { this.draw(); this.drawSpectrum(); });
  }

  open(opens: boolean): void {
    byId("learn").hidden = !opens;
    if (opens === this.isOpen) return;
    this.isOpen = opens;
    this.pause();
    if (!opens) return;
    this.waits = "nothing";
    this.choose(this.method);
    this.plane.canvas.focus();
  }

  lesson(head: LessonHead, bytes: Uint8Array): void {
    const again = this.waits === "newer";
    this.waits = "nothing";
    if (again) this.ask();
    const buffer = bytes.slice().buffer;  // number arrays need offsets at multiples of four
    byId("learnMessage").textContent = "";
    if (this.method === "plane") {
      if (head.trials) return;  // reply for the method chosen before
      this.window = { head, places: new Float32Array(buffer) };
      if (!again) this.measure(head.points);
    } else {
      if (!head.trials) return;
      this.heard = new Lesson(head, buffer, this.method === "bridson");
      const slider = control<HTMLInputElement>("trial");
      slider.max = String(head.trials);
      if (this.startsAnew && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.play(0);
      else if (this.plays) this.play(0);
      else this.showTrial(head.trials);
      this.startsAnew = false;
    }
    this.draw();
  }

  spectrum(head: SpectrumHead, pixels: Uint8Array): void {
    this.measured.busy = false;
    this.spectrumHead = head;
    const canvas = byId<HTMLCanvasElement>("spectrum");
    canvas.dataset.points = head.width ? String(head.points) : "0";
    byId("spectrumSays").textContent = !head.width ? lessons.tooFew :
      this.method !== "plane" && head.points < (this.heard?.head.points ?? 0) ? lessons.soFar(head.points) : lessons.spectrum(head.points);
    canvas.width = head.width || 1;
    canvas.height = head.height || 1;
    if (head.width) canvas.getContext("2d")!.drawImage(canvasOf(head, pixels), 0, 0);
    this.drawSpectrum();
    const wanted = this.pointsShown();
    if (wanted !== this.measured.asked && !this.plays) this.measure(wanted);
  }

  problem(problems: { message: string }[]): void {
    this.waits = "nothing";
    byId("learnMessage").textContent = problems.map((one) => one.message).join("  ");
  }

  key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") return this.leave();
    if (target.matches("input[type=text]")) return;
    const onPlane = target === this.plane.canvas || target === document.body;
    if (!onPlane && (event.key.startsWith("Arrow") || event.key === "Enter" || event.key === " ")) return;
    const middle = () => {
      const { left, top, zoom } = this.plane.view;
      this.begin(left + this.plane.width / 2 / zoom, top + this.plane.height / 2 / zoom);
    };
    const keys: Record<string, () => void> = {
      ArrowLeft: () => this.plane.pan(-60, 0), ArrowRight: () => this.plane.pan(60, 0),
      ArrowUp: () => this.plane.pan(0, -60), ArrowDown: () => this.plane.pan(0, 60),
      "+": () => this.plane.zoomBy(1.25), "=": () => this.plane.zoomBy(1.25), "-": () => this.plane.zoomBy(0.8),
      "0": () => this.home(), Enter: middle, p: () => this.toggle(), n: () => this.next(), s: () => this.again(),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  // ---- controls

  private makeControls(): void {
    const group = byId("methods");
    for (const [name, { name: text }] of Object.entries(lessons.methods)) {
      const choice = Object.assign(document.createElement("button"), { textContent: text });
      choice.dataset.learn = name;
      choice.setAttribute("role", "radio");
      choice.addEventListener("click", () => this.choose(name as Method));
      group.append(choice);
    }
    this.knob("radius", () => bounds.radius, () => this.radius, (value) => { this.radius = value; });
    this.knob("tries", () => bounds.tries[this.method], () => this.tries, (value) => { this.tries = Math.round(value); });
    const row = this.row("first", "row wide");
    const first = Object.assign(document.createElement("input"), { type: "text", id: "learn-first", placeholder: lessons.first.form });
    first.dataset.learn = "first";
    first.addEventListener("change", () => {
      const parts = first.value.split(",").map((part) => Number(part.trim()));
      const isPlace = parts.length === 2 && parts.every((part) => part >= 0 && part <= side);
      if (isPlace) this.begin(parts[0], parts[1]);
      else this.begin(null, null);
    });
    row.append(first);
    const again = Object.assign(document.createElement("button"), { textContent: lessons.again.name, title: lessons.again.says });
    again.dataset.learn = "again";
    again.addEventListener("click", () => this.again());
    byId("knobs").append(again);
    for (const name of Object.keys(this.shown) as (keyof Shows)[]) {
      const label = Object.assign(document.createElement("label"), { title: lessons.shows[name].says });
      const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: this.shown[name] });
      box.dataset.learn = name;
      box.addEventListener("change", () => { this.shown[name] = box.checked; this.draw(); });
      label.append(box, Object.assign(document.createElement("span"), { textContent: lessons.shows[name].name }));
      byId("shows").append(label);
    }
    control("fit").addEventListener("click", () => this.home());
    control("leave").addEventListener("click", () => this.leave());
    control("play").addEventListener("click", () => this.toggle());
    control("step").addEventListener("click", () => this.next());
    control<HTMLInputElement>("trial").addEventListener("input", (event) => {
      this.pause();
      this.showTrial(Number((event.target as HTMLInputElement).value));
    });
    byId("learn").addEventListener("submit", (event) => event.preventDefault());
    this.tellPlaying();
  }

  private row(name: "radius" | "tries" | "first", classes: string): HTMLElement {
    const row = Object.assign(document.createElement("div"), { className: classes });
    const label = Object.assign(document.createElement("label"), { htmlFor: "learn-" + name, textContent: lessons[name].name });
    row.title = lessons[name].says;
    row.append(label);
    byId("knobs").append(row);
    return row;
  }

  // Adds a logarithmic slider and a field for its number.
  private knob(name: "radius" | "tries", range: () => readonly [number, number], get: () => number, set: (value: number) => void): void {
    const row = this.row(name, "row");
    const slider = Object.assign(document.createElement("input"), { type: "range", min: "0", max: "1", step: "0.002" });
    const typed = Object.assign(document.createElement("input"), { type: "text", id: "learn-" + name });
    slider.dataset.learn = name + "-slider";
    slider.setAttribute("aria-label", lessons[name].says);
    typed.dataset.learn = name;
    const show = () => {
      const [low, high] = range();
      if (high > low) slider.value = String(Math.log(get() / low) / Math.log(high / low));
      slider.setAttribute("aria-valuetext", String(get()));
      typed.value = String(get());
    };
    const take = (value: number) => {
      const [low, high] = range();
      if (value > 0) set(Number(Math.min(high, Math.max(low, value)).toPrecision(3)));
      typed.value = String(get());
      this.changed();
    };
    slider.addEventListener("input", () => {
      const [low, high] = range();
      take(low * (high / low) ** Number(slider.value));
    });
    typed.addEventListener("change", () => { take(Number(typed.value)); show(); });
    this.shows.push(show);
    row.append(slider, typed);
  }
  private shows: (() => void)[] = [];

  private choose(method: Method): void {
    if (this.plane.width) this.views[this.method === "plane" ? "plane" : "square"] = this.plane.view;
    this.pause();
    this.method = method;
    this.tries = Math.min(this.tries, bounds.tries[method === "plane" ? "bridson" : method][1]);
    for (const choice of byId("methods").children) choice.setAttribute("aria-checked", String((choice as HTMLElement).dataset.learn === method));
    byId("told").textContent = lessons.methods[method].says;
    const placed = method !== "plane";
    for (const name of ["tries", "first"]) control(name).parentElement!.hidden = !placed;
    for (const name of ["play", "step", "trial"]) control(name).hidden = !placed;
    control("fill").parentElement!.hidden = !placed;
    control("discs").nextElementSibling!.textContent = placed ? lessons.shows.discs.name : lessons.halves;
    control("tree").parentElement!.hidden = method !== "bridson";
    this.plane.canvas.dataset.method = method;
    for (const show of this.shows) show();
    this.heard = null;
    this.window = null;
    this.startsAnew = true;
    this.setLimits();
    const view = this.views[placed ? "square" : "plane"];
    if (view) this.plane.show(view);
    else this.fit();
    this.ask();
  }

  private setLimits(): void {
    this.plane.limits = this.method === "plane" ? [least * this.plane.ratio() / this.radius, 600 * this.plane.ratio() / this.radius] : [0.05, 60];
  }

  // Requests a lesson after a change and shows its final state, unlike a new start.
  private changed(): void {
    this.pause();
    this.setLimits();
    if (this.method === "plane") this.plane.zoomBy(1);
    this.ask();
  }

  private begin(x: number | null, y: number | null): void {
    if (this.method === "plane") return;
    const inside = x !== null && y !== null && x >= 0 && y >= 0 && x <= side && y <= side;
    if (x !== null && !inside) return;
    this.first = inside ? [Math.round(x! * 10) / 10, Math.round(y! * 10) / 10] : null;
    control<HTMLInputElement>("first").value = this.first ? this.first.join(",") : "";
    this.pause();
    this.startsAnew = true;
    this.ask();
  }

  private again(): void {
    ++this.seed;
    this.pause();
    this.startsAnew = true;
    this.ask();
  }

  // ---- requests: one at a time, the newest next

  private ask(): void {
    if (!this.isOpen || !this.plane.width) return;
    if (this.waits !== "nothing") {
      this.waits = "newer";
      return;
    }
    this.waits = "lesson";
    const { method, radius, tries, seed, first } = this;
    const request = { type: "lesson", number: ++this.number, method, radius, seed };
    this.plane.canvas.dataset.state = "waiting";
    if (method !== "plane") return this.say({ ...request, tries, first });
    const [left, top, width, height] = this.viewBox();
    this.say({ ...request, window: [[left - margin * width, top - margin * height], [left + (1 + margin) * width, top + (1 + margin) * height]] });
  }

  private measure(points: number): void {
    if (this.measured.busy || !this.isOpen) return;
    this.measured = { asked: points, busy: true };
    this.say({ type: "spectrum", points });
  }

  private viewBox(): [number, number, number, number] {
    const { left, top, zoom } = this.plane.view;
    return [left, top, this.plane.width / zoom, this.plane.height / zoom];
  }

  private moved(): void {
    if (this.method !== "plane") return;
    const [left, top, width, height] = this.viewBox();
    const most = farthest * this.radius;
    this.plane.view.left = Math.min(most - width, Math.max(-most, left));
    this.plane.view.top = Math.min(most - height, Math.max(-most, top));
    const head = this.window?.head;
    const covers = head && head.radius === this.radius && head.corner[0] <= left && head.corner[1] <= top &&
      head.corner[0] + head.size[0] >= left + width && head.corner[1] + head.size[1] >= top + height;
    if (!covers) this.ask();
  }

  private fit(): void {
    const hadRoom = !!this.views[this.method === "plane" ? "plane" : "square"];
    this.home();
    if (!hadRoom && this.waits === "nothing" && !this.heard && !this.window) this.ask();
  }

  private home(): void {
    if (this.method !== "plane") return this.plane.fit(0, 0, side, side);
    const across = 24 * this.radius;  // around the origin
    this.plane.fit(-across / 2, -across / 2, across, across);
  }

  // ---- time

  private play(trial: number): void {
    this.pause();
    if (!this.heard) return;
    const all = this.heard.trials;
    this.from = performance.now() - 1000 * duration * Math.cbrt(trial / all);
    const tick = (now: number) => {
      if (!this.heard) return;
      const share = Math.max(0, (now - this.from) / 1000 / duration);
      // Slow at first, to show each trial; later trials are too many to show each.
      const at = Math.min(all, Math.max(Math.floor(share ** 3 * all), Math.floor(share * duration * 4)));
      this.plays = at < all ? requestAnimationFrame(tick) : 0;
      this.showTrial(at);
      if (!this.plays) this.tellPlaying();
    };
    this.plays = requestAnimationFrame(tick);
    this.tellPlaying();
  }
  private pause(): void {
    if (this.plays) cancelAnimationFrame(this.plays);
    this.plays = 0;
    this.tellPlaying();
  }
  private tellPlaying(): void { control("play").textContent = this.plays ? lessons.pause : lessons.play; }
  private toggle(): void {
    if (!this.heard || this.method === "plane") return;
    if (!this.plays) return this.play(this.trial < this.heard.trials ? this.trial : 0);
    this.pause();
    this.showTrial(this.trial);
  }
  private next(): void {
    if (!this.heard || this.method === "plane") return;
    this.pause();
    this.showTrial(this.trial < this.heard.trials ? this.trial + 1 : 1);
  }
  private showTrial(trial: number): void {
    this.trial = Math.min(trial, this.heard?.trials ?? 0);
    control<HTMLInputElement>("trial").value = String(this.trial);
    this.draw();
    const points = this.pointsShown();
    if (points !== this.measured.asked) this.measure(points);
  }
  private pointsShown(): number {
    if (this.method === "plane") return this.window?.head.points ?? 0;
    return this.heard?.pointsAt(this.trial) ?? 0;
  }

  // ---- drawing

  private draw(): void {
    if (!this.isOpen) return;
    const { canvas } = this.plane;
    const points = this.pointsShown();
    canvas.dataset.shown = String(points);
    canvas.dataset.points = String(this.method === "plane" ? points : this.heard?.head.points ?? 0);
    canvas.dataset.trial = String(this.trial);
    if (this.waits === "nothing") canvas.dataset.state = this.plays ? "playing" : this.method !== "plane" && this.heard && this.trial < this.heard.trials ? "paused" : "done";
    byId("figures").textContent = this.figures(points);
    if (this.method === "plane") drawWindow(this.plane, this.window, this.shown);
    else drawSquare(this.plane, side, this.heard, this.trial, this.shown);
  }

  private figures(points: number): string {
    if (this.method === "plane") {
      const [left, top, width, height] = this.viewBox();
      return this.window ? lessons.window(points, left + width / 2, top + height / 2, this.radius) : "";
    }
    if (!this.heard) return "";
    const ends = this.trial === this.heard.trials ? "; " + lessons.fits(this.heard.head.gaps) : "";
    if (this.method === "darts") return lessons.darts(this.trial, points) + ends;
    return lessons.growth(this.trial, points, this.heard.activeAt(this.trial)) + ends;
  }

  private drawSpectrum(): void {
    if (this.isOpen) drawRings(byId<HTMLCanvasElement>("rings"), this.spectrumHead);
  }
}
