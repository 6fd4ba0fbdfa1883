// The strip of looks: every preset applied to this photo. A click selects a look and its settings.
import { canvasOf } from "./canvas";
import type { FrameHead, Look } from "./protocol";
import { words } from "./words";

export const lookSide = 200;  // CSS pixels

// Returns the name of a preset as the page shows it.
export const lookTitleOf = (preset: string, command: string) => preset.replace(command + "-", "").replace(/-/g, " ");

const empty = () => Object.assign(document.createElement("i"), { ariaHidden: "true" });

export class Strip {
  private readonly strip = document.getElementById("looks") as HTMLElement;
  private buttons: HTMLButtonElement[] = [];
  private looks: Look[] = [];
  private waits = false;  // for the list of another photo; looks of the previous one may still arrive

  constructor(private taken: (look: Look) => void) {
    this.strip.addEventListener("keydown", (event) => this.step(event));
  }

  // Removes the looks of the previous photo.
  blank(): void {
    this.waits = true;
    for (const button of this.buttons) button.firstElementChild?.replaceWith(empty());
  }

  list(looks: Look[]): void {
    this.waits = false;
    if (JSON.stringify(looks) === JSON.stringify(this.looks)) return;
    // Looks that were there keep their pictures until they arrive anew.
    const before = new Map(this.looks.map(({ command, preset }, i) => [command + preset, this.buttons[i].firstElementChild!]));
    this.looks = looks;
    this.buttons = [];
    this.strip.replaceChildren();
    let command = "";
    for (const look of looks) {
      if (look.command !== command) {
        command = look.command;
        this.strip.append(Object.assign(document.createElement("h2"), { textContent: words.lookTitle(command) }));
      }
      const button = document.createElement("button");
      button.className = "look";
      button.title = look.says;
      button.dataset.look = look.preset || look.command;
      const name = document.createElement("span");
      name.textContent = look.preset ? lookTitleOf(look.preset, command) : words.plain;
      button.append(before.get(command + look.preset) ?? empty(), name);
      button.addEventListener("click", () => this.taken(look));
      this.buttons.push(button);
      this.strip.append(button);
    }
  }

  // Reserves the space from the start, so that the picture does not move when looks arrive.
  open(): void {
    this.strip.hidden = false;
    document.body.classList.add("with-looks");
  }

  frame(head: FrameHead, pixels: Uint8Array): void {
    if (this.waits) return;
    const canvas = canvasOf(head, pixels);
    canvas.setAttribute("aria-hidden", "true");
    this.buttons[head.look]?.firstElementChild?.replaceWith(canvas);
  }

  // Marks the current look. Returns true if the list has looks of this command.
  mark(command: string, preset: string): boolean {
    this.buttons.forEach((button, i) => {
      const on = this.looks[i].command === command && this.looks[i].preset === preset;
      if (on && button.getAttribute("aria-pressed") !== "true") button.scrollIntoView({ block: "nearest" });
      button.setAttribute("aria-pressed", String(on));
    });
    return this.looks.some((look) => look.command === command);
  }

  // Up and down move the focus to the next look, as in a list.
  private step(event: KeyboardEvent): void {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const at = this.buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (!by || at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.buttons[Math.min(this.buttons.length - 1, Math.max(0, at + by))].focus();
  }
}
