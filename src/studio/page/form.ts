// The form of a command, built from its list of options: first the options that most people need,
// then the others in folded groups.
import { element, makeControl, type Control } from "./control";
import type { Command, Option } from "./protocol";
import { aliases, explained, optionOrder, words, wordsOf } from "./words";

type Changed = (name: string, text: string) => void;

// Maps numbers to slider positions from 0 to 1 and back. If byFactors is set, equal steps are equal
// factors.
class Scale {
  constructor(readonly low: number, readonly high: number, readonly byFactors: boolean, readonly whole: boolean) {}

  static of(option: Option): Scale | null {
    const { type, usual, minimum, maximum } = option;
    if (type !== "number" && type !== "integer") return null;
    if (usual) return new Scale(usual.minimum, usual.maximum, usual.logarithmic, type === "integer");
    if (minimum === undefined || maximum === undefined || maximum - minimum > 100) return null;
    return new Scale(minimum, maximum, false, type === "integer");
  }

  place(value: number): number {
    const at = this.byFactors ? Math.log(value / this.low) / Math.log(this.high / this.low) : (value - this.low) / (this.high - this.low);
    return Math.min(1, Math.max(0, at));
  }

  value(place: number): number {
    const value = this.byFactors ? this.low * (this.high / this.low) ** place : this.low + place * (this.high - this.low);
    return this.whole && !this.byFactors ? Math.round(value) : Number(value.toPrecision(this.whole ? 2 : 3));
  }
}

class Field {
  readonly row = element("div", { className: "option" });
  actual = 0;  // the number that the program chose, if the value 0 lets it choose
  private shown = "\0";
  private readonly control: Control;
  private readonly range: HTMLInputElement | null = null;
  private readonly scale: Scale | null;
  private readonly wrong = element("p", { className: "wrong", hidden: true });

  constructor(readonly option: Option, private changed: Changed) {
    const id = "option-" + option.name;
    const title = wordsOf("", option.name);
    const line = element("div", { className: "row" });
    const label = element("label", { htmlFor: id, textContent: title });
    label.title = words.asItWas;
    label.addEventListener("dblclick", () => this.change(option.default));
    this.control = makeControl(option, id, (text) => this.change(text));
    const { main, rest, beside } = this.control;
    main.dataset.option = option.name;
    main.setAttribute("aria-describedby", id + "-doc");
    line.append(label, main);
    if (option.unit) line.append(element("span", { className: "unit", textContent: option.unit }));
    if (beside) line.insertBefore(beside, main);
    this.row.append(line, ...rest);
    this.scale = Scale.of(option);
    if (this.scale) {
      const { low, high, whole, byFactors } = this.scale;
      const step = whole && !byFactors ? 1 / (high - low) : 0.005;
      this.range = element("input", { type: "range", min: "0", max: "1", step: String(step) });
      this.range.setAttribute("aria-label", title);
      this.range.addEventListener("input", () => this.change(String(this.scale!.value(Number(this.range!.value)))));
      this.range.addEventListener("dblclick", () => this.change(option.default));
      this.row.append(this.range);
    }
    // Stands at the bottom too, where it moves no field that a hand is about to press.
    this.row.append(this.wrong, element("p", { id: id + "-doc", hidden: true, textContent: explained(option.doc) }));
    const explain = () => { document.getElementById("explains")!.textContent = `${title}: ${explained(option.doc)}`; };
    this.row.addEventListener("focusin", explain);
    this.row.addEventListener("pointerenter", explain);
  }

  private change(text: string): void {
    this.show(text);
    this.changed(this.option.name, text);
  }

  show(text: string): void {
    this.shown = text;
    this.control.show(text, this.actual);
    this.row.classList.toggle("changed", text !== this.option.default);
    if (!this.range || !this.scale) return;
    const value = text === "" ? 0 : Number(text);
    const auto = value === 0 && this.scale.byFactors;
    if (document.activeElement !== this.range && !Number.isNaN(value) && !(auto && !this.actual)) {
      this.range.value = String(this.scale.place(auto ? this.actual : value));
    }
    this.range.setAttribute("aria-valuetext", text);
  }

