// The form of a command, built from its list of options: first the options that most people need,
// then the others in folded groups.
import type { Command, Option } from "./protocol";
import { words } from "./words";

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

function element<K extends keyof HTMLElementTagNameMap>(tag: K, set: Partial<HTMLElementTagNameMap[K]>): HTMLElementTagNameMap[K] {
  return Object.assign(document.createElement(tag), set);
}

const title = (name: string) => (name[0].toUpperCase() + name.slice(1)).replace(/-/g, " ");

class Field {
  readonly row = element("div", { className: "option" });
  actual = 0;  // the number that the program chose, if the value 0 lets it choose
  private readonly control: HTMLInputElement | HTMLSelectElement;
  private readonly range: HTMLInputElement | null = null;
  private readonly scale: Scale | null;
  private readonly wrong = element("p", { className: "wrong", hidden: true });

  constructor(readonly option: Option, private changed: Changed) {
    const id = "option-" + option.name;
    const line = element("div", { className: "row" });
    const label = element("label", { htmlFor: id, textContent: title(option.name) });
    label.title = words.asItWas;
    label.addEventListener("dblclick", () => this.change(option.default));
    this.control = this.makeControl(id);
    this.control.dataset.option = option.name;
    this.control.setAttribute("aria-describedby", id + "-doc");
    this.control.addEventListener("change", () => this.change(this.text()));
    line.append(label, this.control);
    if (option.unit) line.append(element("span", { className: "unit", textContent: option.unit }));
    this.row.append(line);
    this.scale = Scale.of(option);
    if (this.scale) {
      const { low, high, whole, byFactors } = this.scale;
      const step = whole && !byFactors ? 1 / (high - low) : 0.005;
      this.range = element("input", { type: "range", min: "0", max: "1", step: String(step) });
      this.range.setAttribute("aria-label", title(option.name));
      this.range.addEventListener("input", () => this.change(String(this.scale!.value(Number(this.range!.value)))));
      this.range.addEventListener("dblclick", () => this.change(option.default));
      this.row.append(this.range);
    }
    this.row.append(this.wrong, element("p", { className: "doc", id: id + "-doc", textContent: option.doc }));
  }

  private makeControl(id: string): HTMLInputElement | HTMLSelectElement {
    const { type, choices, other_form, form } = this.option;
    if (type === "flag") return element("input", { type: "checkbox", id });
    if (type === "text" && choices?.length && !other_form) {
      const select = element("select", { id });
      const all = choices.includes(this.option.default) ? choices : [this.option.default, ...choices];
      for (const choice of all) select.append(element("option", { value: choice, textContent: choice || "–" }));
      return select;
    }
    const input = element("input", {
      type: "text", id, placeholder: form ?? (type === "integer" || type === "number" ? words.aNumber : ""), spellcheck: false,
    });
    if (choices?.length) {  // suggested words; others are allowed
      const offered = element("datalist", { id: id + "-words" });
      for (const choice of choices) offered.append(element("option", { value: choice }));
      this.row.append(offered);
      input.setAttribute("list", offered.id);
    }
    return input;
  }

  private text(): string {
    if (this.option.type === "flag") return String((this.control as HTMLInputElement).checked);
    return this.control.value.trim();
  }

  private change(text: string): void {
    this.show(text);
    this.changed(this.option.name, text);
  }

  show(text: string): void {
    if (this.control instanceof HTMLInputElement && this.control.type === "checkbox") {
      this.control.checked = text === "true";
    } else if (this.control.value !== text) {
      this.control.value = text;
    }
    if (!this.range || !this.scale) return this.mark(text);
    const value = Number(text);
    if (document.activeElement !== this.range && text !== "" && !Number.isNaN(value)) {
      this.range.value = String(this.scale.place(value === 0 && this.scale.byFactors ? this.actual : value));
    }
    this.range.setAttribute("aria-valuetext", text);
    this.mark(text);
  }

  private mark(text: string): void {
    this.row.classList.toggle("changed", text !== this.option.default);
  }

  problem(message: string): void {
    this.wrong.textContent = message;
    this.wrong.hidden = !message;
    this.row.classList.toggle("is-wrong", !!message);
  }

  matches(text: string): boolean {
    return (this.option.name + " " + this.option.doc + " " + this.option.group).toLowerCase().includes(text);
  }
  focus(): void { this.control.focus(); }
  get busy(): boolean { return document.activeElement === this.control && this.control.nodeName === "INPUT"; }
}

export class Form {
  private readonly form = document.getElementById("form") as HTMLFormElement;
  private fields: Field[] = [];

  constructor(private changed: Changed) {
    this.form.addEventListener("submit", (event) => event.preventDefault());
    const search = document.getElementById("search") as HTMLInputElement;
    search.addEventListener("input", () => this.find(search.value.trim().toLowerCase()));
  }

  make(command: Command): void {
    this.form.replaceChildren();
    this.fields = [];
    const first = this.section(words.firstOptions, true);
    const groups = new Map<string, HTMLElement>();
    for (const option of command.options) {
      const field = new Field(option, this.changed);
      this.fields.push(field);
      if (option.essential) first.append(field.row);
      else {
        if (!groups.has(option.group)) groups.set(option.group, this.section(option.group || words.moreOptions, false));
        groups.get(option.group)!.append(field.row);
      }
    }
  }

  show(values: Record<string, string>, dots: number): void {
    for (const field of this.fields) {
      field.actual = dots;
      if (!field.busy && field.option.name in values) field.show(values[field.option.name]);
    }
  }

  problems(list: { option: string; message: string }[]): string[] {
    const rest: string[] = [];
    for (const field of this.fields) field.problem("");
    for (const { option, message } of list) {
      const field = this.fields.find((one) => one.option.name === option);
      if (field) field.problem(message);
      rest.push(option ? `${title(option)}: ${message}` : message);
    }
    return rest;
  }

  private section(name: string, open: boolean): HTMLElement {
    const details = element("details", { open });
    details.append(element("summary", { textContent: name }));
    this.form.append(details);
    return details;
  }

  private find(text: string): void {
    for (const field of this.fields) field.row.hidden = !!text && !field.matches(text);
    for (const details of this.form.querySelectorAll("details")) {
      const some = [...details.querySelectorAll<HTMLElement>(".option")].some((row) => !row.hidden);
      details.hidden = !some;
      if (text) details.open = some;
    }
  }
}
