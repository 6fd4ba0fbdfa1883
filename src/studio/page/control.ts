// The controls of options: a check box, a menu, a text, or colors. Each shows words in place of the
// grammar of the command line.
import type { Option } from "./protocol";
import { forms, menus, words, wordsOf } from "./words";

export function element<K extends keyof HTMLElementTagNameMap>(tag: K, set: Partial<HTMLElementTagNameMap[K]> = {}): HTMLElementTagNameMap[K] {
  return Object.assign(document.createElement(tag), set);
}

export interface Control {
  readonly main: HTMLInputElement | HTMLSelectElement;  // has the label
  readonly rest: HTMLElement[];                         // stands below it
  readonly beside?: HTMLElement;                        // stands before it
  show(text: string, actual: number): void;
}

const otherValue = "…";  // of the last entry of a menu
const same = (text: string) => text.toLowerCase().replace(/\s+/g, "");

// Separates a length from its unit, and joins them again.
const apart = (text: string) => text.replace(/^(-?[\d.]+)(mm|cm|in|px|pt)$/, "$1 $2");
const joined = (text: string) => text.trim().replace(/^(-?[\d.,]*\d)\s+(mm|cm|in|px|pt)$/, "$1$2");
// Removes the commas of a typed number such as 10,000.
const plain = (text: string) => (/^-?\d{1,3}(,\d{3})+$/.test(text) ? text.replace(/,/g, "") : text);

export function makeControl(option: Option, id: string, changed: (text: string) => void): Control {
  const { type, choices, other_form } = option;
  if (type === "flag") {
    const box = element("input", { type: "checkbox", id });
    box.addEventListener("change", () => changed(String(box.checked)));
    return { main: box, rest: [], show: (text) => { box.checked = text === "true"; } };
  }
  if (option.name === "dot-size") return sizes(option, id, changed);
  const known = menus[option.name] ?? (type === "text" && choices?.length ? choices.map((choice): [string, string] => [choice, wordsOf(option.name, choice)]) : null);
  if (known) return menu(option, id, known, !!menus[option.name] || !!other_form, changed);
  const field = text(option, id, changed);
  const takesColors = /COLOR|#hex/.test(option.form ?? "");
  return takesColors ? withSwatches(field, /,/.test(option.form ?? ""), changed) : field;
}

// A text field. The value that lets the program choose is shown as a word; an empty field means it.
function text(option: Option, id: string, changed: (text: string) => void): Control {
  const input = element("input", { type: "text", id, spellcheck: false });
  const auto = wordsOf(option.name, "auto");
  const chooses = auto !== "auto" || option.default === "";
  input.addEventListener("change", () => changed(plain(joined(input.value)) || option.default));
  // A click selects all, so that another value can be typed at once; the next click sets the cursor.
  let fresh = false;
  input.addEventListener("focus", () => { fresh = true; });
  input.addEventListener("click", () => { if (fresh) input.select(); fresh = false; });
  if (option.type === "integer") input.inputMode = "numeric";
  else if (option.type === "number") input.inputMode = "decimal";
  return {
    main: input, rest: [],
    show(value, actual) {
      const hint = forms[option.form ?? ""] ?? "";
      const chosen = chooses && value === option.default;
      input.placeholder = chosen && auto !== "auto" ? auto.replace("%", actual ? ` (${actual.toLocaleString("en")})` : "") : hint;
      const shown = chosen ? "" : apart(value);
      if (input.value !== shown) input.value = shown;
    },
  };
}

// A menu; its last entry opens a text field for other values.
function menu(option: Option, id: string, known: [string, string][], open: boolean, changed: (text: string) => void): Control {
  const select = element("select", { id });
  const entries = known.some(([value]) => same(value) === same(option.default)) ? known : [[option.default, words.byDefault] as [string, string], ...known];
  for (const [value, label] of entries) select.append(element("option", { value, textContent: label }));
  if (open) select.append(element("option", { value: otherValue, textContent: words.other }));
  const input = element("input", { type: "text", spellcheck: false, hidden: true, placeholder: forms[option.form ?? ""] ?? "" });
  input.dataset.other = option.name;
  input.setAttribute("aria-label", words.otherOf(wordsOf("", option.name)));
  select.addEventListener("change", () => {
    input.hidden = select.value !== otherValue;
    if (input.hidden) return changed(select.value);
    input.focus();
    input.select();
  });
  input.addEventListener("change", () => changed(joined(input.value) || option.default));
  return {
    main: select, rest: open ? [input] : [],
    show(value) {
      const found = [...select.options].find((one) => one.value !== otherValue && same(one.value) === same(value));
      if (document.activeElement === input && found) return;  // it is being typed
      select.value = found ? found.value : otherValue;
      input.hidden = !!found;
      if (!found && input.value !== apart(value)) input.value = apart(value);
    },
  };
}

