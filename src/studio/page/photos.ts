// The strip of photos: a draft of each with the current settings. A click shows a photo.
import { canvasOf } from "./canvas";
import type { FrameHead } from "./protocol";
import { words } from "./words";

export const photoSide = 96;  // CSS pixels

export class Photos {
  chosen = 0;
  names: string[] = [];
  private readonly strip = document.getElementById("photos") as HTMLElement;
  private buttons: HTMLButtonElement[] = [];

  constructor(private readonly taken: (photo: number) => void) {
    this.strip.addEventListener("keydown", (event) => {
      const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      const at = this.buttons.indexOf(document.activeElement as HTMLButtonElement);
      if (!by || at < 0) return;
      event.preventDefault();
      event.stopPropagation();
      this.buttons[Math.min(this.buttons.length - 1, Math.max(0, at + by))].focus();
    });
  }

  // A single photo has no strip.
  open(names: string[]): void {
    this.names = names;
    this.strip.hidden = !this.several;
    this.buttons = names.map((name, i) => {
      const button = document.createElement("button");
      button.className = "look";
      button.dataset.photo = String(i);
      button.title = words.photo(name, i + 1, names.length);
      button.append(Object.assign(document.createElement("i"), { ariaHidden: "true" }),
        Object.assign(document.createElement("span"), { textContent: name }));
      button.addEventListener("click", () => this.taken(i));
      return button;
    });
    this.strip.replaceChildren(...this.buttons);
    this.choose(0);
  }

  get several(): boolean { return this.names.length > 1; }

  choose(photo: number): void {
    this.chosen = photo;
    this.buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(i === photo)));
    this.buttons[photo]?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  // Moves by `by` photos, wrapping around at the ends.
  next(by: number): void {
    if (this.several) this.taken((this.chosen + by + this.names.length) % this.names.length);
  }

  frame(head: FrameHead, pixels: Uint8Array): void {
    const button = this.buttons[head.photo ?? 0];
    const name = this.names[head.photo ?? 0];
    button.title = head.problem ? name + ": " + head.problem : words.photo(name, (head.photo ?? 0) + 1, this.names.length);
    button.classList.toggle("is-wrong", !!head.problem);
    if (head.problem && button.querySelector("canvas")) return;  // the last draft stays
    const drawn = head.width > 0 ? canvasOf(head, pixels) : document.createElement("i");
    drawn.setAttribute("aria-hidden", "true");
    button.firstElementChild?.replaceWith(drawn);
  }
}
