/**
 * The table: only the cells in sight are in the document, so that a hundred thousand rows scroll smoothly.
 *
 * All rows are equally high; rows above and below those in sight are one empty row of their height each. In a
 * table with many fields, those left and right of the ones in sight are one empty cell each. Cells come from
 * the server in blocks when they come into sight.
 */

import { counted, draw, element, percent, prefersStillness, rowName } from "./dom.js";

const BLOCK = 200;
const MOST_BLOCKS = 100;
const SPARE_ROWS = 12;
const MANY_FIELDS = 60;
const FIELDS_AT_A_TIME = 20;
const MARKED = 0.5;
// A column is as wide as the widest text of its first block, within limits in ems.
const NARROWEST = 2.5;
const WIDEST = 17;
const TEXTS_TO_MEASURE = 5;
const LONG_CELL = 24;
// Browsers draw nothing beyond some 17 million pixels; with more rows than fit, a pixel stands for several.
const TALLEST = 15_000_000;

/**
 * What to show on top of the cells.
 *
 * @typedef {object} Picture
 * @property {number[]} weights by field, over the headers; empty for none
 * @property {number[]} marks by row; empty for none
 * @property {{row: number, field: number, probability: number}[]} cells that are shaded one by one
 * @property {Map<number, Set<number>>} answers by row, the fields of the cells with a frame
 */
const NOTHING = { weights: [], marks: [], cells: [], answers: new Map() };

