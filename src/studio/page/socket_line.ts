// The line to a program that serves the page: a WebSocket.
import { learnHash, unpack, type Line, type Listener, type Photo, type Told } from "./protocol";
import { words } from "./words";

const longestPart = 60_000;  // bytes of a message

// Takes the secret from the address, removes it there, and stores it for a reload of the page.
function token(): string {
  const given = location.hash === learnHash ? "" : location.hash.slice(1);
  if (given) {
    sessionStorage.setItem("token", given);
    history.replaceState(null, "", "/");
  }
  return given || sessionStorage.getItem("token") || "";
}

export class SocketLine implements Line {
  private socket: WebSocket | null = null;

  constructor(private readonly listener: Listener) {
    const secret = token();
    if (!secret) {
      listener.ended(words.noToken);
      return;
    }
    const socket = new WebSocket(`ws://${location.host}/socket`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => socket.send(secret);
    socket.onmessage = (event) => this.receive(event.data);
    socket.onclose = (event) => listener.ended(event.code === 1008 ? words.noToken : words.gone);
    this.socket = socket;
  }

  send(message: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  open(photos: Photo[]): void {
    photos.forEach(({ name, bytes }, i) => {
      this.sendParts(new Uint8Array(bytes));
      this.send({ type: "photo", name, more: i + 1 < photos.length });
    });
  }

  reopen(): void { this.send({ type: "reopen" }); }

  save(state: string): void {
    this.sendParts(new TextEncoder().encode(state));
    this.send({ type: "save" });
  }

  // Sends the bytes of a file in parts. The next message says what they are.
  private sendParts(bytes: Uint8Array): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    for (let at = 0; at < bytes.length; at += longestPart) {
      const part = bytes.subarray(at, at + longestPart);
      const message = new Uint8Array(part.length + 1);  // a zero byte begins a part
      message.set(part, 1);
      this.socket.send(message);
    }
  }

  private receive(data: string | ArrayBuffer): void {
    if (typeof data === "string") return this.listener.told(JSON.parse(data) as Told);
    const [head, pixels] = unpack(data);
    this.listener.framed(head, pixels);
    if (!head.kind) this.send({ type: "ack" });
  }
}
