// The controls beside the picture, and how answers are written.

// Replaces an answer by a sentence.
export function say(answer, text) {
  const line = document.createElement("p");
  line.textContent = text;
  answer.replaceChildren(line);
}

// Adds named values, those that there are.
export function list(answer, rows) {
  const names = document.createElement("dl");
  for (const [name, value] of rows) {
    if (value === null || value === undefined) continue;
    names.append(Object.assign(document.createElement("dt"), { textContent: name }));
    names.append(Object.assign(document.createElement("dd"), { textContent: value }));
  }
  answer.append(names);
}

// Adds a command, with a button that copies it.
export function command(answer, title, text) {
  const heading = document.createElement("p");
  heading.textContent = `${title} `;
  const copy = Object.assign(document.createElement("button"), { type: "button", textContent: "Copy" });
  copy.setAttribute("aria-label", "Copy the command");
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      copy.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(shown);
    }
  });
  heading.append(copy);
  const shown = Object.assign(document.createElement("pre"), { textContent: text, tabIndex: 0 });
  answer.append(heading, shown);
}

export function panel(app, { save, copy, section }) {
  const byId = (id) => document.getElementById(id);
  const [shade, heat, first, ortho] = ["shade", "heat", "first-person", "ortho"].map(byId);
  const modes = [...document.querySelectorAll("input[name=mode]")];
  let before = null;

  app.setShade = (name) => {
    if (name !== "heat") before = name;
    app.shade = name;
    shade.value = name;
    heat.checked = name === "heat";
    shade.title = shade.selectedOptions[0]?.title ?? "";
    if (app.view) app.changed();
  };
  app.setMode = (mode) => {
    app.mode = mode;
    for (const input of modes) input.checked = input.value === mode;
    app.linkChanged?.();
  };

  shade.addEventListener("change", () => app.setShade(shade.value));
  heat.addEventListener("change", () => app.setShade(heat.checked ? "heat" : before));
  for (const input of modes) input.addEventListener("change", () => app.setMode(input.value));
  first.addEventListener("change", () => {
    app.firstPerson = first.checked;
    app.linkChanged();
  });
  ortho.addEventListener("change", () => {
    app.toggleOrtho();
    // There may be no view, or none of the other kind.
    ortho.checked = Boolean(app.view?.ortho);
  });
  byId("whole").addEventListener("click", () => app.whole());
  byId("save").addEventListener("click", save);
  byId("copy").addEventListener("click", copy);

  return {
    // Shows the shades that the mesh or scene has.
    about({ shown }) {
      shade.replaceChildren(...shown.shades.map(({ name, description }) =>
        Object.assign(document.createElement("option"), { value: name, textContent: name, title: description })));
      byId("heat-label").hidden = !shown.shades.some(({ name }) => name === "heat");
      byId("section").hidden = shown.scene;
      const names = shown.shades.map(({ name }) => name);
      if (!names.includes(before)) [before] = names;
      app.setShade(names.includes(app.shade) ? app.shade : before);
      section.change();
    },
    nextShade(step) {
      const count = shade.options.length;
      app.setShade(shade.options[(shade.selectedIndex + step + count) % count].value);
    },
    heat: () => byId("heat-label").hidden || heat.click(),
    section: () => byId("section").hidden || section.toggle(),
    firstPerson: () => first.click(),
    // Tells whether the view is orthographic.
    orthographic: (isIt) => (ortho.checked = isIt),
    save,
    copy,
  };
}
