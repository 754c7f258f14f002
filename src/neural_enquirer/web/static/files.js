/** Files, chosen or dropped. */

import { page } from "./dom.js";

/** @param {(file: File) => Promise<void>} onFile */
export function listenForFiles(onFile) {
  for (const opener of [page.open, page.choose]) opener.addEventListener("click", () => page.file.click());
  page.file.addEventListener("change", () => {
    const [file] = page.file.files;
    onFile(file).finally(() => (page.file.value = ""));
  });
  listenForDrops(onFile);
}

function listenForDrops(onFile) {
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
    onFile(event.dataTransfer.files[0]);
  });
}
