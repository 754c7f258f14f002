/** The headers: names, what sorts by them, how wide they are, and bars of what the executors read. */

import { attributes, button, draw, element } from "./dom.js";
import { percent, rowName } from "./formats.js";
import { words } from "./words.js";

// A column is as wide as the widest text that has come, within limits in ems.
const NARROWEST = 2.5;
const WIDEST = 17;
const WIDEST_BY_HAND = 60;
const ROOM_FOR_BUTTON = 1.3; // what opens the menu, and shows the order
const TEXTS_TO_MEASURE = 8;

export class TableHead {
  /**
   * @param {Object<string, HTMLElement>} parts scroller, table, columns, head
   * @param {object} hands
   * @param {(field: number) => void} hands.onSort
   * @param {(field: number, anchor: HTMLElement) => void} hands.onMenu
   * @param {() => void} hands.onLayout called when columns have other widths
   */
  constructor({ scroller, table, columns, head }, hands) {
    Object.assign(this, { scroller, table, columns, head, hands });
    this.fields = [];
    this.edges = []; // where each field starts, in pixels
    this.automatic = []; // widths in ems, that of the row numbers first
    this.byHand = new Map(); // widths that somebody chose, by table and place
    head.addEventListener("keydown", (event) => this.#onKey(event));
    head.addEventListener("pointerdown", (event) => this.#onGrip(event));
    head.addEventListener("dblclick", (event) => this.#onGripTwice(event));
  }

  /** Makes the headers of a table. */
  show(table) {
    this.fields = table.fields;
    if (!this.byHand.has(table.id)) this.byHand.set(table.id, new Map());
    this.chosen = this.byHand.get(table.id);
    const names = this.fields.map(({ name }) => [name]);
    const [numbers, ...measured] = widest(this.scroller, [[rowName(table.rows - 1), words.row], ...names]);
    this.automatic = [numbers, ...measured.map((ems) => withinLimits(ems + ROOM_FOR_BUTTON))];
    this.letters = this.fields.map(() => 0); // of the longest text so far
    this.#make();
  }

  /** Makes room for the texts of more cells. */
  fit(cells) {
    const texts = this.letters.map((least, column) => longest(cells.map((line) => line[column]), least));
    this.letters = texts.map(([first = ""], column) => Math.max(first.length, this.letters[column]));
    const needed = [0, ...widest(this.scroller, texts).map(withinLimits)];
    this.automatic = this.automatic.map((ems, place) => Math.max(ems, needed[place]));
    this.#drawWidths();
  }

  get height() {
    return this.head.offsetHeight;
  }

  /** Says which field the rows are sorted by, if any, and which are filtered. */
  tell({ sort, descending }, filtered) {
    this.#headers().forEach((header, field) => {
      const { name } = this.fields[field];
      const isSorted = name === sort;
      attributes(header, { "aria-sort": isSorted ? (descending ? "descending" : "ascending") : null });
      header.classList.toggle("filtered", filtered.has(name));
      header.querySelector(".more").textContent = isSorted ? (descending ? "↓" : "↑") : "▾";
    });
  }

  /** Draws what was read over the headers, and frames the fields that count. */
  paint({ weights, answers, used, whole = new Set() }) {
    const answering = new Set([...answers.values()].flatMap((fields) => [...fields]));
    this.head.classList.toggle("weighed", weights.length > 0);
    this.#headers().forEach((header, field) => {
      const weight = weights[field] ?? 0;
      draw(header, "weight", weight);
      header.querySelector("b").textContent = weight >= 0.005 ? percent(weight) : "";
      header.classList.toggle("read", weight >= 0.2);
      header.classList.toggle("full", weight >= 0.6);
      header.classList.toggle("answers", answering.has(field) || whole.has(field));
      header.classList.toggle("whole", whole.has(field));
      header.classList.toggle("used", used.has(field));
    });
  }

  /**
   * How far to scroll for fields to be in sight, with as little movement as can be; the first before all others.
   * What is beside the fields that stay in sight is then seen from its beginning.
   */
  leftForAll(fields) {
    const { scrollLeft, clientWidth } = this.scroller;
    const [first, ...others] = fields.filter((field) => !this.#isStuck(field));
    if (first === undefined) return scrollLeft;
    let { start, end } = this.#span(first);
    const room = this.scroller.clientWidth - this.#stuck();
    for (const field of others) {
      const span = this.#span(field);
      const [from, to] = [Math.min(start, span.start), Math.max(end, span.end)];
      if (to - from <= room) [start, end] = [from, to];
    }
    if (end <= clientWidth) return 0; // where the names of rows are in sight, too
    const farthest = start - this.#stuck(); // a field that is too wide is seen from its beginning
    return this.#toEdge(Math.min(farthest, Math.max(scrollLeft, end - clientWidth)));
  }

  /** The next place from there on where no field is cut on the left. */
  #toEdge(left) {
    return this.edges.map((edge) => edge - this.#stuck()).find((place) => place >= left - 1) ?? left;
  }

  isInSight(field) {
    const { start, end } = this.#span(field);
    const { scrollLeft, clientWidth } = this.scroller;
    return this.#isStuck(field) || (start >= scrollLeft + this.#stuck() - 1 && end <= scrollLeft + clientWidth + 1);
  }

  /** Where a field starts and ends, from the left of the whole table. */
  #span(field) {
    const start = this.edges[field];
    return { start, end: this.edges[field + 1] ?? this.table.offsetWidth };
  }

  /** How much of the left never scrolls away. */
  #stuck() {
    return this.#isStuck(0) && this.edges.length > 1 ? this.edges[1] : this.edges[0];
  }

  #isStuck(field) {
    return field === 0 && getComputedStyle(this.#headers()[0]).position === "sticky";
  }

  /** Makes a column wider by so many ems, or narrower. */
  widen(field, ems) {
    const width = (this.chosen.get(field + 1) ?? this.automatic[field + 1]) + ems;
    this.chosen.set(field + 1, Math.max(NARROWEST, Math.min(width, WIDEST_BY_HAND)));
    this.#drawWidths();
  }

  /** How many ems are left beside the table; once somebody has set a width, nothing is stretched any more. */
  #roomLeft() {
    if (this.chosen.size) return 0;
    const em = parseFloat(getComputedStyle(this.table).fontSize);
    return Math.max(0, this.scroller.clientWidth - this.table.offsetWidth) / em;
  }

  #findEdges() {
    const [corner, ...headers] = this.head.rows[0].cells;
    let edge = corner.offsetWidth;
    this.edges = headers.map((header) => {
      edge += header.offsetWidth;
      return edge - header.offsetWidth;
    });
  }

  /** To be called when the room is another. */
  resized() {
    if (this.fields.length) this.#drawWidths();
  }

  #headers() {
    return [...this.head.rows[0].cells].slice(1);
  }

  #drawWidths() {
    const widths = this.automatic.map((ems, place) => this.chosen.get(place) ?? ems);
    while (this.columns.childElementCount < widths.length) this.columns.append(element("col"));
    while (this.columns.childElementCount > widths.length) this.columns.lastChild.remove();
    const total = widths.reduce((sum, ems) => sum + ems, 0);
    const drawAll = (more) => {
      widths.forEach((ems, place) => draw(this.columns.children[place], "ems", place ? ems + more : ems));
      draw(this.table, "ems", total + more * this.fields.length);
    };
    draw(this.table, "row-ems", widths[0]);
    draw(this.table, "fields", this.fields.length);
    drawAll(0);
    drawAll(this.#roomLeft() / this.fields.length);
    this.#findEdges();
    const farthest = this.table.offsetWidth - this.scroller.clientWidth;
    draw(this.scroller, "after", `${farthest > 0 ? this.#toEdge(farthest) - farthest : 0}px`);
    this.hands.onLayout();
  }

  #make() {
    const corner = element("th", { scope: "col", className: "corner", textContent: words.row });
    const line = element("tr", {}, corner, ...this.fields.map((field, place) => this.#makeHeader(field, place)));
    attributes(line, { "aria-rowindex": 1 });
    this.head.replaceChildren(line);
    this.head.classList.remove("weighed");
  }

  #makeHeader(field, place) {
    const weight = element("span", { className: "weight" }, element("span"), element("b"));
    attributes(weight, { "aria-hidden": "true" });
    const name = element("span", { className: "name", textContent: field.name });
    const sort = button("sort", name, () => this.hands.onSort(place));
    Object.assign(sort, { tabIndex: place === 0 ? 0 : -1, title: words.fieldHint(field) });
    attributes(sort, { "aria-haspopup": "dialog", "aria-description": words.headerKeys });
    const more = button("more", "▾", () => this.hands.onMenu(place, more), { tabIndex: -1, ariaHidden: "true" });
    more.title = words.columnMenu(field.name);
    const grip = attributes(element("span", { className: "grip", field: place }), { "aria-hidden": "true" });
    const header = element("th", { scope: "col", className: field.type }, weight);
    header.append(element("span", { className: "header" }, sort, more), grip);
    return attributes(header, { "aria-colindex": place + 2 });
  }

  /** Left and right go from header to header, down opens what can be done with a field. */
  #onKey(event) {
    const names = [...this.head.querySelectorAll(".sort")];
    const place = names.indexOf(event.target);
    if (place < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const next = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: names.length - 1 }[event.key];
    if (event.key === "ArrowDown") this.hands.onMenu(place, event.target);
    else if (names[next]) {
      names[place].tabIndex = -1;
      names[next].tabIndex = 0;
      names[next].focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #onGrip(event) {
    if (!event.target.classList.contains("grip")) return;
    event.preventDefault();
    const { field } = event.target;
    const em = parseFloat(getComputedStyle(this.table).fontSize);
    let from = event.clientX;
    const move = (moved) => {
      this.widen(field, (moved.clientX - from) / em);
      from = moved.clientX;
    };
    const end = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
  }

  #onGripTwice(event) {
    if (!event.target.classList.contains("grip")) return;
    const { field } = event.target;
    this.chosen.delete(field + 1);
    this.#drawWidths();
  }
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

const withinLimits = (ems) => Math.min(Math.max(ems, NARROWEST), WIDEST);

/** The longest of texts with some letters at least, each once. */
function longest(texts, least) {
  const long = [...new Set(texts)].filter((text) => text.length >= least);
  return long.sort((a, b) => b.length - a.length).slice(0, TEXTS_TO_MEASURE);
}
