/** The answer: how it was found in a sentence, the value, a chart, how sure it is, and ways to take it along. */

import * as api from "./api.js";
import { chartOf } from "./chart.js";
import { button, draw, element, page, saveText } from "./dom.js";
import { showEcho } from "./echo.js";
import { csvOf, cut, fileName, percent, written } from "./formats.js";
import { attempt, copy } from "./messages.js";
import { answerLines, isToldByChart, valueNodes } from "./values.js";
import { words } from "./words.js";

const SURENESS = [0.4, 0.6, 0.8, 0.95]; // where the next of the words for it begins
const DOUBTFUL = 0.6;
const WORTH_TELLING = 0.03;
const MOST_FIELDS = 8;
const LONGEST_OTHER = 80;

export class AnswerCard {
  /**
   * @param {object} hands
   * @param {(name: string) => object|undefined} hands.fieldOf finds a field of the tables asked
   * @param {() => Promise<void>} hands.onReveal shows the answer's cells in the table
   * @param {(cell: object|null) => void} hands.onNearest shows the row that comes nearest
   * @param {(question: string) => Promise<void>} hands.onAlone asks a question that leans on no other
   */
  constructor(hands) {
    this.hands = hands;
    this.entry = null;
    // Where the table comes after the answer, what is looked at less often is folded up.
    const isNarrow = matchMedia("(max-width: 59.99rem)").matches;
    page["program-box"].open = page["sql-box"].open = !isNarrow;
    page["copy-sql"].addEventListener("click", () => copy(this.entry.answer.sql, page["copy-sql"]));
    page["save-answer"].addEventListener("click", () => this.#save());
  }

  clear() {
    this.entry = null;
    page["answer-box"].hidden = true;
  }

  /** Shows an answer. @param {import("./conversation.js").Entry} entry */
  show(entry) {
    this.entry = entry;
    const { answer } = entry;
    page["answer-box"].dataset.sure =
      answer.answer === null ? "none" : answer.confidence < DOUBTFUL ? "doubtful" : "sure";
    showEcho(answer);
    page["read-as"].hidden = !answer.read_as;
    if (answer.read_as) page["read-as"].replaceChildren(words.readAs(answer.read_as), " ", this.#alone(entry));
    this.showCorrection();
    page.sentence.textContent = answer.sentence;
    page.value.replaceChildren(...valueNodes(answer, this.hands.fieldOf));
    page["chart-box"].replaceChildren(...(answer.chart ? [chartOf(answer.chart, isToldByChart(answer))] : []));
    this.#showConfidence(answer);
    this.#showPlace(answer);
    this.#showOthers(answer);
    this.#showEngineRows(answer);
    page["sql-box"].hidden = !answer.sql;
    page.sql.textContent = answer.sql ?? "";
    page["save-answer"].hidden = answer.answer === null;
    page["answer-box"].hidden = false;
    page.nearest.hidden = true;
  }

  /** Says what somebody said is right, where they have. */
  showCorrection() {
    const { corrected } = this.entry;
    page.corrected.hidden = !corrected;
    page.corrected.textContent = corrected ? words.corrected(corrected) : "";
  }

  /** What a screen reader says of it. */
  spoken() {
    const { answer } = this.entry;
    if (answer.answer === null) return words.spokenRefusal(answer.sentence);
    return words.spokenAnswer(answer, surenessOf(answer.confidence), percent(answer.confidence));
  }

  #showConfidence({ answer, confidence }) {
    page.confidence.hidden = answer === null;
    draw(page.bar, "share", confidence);
    page.bar.setAttribute("aria-label", words.confidence(percent(confidence)));
    const sure = surenessOf(confidence);
    page.sure.replaceChildren(element("strong", { textContent: sure }), ` · ${percent(confidence)}`);
    page.sure.title = words.inTen(confidence);
  }

  /** A button for a question that was meant to stand by itself. */
  #alone({ question }) {
    return button("plain", words.askAlone, () => attempt(() => this.hands.onAlone(question)));
  }

  /** A button that shows the cells of the answer: one by its place, several by their number. */
  #showPlace({ row, field, cells, cells_count: count }) {
    const told = row === null ? words.cells(count) : words.place(field, row);
    const show = button("plain", told, () => attempt(this.hands.onReveal), { title: words.showInTable });
    page.place.replaceChildren(...(cells.length ? [show] : []));
  }

  /** Other readings of the question; in sight where the answer is not sure. */
  #showOthers({ alternatives, confidence }) {
    const others = alternatives.filter(({ probability }) => probability >= WORTH_TELLING);
    page["others-box"].hidden = others.length === 0;
    page["others-box"].open = confidence < DOUBTFUL;
    page.others.replaceChildren(
      ...others.map(({ answer, sentence, probability }) =>
        element(
          "li",
          {},
          element("strong", { textContent: cut(answer, LONGEST_OTHER) }),
          element("span", { className: "share", textContent: percent(probability) }),
          element("span", { className: "quiet", textContent: sentence }),
        ),
      ),
    );
  }

  /** Rows that only an engine has. */
  #showEngineRows({ evidence }) {
    page["engine-rows"].hidden = !evidence?.rows.length;
    if (!evidence?.rows.length) return;
    const head = element(
      "tr",
      {},
      ...evidence.fields.map((name) => element("th", { scope: "col", textContent: name })),
    );
    const lines = evidence.rows.map((cells) =>
      element("tr", {}, ...cells.map((text) => element("td", { textContent: text }))),
    );
    page["engine-table"].replaceChildren(
      element("caption", { className: "small", textContent: words.someRows(evidence.rows.length) }),
      element("thead", {}, head),
      element("tbody", {}, ...lines),
    );
  }

  /** On a refusal: the row that was found, and the fields it has. */
  async showNearest() {
    const { entry } = this;
    const { nearest, tables } = entry.answer;
    page.nearest.replaceChildren();
    page.nearest.hidden = !nearest;
    if (!nearest) return;
    if (nearest.row === null) {
      page.nearest.append(element("p", { textContent: nearest.message }));
      return;
    }
    const id = entry.tables[tables.indexOf(nearest.table)] ?? entry.tables[0];
    const found = await api.rows(id, nearest.row, 1);
    if (entry !== this.entry) return;
    const list = element("dl", { className: "nearest-row" });
    found.fields.slice(0, MOST_FIELDS).forEach((field, place) => {
      const isNamed = nearest.fields.includes(field.name);
      const text = element("dd", { textContent: written(found.cells[0][place], field) || "—" });
      list.append(
        element("div", { className: isNamed ? "named" : "" }, element("dt", { textContent: field.name }), text),
      );
    });
    const show = button("plain", words.showInTable, () => attempt(() => this.hands.onNearest(id, nearest)));
    page.nearest.append(element("p", { textContent: words.nearestRow(nearest) }), list, show);
    await this.hands.onNearest(id, nearest);
  }

  #save() {
    const { answer, question } = this.entry;
    saveText(`${fileName(question)}.csv`, csvOf(answerLines(answer)));
  }
}

/** How sure it is, in words. */
const surenessOf = (confidence) => words.sureness[SURENESS.filter((least) => confidence >= least).length];
