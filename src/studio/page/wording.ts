// Words for options, in place of the names and the grammar of the command line.

// Titles of options; others are their names.
const titles: Record<string, string> = {
  "as": "The picture means", "tones-from": "Tones as in", "nan": "Bad values", "dpi": "Pixels per inch", "path": "Draw as",
  "invert": "Swap light and dark", "gamma": "Middle tones", "size": "Picture size", "ink": "Ink", "background": "Paper color",
  "hpgl-origin": "HP-GL origin", "hpgl-unit": "HP-GL unit", "from": "Start after dot", "split": "Parts to plot", "pen": "Pen width",
  "invert-darks": "Bare dots in darks", "white-cutoff": "Bare paper from", "gap": "Gap between dots",
  "no-overlap": "Dots never overlap", "colours": "Colors", "black": "Black point", "white": "White point", "seed": "Variation",
  "method": "Method", "tone": "Tones judged", "fit": "On the paper", "longest-hop": "Longest hop", "touch": "Length of a touch",
};

// Words for values. The key auto names the value that lets the program choose; % stands for its choice.
const values: Record<string, Record<string, string>> = {
  "dots": { auto: "auto%" },
  "count": { auto: "auto%" },
  "size-steps": { auto: "any size" },
  "radius": { auto: "auto" }, "object-size": { auto: "none" },
  "paper": { auto: "none" }, "tiles": { auto: "one sheet" }, "machine": { auto: "none" },
  "tones-from": { auto: "this picture" }, "mask": { auto: "no picture" }, "weight": { auto: "no picture" }, "density": { auto: "no picture" },
  "palette": { auto: "black and white" }, "gradient": { auto: "grays" }, "line-color": { auto: "as the cells" },
  "path": { none: "dots", tsp: "one line" },
  "as": { tone: "dark is dense", density: "bright is dense", radius: "bright is far apart" },
  "shape": { disc: "discs", point: "touches of the pen", circle: "rings", spiral: "spirals" },
  "order": { travel: "short pen travel", hilbert: "along a Hilbert curve", none: "as placed" },
  "fit": { contain: "all of the picture", cover: "cut to fill it", stretch: "stretched to fill it" },
  "frame": { cut: "cut off at the border", fitted: "lined up at the border" },
  "contrast": { auto: "auto", none: "unchanged" },
};

const title = (name: string) => titles[name] ?? (name[0].toUpperCase() + name.slice(1)).replace(/-/g, " ");

// Returns the title of an option, for option "", or the word for a value of an option.
export function wordsOf(option: string, value: string): string {
  return option === "" ? title(value) : values[option]?.[value] ?? (value === "" ? "none" : value);
}

// Returns the explanation of an option, or a message, in these words.
export const explained = (doc: string) =>
  doc.replace(/`([a-z][a-z-]*)([^`]*)`/g, "--$1$2").replace(/--([a-z][a-z-]*)/g, (_, name: string) => "“" + title(name) + "”")
    .replace(/(^|; )0: /, "$1auto: ");

// Menus for options that take any text: values and their words.
export const menus: Record<string, [string, string][]> = {
  paper: [["", "none"], ["a6", "A6"], ["a5", "A5"], ["a4", "A4"], ["a3", "A3"], ["a2", "A2"], ["a1", "A1"], ["letter", "Letter"], ["tabloid", "Tabloid"]],
  contrast: [["auto", "auto"], ["none", "unchanged"]],
  pen: [["0mm", "none"], ["0.1mm", "0.1 mm"], ["0.2mm", "0.2 mm"], ["0.3mm", "0.3 mm"], ["0.4mm", "0.4 mm"], ["0.5mm", "0.5 mm"], ["0.7mm", "0.7 mm"], ["1mm", "1 mm"]],
  dpi: [["auto", "auto"], ["96", "96"], ["150", "150"], ["300", "300"], ["600", "600"]],
  "longest-hop": [["auto", "auto"], ["none", "never lifted"]],
  machine: [["", "none"], ["axidraw-v3", "AxiDraw V3"], ["idraw", "iDraw"], ["cartesian", "cartesian"]],
  shape: ["disc", "point", "circle", "spiral"].map((value): [string, string] => [value, values.shape[value]]),
};

// Hints in empty fields, by the form of the option.
export const forms: Record<string, string> = {
  "N": "number", "X": "number", "G": "number", "V": "0 to 1", "L": "number", "LENGTH": "such as 3 mm", "NAME|WxH": "such as 210 x 297 mm",
  "W|NAME": "such as 0.35 mm, or a pen", "auto|none|X": "number", "auto|N": "number", "LENGTH|auto|none": "such as 5 mm",
  "disc|point|circle|spiral|FILE.svg": "a file such as leaf.svg", "COLOR": "color", "COLOR,...": "colors", "#hex,#hex,...": "colors",
  "FILE|COLOR,...": "colors, or a file", "IMAGE": "picture file", "FILE": "file", "POINTS": "file of points", "MESH": "mesh file", "NAME": "name",
  "CxR|WxHmm": "such as 2 x 2", "LENGTH|MIN:MAX": "such as 5", "WxH": "width x height", "N|WxH": "width x height", "COMMANDS": "G-code",
};

// The order of options, as an artist works. Others follow.
export const optionOrder = [
  "dots", "count", "dot-size", "contrast", "gamma", "detail", "ink", "background", "shape", "path", "regularity", "paper", "margin",
  "pen", "size", "invert", "as", "palette", "gradient", "seed",
];

// Other words by which people search for options.
export const aliases: Record<string, string> = {
  "dots": "number count how many amount density", "dot-size": "radius diameter bigger smaller thickness", "contrast": "brightness levels darker lighter",
  "gamma": "brightness midtones darker lighter", "ink": "color colour pens cmyk", "background": "color colour paper transparent", "path": "line tsp single continuous",
  "paper": "format sheet a4 page", "margin": "border", "pen": "line width nib", "size": "resolution pixels width height", "seed": "random other variant",
  "invert": "negative", "regularity": "organic hexagonal even", "sharpen": "unsharp", "blur": "smooth soften", "clean": "scan background", "shape": "circle star heart svg",
  "split": "layers passes", "tiles": "large poster", "weight": "brush", "crop": "cut", "method": "algorithm voronoi",
};
