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
    const last = steps.findLastIndex((step) => step.rows !== null);
    await this.goTo(last >= 0 ? last : steps.length - 1, { isOnly: false });
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

  /** Brings the cells of the answer into sight. */
  async reveal() {
    const name = this.#tableName();
    const first = this.entry.answer.cells.find((cell) => cell.table === name) ?? this.entry.answer.cells[0];
    if (!first) return;
    const id = this.#idOf(first.table);
    if (id !== this.sheet.table.id) await this.showTable(id);
    await this.sheet.reveal(first.row, this.sheet.fieldIndex(first.field));
  }

  async #showRows(changes) {
    const { entry, current, sheet } = this;
    const step = this.#rowStep();
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
    sheet.view.revealFields([
      ...[...picture.answers.values()].flatMap((fields) => [...fields]).slice(0, 1),
      ...picture.used,
    ]);
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

  /** The step whose rows are shown: the current one, or the last before it that keeps rows. */
  #rowStep() {
    const { program_steps: steps } = this.entry.answer;
    return steps.slice(0, this.current + 1).findLast((step) => step.rows !== null && step.table) ?? null;
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
    const step = steps.findLast((each) => each.rows !== null && each.table);
    const isMarked = step && step.table === name && isSome(step, this.sheet.table);
    const index = (field) => this.sheet.fieldIndex(field);
    const answers = new Map();
    for (const { table, row, field } of answer.cells) {
      if (table === name) answers.set(row, (answers.get(row) ?? new Set()).add(index(field)));
    }
    return {
      weights: [],
      marks: new Map(isMarked ? step.kept.map((row) => [row, 1]) : []),
      cells: [],
      answers,
      used: new Set(steps.flatMap((each) => each.fields.map(index)).filter((field) => field >= 0)),
      isCurrent: isCurrent && Boolean(isMarked),
    };
  }

  #showLegend({ marks, used, answers, isCurrent }) {
    const { answer } = this.entry;
    const keys = [
      ...(marks.size || isCurrent ? [["key-mark", words.keyCounts]] : []),
      ...(used.size ? [["key-used", words.keyUsed]] : []),
      ...(answers.size ? [["key-answer", answer.row === null ? words.keyCells : words.keyAnswer]] : []),
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
