// All texts of the page; those of options are in wording.ts.
export * from "./wording";

const percent = (share: number) => Number((100 * share).toPrecision(2)) + " %";

interface Said { text?: string; title?: string; label?: string; placeholder?: string; }

// Texts of the elements with data-word in index.html.
export const page: Record<string, Said> = {
  skipToPicture: { text: "To the picture" },
  skipToOptions: { text: "To the options" },
  make: { text: "Make" },
  look: { text: "Look" },
  looks: { text: "Looks", title: "Show each preset on this photo (L)" },
  history: { label: "History" },
  undo: { text: "Undo", title: "Undo (Z)" },
  redo: { text: "Redo", title: "Redo (Y)" },
  brush: { text: "Brush", title: "Brush (B): draw where you want more or fewer dots" },
  brushBar: { label: "Brush" },
  view: { label: "View" },
  fit: { text: "Fit", title: "Show the whole picture (0)" },
  real: { text: "1:1", title: "One picture pixel per screen pixel (1)" },
  wipe: { text: "A|B", title: "Compare with the photo (X); hold Space to see it through the picture" },
  tones: { text: "Tones", title: "Show where tones are off (T): blue is too dark, orange is too light" },
  zoom: { label: "Zoom" },
  strip: { label: "Looks" },
  photos: { label: "Photos" },
  stage: { label: "The picture: arrow keys move it, + and - zoom" },
  picture: { label: "The picture" },
  wipeShare: { label: "How much of the photo shows" },
  tray: { label: "Inks and the path of the pen" },
  forecast: { label: "Plotting forecast" },
  search: { placeholder: "Find an option  ( / )", label: "Find an option" },
  levels: { label: "Levels of the photo" },
  line: { title: "The command line that makes the same file" },
  copy: { text: "Copy", title: "Copy the command line (C)" },
  formats: { text: "as" },
  export: { text: "Export", title: "Write the files (E)" },
  exportAll: { text: "Batch of all", title: "Write a batch file that makes this picture from every photo (A)" },
  open: { text: "Open …", title: "Open other photos (O); you can also drop or paste them" },
  saveLook: { text: "Save look …", title: "Save these settings as a look of your own (S)" },
  lookName: { label: "Name of the look", placeholder: "Name of your look" },
  lookBar: { label: "Save the look" },
  lookSave: { text: "Save" },
  lookCancel: { text: "Not now" },
  help: { text: "?", title: "Keys (?)", label: "Keys" },
  helpDialog: { label: "Keys" },
  helpTitle: { text: "Keys" },
  helpClose: { text: "Close" },
  openFile: { text: "Open file", title: "Open the exported file" },
  openFolder: { text: "Show in folder", title: "Open the folder of the exported files" },
  learn: { text: "Learn", title: "How points are placed: darts, growth, an endless plane", label: "Learn" },
  learnPage: { label: "How points are placed" },
  learnTitle: { text: "Learn" },
  methods: { label: "Methods" },
  leave: { text: "Back to the picture", title: "Back to the picture (Esc)" },
  plane: { label: "The plane: arrow keys move it, + and - zoom, Enter puts the first point in the middle" },
  step: { text: "One more", title: "One more trial (N)" },
  trial: { label: "Trials so far" },
  shows: { label: "What to show" },
  spectrum: { text: "Spectrum" },
  spectrumPicture: { label: "Power by frequency in all directions, frequency 0 in the middle" },
  rings: { label: "Mean power by frequency; white noise is 1" },
};

