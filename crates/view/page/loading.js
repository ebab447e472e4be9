// The progress of loading, and meshes that replace the one that is shown.

import { askObject, Refused } from "./ask.js";

// How often the server is asked while it loads, while it watches, and when it does not answer, in ms.
const LOADING = 150;
const WATCHING = 1000;

// Calls `shown` with each new mesh, and whether it is the first.
export function loading(app, shown) {
  const byId = (id) => document.getElementById(id);
  let generation = 0;
  let failed = false;

  const look = async () => {
    let about;
    try {
      about = await askObject("/about");
    } catch (error) {
      app.problem(error, "server");
      failed = true;
      byId("loading").hidden = true;
      if (!(error instanceof Refused && error.status === 401)) setTimeout(look, WATCHING);
      return;
    }
    const title = about.name;
    document.title = `${title} - estoc view`;
    byId("name").textContent = title;
    if (failed || about.problem || app.toldProblem) app.problem(about.problem, "server");
    failed = false;
    app.toldProblem = Boolean(about.problem);
    const now = about.loading;
    byId("loading").hidden = now === null;
    if (now) {
      byId("doing").textContent = `${title}: ${now.doing}${now.share === null ? "" : `, ${Math.floor(now.share * 100)} %`}`;
      if (now.share === null) byId("share").removeAttribute("value");
      else byId("share").value = now.share;
    }
    app.about = about;
    if (about.shown && about.shown.generation !== generation) {
      const isFirst = generation === 0;
      generation = about.shown.generation;
      shown(about, isFirst);
    }
    if (now || !about.shown) setTimeout(look, LOADING);
    else if (about.watched) setTimeout(look, WATCHING);
  };
  look();
}
