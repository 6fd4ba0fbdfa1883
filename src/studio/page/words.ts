// What the page says, in one place.
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
  exporting: "Writing …",
  wrote: (files: string[]) => "Wrote " + files.join(" and ") + ".",
  dots: (count: number, command: string) =>
    count > 0 ? count.toLocaleString("en") + (command === "stipple" ? " dots" : " points") : "",
  size: (width: number, height: number) => `${width} × ${height}`,
};
