// The time of moving objects: it runs, pauses, and goes on step by step.

const STEP = 1 / 30;

export function clock(app) {
  const byId = (id) => document.getElementById(id);
  const [box, pause, output] = [byId("clock"), byId("pause"), byId("time")];
  let before = null;

  const show = () => {
    pause.textContent = app.playing ? "Pause" : "Play";
    output.textContent = app.time === null ? "" : `${app.time.toFixed(3)} s`;
  };

  const tick = (now) => {
    if (!app.playing) {
      before = null;
      return;
    }
    if (before !== null) {
      app.time += Math.min(0.25, (now - before) / 1000);
      show();
      app.changed();
    }
    before = now;
    requestAnimationFrame(tick);
  };

  const play = (plays) => {
    if (app.time === null || plays === app.playing) return;
    app.playing = plays;
    show();
    if (plays) requestAnimationFrame(tick);
    else app.changed();
  };

  const set = (time) => {
    if (app.time === null) return;
    app.time = time;
    show();
    app.changed();
  };

  const step = (steps) => {
    play(false);
    set(app.time + steps * STEP);
  };

  pause.addEventListener("click", () => play(!app.playing));
  byId("step").addEventListener("click", () => step(1));
  byId("back").addEventListener("click", () => step(-1));
  app.setTime = (time) => {
    play(false);
    set(time);
  };

  return {
    step,
    toggle: () => play(!app.playing),
    // Begins at the time of the scene; null where nothing moves.
    about(time) {
      app.time = time;
      box.hidden = time === null;
      show();
      if (!matchMedia("(prefers-reduced-motion: reduce)").matches) play(true);
    },
  };
}