// Texts of #learn.
const counted = (count: number) => count.toLocaleString("en");
const some = (count: number, one: string, many: string) => counted(count) + " " + (count === 1 ? one : many);
export const lessons = {
  methods: {
    darts: {
      name: "Darts",
      says: "Each dart falls anywhere in the square. If a point is nearer than r, the dart is refused (a cross). Otherwise it " +
        "stays as a point, and no later point may come nearer than r (its disc). The fuller the square, the more darts are " +
        "refused. It ends after k refused darts in a row. The gaps that remain are small targets, but points still fit: Fill shows them.",
    },
    bridson: {
      name: "Bridson",
      says: "Growth from a first point: click to choose it. Around each active point (ringed), up to k darts fall between r and " +
        "2 r away, where free space is most likely. The first dart that stays is a new point. If all k darts are refused, the " +
        "point is given up. So the work per point is the same, however full the square is, but gaps that k darts miss stay " +
        "empty. At the end, a few darts look for islands that growth could not reach.",
    },
    plane: {
      name: "Endless",
      says: "The same kind of points everywhere: drag and zoom as far as you like. The points of a cell depend only on numbers " +
        "for its position and on the cells around it. So any part can be made by itself, and you find the same points when " +
        "you come back. The plane is full: no place is farther than r from a point. Darts and growth only come close to that.",
    },
  },
  halves: "Discs of r / 2",
  radius: { name: "r", says: "Smallest distance between points; the square is 1,000 wide" },
  tries: { name: "k", says: "Refused darts in a row before giving up" },
  first: { name: "First point", says: "Position of the first point: click, or type X,Y from 0 to 1,000", form: "anywhere" },
  again: { name: "Other seed", says: "Repeat with other random numbers (S)" },
  shows: {
    discs: { name: "Discs of r", says: "No other point may be in the disc of a point; on the endless plane the discs have half the size and never overlap" },
    grid: { name: "Grid", says: "Cells with a diagonal of r hold at most one point; only points in the frame, up to two cells away, can refuse a dart" },
    tree: { name: "Growth tree", says: "A line from each point to the point around which it was thrown" },
    fill: { name: "Fill", says: "The points that still fit, found exactly; after them no space is left" },
  },
  play: "Play (P)",
  pause: "Pause (P)",
  darts: (thrown: number, stayed: number) =>
    `${some(thrown, "dart", "darts")}, ${counted(stayed)} stayed` + (stayed ? `, one in ${(thrown / stayed).toFixed(1)}` : ""),
  growth: (tried: number, points: number, active: number) =>
    `${some(points, "point", "points")} from ${some(tried, "dart", "darts")}, ${counted(active)} active`,
  fits: (gaps: number) => gaps ? `${counted(gaps)} more would fit` : "full: nothing more fits",
  window: (points: number, x: number, y: number, r: number) =>
    `${some(points, "point", "points")} made for this view, centered at ` + (Math.hypot(x, y) < r ? "the origin" :
      `${counted(Math.round(Math.abs(x / r)))} r ${x < 0 ? "left" : "right"} of the origin, ${counted(Math.round(Math.abs(y / r)))} r ${y < 0 ? "above" : "below"}`),
  tooFew: "Too few points for a spectrum yet.",
  soFar: (points: number) => `From ${some(points, "point", "points")} so far: while part of the square is empty, the spectrum shows its outline in the middle.`,
  spectrum: (points: number) => `From ${some(points, "point", "points")}. A dark middle means even density; noise has power 1 there ` +
    "(the line). The bright ring means that neighbors keep about one distance, equally in all directions.",
  frequency: "frequency, in √(points per area)",
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
  asItWas: "Double-click to reset",
  byDefault: "default",
  other: "other …",
  otherOf: (title: string) => title + ": another value",
  sizes: { auto: "auto", one: "one size", range: "small to large" },
  size1: "Size, or smallest size",
  size2: "Largest size",
  sizeForm: "such as 3 px",
  to: "to",
  colorOf: (at: number, of: number) => (of > 1 ? `Color ${at} of ${of}` : "Color"),
  addColor: "Add a color",
  removeColor: "Remove this color",
  firstOptions: "Main",
  moreOptions: "More",
  none: "none",
  plain: "as it is",
  lookTitle: (command: string) => command[0].toUpperCase() + command.slice(1),
  draft: "draft",
  final: "final",
  busy: (what: string, old: boolean, any: boolean) => {
    const kept = !old ? "Draft. " : any ? "Previous picture. " : "";
    return kept + { working: old ? "Working …" : "Refining …", writing: "Writing the files …", stopped: "Stopped.", wrong: "A setting is wrong." }[what];
  },
  stop: "Stop",
  goOn: "Go on",
  continued: "Your settings of the last visit are back; Undo (Z) leads further back.",
  renameLook: (name: string) => `Rename “${name}”`,
  removeLook: (name: string) => `Delete “${name}”`,
  removedLook: (name: string) => `${name} is deleted. Its settings stay on this page: Save look keeps them again.`,
  savedLook: (name: string) => `Saved as ${name}; on the command line:  --preset ${name}`,
  elsewhere: "The studio is open in another window.",
  gone: "The studio has ended. Start it again:  dapple studio",
  noToken: "This address lacks its secret: open the address that dapple studio printed.",
  copied: "Copied.",
  notCopied: "The browser does not allow copying: select the line and copy it.",
  tools: {
    more: { name: "More", says: "More dots: each stroke moves halfway to twice as many (Shift: fewer)" },
    fewer: { name: "Fewer", says: "Fewer dots: each stroke halves their number (Shift: more)" },
    protect: { name: "Protect", says: "Later strokes do not change this area" },
    erase: { name: "Erase", says: "Undo all strokes here, including protection" },
  },
  brushSize: "Size",
  brushSoftness: "Softness",
  brushHint: "[ ] size  ·  Shift: the opposite  ·  Ctrl: move the picture",
  handles: {
    black: { name: "Black point", says: "Tones left of it are black; double-click to reset" },
    gamma: { name: "Middle tones", says: "The tone that gets half of the full dot density; double-click to reset" },
    white: { name: "White point", says: "Tones right of it are white; double-click to reset" },
  },
  tones: (range: number, worst: number, seen: number) => ({
    dark: percent(range) + " too dark",
    light: percent(range) + " too light",
    worst: `largest error ${percent(worst)}, averaged over ${Number(seen.toPrecision(2))} pixels`,
  }),
  way: "How much of the drawing to show",
  play: "Show the pen at work, from dot to dot (P)",
  ink: (marks: number) => marks.toLocaleString("en") + " marks: click to show or hide",
  noTones: "The tones of this picture cannot be compared.",
  exporting: "Writing …",
  batch: "This line makes all pictures.",
  photo: (name: string, at: number, of: number) => `${name}: ${at} of ${of}, with these settings (, and . switch photos)`,
  wrote: (files: string[]) => "Wrote " + files.join(" and ") + ".",
  dots: (count: number, command: string) =>
    count > 0 ? count.toLocaleString("en") + (command === "stipple" ? " dots" : " points") : "",
  size: (width: number, height: number) => `${width} × ${height}`,
};

