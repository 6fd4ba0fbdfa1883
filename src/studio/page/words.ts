// What the page says, in one place.
const percent = (share: number) => Number((100 * share).toPrecision(2)) + " %";

interface Said { text?: string; title?: string; label?: string; placeholder?: string; }

// Of what index.html names by data-word.
export const page: Record<string, Said> = {
  skipToPicture: { text: "To the picture" },
  skipToOptions: { text: "To the options" },
  make: { text: "Make" },
  look: { text: "Look" },
  looks: { text: "Looks", title: "What each preset makes of this photo (L)" },
  history: { label: "History" },
  undo: { text: "Undo", title: "Undo (Z)" },
  redo: { text: "Redo", title: "Redo (Y)" },
  brush: { text: "Brush", title: "Brush (B): more dots or fewer, where you draw" },
  brushBar: { label: "Brush" },
  view: { label: "View" },
  fit: { text: "Fit", title: "All of the picture (0)" },
  real: { text: "1:1", title: "Pixel on pixel (1)" },
  wipe: { text: "A|B", title: "Compare with the photo (X); hold Space to see it through the picture" },
  tones: { text: "Tones", title: "Where tones are off (T): too dark blue, too light orange" },
  zoom: { label: "Zoom" },
  strip: { label: "Looks" },
  stage: { label: "The picture: arrow keys move it, + and - zoom" },
  picture: { label: "The picture" },
  wipeShare: { label: "How much of the photo shows" },
  tray: { label: "Inks and the pen's way" },
  forecast: { label: "What a pen needs for it" },
  search: { placeholder: "Find an option  ( / )", label: "Find an option" },
  levels: { label: "Levels of the photo" },
  line: { title: "The command line that makes the same file" },
  copy: { text: "Copy", title: "Copy the command line (C)" },
  formats: { text: "as" },
  export: { text: "Export", title: "Write the files (E)" },
};

export function speak(): void {
  for (const element of document.querySelectorAll<HTMLElement>("[data-word]")) {
    const { text, title, label, placeholder } = page[element.dataset.word!];
    if (text) element.textContent = text;
    if (title) element.title = title;
    if (label) element.setAttribute("aria-label", label);
    if (placeholder) (element as HTMLInputElement).placeholder = placeholder;
  }
}

export const words = {
  asItWas: "Double click: as it was",
  firstOptions: "Main",
  moreOptions: "More",
  aNumber: "number",
  none: "none",
  plain: "as it is",
  lookTitle: (command: string) => command[0].toUpperCase() + command.slice(1),
  draft: "draft",
  final: "final",
  working: "working",
  noPicture: "No picture was given. Begin with one:  dapple studio photo.jpg",
  elsewhere: "The studio is open in another window.",
  gone: "The studio has ended. Start it again:  dapple studio",
  noToken: "This address lacks its secret: open the one that dapple studio printed.",
  copied: "Copied.",
  notCopied: "The browser does not allow to copy: select the line and copy it.",
  tools: {
    more: { name: "More", says: "More dots, half way to twice as many with each stroke (Shift: fewer)" },
    fewer: { name: "Fewer", says: "Fewer dots, half as many with each stroke (Shift: more)" },
    protect: { name: "Protect", says: "Later strokes leave this alone" },
    erase: { name: "Erase", says: "As it was before all strokes, protection too" },
  },
  brushSize: "Size",
  brushSoftness: "Softness",
  brushHint: "[ ] size  ·  Shift: the opposite  ·  Ctrl: move the picture",
  handles: {
    black: { name: "Black point", says: "Tones left of it are black; double click: as it was" },
    gamma: { name: "Middle tones", says: "Where half of all dots are asked for; double click: as it was" },
    white: { name: "White point", says: "Tones right of it are white; double click: as it was" },
  },
  tones: (range: number, worst: number, seen: number) => ({
    dark: percent(range) + " too dark",
    light: percent(range) + " too light",
    worst: `largest ${percent(worst)}, seen through ${Number(seen.toPrecision(2))} pixels`,
  }),
  way: "How much of it is drawn",
  play: "The pen at work, from dot to dot (P)",
  ink: (marks: number) => marks.toLocaleString("en") + " marks: shown or hidden",
  noTones: "The tones of this cannot be compared.",
  exporting: "Writing …",
  wrote: (files: string[]) => "Wrote " + files.join(" and ") + ".",
  dots: (count: number, command: string) =>
    count > 0 ? count.toLocaleString("en") + (command === "stipple" ? " dots" : " points") : "",
  size: (width: number, height: number) => `${width} × ${height}`,
};
