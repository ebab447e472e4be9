// Frames: one request under way. While the view changes, the resolution falls as far as a frame would take
// longer than a thirtieth of a second; when it is still, the frame is refined sample by sample.

import { ask, client, Refused } from "./ask.js";
import { rounded } from "./view.js";

const GOAL = 33;
const LEAST = 1 / 8;
// How long the view must be still before it is refined, in ms.
const STILL = 150;
// How long a step of refinement should take at least, in ms.
const STEP = 120;
const SAMPLES = 16;

export class Frames {
  // `app` has view, size, shade and time; `shown` is called with what each frame shows.
  constructor(app, canvas, shown, failed) {
    Object.assign(this, { app, canvas, shown, failed });
    this.context = canvas.getContext("2d");
    this.share = 1;
    this.wanted = 0;
    this.done = 0;
    this.samples = 0;
    // The samples that one step of refinement adds.
    this.step = 1;
    this.count = 0;
    this.changedAt = -Infinity;
  }

  // Asks for a frame of what the app shows now.
  changed() {
    this.wanted += 1;
    this.samples = 0;
    this.changedAt = performance.now();
    // A refinement of what is no longer wanted ends; a quick frame is shown.
    if (this.refining) this.abort.abort();
    this.pump();
  }

  async pump() {
    if (this.busy || !this.app.view) return;
    this.busy = true;
    try {
      while (await this.next());
    } finally {
      this.busy = false;
    }
  }

  // Shows one more frame. Returns whether another one may be needed.
  async next() {
    const serial = this.wanted;
    if (this.done !== serial) {
      const start = performance.now();
      const shown = await this.frame(this.share, 1, this.share === 1);
      if (!shown) return this.done !== this.wanted;
      this.adapt(performance.now() - start);
      this.done = serial;
      this.samples = shown.whole ? 1 : 0;
      return true;
    }
    if (this.samples >= SAMPLES) return false;
    const wait = this.changedAt + STILL - performance.now();
    if (wait > 0) {
      // Not here, where a view that changes meanwhile would wait, too.
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.pump(), wait);
      return false;
    }
    this.refining = true;
    const start = performance.now();
    const samples = Math.min(SAMPLES, this.samples + (this.samples ? this.step : 1));
    const shown = await this.frame(1, samples, true);
    this.refining = false;
    if (shown && this.wanted === serial) {
      const took = performance.now() - start;
      const each = took / (samples - this.samples);
      this.step = Math.max(1, Math.floor(STEP / each));
      this.samples = samples;
    }
    return true;
  }

  // Sets the resolution of the next frame while the view changes.
  adapt(took) {
    this.took = took;
    if (took > GOAL) {
      this.share = Math.max(LEAST, this.share * Math.max(0.5, Math.sqrt(GOAL / took) * 0.95));
    } else if (this.share < 1 && took < 0.8 * GOAL) {
      this.share = Math.min(1, this.share * Math.min(1.4, Math.sqrt((0.9 * GOAL) / took)));
      if (this.share > 0.95) this.share = 1;
    }
  }

  // Asks for a frame and draws it. Returns what it shows, or null.
  async frame(share, samples, legend) {
    const { app } = this;
    const size = app.size.map((side) => Math.max(1, Math.round(side * share)));
    const seen = { ...rounded(app.view), size, ...(app.time === null ? {} : { time: app.time }) };
    const body = { client, ...seen, shade: app.shade, samples, legend };
    this.abort = new AbortController();
    try {
      const response = await ask("/frame", body, this.abort.signal);
      const bytes = new Uint8ClampedArray(await response.arrayBuffer());
      if (this.canvas.width !== size[0] || this.canvas.height !== size[1]) {
        [this.canvas.width, this.canvas.height] = size;
      }
      this.context.putImageData(new ImageData(bytes, ...size), 0, 0);
      this.count += 1;
      const whole = share === 1;
      const shown = { ...seen, samples, whole, shade: app.shade, legend };
      this.shown(shown);
      return shown;
    } catch (error) {
      if (error.name === "AbortError") return null;
      if (error instanceof Refused && (error.status === 503 || error.status === 409)) {
        await new Promise((resolve) => setTimeout(resolve, 200));
        return null;
      }
      this.samples = SAMPLES;
      this.done = this.wanted;
      this.failed(error);
      return null;
    }
  }
}
