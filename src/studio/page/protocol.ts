// The messages between the page and the program.
export interface Option {
  name: string; doc: string; type: string; group: string; default: string; form?: string; unit?: string;
  choices?: string[]; other_form?: string; minimum?: number; maximum?: number; essential: boolean;
  cost: "drawing" | "sizes" | "tone" | "number" | "all";
  usual?: { minimum: number; maximum: number; logarithmic: boolean };
}
export interface Command {
  name: string; summary: string; needsPicture: boolean; hasTones: boolean; formats: string[]; options: Option[];
}
export interface Hello {
  type: "hello"; input: string; photos: string[]; folder: string; command: string; preset: string;
  settings: Record<string, string>; commands: Command[]; presets: Preset[];
  saved?: string;     // the state of the page that was saved for these photos
  recent?: string[];  // without photos: those of the last visit
  showsFiles?: boolean; savesLooks?: boolean; warnings: string[];
}
export interface Preset { name: string; command: string; says: string; own: boolean; settings: Record<string, string>; }
export interface Photo { name: string; bytes: ArrayBuffer; }
export interface State {
  type: "state"; number: number; state: string; dots: number; width: number; height: number; seconds: number;
  values: Record<string, string>; line: string; own: string[]; layers: Layer[]; forecast: string; plot: string; warnings: string[];
  place?: Rect; part?: Rect;  // place in the picture, px; part of the photo, shares
}
export interface Layer { name: string; color: string; marks: number; }
export interface Problems { type: "problems"; number: number; problems: { option: string; message: string }[]; }
export interface Exported { type: "exported" | "line"; files: string[]; warnings: string[]; line: string; batch?: boolean; }
export type Rect = [left: number, top: number, width: number, height: number];
export interface Look { command: string; preset: string; says: string; }
export interface Looks { type: "looks"; looks: Look[]; }
export interface Histogram { type: "histogram"; counts: number[]; }
export interface Progress { type: "progress"; number: number; share: number; }  // of the current stage
// A look of the user is saved; or the look `was` has this name now, or is removed if that is "".
export interface Saved { type: "saved"; preset: string; was: string; presets: Preset[]; }
export type Told = Hello | State | Problems | Exported | Looks | Histogram | Progress | Saved | { type: "elsewhere" } |
  { type: "stopped"; number: number };
export interface LessonHead {  // of #learn; see src/studio/learn/lesson.hpp
  kind: "lesson"; number: number; radius: number; tries: number; trials: number; points: number; gaps: number;
  cell: [number, number]; corner: [number, number]; size: [number, number];
}
export interface SpectrumHead extends FrameHead { kind: "spectrum"; points: number; extent: number; rings: [number, number][]; }
export interface FrameHead {
  kind?: "look" | "photo" | "strip" | "strokes" | "tones" | "spectrum"; look: number;
  photo?: number; problem?: string;  // strip: number of the photo, or the error of its draft
  worst?: number; range?: number; seenThrough?: number;  // tone errors
  number: number; state: string; dots: number; view: number; zoom: number; pictureWidth: number; pictureHeight: number;
  left: number; top: number; width: number; height: number; gray: boolean;
}

export const learnHash = "#learn";

// Receives what the program says: messages, frames, and the end of the connection.
export interface Listener {
  told(message: Told): void;
  framed(head: FrameHead | LessonHead, pixels: Uint8Array): void;
  ended(text: string): void;
}
// The way to the program.
export interface Line {
  send(message: object): void;
  open(photos: Photo[]): void;  // in place of the current photos
  reopen(): void;               // opens the photos of the last visit
  save(state: string): void;    // keeps the state of the page with its photos
}

// Splits a binary message: the length of the head in four bytes, the head as JSON, and pixels.
export function unpack(data: ArrayBuffer): [FrameHead | LessonHead, Uint8Array] {
  const length = new DataView(data).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length))) as FrameHead | LessonHead;
  return [head, new Uint8Array(data, 4 + length)];
}
