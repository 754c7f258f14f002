/** "That is wrong": what would have been right, chosen, picked in the table or typed. */

import * as api from "./api.js";
import { element, page } from "./dom.js";
import { attempt, say } from "./messages.js";
import { cut } from "./formats.js";
import { words } from "./words.js";

const LONGEST_ANSWER = 120;

export class Correction {
  /**
   * @param {import("./sheet.js").Sheet} sheet
   * @param {(entry: object, right: string) => void} onKept called when it is kept, with what is right in a few words
   */
  constructor(sheet, onKept) {
    Object.assign(this, { sheet, onKept, entry: null, cells: [], rows: [] });
    page.wrong.addEventListener("click", () => (page.correction.hidden ? this.#open() : this.close()));
    page["correction-cancel"].addEventListener("click", () => this.#leave());
    page.correction.addEventListener("change", () => this.#choose());
    page.correction.addEventListener("keydown", (event) => event.key === "Escape" && this.#leave());
    page.correction.addEventListener("submit", (event) => {
      event.preventDefault();
      attempt(() => this.#send());
    });
  }

  /** Makes ready for another answer. */
  show(entry) {
    this.close();
    this.entry = entry;
    page.wrong.hidden = false;
    page.thanks.hidden = true;
  }

  close() {
    page.correction.hidden = true;
    page.wrong.setAttribute("aria-expanded", "false");
    if (this.sheet.hands.onPick) this.sheet.pick(null);
  }

  #leave() {
    this.close();
    page.wrong.focus();
  }

  #open() {
    Object.assign(this, { cells: [], rows: [] });
    const { alternatives, answer } = this.entry.answer;
    const readings = alternatives.map((reading, place) =>
      choice(`reading ${place}`, [
        element("strong", { textContent: cut(reading.answer ?? words.noAnswer, LONGEST_ANSWER) }),
        element("span", { className: "quiet", textContent: reading.sentence }),
      ]),
    );
    const typed = element("input", { type: "text", id: "typed", autocomplete: "off", maxLength: 500 });
    typed.setAttribute("aria-label", words.rightAnswer);
    typed.addEventListener(
      "focus",
      () => (page.choices.querySelector("[value=typed]").checked = true) && this.#choose(),
    );
    page.choices.replaceChildren(
      ...readings,
      choice("picked", [
        element("strong", { textContent: words.pickChoice }),
        element("span", { className: "quiet", id: "picked-told", textContent: words.pickHint }),
      ]),
      choice("typed", [element("strong", { textContent: words.typeChoice }), typed]),
      ...(answer === null ? [] : [choice("refuse", [element("strong", { textContent: words.refuseChoice })])]),
    );
    page["correction-send"].disabled = true;
    page.correction.hidden = false;
    page.thanks.hidden = true;
    page.wrong.setAttribute("aria-expanded", "true");
    page.choices.querySelector("input").focus();
  }

  get #chosen() {
    return page.choices.querySelector("input[type=radio]:checked")?.value ?? null;
  }

  #choose() {
    page["correction-send"].disabled = this.#chosen === null;
    if (this.#chosen === "picked" && !this.sheet.hands.onPick) this.#startPicking();
    else if (this.#chosen !== "picked" && this.sheet.hands.onPick) this.sheet.pick(null);
  }

  #startPicking() {
    this.sheet.pick((row, field) => this.#pick(row, field));
    this.sheet.showPicked(
      this.#here(this.cells),
      this.#here(this.rows).map(({ row }) => row),
    );
  }

  /** Picks a cell, or with no field a row; a second time, no longer. */
  #pick(row, field) {
    const table = this.sheet.table.id;
    const is = (one) => one.table === table && one.row === row && (field === null || one.field === field);
    const toggled = (list, made) => (list.some(is) ? list.filter((one) => !is(one)) : [...list, made]);
    // Cells or rows, never both: one answer is made of one or the other.
    if (field === null) [this.rows, this.cells] = [toggled(this.rows, { table, row }), []];
    else
      [this.cells, this.rows] = [
        toggled(this.cells, {
          table,
          row,
          field,
          name: this.sheet.table.fields[field].name,
          text: this.#textOf(row, field),
        }),
        [],
      ];
    this.sheet.showPicked(
      this.#here(this.cells),
      this.#here(this.rows).map((one) => one.row),
    );
    const told = words.picked(this.cells.length, this.rows.length);
    document.getElementById("picked-told").textContent = told;
    say(told);
  }

  #textOf(row, field) {
    const { view } = this.sheet;
    return view.textsAt(view.placeOf(row))?.[field] ?? "";
  }

  #here(places) {
    return places.filter(({ table }) => table === this.sheet.table.id);
  }

  /** What is right, as the server takes it and in a few words; nothing where something is still missing. */
  #right() {
    const chosen = this.#chosen;
    const text = document.getElementById("typed").value.trim();
    if (chosen === "refuse") return [{ refuse: true }, words.noAnswer];
    if (chosen === "typed") return text ? [{ answers: [text] }, text] : [];
    if (chosen !== "picked") {
      const { program, answer } = this.entry.answer.alternatives[Number(chosen.split(" ")[1])];
      return [{ program }, answer ?? words.noAnswer];
    }
    if (this.rows.length) return [{ rows: this.rows }, words.rowsOf(this.rows.map(({ row }) => row))];
    const named = this.cells.map(({ table, row, name }) => ({ table, row, field: name }));
    return this.cells.length ? [{ cells: named }, this.cells.map(({ text }) => text).join(", ")] : [];
  }

  async #send() {
    const [content, right] = this.#right();
    if (!content) {
      say(words.nothingChosen);
      document.getElementById(this.#chosen === "typed" ? "typed" : "table").focus();
      return;
    }
    const { entry } = this;
    const { question, tables, names, answer } = entry;
    const kept = await api.correct({ question: answer.read_as ?? question, tables, ...content });
    this.onKept(entry, cut(right, LONGEST_ANSWER));
    this.close();
    page.thanks.replaceChildren(
      ...words.thanks(kept, names).map((part) => (part.code ? element("code", { textContent: part.code }) : part)),
    );
    page.thanks.hidden = false;
    page.wrong.focus();
    say(page.thanks.textContent);
  }
}

function choice(value, told) {
  const radio = element("input", { type: "radio", name: "right", value });
  return element(
    "li",
    {},
    element("label", { className: "choice" }, radio, element("span", { className: "choice-words" }, ...told)),
  );
}
