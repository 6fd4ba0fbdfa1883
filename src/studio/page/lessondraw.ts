// Draws #learn: the square at a moment, a window of the plane, and power by frequency.
import type { Lesson } from "./lesson";
import type { Plane } from "./plane";
import type { LessonHead, SpectrumHead } from "./protocol";
import { lessons } from "./words";

export interface Shows { discs: boolean; grid: boolean; tree: boolean; fill: boolean; }

const color = (name: string) => getComputedStyle(document.getElementById("learn")!).getPropertyValue("--" + name).trim();

function discs(plane: Plane, places: Iterable<readonly [number, number]>, radius: number, fill: string): void {
  const { pen } = plane;
  pen.fillStyle = fill;
  pen.beginPath();
  for (const [x, y] of places) {
    pen.moveTo(x + radius, y);
    pen.arc(x, y, radius, 0, 2 * Math.PI);
  }
  pen.fill("nonzero");
}

function grid(plane: Plane, cell: [number, number], box: [number, number, number, number]): void {
  const { pen, view } = plane;
  const [left, top, right, bottom] = [Math.max(box[0], view.left), Math.max(box[1], view.top),
    Math.min(box[2], view.left + plane.width / view.zoom), Math.min(box[3], view.top + plane.height / view.zoom)];
  if (Math.min(...cell) * view.zoom < 9 * plane.ratio() || right <= left || bottom <= top) return;
  pen.strokeStyle = color("grid");
  pen.lineWidth = Math.max(1, Math.round(plane.ratio()));
  pen.beginPath();
  for (let i = Math.ceil(left / cell[0]); i * cell[0] <= right; ++i) {
    const x = Math.round(plane.x(i * cell[0])) + 0.5;
    pen.moveTo(x, plane.y(top));
    pen.lineTo(x, plane.y(bottom));
  }
  for (let i = Math.ceil(top / cell[1]); i * cell[1] <= bottom; ++i) {
    const y = Math.round(plane.y(i * cell[1])) + 0.5;
    pen.moveTo(plane.x(left), y);
    pen.lineTo(plane.x(right), y);
  }
  pen.stroke();
}

function cross(pen: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  pen.moveTo(x - size, y - size);
  pen.lineTo(x + size, y + size);
  pen.moveTo(x - size, y + size);
  pen.lineTo(x + size, y - size);
}

// Returns the radius of a drawn point in pixels; dense points are smaller.
const dot = (plane: Plane, radius: number) => Math.min(5 * plane.ratio(), Math.max(1.2, 0.14 * radius * plane.view.zoom));

export function drawSquare(plane: Plane, side: number, lesson: Lesson | null, trial: number, shows: Shows): void {
  const { pen, view } = plane;
  pen.clearRect(0, 0, plane.width, plane.height);
  pen.save();
  pen.beginPath();
  pen.rect(plane.x(0), plane.y(0), side * view.zoom, side * view.zoom);
  pen.fillStyle = color("paper");
  pen.fill();
  if (lesson) {
    pen.save();
    pen.clip();
    covers(plane, lesson, trial, shows);
    if (shows.grid) grid(plane, lesson.head.cell, [0, 0, side, side]);
    pen.restore();
  }
  pen.lineWidth = Math.max(1, plane.ratio());
  pen.strokeStyle = color("grid");
  pen.strokeRect(plane.x(0), plane.y(0), side * view.zoom, side * view.zoom);
  if (lesson) {
    marks(plane, lesson, trial, shows);
    if (trial > 0 && trial < lesson.trials) {
      if (shows.grid) looked(plane, lesson, trial - 1);
      moment(plane, lesson, trial - 1);
    }
  }
  pen.restore();
}

function* placed(plane: Plane, lesson: Lesson, points: number): Generator<readonly [number, number]> {
  for (let i = 0; i < points; ++i) yield [plane.x(lesson.x[lesson.made[i]]), plane.y(lesson.y[lesson.made[i]])];
}
function* gapsOf(plane: Plane, lesson: Lesson): Generator<readonly [number, number]> {
  for (let i = 0; i < lesson.gaps.length; i += 2) yield [plane.x(lesson.gaps[i]), plane.y(lesson.gaps[i + 1])];
}

