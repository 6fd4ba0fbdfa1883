// The picture. It moves and scales at once; then the program redraws it for the new view.
import type { FrameHead, Rect } from "./protocol";

const longPress = 500;  // ms
const steady = 8;       // px that a pressing finger may move

interface View { left: number; top: number; zoom: number; }

export class Stage {
  private readonly canvas = document.getElementById("picture") as HTMLCanvasElement;
  private readonly stage = document.getElementById("stage") as HTMLElement;
  private readonly context = this.canvas.getContext("2d")!;
  private shown = document.createElement("canvas");  // the last frame, shown in shownView
  private shownView: View | null = null;
  private views = new Map<number, View>();
  private number = 0;
  private view: View = { left: 0, top: 0, zoom: 1 };
  private size = { width: 0, height: 0 };
  private fits = true;
  private photo: HTMLCanvasElement | null = null;
  private place: Rect = [0, 0, 0, 0];
  private part: Rect = [0, 0, 1, 1];
  private wipe = 0;       // share of the view, from the left, that shows the photo
  private behind = false;  // true: the photo shows through the picture
  private tones: HTMLCanvasElement | null = null;  // tone errors

  private fingers = new Map<number, PointerEvent>();  // last events of the pointers that move the picture

  hand: ((down: PointerEvent) => boolean) | null = null;  // handles the pointer before the picture
  letGo: () => PointerEvent | null = () => null;          // takes the pointer back for a second finger
  shows: () => object = () => ({});                       // extra fields of the view message
  drawn: () => void = () => {};                           // the picture was redrawn or moved

  constructor(private ask: (view: object) => void, private zoomed: (zoom: number) => void) {
    new ResizeObserver(() => this.resize()).observe(this.stage);
    this.stage.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.stage.addEventListener("pointerdown", (event) => this.grab(event));
    this.stage.addEventListener("dblclick", () => { if (!this.stage.classList.contains("brushing")) this.fit(); });
  }

  frame(head: FrameHead, pixels: Uint8Array): void {
    const view = this.views.get(head.view);
    for (const number of this.views.keys()) if (number < head.view) this.views.delete(number);
    const back = this.shown.getContext("2d")!;
    if (this.shown.width !== this.canvas.width || this.shown.height !== this.canvas.height) {
      this.shown.width = this.canvas.width;
      this.shown.height = this.canvas.height;
    }
    back.clearRect(0, 0, this.shown.width, this.shown.height);
    if (head.width > 0 && head.height > 0) {
      back.putImageData(imageOf(head, pixels), head.left, head.top);
    }
    this.shownView = view ?? { ...this.view };
    this.canvas.dataset.state = head.state;
    this.canvas.dataset.dots = String(head.dots);
    this.draw();
  }

  // Removes the picture, which belongs to another photo.
  clear(): void {
    this.shownView = null;
    this.size = { width: 0, height: 0 };
    this.photo = this.tones = null;
    this.canvas.dataset.state = "none";
    this.draw();
  }

  setPhoto(photo: HTMLCanvasElement | null): void { this.photo = photo; this.draw(); }
  setPlace(place: Rect, part: Rect): void { this.place = place; this.part = part; this.draw(); }
  setWipe(share: number): void { this.wipe = share; this.draw(); }
  setTones(tones: HTMLCanvasElement | null): void {
    if (this.tones === tones) return;
    this.tones = tones;
    this.draw();
  }
  setBehind(shows: boolean): void {
    if (this.behind === shows) return;
    this.behind = shows;
    this.draw();
  }

  // Convert between pixels of the canvas and shares of the photo's width and height.
  canvasSize(): { width: number; height: number } { return { width: this.canvas.width, height: this.canvas.height }; }
  middle(): [number, number] { return [this.canvas.width / 2, this.canvas.height / 2]; }
  onCanvas(clientX: number, clientY: number): [number, number] {
    const ratio = window.devicePixelRatio || 1;
    const at = this.canvas.getBoundingClientRect();
    return [(clientX - at.left) * ratio, (clientY - at.top) * ratio];
  }
  onPhoto(x: number, y: number): [number, number] {
    const { left, top, across, down } = this.photoRect();
    return [(x - left) / across, (y - top) / down];
  }
  ofPhoto(u: number, v: number): [number, number] {
    const { left, top, across, down } = this.photoRect();
    return [left + u * across, top + v * down];
  }
  // Returns the photo's longer side on the canvas.
  photoSide(): number {
    const { across, down } = this.photoRect();
    return Math.max(across, down);
  }
  // Draws `what`, which covers the whole photo, over the visible part of the photo.
  overPhoto(pen: CanvasRenderingContext2D, what: HTMLCanvasElement): void {
    const { zoom, left, top } = this.view;
    const [x, y, across, down] = this.place;
    const [u, v, wide, high] = this.part;
    pen.imageSmoothingEnabled = true;
    pen.imageSmoothingQuality = "high";
    pen.drawImage(what, u * what.width, v * what.height, wide * what.width, high * what.height,
      (x - left) * zoom, (y - top) * zoom, across * zoom, down * zoom);
  }
  // Returns the place of the whole photo on the canvas.
  private photoRect(): { left: number; top: number; across: number; down: number } {
    const { zoom, left, top } = this.view;
    const [x, y, across, down] = this.place;
    const [u, v, wide, high] = this.part;
    const all = { across: (across / wide) * zoom || 1, down: (down / high) * zoom || 1 };
    return { ...all, left: (x - left) * zoom - u * all.across, top: (y - top) * zoom - v * all.down };
  }