  // Shows the number that the program chose for this value.
  showActual(actual: number): void {
    if (actual === this.actual) return;
    this.actual = actual;
    if (this.shown === this.option.default && !this.busy) this.show(this.shown);
  }

  problem(message: string): void {
    this.wrong.textContent = explained(message);
    this.wrong.hidden = !message;
    this.row.classList.toggle("is-wrong", !!message);
  }
  // Makes an error visible, wherever the field is.
  reveal(): void {
    this.row.hidden = false;
    this.row.closest("details")!.hidden = false;
    this.row.closest("details")!.open = true;
    this.row.scrollIntoView({ block: "nearest" });
  }

  matches(text: string): boolean {
    const { name, doc, group } = this.option;
    return [name, wordsOf("", name), aliases[name] ?? "", doc, group].join(" ").toLowerCase().includes(text);
  }
  get busy(): boolean { return this.row.contains(document.activeElement) && document.activeElement!.matches("input[type=text]"); }
}

const place = (option: Option) => {
  const at = optionOrder.indexOf(option.name);
  return at < 0 ? optionOrder.length : at;
};

export class Form {
  private readonly form = document.getElementById("form") as HTMLFormElement;
  private fields: Field[] = [];
  private of: Command | null = null;
  private readonly search = document.getElementById("search") as HTMLInputElement;

  constructor(private changed: Changed) {
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.search.addEventListener("input", () => this.find());
  }

  // Fields of the same command stay, with the groups that are open.
  make(command: Command): void {
    if (this.of === command) return;
    this.of = command;
    this.form.replaceChildren();
    this.fields = [];
    const first = this.section(words.firstOptions, true);
    const groups = new Map<string, HTMLElement>();
    for (const option of [...command.options].sort((a, b) => place(a) - place(b))) {
      const field = new Field(option, this.changed);
      this.fields.push(field);
      if (option.essential) first.append(field.row);
      else {
        if (!groups.has(option.group)) groups.set(option.group, this.section(option.group || words.moreOptions, false));
        groups.get(option.group)!.append(field.row);
      }
    }
    this.find();
  }

  show(values: Record<string, string>): void {
    for (const field of this.fields) {
      if (!field.busy && field.option.name in values) field.show(values[field.option.name]);
    }
  }

  showActual(dots: number): void {
    for (const field of this.fields) field.showActual(dots);
  }

  // Shows each error beside its field. Returns the errors without a field.
  problems(list: { option: string; message: string }[]): string[] {
    const rest: string[] = [];
    for (const field of this.fields) field.problem("");
    let first: Field | null = null;
    for (const { option, message } of list) {
      const field = this.fields.find((one) => one.option.name === option);
      if (field) field.problem(message);
      else rest.push(explained(option ? `${wordsOf("", option)}: ${message}` : message));
      first ??= field ?? null;
    }
    first?.reveal();
    return rest;
  }

  private section(name: string, open: boolean): HTMLElement {
    const details = element("details", { open });
    details.append(element("summary", { textContent: name }));
    this.form.append(details);
    return details;
  }

  private find(): void {
    const text = this.search.value.trim().toLowerCase();
    for (const field of this.fields) field.row.hidden = !!text && !field.matches(text);
    for (const details of this.form.querySelectorAll("details")) {
      const some = [...details.querySelectorAll<HTMLElement>(".option")].some((row) => !row.hidden);
      details.hidden = !some;
      // The groups that were open before a search are open after it.
      if (text) {
        details.dataset.before ??= String(details.open);
        details.open = some;
      } else if (details.dataset.before) {
        details.open = details.dataset.before === "true";
        delete details.dataset.before;
      }
    }
  }
}
