/**
 * The table: only the cells in sight are in the document, so that a hundred thousand rows scroll smoothly.
 *
 * A row has a number in its table, and a place among the rows shown, which may be sorted or only some of them.
 * All rows are equally high; those above and below the ones in sight are one empty row of their height each. In
 * a table with many fields, those left and right of the ones in sight are one empty cell each. Rows come from
 * the server in blocks when they come into sight.
 */

import { attributes, draw, element, prefersStillness } from "./dom.js";
import { rowName } from "./formats.js";
import { Overview } from "./overview.js";
import { RowBlocks } from "./row_blocks.js";
import { TableHead } from "./table_head.js";
import { words } from "./words.js";

const SPARE_ROWS = 12;
const MANY_FIELDS = 60;
const FIELDS_AT_A_TIME = 20;
const MARKED = 0.5;
const MANY_ANSWERS = 12; // frames around more than so many cells would be all that one sees
const LONG_CELL = 24;
// Browsers draw nothing beyond some 17 million pixels; with more rows than fit, a pixel stands for several.
const TALLEST = 15_000_000;

/**
 * What to show on top of the cells; rows and fields are told by their numbers.
 *
 * @typedef {object} Picture
 * @property {number[]} weights by field, over the headers; empty for none
 * @property {Map<number, number>} marks of rows, from 0 to 1
 * @property {{row: number, field: number, probability: number}[]} cells that are shaded one by one
 * @property {Map<number, Set<number>>} answers by row, the fields of the cells with a frame
 * @property {Set<number>} used fields that are framed from top to bottom
 * @property {Set<number>} [whole] fields whose cells all are behind the answer, of which the headers are framed
 * @property {boolean} [isCurrent] whether the first rows are the marked ones, even those that marks leaves out
 */
export const NOTHING = { weights: [], marks: new Map(), cells: [], answers: new Map(), used: new Set() };