  // Sets the picture's size. A new size fits the picture into the view.
  sized(width: number, height: number): void {
    if (width === this.size.width && height === this.size.height) return;
    this.size = { width, height };
    this.fit();
  }

  fit(): void {
    if (!this.size.width || !this.canvas.width) return;
    const room = 0.94;
    const zoom = Math.min((this.canvas.width * room) / this.size.width, (this.canvas.height * room) / this.size.height);
    this.fits = true;
    this.show({
      zoom,
      left: (this.size.width - this.canvas.width / zoom) / 2,
      top: (this.size.height - this.canvas.height / zoom) / 2,
    });
  }

  again(): void { this.show({ ...this.view }); }

  real(): void { this.zoomTo(1, this.canvas.width / 2, this.canvas.height / 2); }

  zoomBy(factor: number): void { this.zoomTo(this.view.zoom * factor, this.canvas.width / 2, this.canvas.height / 2); }

  pan(x: number, y: number): void {
    this.fits = false;
    this.show({ ...this.view, left: this.view.left + x / this.view.zoom, top: this.view.top + y / this.view.zoom });
  }

  private zoomTo(zoom: number, x: number, y: number): void {
    const next = Math.min(64, Math.max(0.02, zoom));
    this.fits = false;
    this.show({
      zoom: next,
      left: this.view.left + x / this.view.zoom - x / next,
      top: this.view.top + y / this.view.zoom - y / next,
    });
  }

  private show(view: View): void {
    // Whole pixels keep a moved picture crisp.
    view.left = Math.round(view.left * view.zoom) / view.zoom;
    view.top = Math.round(view.top * view.zoom) / view.zoom;
    this.view = view;
    this.draw();
    this.zoomed(view.zoom);
    if (!this.canvas.width || !this.size.width) return;
    this.views.set(++this.number, { ...view });
    this.ask({
      type: "view", number: this.number, width: this.canvas.width, height: this.canvas.height,
      ofWidth: this.size.width, ofHeight: this.size.height, ...view, ...this.shows(),
    });
  }

  private draw(): void {
    const { width, height } = this.canvas;
    this.context.clearRect(0, 0, width, height);
    if (!this.size.width) return;
    const left = -this.view.left * this.view.zoom;
    const top = -this.view.top * this.view.zoom;
    const across = this.size.width * this.view.zoom;
    const down = this.size.height * this.view.zoom;
    this.context.fillStyle = getComputedStyle(this.stage).getPropertyValue("--check");
    this.context.fillRect(left, top, across, down);
    if (this.shownView) {
      const factor = this.view.zoom / this.shownView.zoom;
      this.context.imageSmoothingEnabled = factor !== 1;
      this.context.drawImage(
        this.shown,
        Math.round((this.shownView.left - this.view.left) * this.view.zoom),
        Math.round((this.shownView.top - this.view.top) * this.view.zoom),
        this.shown.width * factor,
        this.shown.height * factor,
      );
    }
    if (this.tones) this.drawTones(this.tones);
    if (this.behind) this.drawPhoto(0.6, width);
    if (this.wipe > 0) this.drawPhoto(1, Math.round(this.wipe * width));
    this.context.strokeStyle = "rgba(128, 126, 120, .55)";
    this.context.strokeRect(Math.round(left) - 0.5, Math.round(top) - 0.5, Math.round(across) + 1, Math.round(down) + 1);
    this.drawn();
  }

