// The ways to a photo: the start page, which stands in place of the picture, a file picker, drag and
// drop, and paste.
import type { Photo } from "./protocol";
import { start as says } from "./words";

declare const DAPPLE_LOCAL: boolean;

const samples = [...(DAPPLE_LOCAL ? ["raccoon.png"] : []), "astronaut.jpg", "seeding.jpg", "owl.png", "hubble.jpg"];

// Returns whether the program reads these first bytes: of PNG, JPEG or Netpbm.
const readable = (bytes: Uint8Array) =>
  (bytes[0] === 0x89 && bytes[1] === 0x50) || (bytes[0] === 0xff && bytes[1] === 0xd8) || (bytes[0] === 0x50 && bytes[1] > 0x30 && bytes[1] < 0x37);

interface Heard {
  open: (photos: Photo[]) => void;
  reopen: () => void;
  bare: () => void;  // go on without a photo
  say: (text: string, wrong?: boolean) => void;
}

export class Start {
  private readonly page = document.getElementById("welcome") as HTMLElement;

  constructor(private readonly heard: Heard) {
    this.page.addEventListener("pointerdown", (event) => event.stopPropagation());  // the picture under it would take the click
    const drops = document.body.classList;
    document.addEventListener("dragover", (event) => { event.preventDefault(); drops.add("drops"); });
    document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) drops.remove("drops"); });
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      drops.remove("drops");
      void this.take(event.dataTransfer?.files);
    });
    document.addEventListener("paste", (event) => void this.take(event.clipboardData?.files));
  }

  // Opens the file picker of the browser.
  pick(): void { this.input(false).click(); }

  // Shows the start page. `recent` names the photos of the last visit.
  show(recent: string[], bare: boolean): void {
    const row = Object.assign(document.createElement("div"), { className: "ways" });
    row.append(this.button(says.pick, false));
    if (DAPPLE_LOCAL) row.append(this.button(says.camera, true));
    if (recent.length) row.append(this.way(says.recent(recent), "recent", this.heard.reopen));
    const tries = Object.assign(document.createElement("div"), { className: "samples" });
    for (const name of samples) {
      const picture = Object.assign(document.createElement("img"), { src: name, alt: "" });
      const button = this.way(says.samples[name], "", () => void this.takeSample(name));
      button.dataset.sample = name;
      button.prepend(picture);
      tries.append(button);
    }
    const line = (text: string, tag: "h2" | "p") => Object.assign(document.createElement(tag), { textContent: text });
    this.page.replaceChildren(line(says.title, "h2"), row, line(says.says, "p"), line(says.sample, "p"), tries);
    if (bare) this.page.append(this.way(says.bare, "bare", this.heard.bare));
    this.page.classList.add("offer");
    this.page.hidden = false;
  }

  hide(): void { this.page.hidden = true; }

  // Shows a text in place of the picture.
  tell(text: string): void {
    this.page.classList.remove("offer");
    this.page.textContent = text;
    this.page.hidden = false;
  }

  private input(capture: boolean): HTMLInputElement {
    const input = Object.assign(document.createElement("input"), { type: "file", accept: "image/*", multiple: !capture });
    if (capture) input.setAttribute("capture", "environment");
    input.addEventListener("change", () => void this.take(input.files));
    return input;
  }

  private button(text: string, capture: boolean): HTMLElement {
    const label = Object.assign(document.createElement("label"), { className: "button" });
    label.append(text, this.input(capture));
    return label;
  }

  private way(text: string, name: string, act: () => void): HTMLButtonElement {
    const button = Object.assign(document.createElement("button"), { textContent: text });
    button.dataset.way = name;
    button.addEventListener("click", act);
    return button;
  }

  private async takeSample(name: string): Promise<void> {
    const answer = await fetch(new URL(name, document.baseURI));
    this.heard.open([{ name, bytes: await answer.arrayBuffer() }]);
  }

  // Opens files of the user. A format that only the browser reads is converted to PNG.
  private async take(files: FileList | null | undefined): Promise<void> {
    const photos: Photo[] = [];
    const converted: string[] = [];
    for (const file of [...(files ?? [])]) {
      const bytes = await file.arrayBuffer();
      if (readable(new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength)))) {
        photos.push({ name: file.name, bytes });
        continue;
      }
      try {
        photos.push({ name: file.name.replace(/\.[^.]*$/, "") + ".png", bytes: await asPng(file) });
        converted.push(file.name);
      } catch {
        if (DAPPLE_LOCAL) return this.heard.say(says.unreadable(file.name), true);
        photos.push({ name: file.name, bytes });  // the program may read more formats than the browser
      }
    }
    if (!photos.length) return;
    this.heard.open(photos);
    if (converted.length) this.heard.say(says.converted(converted));
  }
}

// Lets the browser read a picture: its colors in sRGB, with alpha.
async function asPng(file: File): Promise<ArrayBuffer> {
  const bitmap = await createImageBitmap(file, { premultiplyAlpha: "none" });
  const canvas = Object.assign(document.createElement("canvas"), { width: bitmap.width, height: bitmap.height });
  canvas.getContext("2d")!.drawImage(bitmap, 0, 0);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error("no PNG");
  return blob.arrayBuffer();
}
