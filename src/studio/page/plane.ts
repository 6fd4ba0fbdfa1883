// The canvas of #learn: a view of a plane, moved by the pointer, the wheel and keys. Its owner
// draws the content.
export interface Place { left: number; top: number; zoom: number; }  // upper left; px per unit

export class Plane {
  readonly canvas = document.getElementById("plane") as HTMLCanvasElement;
  readonly pen = this.canvas.getContext("2d")!;
  view: Place = { left: 0, top: 0, zoom: 1 };
  limits: [number, number] = [0.1, 100];  // of the zoom
  draw: () => void = () => {};
  moved: () => void = () => {};
  clicked: (x: number, y: number) => void = () => {};
  sized: () => void = () => {};

  constructor() {
    const ground = this.canvas.parentElement!;
    new ResizeObserver(() => {
      const ratio = this.ratio();
      const [width, height] = [Math.round(ground.clientWidth * ratio), Math.round(ground.clientHeight * ratio)];
      if (width === this.canvas.width && height === this.canvas.height) return;
      this.canvas.width = width;
      this.canvas.height = height;
      this.sized();
    }).observe(ground);
    this.canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const steps = event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015);
      this.zoomBy(Math.exp(-steps), ...this.onCanvas(event));
    }, { passive: false });
    this.canvas.addEventListener("pointerdown", (event) => this.grab(event));
  }

  ratio(): number { return window.devicePixelRatio || 1; }
  get width(): number { return this.canvas.width; }
  get height(): number { return this.canvas.height; }
  x(of: number): number { return (of - this.view.left) * this.view.zoom; }
  y(of: number): number { return (of - this.view.top) * this.view.zoom; }

  // Shows the whole box of the plane.
  fit(left: number, top: number, width: number, height: number): void {
    if (!this.width || !this.height) return;
    const zoom = Math.min(this.width * 0.94 / width, this.height * 0.94 / height);
    this.show({ zoom, left: left + (width - this.width / zoom) / 2, top: top + (height - this.height / zoom) / 2 });
  }
  pan(x: number, y: number): void {
    this.show({ ...this.view, left: this.view.left + x / this.view.zoom, top: this.view.top + y / this.view.zoom });
  }
  zoomBy(factor: number, x = this.width / 2, y = this.height / 2): void {
    const { left, top, zoom } = this.view;
    const next = Math.min(this.limits[1], Math.max(this.limits[0], zoom * factor));
    this.show({ zoom: next, left: left + x / zoom - x / next, top: top + y / zoom - y / next });
  }
  show(view: Place): void {
    this.view = view;
    this.moved();
    this.draw();
  }

  private onCanvas(event: MouseEvent): [number, number] {
    const at = this.canvas.getBoundingClientRect();
    return [(event.clientX - at.left) * this.ratio(), (event.clientY - at.top) * this.ratio()];
  }

  // A press without movement is a click.
  private grab(down: PointerEvent): void {
    if (down.button > 1) return;
    if (down.button === 1) down.preventDefault();
    const far = 4;
    let moves = down.button === 1;
    let { clientX, clientY } = down;
    this.canvas.setPointerCapture(down.pointerId);
    const ends = new AbortController();
    this.canvas.addEventListener("pointermove", (event) => {
      moves ||= Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > far;
      if (!moves) return;
      this.canvas.classList.add("moving");
      this.pan((clientX - event.clientX) * this.ratio(), (clientY - event.clientY) * this.ratio());
      ({ clientX, clientY } = event);
    }, { signal: ends.signal });
    this.canvas.addEventListener("pointerup", (event) => {
      ends.abort();
      this.canvas.classList.remove("moving");
      if (moves) return;
      const [x, y] = this.onCanvas(event);
      this.clicked(x / this.view.zoom + this.view.left, y / this.view.zoom + this.view.top);
    }, { signal: ends.signal });
    this.canvas.addEventListener("pointercancel", () => { ends.abort(); this.canvas.classList.remove("moving"); }, { signal: ends.signal });
  }
}