function covers(plane: Plane, lesson: Lesson, trial: number, shows: Shows): void {
  if (!shows.discs) return;
  const radius = lesson.head.radius * plane.view.zoom;
  discs(plane, placed(plane, lesson, lesson.pointsAt(trial)), radius, color("cover"));
  if (shows.fill && trial === lesson.trials) discs(plane, gapsOf(plane, lesson), radius, color("cover"));
}

function marks(plane: Plane, lesson: Lesson, trial: number, shows: Shows): void {
  const { pen } = plane;
  const points = lesson.pointsAt(trial);
  const size = dot(plane, lesson.head.radius);
  const place = (i: number) => [plane.x(lesson.x[lesson.made[i]]), plane.y(lesson.y[lesson.made[i]])] as const;
  if (shows.tree && lesson.grows) {
    pen.strokeStyle = color("active");
    pen.lineWidth = plane.ratio();
    pen.beginPath();
    for (let i = 0; i < points; ++i) {
      if (lesson.parent[i] < 0) continue;
      pen.moveTo(...place(lesson.parent[i]));
      pen.lineTo(...place(i));
    }
    pen.stroke();
  }
  discs(plane, placed(plane, lesson, points), size, color("point"));
  if (lesson.grows && trial < lesson.trials) {
    pen.strokeStyle = color("active");
    pen.lineWidth = 1.5 * plane.ratio();
    pen.beginPath();
    for (let i = 0; i < points; ++i) {
      if (!lesson.isActive(i, trial)) continue;
      const [x, y] = place(i);
      pen.moveTo(x + 2 * size, y);
      pen.arc(x, y, 2 * size, 0, 2 * Math.PI);
    }
    pen.stroke();
  }
  if (shows.fill && trial === lesson.trials) {
    pen.fillStyle = color("fill");
    pen.beginPath();
    const wide = 1.4 * size;  // diamonds
    for (const [x, y] of gapsOf(plane, lesson)) {
      pen.moveTo(x - wide, y);
      pen.lineTo(x, y - wide);
      pen.lineTo(x + wide, y);
      pen.lineTo(x, y + wide);
      pen.closePath();
    }
    pen.fill();
  }
}

// Outlines the cells that may contain points that refuse the trial.
function looked(plane: Plane, lesson: Lesson, trial: number): void {
  const { pen, view } = plane;
  const [wide, high] = lesson.head.cell;
  const [column, row] = [Math.floor(lesson.x[trial] / wide), Math.floor(lesson.y[trial] / high)];
  pen.strokeStyle = color("miss");
  pen.lineWidth = 2 * plane.ratio();
  pen.strokeRect(plane.x((column - 2) * wide), plane.y((row - 2) * high), 5 * wide * view.zoom, 5 * high * view.zoom);
}

// Draws the latest trial and the earlier trials that explain its result.
function moment(plane: Plane, lesson: Lesson, last: number): void {
  const { pen, view } = plane;
  const radius = lesson.head.radius * view.zoom;
  const size = 1.3 * dot(plane, lesson.head.radius);
  const at = (i: number) => [plane.x(lesson.x[i]), plane.y(lesson.y[i])] as const;
  const of = lesson.of[last];
  const stays = lesson.number[last] >= 0;
  pen.lineWidth = 1.5 * plane.ratio();
  let from = Math.max(0, last - 24);
  if (lesson.grows) {
    from = of >= 0 ? lesson.roundBegins(last) : last;
    if (of >= 0) {  // the ring of its darts
      const [x, y] = at(lesson.made[of]);
      pen.strokeStyle = color("active");
      pen.setLineDash([6 * plane.ratio(), 5 * plane.ratio()]);
      pen.beginPath();
      for (const reach of [radius, 2 * radius]) {
        pen.moveTo(x + reach, y);
        pen.arc(x, y, reach, 0, 2 * Math.PI);
      }
      pen.stroke();
      pen.setLineDash([]);
    }
  } else if (of >= 0) {  // the point that refused it
    pen.strokeStyle = color("miss");
    pen.beginPath();
    pen.moveTo(...at(last));
    pen.lineTo(...at(lesson.made[of]));
    pen.stroke();
  }
  pen.strokeStyle = color("miss");
  for (let i = from; i <= last; ++i) {
    if (lesson.number[i] >= 0) continue;
    pen.globalAlpha = lesson.grows || i === last ? 1 : 0.15 + 0.7 * (i - from) / (last - from + 1);
    pen.beginPath();
    cross(pen, ...at(i), size);
    pen.stroke();
  }
  pen.globalAlpha = 1;
  if (!stays) return;
  const [x, y] = at(last);
  discs(plane, [[x, y]], 1.5 * size, color("active"));
}