  // Draws the tone errors over the picture; its dots stay visible.
  private drawTones(tones: HTMLCanvasElement): void {
    const { zoom, left, top } = this.view;
    const [x, y, across, down] = this.place;
    this.context.globalAlpha = 0.85;
    this.context.imageSmoothingEnabled = true;
    const from = [Math.floor((x - left) * zoom), Math.floor((y - top) * zoom)];
    const to = [Math.ceil((x - left + across) * zoom), Math.ceil((y - top + down) * zoom)];
    this.context.drawImage(tones, from[0], from[1], to[0] - from[0], to[1] - from[1]);
    this.context.globalAlpha = 1;
  }

  private drawPhoto(alpha: number, right: number): void {
    if (!this.photo) return;
    this.context.save();
    this.context.beginPath();
    this.context.rect(0, 0, right, this.canvas.height);
    this.context.clip();
    this.context.globalAlpha = alpha;
    this.overPhoto(this.context, this.photo);
    this.context.restore();
    if (alpha < 1) return;
    this.context.fillStyle = getComputedStyle(this.stage).getPropertyValue("--accent");
    this.context.fillRect(right - 1, 0, 2, this.canvas.height);
  }

  private resize(): void {
    const ratio = window.devicePixelRatio || 1;
    const width = Math.round(this.stage.clientWidth * ratio);
    const height = Math.round(this.stage.clientHeight * ratio);
    if (width === this.canvas.width && height === this.canvas.height) return;
    this.canvas.width = width;
    this.canvas.height = height;
    if (this.fits) this.fit();
    else this.show({ ...this.view });
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const steps = event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015);
    this.zoomTo(this.view.zoom * Math.exp(-steps), ...this.onCanvas(event.clientX, event.clientY));
  }

  // Moves the picture with a pointer, and scales it with two fingers. A finger that stays shows the
  // photo through the picture.
  private grab(down: PointerEvent): void {
    const drawing = this.fingers.size === 0 && down.pointerType === "touch" ? this.letGo() : null;
    if (drawing) this.hold(drawing);
    else if (this.fingers.size === 0 && this.hand?.(down)) return;
    if (down.button <= 1) this.hold(down);
  }

  private hold(down: PointerEvent): void {
    if (down.button === 1) down.preventDefault();  // no autoscroll
    const ratio = window.devicePixelRatio || 1;
    const { fingers } = this;
    fingers.set(down.pointerId, down);
    this.stage.setPointerCapture(down.pointerId);
    this.stage.classList.add("moving");
    const press = down.pointerType === "touch" && fingers.size === 1 ? setTimeout(() => this.setBehind(true), longPress) : 0;
    const move = (event: PointerEvent) => {
      const last = fingers.get(event.pointerId);
      if (event.pointerId !== down.pointerId || !last) return;
      if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > steady || fingers.size > 1) clearTimeout(press);
      const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const far = (one: PointerEvent) => Math.max(1, Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY));
        const [x, y] = this.onCanvas((event.clientX + other.clientX) / 2, (event.clientY + other.clientY) / 2);
        this.zoomTo((this.view.zoom * far(event)) / far(last), x, y);
      }
      const share = fingers.size > 1 ? 0.5 : 1;  // the middle of two fingers moves half as far
      this.pan((last.clientX - event.clientX) * ratio * share, (last.clientY - event.clientY) * ratio * share);
      fingers.set(event.pointerId, event);
    };
    const end = (event: PointerEvent) => {
      if (event.pointerId !== down.pointerId) return;
      clearTimeout(press);
      this.setBehind(false);
      fingers.delete(event.pointerId);
      this.stage.classList.toggle("moving", fingers.size > 0);
      this.stage.removeEventListener("pointermove", move);
      this.stage.removeEventListener("pointerup", end);
      this.stage.removeEventListener("pointercancel", end);
    };
    this.stage.addEventListener("pointermove", move);
    this.stage.addEventListener("pointerup", end);
    this.stage.addEventListener("pointercancel", end);
  }
}

// Returns the pixels of a frame as a canvas.
export function canvasOf(head: FrameHead, pixels: Uint8Array): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = head.width;
  canvas.height = head.height;
  canvas.getContext("2d")!.putImageData(imageOf(head, pixels), 0, 0);
  return canvas;
}

function imageOf(head: FrameHead, pixels: Uint8Array): ImageData {
  const image = new ImageData(head.width, head.height);
  if (!head.gray) {
    image.data.set(pixels);
    return image;
  }
  // Packs a gray pixel with full alpha into a number, little-endian.
  const out = new Uint32Array(image.data.buffer);
  for (let i = 0; i < pixels.length; ++i) out[i] = 0xff000000 | (pixels[i] * 0x010101);
  return image;
}
