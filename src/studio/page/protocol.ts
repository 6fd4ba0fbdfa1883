// The socket to the program, and its messages.
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
  settings: Record<string, string>; commands: Command[]; presets: { name: string; command: string; says: string }[];
}
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
export type Told = Hello | State | Problems | Exported | Looks | Histogram | { type: "elsewhere" };
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

// Takes the secret from the address, removes it there, and stores it for a reload of the page.
function token(): string {
  const given = location.hash === learnHash ? "" : location.hash.slice(1);
  if (given) {
    sessionStorage.setItem("token", given);
    history.replaceState(null, "", "/");
  }
  return given || sessionStorage.getItem("token") || "";
}

export class Line {
  private socket: WebSocket | null = null;

  constructor(
    private told: (message: Told) => void,
    private framed: (head: FrameHead | LessonHead, pixels: Uint8Array) => void,
    private ended: (why: "gone" | "token") => void,
  ) {
    const secret = token();
    if (!secret) {
      ended("token");
      return;
    }
    const socket = new WebSocket(`ws://${location.host}/socket`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => socket.send(secret);
    socket.onmessage = (event) => this.receive(event.data);
    socket.onclose = (event) => this.ended(event.code === 1008 ? "token" : "gone");
    this.socket = socket;
  }

  send(message: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private receive(data: string | ArrayBuffer): void {
    if (typeof data === "string") return this.told(JSON.parse(data) as Told);
    const length = new DataView(data).getUint32(0, true);
    const head = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length))) as FrameHead | LessonHead;
    this.framed(head, new Uint8Array(data, 4 + length));
    if (!head.kind) this.send({ type: "ack" });
  }
}
