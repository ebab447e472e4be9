// Saves the picture that `estoc render` makes of the same view, shade and samples, without marks.

import { ask, askObject, client } from "./ask.js";
import { command, say } from "./panel.js";
import { rounded } from "./view.js";

const SAMPLES = 16;
// How often the server is asked for the progress, in ms.
const LOOK = 250;

// Tells the progress and the end in `notice`.
export function save(app, notice) {
  let busy = false;
  return async () => {
    if (busy || !app.view) return;
    busy = true;
    say(notice, "Painting the picture.");
    const bar = document.createElement("progress");
    bar.setAttribute("aria-label", "Progress of the picture");
    notice.append(bar);
    notice.scrollIntoView({ block: "nearest" });
    const look = setInterval(() => askObject("/progress", { client }).then(({ share }) => {
      if (share !== null) bar.value = share;
    }, () => {}), LOOK);
    const time = app.time === null ? {} : { time: app.shown?.time ?? app.time };
    const body = { client, ...rounded(app.view), size: app.size, ...time, shade: app.shade, samples: SAMPLES };
    try {
      const response = await ask("/picture", body);
      const address = URL.createObjectURL(await response.blob());
      const link = document.createElement("a");
      Object.assign(link, { href: address, download: "picture.png" });
      link.click();
      setTimeout(() => URL.revokeObjectURL(address), 60000);
      say(notice, "The picture is saved as picture.png in the folder of downloads.");
      command(notice, "The same file:", decodeURIComponent(response.headers.get("estoc-command")));
    } catch (error) {
      app.problem(error);
      say(notice, "The picture is not saved.");
    }
    clearInterval(look);
    notice.scrollIntoView({ block: "nearest" });
    busy = false;
  };
}