export class TableView {
  /**
   * @param {Object<string, HTMLElement>} parts scroller, table, caption, columns, head, body, overview
   * @param {(start: number, count: number) => Promise<string[][]>} fetchCells
   */
  constructor(parts, fetchCells) {
    Object.assign(this, parts);
    this.fetchCells = fetchCells;
    this.picture = NOTHING;
    this.pointedAt = null;
    this.shown = new Map();
    this.blocks = new Map();
    this.rows = 0;
    this.fields = [];
    this.edges = []; // where each field starts, in pixels
    this.fieldsShown = [1, 1]; // beside the first one: from, up to
    this.above = spacer();
    this.below = spacer();
    this.scroller.addEventListener("scroll", () => this.#soon(), { passive: true });
    new ResizeObserver(() => this.#resized()).observe(this.scroller);
    this.overview.addEventListener("pointerdown", (event) => this.#followOverview(event));
  }

  /** Shows another table, from its first row. */
  show(table) {
    this.rows = table.rows;
    this.fields = table.fields;
    this.picture = NOTHING;
    this.pointedAt = null;
    this.blocks = new Map([[0, table.cells]]);
    this.#clear();
    this.caption.textContent = `${table.name}: ${counted(table.rows_there, "row")}`;
    this.table.setAttribute("aria-rowcount", table.rows + 1);
    this.table.setAttribute("aria-colcount", table.fields.length + 1);
    this.#layOutColumns(table.cells);
    this.#makeHead();
    this.scroller.scrollTo(0, 0);
    this.edges = [...this.head.rows[0].cells].slice(1).map((header) => header.offsetLeft);
    this.#render();
    this.#measure();
  }

  /** Shades headers, rows and cells. @param {Picture} picture */
  paint(picture) {
    this.picture = picture;
    this.#paintHead();
    this.shown.forEach((line, row) => this.#paintRow(line, row));
    this.#drawOverview();
  }

  /** Frames one more cell, for as long as a finger or the focus is on what stands for it; null for none. */
  pointAt(cell) {
    const rows = [this.pointedAt?.row, cell?.row];
    this.pointedAt = cell;
    for (const row of rows) if (this.shown.has(row)) this.#paintRow(this.shown.get(row), row);
  }

  /** Brings a cell, or with no field a row, into the middle of what is in sight. */
  reveal(row, field = null) {
    const room = this.scroller.clientHeight - this.head.offsetHeight;
    const top = Math.max(0, this.#toScroll(row - (room / this.rowHeight - 1) / 2));
    const left = field === null ? this.scroller.scrollLeft : this.#leftFor(field);
    this.#scrollTo(top, left);
  }

  /** Brings the most read field and the most marked row into sight, unless they, or one marked alike, are. */
  revealPicture() {
    const { weights, marks } = this.picture;
    const field = weights.length ? weights.indexOf(Math.max(...weights)) : null;
    const [first, end] = this.#inSight();
    const most = marks.reduce((highest, mark) => Math.max(highest, mark), 0);
    const isMarkedInSight = marks.slice(first, end).some((mark, place) => mark >= 0.9 * most && this.isInSight(first + place));
    const fieldToReveal = field === null || this.#isFieldInSight(field) ? null : field;
    if (marks.length && most >= MARKED && !isMarkedInSight) this.reveal(marks.indexOf(most), fieldToReveal);
    else if (fieldToReveal !== null) this.#scrollTo(this.scroller.scrollTop, this.#leftFor(field));
  }

  /** Whether a row is in sight as a whole. */
  isInSight(row) {
    const top = (row - this.#firstInSight()) * this.rowHeight;
    return top >= 0 && top + this.rowHeight <= this.scroller.clientHeight - this.head.offsetHeight;
  }

  #scrollTo(top, left) {
    const isFar = Math.abs(top - this.scroller.scrollTop) > 4 * this.scroller.clientHeight;
    this.scroller.scrollTo({ top, left, behavior: isFar || prefersStillness() ? "instant" : "smooth" });
  }

  #isFieldInSight(field) {
    const cells = this.head.rows[0].cells;
    const box = cells[field + 1].getBoundingClientRect();
    const room = this.scroller.getBoundingClientRect();
    return box.left >= room.left + cells[0].offsetWidth - 1 && box.right <= room.right + 1;
  }

  #clear() {
    this.shown = new Map();
    this.body.replaceChildren(this.above, this.below);
    for (const empty of [this.above, this.below]) empty.firstChild.colSpan = this.fields.length + 1;
  }

  #layOutColumns(cells) {
    const texts = this.fields.map(({ name }, column) => [
      name,
      ...longest(cells.map((line) => line[column]), TEXTS_TO_MEASURE),
    ]);
    const [rowNumbers, ...measured] = widest(this.scroller, [[rowName(this.rows - 1), "row"], ...texts]);
    const widths = measured.map((ems) => Math.min(Math.max(ems, NARROWEST), WIDEST));
    this.columns.replaceChildren(
      ...[rowNumbers, ...widths].map((ems) => {
        const column = element("col");
        draw(column, "ems", ems);
        return column;
      }),
    );
    draw(this.table, "row-ems", rowNumbers);
    draw(this.table, "ems", widths.reduce((sum, ems) => sum + ems, rowNumbers));
    draw(this.table, "fields", this.fields.length);
  }

  #makeHead() {
    const corner = element("th", { scope: "col", className: "corner", textContent: "row" });
    const headers = this.fields.map(({ name, type }, column) => {
      const weight = element("span", { className: "weight" }, element("span"), element("b"));
      weight.setAttribute("aria-hidden", "true");
      const header = element("th", { scope: "col", className: type, title: `${name} (${type})` }, weight);
      header.append(element("span", { className: "name", textContent: name }));
      header.setAttribute("aria-colindex", column + 2);
      return header;
    });
    const line = element("tr", {}, corner, ...headers);
    line.setAttribute("aria-rowindex", 1);
    this.head.replaceChildren(line);
    this.#paintHead();
  }

  #paintHead() {
    const { weights, answers } = this.picture;
    const answering = new Set([...answers.values()].flatMap((fields) => [...fields]));
    this.head.classList.toggle("weighed", weights.length > 0);
    [...this.head.rows[0].cells].slice(1).forEach((header, field) => {
      const weight = weights[field] ?? 0;
      draw(header, "weight", weight);
      header.querySelector("b").textContent = weight >= 0.005 ? percent(weight) : "";
      header.classList.toggle("read", weight >= 0.2);
      header.classList.toggle("full", weight >= 0.6);
      header.classList.toggle("answers", answering.has(field));
    });
  }