// The size of dots: from their number, one size, or from the smallest to the largest.
function sizes(option: Option, id: string, changed: (text: string) => void): Control {
  const select = element("select", { id });
  for (const [value, label] of Object.entries(words.sizes)) select.append(element("option", { value, textContent: label }));
  const row = element("div", { className: "row sizes", hidden: true });
  const ends = [words.size1, words.size2].map((label) => {
    const input = element("input", { type: "text", placeholder: words.sizeForm, spellcheck: false });
    input.setAttribute("aria-label", label);
    input.dataset.other = option.name;
    input.addEventListener("change", tell);
    return input;
  });
  const to = element("span", { textContent: words.to });
  row.append(ends[0], to, ends[1]);
  function arrange(): void {
    row.hidden = select.value === "auto";
    to.hidden = ends[1].hidden = select.value !== "range";
  }
  function tell(): void {
    const [low, high] = ends.map((end) => joined(end.value));
    if (select.value === "auto") changed("");
    else if (select.value === "one" && low) changed(low);
    else if (low && high) changed(low + ":" + high);
  }
  select.addEventListener("change", () => {
    arrange();
    if (!row.hidden) ends[0].focus();
    tell();
  });
  return {
    main: select, rest: [row],
    show(value) {
      if (!row.hidden && row.contains(document.activeElement)) return;
      const [low, high] = value.split(":");
      if (!value && select === document.activeElement && !row.hidden) return;  // its numbers are still to come
      select.value = !value ? "auto" : high === undefined ? "one" : "range";
      ends[0].value = apart(low ?? "");
      ends[1].value = apart(high ?? "");
      arrange();
    },
  };
}

const probe = document.createElement("canvas").getContext("2d")!;

// Returns #rrggbb of a color, or "" if it is none.
function hexOf(color: string): string {
  if (!CSS.supports("color", color)) return "";
  probe.fillStyle = "#000";
  probe.fillStyle = color;
  return /^#[0-9a-f]{6}$/.test(probe.fillStyle as string) ? (probe.fillStyle as string) : "";
}

// Adds a swatch with a color picker for each color of the text, and buttons to add and remove one.
function withSwatches(field: Control, several: boolean, changed: (text: string) => void): Control {
  const row = element("div", { className: "swatches" });
  let shown = "\0";
  const make = (value: string) => {
    const colors = value === "" ? [] : value.split(",").map((one) => one.trim());
    const hex = colors.map(hexOf);
    row.replaceChildren();
    if (hex.some((color) => !color)) return;  // a file, cmyk or none
    hex.forEach((color, i) => {
      const swatch = element("input", { type: "color", value: color });
      swatch.setAttribute("aria-label", words.colorOf(i + 1, hex.length));
      swatch.addEventListener("change", () => changed(colors.map((one, at) => (at === i ? swatch.value : one)).join(",")));
      row.append(swatch);
      if (!several || colors.length < 2) return;
      const remove = element("button", { type: "button", textContent: "×", title: words.removeColor });
      remove.addEventListener("click", () => changed(colors.filter((_, at) => at !== i).join(",")));
      row.append(remove);
    });
    if (!several && colors.length) return;
    const add = element("button", { type: "button", textContent: "+", title: words.addColor });
    add.setAttribute("aria-label", words.addColor);
    add.addEventListener("click", () => changed([...colors, ["#d03027", "#1f5d8c", "#e8b021", "#2f8f4e"][colors.length % 4]].join(",")));
    row.append(add);
  };
  return {
    main: field.main, rest: several ? [row] : [], beside: several ? undefined : row,
    show(value, actual) {
      field.show(value, actual);
      if (value === shown) return;
      shown = value;
      make(value);
    },
  };
}
