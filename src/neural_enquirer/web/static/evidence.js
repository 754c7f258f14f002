/** How the answer was worked out: the steps of its program, and the rows that are left after each. */

import { attributes, button, draw, element, page } from "./dom.js";
import { say } from "./messages.js";
import { words } from "./words.js";

/** Where the pointer is. What comes to lie under one at rest is not pointed at, though browsers say that it moves. */
const pointer = { x: null, y: null, hasMoved: false };
addEventListener(
  "mousemove",
  ({ clientX: x, clientY: y }) => Object.assign(pointer, { x, y, hasMoved: x !== pointer.x || y !== pointer.y }),
  { capture: true },
);

const MANY_ROWS = 12; // frames around all cells of so many would be all that one sees

export class Evidence {
  /**
   * @param {import("./sheet.js").Sheet} sheet
   * @param {(id: string) => Promise<void>} showTable shows another table of the question in the sheet
   */
  constructor(sheet, showTable) {
    Object.assign(this, { sheet, showTable, entry: null, current: -1 });
    page["step-back"].addEventListener("click", () => this.move(-1));
    page["step-next"].addEventListener("click", () => this.move(1));
  }

  /** Lists the steps of an answer and shows the rows that count for it. */
  async show(entry) {
    this.entry = entry;
    const { program_steps: steps } = entry.answer;
    page["program-box"].hidden = steps.length === 0;
    page.program.replaceChildren(...steps.map((step, place) => this.#item(step, place)));
    const last = this.#isCombined() ? -1 : steps.findLastIndex((step) => step.rows !== null);
    await this.goTo(last >= 0 ? last : steps.length - 1, { isOnly: false });
  }

  /** Whether the answer is put together from more rows than any step keeps, as a difference of two is. */
  #isCombined() {
    const { program_steps: steps, cells } = this.entry.answer;
    const last = steps.findLast((step) => step.rows !== null);
    if (!last || last.kept.length < last.kept_count) return false;
    const kept = new Set(last.kept);
    return cells.some(({ table, row }) => table === last.table && !kept.has(row));
  }

  /** Takes the marks away. */
  clear() {
    this.entry = null;
    page["program-box"].hidden = true;
  }

  /** Goes on to the next step, or back. */
  async move(direction) {
    await this.goTo(this.current + direction);
    say(this.entry.answer.program_steps[this.current]?.step ?? "");
  }

  /** Shows one step: its rows first and marked, its fields framed. */
  async goTo(place, changes = {}) {
    const steps = this.entry.answer.program_steps;
    this.current = Math.max(-1, Math.min(place, steps.length - 1));
    page["step-back"].disabled = this.current <= 0;
    page["step-next"].disabled = this.current >= steps.length - 1;
    [...page.program.children].forEach((item, number) => {
      item.classList.toggle("current", number === this.current);
      attributes(item.firstChild, { "aria-current": number === this.current ? "step" : null });
    });
    await this.#showRows(changes);
  }

  /** Shows the current step again. */
  async again() {
    if (this.entry) await this.#showRows({});
  }

  /** Shows what the answer took from the table that somebody looks at, whichever that is. */
  async lookAt() {
    if (this.entry) await this.#showRows({ isHere: true });
  }

  /** Brings a cell of the answer into sight, and the next time the next one that is not. */
  async reveal() {
    const name = this.#tableName();
    const { cells } = this.entry.answer;
    const here = cells.filter((cell) => cell.table === name);
    const { view } = this.sheet;
    const isInSight = ({ row }) => view.placeOf(row) !== null && view.isPlaceInSight(view.placeOf(row));
    const from = here.findLastIndex(isInSight) + 1;
    const next = here.slice(from).find((cell) => !isInSight(cell)) ?? here[0] ?? cells[0];
    if (!next) return;
    const id = this.#idOf(next.table);
    if (id !== this.sheet.table.id) await this.showTable(id);
    await this.sheet.reveal(next.row, this.sheet.fieldIndex(next.field));
  }

  async #showRows(changes) {
    const { entry, current, sheet } = this;
    const step = this.#rowStep(current);
    const { length: steps } = entry.answer.program_steps;
    const id = step ? this.#idOf(step.table) : this.#idOf(entry.answer.table ?? entry.answer.tables[0]);
    if (id && id !== sheet.table?.id && !changes.isHere) await this.showTable(id);
    if (entry !== this.entry || current !== this.current) return;
    const counts = step && this.#tableName() === step.table && isSome(step, sheet.table);
    const evidence = counts ? this.#queryFor(step) : null;
    const isOnly = Boolean(counts) && (!evidence.hasOthers || (changes.isOnly ?? sheet.query.isOnly));
    await sheet.refine({ evidence, isOnly, ...(changes.isOnly === false && { sort: null }) });
    if (entry !== this.entry || current !== this.current) return;
    const picture = this.#pictureOf(current, true);
    sheet.paint(picture);
    const [row, fields] = [...picture.answers][0] ?? [null, picture.whole];
    const [field] = fields;
    if (row !== null && !step && steps > 0) await sheet.reveal(row, field);
    else sheet.view.revealFields([...[...fields].slice(0, 1), ...picture.used]);
    this.#showLegend(picture);
  }

