/** Hands on the table: a cell to move with the keys, rows to select and copy, cells and rows to pick. */

import { page } from "./dom.js";
import { say } from "./messages.js";
import { words } from "./words.js";

export class TableHands {
  /**
   * @param {import("./table_view.js").TableView} view
   * @param {() => void} onSelection called when other rows are selected
   */
  constructor(view, onSelection) {
    this.view = view;
    this.onSelection = onSelection;
    this.selected = new Map(); // the cells of selected rows by their number
    this.last = null; // the place selected last, from which a range goes
    this.onPick = null; // where cells and rows are being picked: called with a row, and a field or null
    view.table.addEventListener("keydown", (event) => this.#onKey(event));
    view.table.addEventListener("click", (event) => this.#onClick(event));
  }

  /** Selects nothing. */
  clear() {
    this.selected.clear();
    this.last = null;
    this.#tell();
  }

  #onClick(event) {
    const cell = event.target.closest("tbody th, tbody td");
    const line = cell?.parentElement;
    if (line?.number === undefined || line.number === null) return;
    if (cell.field !== undefined) this.view.moveCursor(line.place, cell.field);
    if (this.onPick) this.onPick(line.number, cell.field ?? null);
    else if (cell.scope === "row") this.#select(line.place, event.shiftKey);
  }

  #onKey(event) {
    if (event.target !== this.view.table || event.altKey) return;
    const { place, field } = this.view.cursor ?? { place: -1, field: 0 };
    const leap = this.view.rowsInSight;
    const moves = {
      ArrowDown: [place + 1, field],
      ArrowUp: [place - 1, field],
      ArrowLeft: [place, field - 1],
      ArrowRight: [place, field + (this.view.cursor ? 1 : 0)],
      PageDown: [place + leap, field],
      PageUp: [place - leap, field],
      Home: [0, field],
      End: [this.view.rows - 1, field],
    };
    const move = moves[event.key];
    if (move && !event.ctrlKey && !event.metaKey) this.view.moveCursor(...move);
    else if ([" ", "Enter"].includes(event.key) && place >= 0) this.#act(place, field, event.shiftKey);
    else if (event.key === "Escape" && this.selected.size) this.clear();
    else if (event.key === "c" && (event.ctrlKey || event.metaKey) && !getSelection().toString()) page.copy.click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #act(place, field, isRange) {
    if (!this.onPick) this.#select(place, isRange);
    else if (Number.isInteger(this.view.numberAt(place)))
      this.onPick(this.view.numberAt(place), isRange ? null : field);
  }

  /** Selects a row, or no longer; with a range, all rows from the one selected last. */
  #select(place, isRange) {
    const from = isRange && this.last !== null ? this.last : place;
    const isOn = isRange || !this.selected.has(this.view.numberAt(place));
    for (let each = Math.min(from, place); each <= Math.max(from, place); each++) {
      const number = this.view.numberAt(each);
      if (number === undefined || number === null) continue;
      if (isOn) this.selected.set(number, this.view.textsAt(each));
      else this.selected.delete(number);
    }
    this.last = place;
    this.#tell();
    say(words.selected(this.selected.size));
  }

  #tell() {
    this.view.selected = new Set(this.selected.keys());
    this.view.repaint();
    this.onSelection();
  }
}
