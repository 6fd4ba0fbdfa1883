// The sign over the picture. It says whether the picture shows the current settings, how far the work
// is, and lets the user stop the work or go on.
import { words } from "./words";

const calm = 300;  // ms of work without a sign, so that quick changes do not flicker

export class Busy {
  private readonly stage = document.getElementById("stage") as HTMLElement;
  private readonly sign = document.getElementById("busy") as HTMLElement;
  private readonly text = this.sign.querySelector("span")!;
  private readonly bar = this.sign.querySelector("progress")!;
  private readonly button = this.sign.querySelector("button")!;
  private wanted = 0;  // number of the last request
  private shown = { number: 0, state: "" };  // of the picture on the page
  private ended: "" | "stopped" | "wrong" = "";  // why the last request makes no picture
  private writes = false;
  private timer = 0;

  constructor(stop: () => void, goOn: () => void) {
    this.button.addEventListener("click", () => (this.ended ? goOn() : stop()));
    this.sign.addEventListener("pointerdown", (event) => event.stopPropagation());
  }

  begin(number: number): void {
    this.wanted = number;
    this.ended = "";
    this.bar.removeAttribute("value");
    this.update();
  }

  // A frame of this request is on the page.
  frame(number: number, state: string): void {
    if (number === this.shown.number && state === this.shown.state) return;
    this.shown = { number, state };
    this.bar.removeAttribute("value");
    this.sign.hidden = true;  // a following picture needs no sign
    this.update();
  }

  end(number: number, why: "stopped" | "wrong"): void {
    if (number !== this.wanted) return;
    this.ended = why;
    this.writes = false;
    this.update(true);
  }

  writing(on: boolean): void {
    this.writes = on;
    this.update();
  }

  progress(share: number): void { this.bar.value = share; }

  get working(): boolean { return this.writes || (!this.ended && !this.isDone()); }
  private isDone(): boolean { return this.shown.number === this.wanted && this.shown.state === "final"; }

  private update(now = false): void {
    const old = this.shown.number !== this.wanted;
    this.stage.dataset.busy = this.working ? (old ? "working" : "refining") : this.ended;
    clearTimeout(this.timer);
    if (!old) this.stage.classList.remove("old");
    if (!this.working && !this.ended) {
      this.sign.hidden = true;
      return;
    }
    const show = () => {
      this.stage.classList.toggle("old", old);
      this.text.textContent = words.busy(this.writes ? "writing" : this.ended || "working", old, this.shown.number > 0);
      this.bar.hidden = !!this.ended;
      this.button.textContent = this.ended ? words.goOn : words.stop;
      this.button.hidden = this.ended === "wrong";
      this.sign.hidden = this.ended === "wrong" && !old;
    };
    if (now || !this.sign.hidden) show();
    else this.timer = window.setTimeout(show, calm);
  }
}