  /** What the server is asked for the rows of a step; an engine does not send the others along. */
  #queryFor(step) {
    const { tables, answer } = this.entry;
    return {
      program: answer.program,
      step: answer.program_steps.indexOf(step),
      tables,
      count: countOf(step),
      hasOthers: step.kept.length > 0,
    };
  }

  /** The step whose rows are shown at a place: the one there, or the last before it that keeps rows. */
  #rowStep(place) {
    const { program_steps: steps } = this.entry.answer;
    if (place === steps.length - 1 && this.#isCombined()) return null;
    return steps.slice(0, place + 1).findLast((step) => step.rows !== null && step.table) ?? null;
  }

  #item(step, place) {
    const badge = attributes(element("span", { className: "badge", textContent: place + 1 }), {
      "aria-hidden": "true",
    });
    const told = element("span", { className: "words", textContent: step.step });
    const made = button("panel", [badge, told], () => this.goTo(place), {
      onmousemove: () => pointer.hasMoved && this.#preview(place),
      onmouseleave: () => this.#preview(this.current),
    });
    const [first] = this.entry.answer.program_steps;
    if (step.rows !== null && first.rows) {
      const share = element("span", { className: "left" });
      draw(share, "share", Math.min(1, step.rows / first.rows));
      told.append(attributes(share, { "aria-hidden": "true" }));
    }
    return element("li", {}, made);
  }

  #preview(place) {
    if (page["paper-box"].open || !this.sheet.table || !this.entry) return;
    this.sheet.paint(this.#pictureOf(place, place === this.current));
  }

  #pictureOf(place, isCurrent) {
    const { answer } = this.entry;
    const name = this.#tableName();
    const steps = answer.program_steps.slice(0, place + 1);
    const step = this.#rowStep(place);
    const isMarked = step && step.table === name && isSome(step, this.sheet.table);
    const index = (field) => this.sheet.fieldIndex(field);
    const answers = new Map();
    for (const { table, row, field } of answer.cells) {
      if (table === name) answers.set(row, (answers.get(row) ?? new Set()).add(index(field)));
    }
    const isWhole = step && !isMarked && answers.size > MANY_ROWS;
    const marked = isMarked ? step.kept : !step && steps.length ? [...answers.keys()] : [];
    return {
      weights: [],
      marks: new Map(marked.map((row) => [row, 1])),
      cells: [],
      answers: isWhole ? new Map() : answers,
      whole: new Set(isWhole ? [...answers.values()].flatMap((fields) => [...fields]) : []),
      used: new Set(steps.flatMap((each) => each.fields.map(index)).filter((field) => field >= 0)),
      isCurrent: isCurrent && Boolean(isMarked),
    };
  }

  #showLegend({ marks, used, answers, whole, isCurrent }) {
    const { answer } = this.entry;
    const names = [...used].map((field) => this.sheet.table.fields[field].name);
    const keys = [
      ...(marks.size || isCurrent ? [["key-mark", words.keyCounts]] : []),
      ...(used.size ? [["key-used", words.keyUsed(names)]] : []),
      ...(answers.size ? [["key-answer", answer.row === null ? words.keyCells : words.keyAnswer]] : []),
      ...(whole.size ? [["key-answer", words.keyWhole]] : []),
    ];
    showLegend(keys);
  }

  /** The name that the answer has for the table in the sheet. */
  #tableName() {
    const { entry, sheet } = this;
    return entry.answer.tables[entry.tables.indexOf(sheet.table?.id)] ?? null;
  }

  #idOf(name) {
    const { entry } = this;
    return entry.tables[entry.answer.tables.indexOf(name)] ?? entry.tables[0];
  }
}

/** Says what the colours mean. */
export function showLegend(keys) {
  page.legend.hidden = keys.length === 0;
  page.legend.replaceChildren(
    ...keys.map(([className, text]) => element("span", {}, element("i", { className }), text)),
  );
}

/** Whether a step keeps some rows but not all. */
const isSome = (step, table) => countOf(step) > 0 && countOf(step) < table.rows_there;

/** How many rows of the table a step keeps; where an engine has them, it says how many rows or groups there are. */
const countOf = (step) => step.kept_count || step.rows;
