// A lesson from the program with all trials in order, so that the page can show any moment.
import type { LessonHead } from "./protocol";

export class Lesson {
  readonly x: Float32Array;          // of trials
  readonly y: Float32Array;
  readonly of: Int32Array;           // the point it was thrown around, or that refused it; -1: none
  readonly number: Int32Array;       // its number as a point; -1: refused
  readonly made: Int32Array;         // of points: the trial that made it
  readonly left: Int32Array;         // of points: the trial after which it is no longer active
  readonly parent: Int32Array;       // of points: the point it was thrown around; -1: none
  readonly gaps: Float32Array;       // x and y of points that would still fit
  constructor(readonly head: LessonHead, bytes: ArrayBuffer, readonly grows: boolean) {
    const floats = new Float32Array(bytes);
    const whole = new Uint32Array(bytes);
    const { trials, points, tries } = head;
    this.x = new Float32Array(trials);
    this.y = new Float32Array(trials);
    this.of = new Int32Array(trials);
    this.number = new Int32Array(trials).fill(-1);
    this.made = new Int32Array(points);
    this.left = new Int32Array(points).fill(trials);
    this.parent = new Int32Array(points).fill(-1);
    const refused = new Int32Array(points);
    let stay = 0;
    for (let i = 0; i < trials; ++i) {
      this.x[i] = floats[3 * i];
      this.y[i] = floats[3 * i + 1];
      const packed = whole[3 * i + 2];
      const of = this.of[i] = (packed >> 1) - 1;
      if (packed & 1) {
        this.made[stay] = i;
        if (grows) this.parent[stay] = of;
        this.number[i] = stay++;
      }
      if (!grows || of < 0) continue;
      refused[of] = packed & 1 ? 0 : refused[of] + 1;
      if (refused[of] === tries) this.left[of] = i;
    }
    this.gaps = floats.subarray(3 * trials);
  }

  get trials(): number { return this.head.trials; }
  // Returns the number of points after `trial` trials.
  pointsAt(trial: number): number {
    let [low, high] = [0, this.made.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.made[middle] < trial) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  isActive(point: number, trial: number): boolean { return this.grows && this.left[point] >= trial && trial < this.trials; }
  activeAt(trial: number): number {
    let active = 0;
    for (let i = this.pointsAt(trial) - 1; i >= 0; --i) if (this.isActive(i, trial)) ++active;
    return active;
  }
  // Returns the first of the consecutive refused trials, with equal `of`, that end at `trial`.
  roundBegins(trial: number): number {
    let from = trial;
    while (from > 0 && this.of[from - 1] === this.of[trial] && this.number[from - 1] < 0) --from;
    return from;
  }
}
