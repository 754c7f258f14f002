/** Files, chosen or dropped. */

import { page } from "./dom.js";

/** @param {(files: File[]) => Promise<void>} onFiles */
export function listenForFiles(onFiles) {
  for (const opener of [page.open, page.choose]) opener.addEventListener("click", () => page.file.click());
  page.file.addEventListener("change", () => {
    onFiles([...page.file.files]).finally(() => (page.file.value = ""));
  });
  listenForDrops(onFiles);
}

function listenForDrops(onFiles) {
  let depth = 0; // enter and leave come for every element on the way
  const holdsFiles = (event) => event.dataTransfer?.types.includes("Files");
  const count = (change) => (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    depth += change;
    document.body.classList.toggle("dropping", depth > 0);
  };
  addEventListener("dragenter", count(1));
  addEventListener("dragleave", count(-1));
  addEventListener("dragover", (event) => holdsFiles(event) && event.preventDefault());
  addEventListener("drop", (event) => {
    if (!holdsFiles(event)) return;
    count(-depth)(event);
    onFiles([...event.dataTransfer.files]);
  });
}