// Keys, as the help shows them.
export const keyWords: [string, string][] = [
  ["0, 1", "the whole picture; one picture pixel per screen pixel"],
  ["+, -, wheel, pinch", "zoom"],
  ["arrows, drag", "move the picture"],
  ["X", "compare with the photo"],
  ["Space, long press", "see the photo through the picture"],
  ["T", "where tones are too dark or too light"],
  ["P", "the pen at work"],
  ["B, [, ]", "the brush; its size"],
  ["Enter", "one dab of the brush"],
  ["Z, Y", "undo, redo"],
  ["O", "open photos; drop and paste work too"],
  ["L, S", "the looks in a narrow window; save a look"],
  ["E, C", "export; copy the command line"],
  ["comma, period", "previous photo, next photo"],
  ["A", "the batch file of all photos"],
  ["/", "find an option"],
  ["Esc", "stop the work, or leave the brush"],
];

// Texts of the start page.
export const start = {
  title: "Start with a photo",
  pick: "Choose photos",
  camera: "Take a photo",
  recent: (names: string[]) => "Continue with " + names[0] + (names.length > 1 ? ` and ${names.length - 1} more` : ""),
  bare: "Go on without a photo: textures, masks and points",
  says: "or drop or paste them here. They stay on this device: nothing is sent anywhere.",
  sample: "No photo at hand? Try one of these:",
  samples: { "raccoon.png": "Raccoon", "astronaut.jpg": "Portrait", "seeding.jpg": "Dandelions", "owl.png": "Drawing", "hubble.jpg": "Night sky" } as Record<string, string>,
  opening: "Opening …",
  drop: "Drop photos to open them",
  unreadable: (name: string) => `${name} cannot be read: neither Dapple nor this browser knows its format. Convert it to PNG or JPEG.`,
  converted: (names: string[]) => `The browser converted ${names.join(", ")} to PNG; the command line needs that PNG.`,
};

// Texts of pages in which the program itself runs.
export const local = {
  noProgram: (why: string) => `The program could not be loaded (${why}). Reload the page.`,
  asFile: "Browsers do not let a page that is opened as a file load its program. Put the folder on any web server, for example: python3 -m http.server --directory build/web 8000, then open http://localhost:8000",
  failed: (why: string) => `This was too much for the browser and has been stopped (${why}). Use a smaller picture or fewer dots, or the desktop program.`,
};