  /** Puts the rows in sight into the document and takes out those that have left it. */
  #render() {
    const [first, end] = this.#inSight();
    const hasOtherFields = this.#chooseFields();
    for (const [row, line] of this.shown) {
      if (row >= first && row < end && !hasOtherFields) continue;
      line.remove();
      this.shown.delete(row);
    }
    let next = this.below;
    for (let row = end - 1; row >= first; row--) {
      if (!this.shown.has(row)) {
        const line = this.#makeRow(row);
        this.body.insertBefore(line, next);
        this.shown.set(row, line);
      }
      next = this.shown.get(row);
    }
    const height = this.rowHeight ?? 0;
    const top = this.#toScroll(first) - this.#shift();
    this.above.style.height = `${top}px`;
    this.below.style.height = `${Math.max(0, this.#fullHeight() - top - (end - first) * height)}px`;
    this.#fetchMissing(first, end);
    this.#drawOverview();
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
      const seen = (place) => this.edges.findLastIndex((edge) => edge <= place);
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
    const room = this.scroller.clientHeight - this.head.offsetHeight;
    return real <= TALLEST ? 1 : (TALLEST - room) / (real - room);
  }

  #firstInSight() {
    return this.scroller.scrollTop / this.#squeeze() / this.rowHeight;
  }

  #toScroll(row) {
    return row * (this.rowHeight ?? 0) * (this.rowHeight ? this.#squeeze() : 1);
  }

  /** How far the rows in the document start above the place of the first of them, where places are squeezed. */
  #shift() {
    if (!this.rowHeight || this.#squeeze() === 1) return 0;
    const [first] = this.#inSight();
    const wanted = this.scroller.scrollTop - (this.#firstInSight() - first) * this.rowHeight;
    return this.#toScroll(first) - Math.max(0, wanted);
  }

  #makeRow(row) {
    const number = element("th", { scope: "row" }, element("span", { className: "mark" }));
    number.append(element("span", { textContent: rowName(row) }), element("span", { className: "hidden" }));
    const line = element("tr", {}, number);
    line.setAttribute("aria-rowindex", row + 2);
    this.#makeCells(line);
    this.#fillRow(line, row);
    this.#paintRow(line, row);
    return line;
  }

  /** Adds the cells of the fields shown, and gaps for the others; line.fieldCells finds them by field. */
  #makeCells(line) {
    const [first, end] = this.fieldsShown;
    const gap = (colSpan) => (colSpan > 0 ? [element("td", { className: "gap", colSpan })] : []);
    const cell = (field) => {
      const made = element("td", { className: this.fields[field].type });
      made.setAttribute("aria-colindex", field + 2);
      line.fieldCells.set(field, made);
      return made;
    };
    line.fieldCells = new Map();
    line.append(cell(0), ...gap(first - 1));
    for (let field = first; field < end; field++) line.append(cell(field));
    line.append(...gap(this.fields.length - Math.max(end, 1)));
  }

  #fillRow(line, row) {
    const texts = this.blocks.get(Math.floor(row / BLOCK))?.[row % BLOCK];
    line.classList.toggle("waiting", !texts);
    if (!texts) return;
    line.fieldCells.forEach((cell, field) => {
      const text = texts[field];
      cell.textContent = text;
      if (text.length > LONG_CELL) cell.title = text.slice(0, 1000);
    });
  }

  #paintRow(line, row) {
    const { marks, cells, answers } = this.picture;
    const mark = marks[row] ?? 0;
    draw(line, "mark", mark);
    draw(line, "shade", mark ** 1.5); // so that rows with a little of everything do not drown those that matter
    line.classList.toggle("marked", mark >= MARKED);
    line.cells[0].title = marks.length ? `marked ${mark.toFixed(2)}` : "";
    line.cells[0].lastChild.textContent = mark >= MARKED ? " marked" : "";
    for (const cell of line.querySelectorAll(".answer, .pointed, .shaded")) {
      cell.classList.remove("answer", "pointed", "shaded");
    }
    for (const { row: place, field, probability } of cells) {
      const cell = line.fieldCells.get(field);
      if (place !== row || !cell) continue;
      cell.classList.add("shaded");
      draw(cell, "share", probability);
    }
    answers.get(row)?.forEach((field) => line.fieldCells.get(field)?.classList.add("answer"));
    if (this.pointedAt?.row === row) line.fieldCells.get(this.pointedAt.field)?.classList.add("pointed");
  }

  #fetchMissing(first, end) {
    for (let block = Math.floor(first / BLOCK); block * BLOCK < end; block++) {
      if (!this.blocks.has(block)) this.#fetchBlock(block);
    }
  }

  async #fetchBlock(block) {
    const { blocks } = this;
    blocks.set(block, undefined); // on its way
    try {
      const cells = await this.fetchCells(block * BLOCK, BLOCK);
      blocks.set(block, cells);
    } catch {
      blocks.delete(block); // asked for again when it next comes into sight
      return;
    }
    if (blocks !== this.blocks) return; // another table by now
    this.shown.forEach((line, row) => Math.floor(row / BLOCK) === block && this.#fillRow(line, row));
    if (blocks.size > MOST_BLOCKS) this.#forgetBlocks(block);
  }

  /** Keeps the blocks near the one in sight. */
  #forgetBlocks(near) {
    const distant = [...this.blocks.keys()].sort((a, b) => Math.abs(b - near) - Math.abs(a - near));
    distant.slice(0, this.blocks.size - MOST_BLOCKS).forEach((block) => this.blocks.delete(block));
  }

  #soon() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = null;
      this.#render();
    });
  }

  #measure() {
    const line = this.shown.values().next().value;
    const height = line?.getBoundingClientRect().height;
    if (!height || height === this.rowHeight) return;
    this.rowHeight = height;
    this.#render();
  }

  #resized() {
    if (!this.rows) return;
    this.#measure();
    this.#render();
  }

  #leftFor(field) {
    const header = this.head.rows[0].cells[field + 1];
    const room = this.scroller.clientWidth;
    return header.offsetLeft + header.offsetWidth / 2 - room / 2;
  }

  /** A strip beside a long table: where its marked rows are, and the answer. */
  #drawOverview() {
    const { overview, picture } = this;
    const isLong = this.rows * (this.rowHeight ?? 0) > this.scroller.clientHeight;
    overview.hidden = !isLong || !(picture.marks.length || picture.answers.size);
    if (overview.hidden) return;
    const height = overview.clientHeight;
    if (overview.height !== height) Object.assign(overview, { width: 10, height });
    const context = overview.getContext("2d");
    const style = getComputedStyle(overview);
    context.clearRect(0, 0, overview.width, height);
    context.fillStyle = style.getPropertyValue("color");
    const lineHeight = Math.max(1, height / this.rows);
    strongestByPixel(picture.marks, height).forEach((mark, pixel) => {
      context.globalAlpha = mark ** 2;
      context.fillRect(0, pixel, overview.width, Math.ceil(lineHeight));
    });
    context.globalAlpha = 1;
    context.fillStyle = style.getPropertyValue("outline-color");
    for (const row of picture.answers.keys()) {
      context.fillRect(0, (row / this.rows) * height, overview.width, Math.max(3, lineHeight));
    }
  }

  #followOverview(event) {
    const place = event.offsetY / this.overview.clientHeight;
    this.reveal(Math.min(this.rows - 1, Math.floor(place * this.rows)));
  }
}

function spacer() {
  const line = element("tr", { className: "spacer" }, element("td"));
  line.setAttribute("aria-hidden", "true");
  return line;
}

/** How wide the widest text of each group is in the table's font, in ems; all are laid out at once. */
function widest(place, groups) {
  const ruler = element("div", { className: "ruler" });
  ruler.append(
    ...groups.map((texts) =>
      element("div", {}, ...texts.map((text) => element("span", { textContent: text.slice(0, 100) }))),
    ),
  );
  place.append(ruler);
  const em = parseFloat(getComputedStyle(ruler).fontSize);
  const widths = [...ruler.children].map((group) => Math.ceil(group.getBoundingClientRect().width) / em);
  ruler.remove();
  return widths;
}

function longest(texts, count) {
  return [...texts].sort((a, b) => b.length - a.length).slice(0, count);
}

/** The strongest mark of the rows that start at each pixel; a Map, as most pixels of short tables have none. */
function strongestByPixel(marks, height) {
  const strongest = new Map();
  marks.forEach((mark, row) => {
    const pixel = Math.floor((row / marks.length) * height);
    if (mark > (strongest.get(pixel) ?? 0)) strongest.set(pixel, mark);
  });
  return strongest;
}