export function drawWindow(plane: Plane, window: { head: LessonHead; places: Float32Array } | null, shows: Shows): void {
  const { pen, view } = plane;
  pen.fillStyle = color("paper");
  pen.fillRect(0, 0, plane.width, plane.height);
  if (!window) return;
  const { head, places } = window;
  const [dx, dy] = [plane.x(head.corner[0]), plane.y(head.corner[1])];
  const reach = head.radius * view.zoom;
  const seen: (readonly [number, number])[] = [];
  for (let i = 0; i < places.length; i += 2) {
    const x = dx + places[i] * view.zoom;
    const y = dy + places[i + 1] * view.zoom;
    if (x > -reach && y > -reach && x < plane.width + reach && y < plane.height + reach) seen.push([x, y]);
  }
  const size = dot(plane, head.radius);
  // Discs of radius r cover a full window. Discs of half the radius at most touch.
  if (shows.discs && reach > 6 * plane.ratio()) discs(plane, seen, reach / 2, color("cover"));
  if (shows.grid) grid(plane, head.cell, [-Infinity, -Infinity, Infinity, Infinity]);
  if (size > 1.5) return discs(plane, seen, size, color("point"));
  pen.fillStyle = color("point");
  for (const [x, y] of seen) pen.fillRect(x - size, y - size, 2 * size, 2 * size);
}

export function drawRings(canvas: HTMLCanvasElement, head: SpectrumHead | null): void {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(canvas.clientWidth * ratio);
  canvas.height = Math.round(canvas.clientHeight * ratio);
  const pen = canvas.getContext("2d")!;
  pen.scale(ratio, ratio);
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const extent = head?.extent || 2.5;
  const highest = Math.max(3, ...(head?.rings ?? []).map(([, power]) => power));
  const x = (frequency: number) => 14 + (width - 16) * frequency / extent;
  const y = (power: number) => height - 28 - (height - 34) * power / highest;
  pen.font = "11px system-ui, sans-serif";
  pen.fillStyle = color("quiet");
  pen.strokeStyle = color("grid");
  pen.beginPath();
  pen.moveTo(x(0), y(0));
  pen.lineTo(x(extent), y(0));
  pen.moveTo(x(0), y(0));
  pen.lineTo(x(0), y(highest));
  for (let tick = 1; tick <= extent; ++tick) {
    pen.moveTo(x(tick), y(0));
    pen.lineTo(x(tick), y(0) + 3);
    pen.fillText(String(tick), x(tick) - 3, y(0) + 13);
  }
  pen.stroke();
  pen.fillText("1", 2, y(1) + 4);
  pen.fillText(lessons.frequency, 2, height - 2, width - 2);
  pen.setLineDash([4, 4]);
  pen.beginPath();
  pen.moveTo(x(0), y(1));
  pen.lineTo(x(extent), y(1));
  pen.stroke();
  pen.setLineDash([]);
  if (!head?.rings.length) return;
  pen.strokeStyle = color("active");
  pen.lineWidth = 1.6;
  pen.beginPath();
  for (const [frequency, power] of head.rings) pen.lineTo(x(frequency), y(power));
  pen.stroke();
}
