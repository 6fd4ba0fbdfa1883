// What the page says, in one place.
const percent = (share: number) => Number((100 * share).toPrecision(2)) + " %";

export const words = {
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
  noTones: "The tones of this cannot be compared.",
  exporting: "Writing …",
  wrote: (files: string[]) => "Wrote " + files.join(" and ") + ".",
  dots: (count: number, command: string) =>
    count > 0 ? count.toLocaleString("en") + (command === "stipple" ? " dots" : " points") : "",
  size: (width: number, height: number) => `${width} × ${height}`,
};
