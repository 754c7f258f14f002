/** The questions asked so far with their answers, kept for as long as the browser's tab is open. */

import { attributes, button, element, page } from "./dom.js";
import { briefValue } from "./values.js";
import { words } from "./words.js";

const KEY = "enquirer-questions";
const MOST = 50;

/**
 * A question and its answer.
 *
 * @typedef {object} Entry
 * @property {number} id in the order in which they were asked
 * @property {string} question
 * @property {{question: string, program: string|null, confidence: number}|null} after the question before, on which it may lean
 * @property {string[]} tables ids
 * @property {string[]} names of the tables
 * @property {object} answer as the server gave it
 * @property {string} [corrected] what somebody said is right
 */

export class Conversation {
  /**
   * @param {(entry: Entry) => void} onChosen called to show an earlier question again
   * @param {() => void} onForgotten called when there is no question left to lean on
   */
  constructor(onChosen, onForgotten) {
    this.onChosen = onChosen;
    this.onForgotten = onForgotten;
    this.entries = kept();
    this.last = Math.max(0, ...this.entries.map(({ id }) => id));
    this.current = null;
    page["forget-questions"].addEventListener("click", () => this.forget());
    this.#list();
  }

  /** The number of a question that is about to be asked. */
  nextId() {
    return ++this.last;
  }

  /** Keeps a question with its answer, in the order in which they were asked. @param {Entry} entry */
  add(entry) {
    const { corrected } = this.entries.findLast((one) => one.corrected && isSame(one, entry)) ?? {};
    Object.assign(entry, { corrected });
    this.entries = [...this.entries, entry].sort((one, other) => one.id - other.id).slice(-MOST);
    this.#keep();
    this.#list();
    return entry;
  }

  /** Keeps what somebody said is right, for this question and whenever it is asked again. */
  correct(entry, right) {
    this.entries.filter((one) => isSame(one, entry)).forEach((one) => Object.assign(one, { corrected: right }));
    this.#keep();
    this.#list();
  }

  find(id) {
    return this.entries.find((entry) => entry.id === id) ?? null;
  }

  /** Says which of the questions is on the page. */
  tell(entry) {
    this.current = entry?.id ?? null;
    this.#list();
  }

  forget() {
    this.entries = [];
    this.#keep();
    this.#list();
    this.onForgotten();
    page.question.focus();
  }

  #list() {
    page["questions-box"].hidden = this.entries.length < 2;
    page.questions.replaceChildren(...this.entries.toReversed().map((entry) => this.#item(entry)));
  }

  #item(entry) {
    const told = [
      element("span", { className: "question", textContent: entry.question }),
      element("span", {
        className: entry.answer.answer === null && !entry.corrected ? "brief refused" : "brief",
        textContent: entry.corrected ? words.correctedTo(entry.corrected) : briefValue(entry.answer),
      }),
    ];
    if (new Set(this.entries.map(({ names }) => names.join())).size > 1) {
      told.push(element("span", { className: "quiet about", textContent: entry.names.join(", ") }));
    }
    const made = button("earlier", told, () => this.onChosen(entry));
    attributes(made, { "aria-current": entry.id === this.current ? "true" : null });
    return element("li", {}, made);
  }

  /** Writes them down; where there is no room for all, the oldest go. */
  #keep() {
    for (let from = 0; from <= this.entries.length; from++) {
      const told = this.entries.slice(from).map(({ attention, ...entry }) => entry);
      try {
        sessionStorage.setItem(KEY, JSON.stringify(told));
        return;
      } catch {
        // No room, or no storage at all: the list on the page stays as it is.
      }
    }
  }
}

const plain = ({ tables, question }) => [...tables, question.toLowerCase().replace(/[\s?.!]+$/, "")].join("\n");

/** Whether two entries ask the same of the same tables. */
const isSame = (one, other) => plain(one) === plain(other);

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
}

/** What a follow-up question may lean on: after a refusal, the likeliest reading of what was asked. */
export const toLeanOn = (entry) => {
  if (!entry) return entry;
  const { answer } = entry;
  const likeliest = answer.program ? answer : answer.alternatives.find((each) => each.program);
  return {
    question: answer.read_as ?? entry.question,
    program: likeliest?.program ?? null,
    confidence: likeliest?.confidence ?? likeliest?.probability ?? 1,
  };
};
