// Saves the picture that `estoc render` makes of the same view, shade and samples, without marks.

import { ask, client } from "./ask.js";
import { command, say } from "./panel.js";
import { rounded } from "./view.js";

const SAMPLES = 16;

export function save(app, answer) {
  let busy = false;
  return async () => {
    if (busy || !app.view) return;
    busy = true;
    say(answer, "Painting the picture.");
    const time = app.time === null ? {} : { time: app.shown?.time ?? app.time };
    const body = { client, ...rounded(app.view), size: app.size, ...time, shade: app.shade, samples: SAMPLES };
    try {
      const response = await ask("/picture", body);
      const address = URL.createObjectURL(await response.blob());
      const link = document.createElement("a");
      Object.assign(link, { href: address, download: "picture.png" });
      link.click();
      setTimeout(() => URL.revokeObjectURL(address), 60000);
      say(answer, "The picture is saved as picture.png in the folder of downloads.");
      command(answer, "The same file:", decodeURIComponent(response.headers.get("estoc-command")));
    } catch (error) {
      app.problem(error);
      say(answer, "The picture is not saved.");
    }
    busy = false;
  };
}
