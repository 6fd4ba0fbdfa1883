// All texts of the page.
const percent = (share: number) => Number((100 * share).toPrecision(2)) + " %";

interface Said { text?: string; title?: string; label?: string; placeholder?: string; }

// Texts of the elements that index.html marks by data-word.
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
  photos: { label: "Photos" },
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
  exportAll: { text: "Batch of all", title: "Write a batch file that makes this of every photo (A)" },
  learn: { text: "Learn", title: "How points come to be: darts, growth, a plane without end", label: "Learn" },
  learnPage: { label: "How points come to be" },
  learnTitle: { text: "Learn" },
  methods: { label: "Methods" },
  leave: { text: "Back to the picture", title: "Back to the picture (Esc)" },
  plane: { label: "The plane: arrow keys move it, + and - zoom, Enter puts the first point in its middle" },
  step: { text: "One more", title: "One more trial (N)" },
  trial: { label: "Trials so far" },
  shows: { label: "What is shown" },
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
      says: "Each dart falls anywhere in the square. A point nearer than r refuses it: a cross. Else it stays, and nothing " +
        "may come nearer than r to it: its disc. The fuller the square, the more darts fall in vain, and it ends when k in a " +
        "row did. What is still bare then is too small a target, yet a point would fit: that is what Fill shows.",
    },
    bridson: {
      name: "Bridson",
      says: "Growth from a first point: click where it is to be. Round a point that is not given up yet (ringed) up to k " +
        "darts fall between r and 2 r away, where there is most likely room. The first that stays is a new point; if all k are " +
        "refused, the point is given up. So the work is the same for each point, however full the square is; but what k " +
        "darts did not find stays bare. In the end a few darts look for islands that growth could not reach.",
    },
    plane: {
      name: "Without end",
      says: "The same kind of points everywhere: drag and zoom as far as you like. What a cell holds follows from numbers " +
        "that belong to its place and from the cells round it, so a part can be made by itself, and whoever comes back " +
        "finds the points that were there. It is full: no place is farther than r from a point, which darts and growth " +
        "only come near.",
    },
  },
  halves: "Discs of r / 2",
  radius: { name: "r", says: "The distance that points keep; the square is 1,000 wide" },
  tries: { name: "k", says: "Darts in a row that may be refused" },
  first: { name: "First point", says: "Where it falls: click, or X,Y from 0 to 1,000", form: "anywhere" },
  again: { name: "Other chances", says: "The same with other random numbers (S)" },
  shows: {
    discs: { name: "Discs of r", says: "Nothing else may be placed in the disc of a point; where all is full, half as large, which never overlap" },
    grid: { name: "Grid", says: "Cells whose diagonal is r hold one point at most: what may refuse a dart is in the frame, two cells far" },
    tree: { name: "Who grew from whom", says: "Each point and the one round which it was thrown" },
    fill: { name: "Fill", says: "The points that would still fit, found exactly: then no place is left" },
  },
  play: "Play (P)",
  pause: "Pause (P)",
  darts: (thrown: number, stayed: number) =>
    `${some(thrown, "dart", "darts")}, ${counted(stayed)} stayed` + (stayed ? `, one in ${(thrown / stayed).toFixed(1)}` : ""),
  growth: (tried: number, points: number, active: number) =>
    `${some(points, "point", "points")} of ${some(tried, "dart", "darts")}, ${counted(active)} not given up`,
  fits: (gaps: number) => gaps ? `${counted(gaps)} more would fit` : "full: nothing more fits",
  window: (points: number, x: number, y: number, r: number) =>
    `${some(points, "point", "points")} made for this view, whose middle is ` + (Math.hypot(x, y) < r ? "the origin" :
      `${counted(Math.round(Math.abs(x / r)))} r ${x < 0 ? "left" : "right"} of the origin, ${counted(Math.round(Math.abs(y / r)))} r ${y < 0 ? "above" : "below"}`),
  tooFew: "Too few points for a spectrum yet.",
  soFar: (points: number) => `Of ${some(points, "point", "points")} so far: as long as a part is empty, its outline shows in the middle.`,
  spectrum: (points: number) => `Of ${some(points, "point", "points")}. Dark round the middle: no coarse unevenness, as noise has ` +
    "(the line at 1). The bright ring: neighbors keep about one distance, in no direction more than in others.",
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
  batch: "The line makes all of it.",
  photo: (name: string, at: number, of: number) => `${name}: ${at} of ${of}, under these settings (, and . go to the next)`,
  wrote: (files: string[]) => "Wrote " + files.join(" and ") + ".",
  dots: (count: number, command: string) =>
    count > 0 ? count.toLocaleString("en") + (command === "stipple" ? " dots" : " points") : "",
  size: (width: number, height: number) => `${width} × ${height}`,
};