export class TableView {
  /**
   * @param {Object<string, HTMLElement>} parts scroller, table, caption, columns, head, body, overview
   * @param {(start: number, count: number) => Promise<import("./row_blocks.js").Block>} fetchRows
   * @param {object} hands onSort, onMenu and onWidth for the headers
   */
  constructor(parts, fetchRows, hands) {
    Object.assign(this, { scroller: parts.scroller, table: parts.table, caption: parts.caption, body: parts.body });
    this.fetchRows = fetchRows;
    this.picture = NOTHING;
    this.pointedAt = null;
    this.cursor = null; // the place and field that keys act on
    this.selected = new Set(); // numbers of rows
    this.picked = new Set(); // cells, as "row field"
    this.shown = new Map(); // lines of the document by place
    this.blocks = new RowBlocks(fetchRows, null);
    this.rows = 0;
    this.fields = [];
    this.fieldsShown = [1, 1]; // beside the first one: from, up to
    this.above = spacer();
    this.below = spacer();
    this.head = new TableHead(parts, { ...hands, onLayout: () => this.#soon() });
    this.overview = new Overview(parts.overview, (place) => this.revealPlace(place));
    this.scroller.addEventListener("scroll", () => this.#soon(), { passive: true });
    new ResizeObserver(() => this.#resized()).observe(this.scroller);
  }

  /** Shows another table. @param {import("./row_blocks.js").Block} first its first rows */
  show(table, first) {
    this.fields = table.fields;
    this.picture = NOTHING;
    this.pointedAt = this.cursor = null;
    this.selected.clear();
    this.picked.clear();
    this.name = table.name;
    attributes(this.table, { "aria-colcount": table.fields.length + 1 });
    this.head.show(table);
    this.refill(first);
  }

  /**
   * Shows other rows of the same table, or the same in another order.
   *
   * @param {object} first its first rows, `matching` of them in all; `isInOrder` where those are all rows in
   *   their own order; `counting` says how many of the first are those that count
   */
  refill(first) {
    this.rows = first.matching;
    this.isInOrder = first.isInOrder;
    this.counting = first.counting;
    this.blocks = new RowBlocks(this.fetchRows, first);
    this.head.fit(first.cells);
    this.shown = new Map();
    this.body.replaceChildren(this.above, this.below);
    for (const empty of [this.above, this.below]) empty.firstChild.colSpan = this.fields.length + 1;
    this.caption.textContent = words.caption(this.name, this.rows);
    attributes(this.table, { "aria-rowcount": this.rows + 1, "aria-activedescendant": null });
    this.cursor = null;
    this.scroller.scrollTo(this.scroller.scrollLeft, 0);
    this.#render();
    this.#measure();
  }

  /** Shades headers, rows and cells. @param {Picture} picture */
  paint(picture) {
    this.picture = picture;
    this.head.paint(picture);
    this.table.classList.toggle("many", picture.answers.size > MANY_ANSWERS);
    this.repaint();
  }

  /** Paints the rows in sight again. */
  repaint() {
    this.shown.forEach((line) => this.#paintRow(line));
    this.#drawOverview();
  }

  /** The number of the row at a place; undefined while it is on its way. */
  numberAt(place) {
    return this.blocks.numberAt(place);
  }

  /** The cells of the row at a place; undefined while they are on their way. */
  textsAt(place) {
    return this.blocks.textsAt(place);
  }

  /** Where a row is shown; null where that is not known. */
  placeOf(row) {
    return this.isInOrder ? row : this.blocks.placeOf(row);
  }

  /** Frames one more cell, for as long as a finger or the focus is on what stands for it; null for none. */
  pointAt(cell) {
    this.pointedAt = cell;
    this.repaint();
  }

  /** Puts the keys' cell somewhere and brings it into sight. */
  moveCursor(place, field) {
    this.cursor = {
      place: Math.max(0, Math.min(place, this.rows - 1)),
      field: Math.max(0, Math.min(field, this.fields.length - 1)),
    };
    this.#bringIn(this.cursor.place, this.cursor.field);
    this.#render();
    this.repaint();
    const cell = this.shown.get(this.cursor.place)?.fieldCells.get(this.cursor.field);
    attributes(this.table, { "aria-activedescendant": cell?.id || null });
  }

  /** How many whole rows fit. */
  get rowsInSight() {
    return Math.max(1, Math.floor(this.#room() / (this.rowHeight || 34)));
  }

  /** Brings the row at a place, and a field if one is given, into the middle of what is in sight. */
  revealPlace(place, field = null) {
    const top = Math.max(0, this.#toScroll(place - (this.#room() / this.rowHeight - 1) / 2));
    const isThere = field === null || this.head.isInSight(field);
    this.#scrollTo(top, isThere ? this.scroller.scrollLeft : this.head.leftForAll([field]));
  }

  /** Brings fields into sight unless they are; where not all have room, the first and those near to it. */
  revealFields(fields) {
    if (fields.every((field) => this.head.isInSight(field))) return;
    this.#scrollTo(this.scroller.scrollTop, this.head.leftForAll(fields));
  }

  /** Brings the most read field and the most marked row into sight, unless they, or one marked alike, are. */
  revealPicture() {
    const { weights, marks } = this.picture;
    if (weights.length) this.revealFields([weights.indexOf(Math.max(...weights))]);
    const [first, end] = this.#inSight();
    let most = 0;
    let best = null;
    let isInSight = false;
    marks.forEach((mark, row) => {
      if (mark > most) [most, best] = [mark, row];
    });
    for (let place = first; place < end; place++) {
      isInSight ||= (marks.get(this.numberAt(place)) ?? 0) >= 0.9 * most && this.isPlaceInSight(place);
    }
    if (most >= MARKED && !isInSight) this.revealPlace(this.placeOf(best) ?? 0);
  }

  /** Whether the row at a place is in sight as a whole. */
  isPlaceInSight(place) {
    const top = (place - this.#firstInSight()) * this.rowHeight;
    return top >= -1 && top + this.rowHeight <= this.#room() + 1;
  }

  #room() {
    return this.scroller.clientHeight - this.head.height;
  }

  #bringIn(place, field) {
    const top = (place - this.#firstInSight()) * this.rowHeight;
    const beyond = top + this.rowHeight - this.#room();
    if (top < 0) this.scroller.scrollTop = this.#toScroll(place);
    else if (beyond > 0) this.scroller.scrollTop = this.#toScroll(place - (this.#room() / this.rowHeight - 1));
    if (!this.head.isInSight(field)) this.scroller.scrollLeft = this.head.leftForAll([field]);
  }

  #scrollTo(top, left) {
    const isFar = Math.abs(top - this.scroller.scrollTop) > 4 * this.scroller.clientHeight;
    this.scroller.scrollTo({ top, left, behavior: isFar || prefersStillness() ? "instant" : "smooth" });
  }

  /** Puts the rows in sight into the document and takes out those that have left it. */
  #render() {
    const [first, end] = this.#inSight();
    const hasOtherFields = this.#chooseFields();
    for (const [place, line] of this.shown) {
      if (place >= first && place < end && !hasOtherFields) continue;
      line.remove();
      this.shown.delete(place);
    }
    let next = this.below;
    for (let place = end - 1; place >= first; place--) {
      if (!this.shown.has(place)) {
        const line = this.#makeRow(place);
        this.body.insertBefore(line, next);
        this.shown.set(place, line);
      }
      next = this.shown.get(place);
    }
    const height = this.rowHeight ?? 0;
    const top = this.#toScroll(first) - this.#shift();
    this.above.style.height = `${top}px`;
    this.below.style.height = `${Math.max(0, this.#fullHeight() - top - (end - first) * height)}px`;
    this.#fetchMissing(first, end);
    this.#drawOverview();
  }

  /** Fetches rows in sight that have not come. */
  refresh() {
    this.#render();
  }

  #drawOverview() {
    const isLong = this.rows * (this.rowHeight ?? 0) > this.scroller.clientHeight;
    this.overview.draw(this.picture, this.rows, isLong && this.isInOrder);
  }

  #inSight() {
    if (!this.rowHeight) return [0, Math.min(this.rows, 30)];
    const first = Math.floor(this.#firstInSight()) - SPARE_ROWS;
    const count = Math.ceil(this.scroller.clientHeight / this.rowHeight) + 2 * SPARE_ROWS;
    const start = Math.max(0, Math.min(first, this.rows - count));
    return [start, Math.min(this.rows, start + count)];
  }

  /** Chooses the fields to show, a little more than those in sight; says whether they are others than before. */
  #chooseFields() {
    const count = this.fields.length;
    let [first, end] = [1, count];
    if (count > MANY_FIELDS) {
      const { scrollLeft, clientWidth } = this.scroller;
      const seen = (place) => this.head.edges.findLastIndex((edge) => edge <= place);
      first = Math.max(1, (Math.floor(seen(scrollLeft) / FIELDS_AT_A_TIME) - 1) * FIELDS_AT_A_TIME);
      end = Math.min(count, (Math.floor(seen(scrollLeft + clientWidth) / FIELDS_AT_A_TIME) + 2) * FIELDS_AT_A_TIME);
    }
    const areOthers = this.fieldsShown[0] !== first || this.fieldsShown[1] !== end;
    this.fieldsShown = [first, end];
    return areOthers;
  }

  // Where all rows fit into what a browser draws, a row's place is its number times its height, and the three
  // functions below are the identity in disguise. Where they do not, places are squeezed.
  #fullHeight() {
    return Math.min(this.rows * (this.rowHeight ?? 0), TALLEST);
  }

  #squeeze() {
    const real = this.rows * this.rowHeight;
    return real <= TALLEST ? 1 : (TALLEST - this.#room()) / (real - this.#room());
  }

  #firstInSight() {
    return this.scroller.scrollTop / this.#squeeze() / this.rowHeight;
  }

  #toScroll(place) {
    return place * (this.rowHeight ?? 0) * (this.rowHeight ? this.#squeeze() : 1);
  }

  /** How far the rows in the document start above the place of the first of them, where places are squeezed. */
  #shift() {
    if (!this.rowHeight || this.#squeeze() === 1) return 0;
    const [first] = this.#inSight();
    const wanted = this.scroller.scrollTop - (this.#firstInSight() - first) * this.rowHeight;
    return this.#toScroll(first) - Math.max(0, wanted);
  }

  #makeRow(place) {
    const number = element("th", { scope: "row" }, element("span", { className: "mark" }));
    number.append(element("span"), element("span", { className: "hidden" }));
    const line = element("tr", { place }, number);
    attributes(line, { "aria-rowindex": place + 2 });
    this.#makeCells(line);
    this.#fillRow(line);
    this.#paintRow(line);
    return line;
  }

  /** Adds the cells of the fields shown, and gaps for the others; line.fieldCells finds them by field. */
  #makeCells(line) {
    const [first, end] = this.fieldsShown;
    const gap = (colSpan) => (colSpan > 0 ? [element("td", { className: "gap", colSpan })] : []);
    const cell = (field) => {
      const made = element("td", { className: this.fields[field].type, field, id: `cell-${line.place}-${field}` });
      attributes(made, { "aria-colindex": field + 2 });
      line.fieldCells.set(field, made);
      return made;
    };
    line.fieldCells = new Map();
    line.append(cell(0), ...gap(first - 1));
    for (let field = first; field < end; field++) line.append(cell(field));
    line.append(...gap(this.fields.length - Math.max(end, 1)));
  }

  #fillRow(line) {
    const texts = this.textsAt(line.place);
    line.classList.toggle("waiting", !texts);
    if (!texts) return;
    line.number = this.numberAt(line.place);
    // An engine that has no order of its own does not number its rows.
    line.cells[0].children[1].textContent = line.number === null ? "·" : rowName(line.number);
    line.fieldCells.forEach((cell, field) => {
      const text = texts[field];
      cell.textContent = text;
      if (text.length > LONG_CELL) cell.title = text.slice(0, 1000);
    });
  }

