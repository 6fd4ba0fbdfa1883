// The state of the page that outlives it: settings, undo and strokes. The program keeps it with the
// photos, so that a reload, a closed tab or a crash loses nothing.
import type { Stroke } from "./brush";

// Settings apply to all photos; strokes belong to one photo each.
export interface RenderRequest { command: string; preset: string; settings: Record<string, string>; strokes: number[][]; }

export interface Memory {
  request: RenderRequest; past: RenderRequest[]; future: RenderRequest[];
  strokes: [number, Stroke][]; photo: number; format: string;
}

const pause = 400;       // ms without a change before the state is kept
const mostSteps = 200;   // of undo

export class Keeper {
  private timer = 0;
  private last = "";

  constructor(private readonly state: () => Memory, private readonly save: (text: string) => void) {
    const now = () => { if (this.timer) this.write(); };
    document.addEventListener("visibilitychange", now);
    window.addEventListener("pagehide", now);
  }

  later(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.write(), pause);
  }

  // Drops a pending save, because the page gets other photos.
  forget(): void {
    this.stop();
    this.last = "";
  }

  private write(): void {
    this.stop();
    const state = this.state();
    const past = state.past.slice(-mostSteps);
    const future = state.future.slice(-mostSteps);
    const used = new Set([state.request, ...past, ...future].flatMap((one) => one.strokes.flat()));
    const text = JSON.stringify({ ...state, past, future, strokes: state.strokes.filter(([number]) => used.has(number)) });
    if (text === this.last) return;
    this.last = text;
    this.save(text);
  }

  private stop(): void {
    clearTimeout(this.timer);
    this.timer = 0;
  }
}

// Returns the state in a text of Keeper, or null if it does not fit these photos and commands.
export function remembered(text: string, photos: number, commands: string[]): Memory | null {
  try {
    const memory = JSON.parse(text) as Memory;
    const fits = [memory.request, ...memory.past, ...memory.future].every((one) =>
      commands.includes(one.command) && one.strokes.length === photos && typeof one.settings === "object");
    return fits && Array.isArray(memory.strokes) ? memory : null;
  } catch {
    return null;
  }
}
