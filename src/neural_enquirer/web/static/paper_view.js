/** The paper's view: what each executor of the cascade read and marked, to step through. */

import * as api from "./api.js";
import { stepsOf } from "./attention.js";
import { attributes, button, draw, element, page } from "./dom.js";
import { showLegend } from "./evidence.js";
import { fileName, percent, rowName } from "./formats.js";
import { attempt, say } from "./messages.js";
import { words } from "./words.js";

const WORTH_SHADING = 0.01;
const FAINT = 0.001;
const MOST_FIELDS = 60;

export class PaperView {
  /**
   * @param {import("./sheet.js").Sheet} sheet
   * @param {() => Promise<void>} onClose shows the evidence again
   */
  constructor(sheet, onClose) {
    Object.assign(this, { sheet, onClose, entry: null, steps: [], step: 0 });
    page["paper-box"].addEventListener("toggle", () =>
      attempt(() => (page["paper-box"].open ? this.#open() : this.#close())),
    );
    page.slider.addEventListener("input", () => this.goTo(Number(page.slider.value) - 1));
    page.back.addEventListener("click", () => this.goTo(this.step - 1));
    page.next.addEventListener("click", () => this.goTo(this.step + 1));
    document.addEventListener("keydown", (event) => this.#onArrow(event));
    const redraw = () => this.isOpen && this.goTo(this.step);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  }

  get isOpen() {
    return page["paper-box"].open && this.entry !== null;
  }

  /** Makes ready for another answer, closed. */
  show(entry) {
    this.entry = entry;
    page["paper-box"].open = false;
    page["paper-box"].hidden = false;
    for (const format of ["png", "svg"]) {
      page[format].href = api.figure(entry.tables, entry.answer.read_as ?? entry.question, format);
      page[format].download = `${fileName(entry.question)}.${format}`;
    }
  }

  clear() {
    this.entry = null;
    page["paper-box"].open = false;
    page["paper-box"].hidden = true;
  }

  /** Shows what was done with the table that has just come into the sheet. */
  async again() {
    if (this.isOpen) await this.#open();
  }

  /** Shows one step: in the list, on the slider, in the table. */
  goTo(index) {
    this.step = Math.max(0, Math.min(index, this.steps.length));
    const isLast = this.step === this.steps.length;
    const step = this.steps[this.step];
    page.slider.value = this.step + 1;
    const told = isLast ? words.answer : words.step(step.label);
    attributes(page.slider, { "aria-valuetext": `${told}: ${isLast ? this.entry.answer.sentence : step.sentence}` });
    page.back.disabled = this.step === 0;
    page.next.disabled = isLast;
    [...page.panels.children].forEach((panel, place) => {
      panel.classList.toggle("current", place === this.step);
      attributes(panel.firstChild, { "aria-current": place === this.step ? "step" : null });
    });
    this.sheet.paint(isLast ? this.#lastPicture() : this.#pictureOf(step));
    showLegend(
      isLast
        ? [["key-share", words.keyCandidates]]
        : [
            ["key-weight", words.keyRead(step.label)],
            ["key-mark", words.keyMarked],
          ],
    );
    this.sheet.view.revealPicture();
  }

  /** Marks of every row are many: they come when somebody wants to see them. */
  async #open() {
    const { entry, sheet } = this;
    if (!entry) return;
    entry.attention ??= await api.ask({ ...entry, steps: true });
    if (entry !== this.entry) return;
    await sheet.showAll();
    const name = entry.answer.tables[entry.tables.indexOf(sheet.table.id)];
    this.steps = stepsOf(entry.attention, name, sheet.table.fields);
    page.slider.max = this.steps.length + 1;
    page.panels.replaceChildren(...this.steps.map((step, place) => this.#panel(step, place)), this.#lastPanel());
    page["paper-none"].hidden = this.steps.length > 0;
    page["paper-steps"].hidden = this.steps.length === 0;
    if (this.steps.length) this.goTo(this.steps.length);
  }

  async #close() {
    if (this.entry) await this.onClose();
  }

  #panel(step, index) {
    const title = element("strong", { textContent: words.step(step.label) });
    return this.#panelOf(
      index,
      step.label,
      [title, " ", element("span", { textContent: step.sentence })],
      this.#details(step),
    );
  }

  #lastPanel() {
    const title = element("strong", { textContent: words.answer });
    return this.#panelOf(this.steps.length, "✓", [title, " ", words.howProbable], [this.#distribution()]);
  }

  #panelOf(index, label, told, details) {
    const badge = attributes(element("span", { className: "badge", textContent: label }), { "aria-hidden": "true" });
    const made = button("panel", [badge, element("span", { className: "words" }, ...told)], () => this.goTo(index));
    return element("li", {}, made, element("div", { className: "details" }, ...details));
  }

  /** A bar for each field's weight, and buttons for the rows that stand out. */
  #details(step) {
    const strip = attributes(element("div", { className: "strip" }), { "aria-hidden": "true" });
    for (const weight of step.weights.slice(0, MOST_FIELDS)) {
      strip.append(element("span"));
      draw(strip.lastChild, "weight", weight);
    }
    if (!step.rows.length) return [strip];
    const jumps = step.rows.map((row) => button("jump", rowName(row), () => this.sheet.reveal(row)));
    return [strip, element("p", { className: "jumps" }, element("span", { textContent: words.rows }), ...jumps)];
  }

  /** How probable each candidate is, and what is left for all other cells. */
  #distribution() {
    const shares = this.entry.attention.ranked.map(({ answer, probability }) => [
      answer ?? words.noAnswer,
      probability,
    ]);
    const rest = 1 - shares.reduce((sum, [, share]) => sum + share, 0);
    if (rest > FAINT / 2) shares.push([words.allElse, rest]);
    const items = shares.map(([text, share]) => {
      const item = element(
        "li",
        {},
        element("span", { className: "text", textContent: text }),
        element("span", { textContent: percent(share) }),
      );
      draw(item, "share", share);
      return item;
    });
    return element("ul", { className: "distribution" }, ...items);
  }

  #pictureOf({ weights, marks }) {
    const faintless = new Map(marks.map((mark, row) => [row, mark]).filter(([, mark]) => mark >= FAINT));
    return { weights, marks: faintless, cells: [], answers: this.#answers(), used: new Set() };
  }

  #lastPicture() {
    const cells = this.#candidates()
      .filter(({ row, probability }) => row !== null && probability >= WORTH_SHADING)
      .map(({ row, field, probability }) => ({ row, field: this.sheet.fieldIndex(field), probability }));
    return { weights: [], marks: new Map(), cells, answers: this.#answers(), used: new Set() };
  }

  #answers() {
    const answers = new Map();
    for (const { row, field } of this.#here(this.entry.answer.cells)) {
      answers.set(row, (answers.get(row) ?? new Set()).add(this.sheet.fieldIndex(field)));
    }
    return answers;
  }

  #candidates() {
    return this.#here(this.entry.attention.ranked);
  }

  #here(places) {
    const name = this.entry.answer.tables[this.entry.tables.indexOf(this.sheet.table.id)];
    return places.filter(({ table }) => table === name);
  }

  /** Left and right go through the steps wherever they do not already mean something else. */
  #onArrow(event) {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const isTaken = event.target.closest?.("input, textarea, select, table, [role=tablist], [popover]");
    if (!direction || isTaken || !this.isOpen || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
      return;
    event.preventDefault();
    this.goTo(this.step + direction);
    say(page.slider.getAttribute("aria-valuetext"));
  }
}