  #paintRow(line) {
    const { marks, cells, answers, used, weights, isCurrent } = this.picture;
    const row = line.number;
    const mark = marks.get(row) ?? (isCurrent && line.place < this.counting ? 1 : 0);
    const isSelected = this.selected.has(row);
    draw(line, "mark", mark);
    draw(line, "shade", mark ** 1.5); // so that rows with a little of everything do not drown those that matter
    line.classList.toggle("marked", mark >= MARKED);
    line.classList.toggle("selected", isSelected);
    attributes(line, { "aria-selected": isSelected ? "true" : null });
    line.cells[0].title = weights.length ? words.marked(mark) : "";
    line.cells[0].lastChild.textContent = mark >= MARKED ? words.rowCounts(weights.length > 0) : "";
    const shares = new Map(
      cells.filter((cell) => cell.row === row).map(({ field, probability }) => [field, probability]),
    );
    line.fieldCells.forEach((cell, field) => {
      const is = (name, value) => cell.classList.toggle(name, value);
      is("answer", answers.get(row)?.has(field) ?? false);
      is("used", used.has(field));
      is("shaded", shares.has(field));
      is("pointed", this.pointedAt !== null && this.pointedAt.row === row && this.pointedAt.field === field);
      is("picked", this.picked.has(`${row} ${field}`));
      is("cursor", this.cursor?.place === line.place && this.cursor.field === field);
      if (shares.has(field)) draw(cell, "share", shares.get(field));
    });
  }

  async #fetchMissing(first, end) {
    const { blocks } = this;
    for await (const [from, to] of blocks.fetchMissing(first, end)) {
      if (blocks !== this.blocks) return; // other rows by now
      this.head.fit(blocks.cellsFrom(from));
      this.shown.forEach((line, place) => {
        if (place < from || place >= to) return;
        this.#fillRow(line);
        this.#paintRow(line);
      });
    }
  }

  #soon() {
    this.pending ??= requestAnimationFrame(() => {
      this.pending = null;
      this.#tellMore();
      this.#render();
    });
  }

  /** A shade on the right says that there are more fields. */
  #tellMore() {
    const { scroller, table } = this;
    const frame = scroller.parentElement;
    frame.classList.toggle("more-fields", scroller.scrollLeft + scroller.clientWidth < table.offsetWidth - 1);
    draw(frame, "beside", `${frame.clientWidth - scroller.clientWidth}px`);
  }

  #measure() {
    const height = this.shown.values().next().value?.getBoundingClientRect().height;
    if (!height || height === this.rowHeight) return;
    this.rowHeight = height;
    this.#render();
  }

  #resized() {
    if (!this.rows) return;
    this.head.resized();
    this.#measure();
    this.#render();
  }
}

function spacer() {
  const line = element("tr", { className: "spacer" }, element("td"));
  return attributes(line, { "aria-hidden": "true" });
}
