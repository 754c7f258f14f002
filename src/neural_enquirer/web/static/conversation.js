/** The questions asked so far with their answers, kept for as long as the browser's tab is open. */

import { attributes, button, element, page } from "./dom.js";
import { briefValue } from "./values.js";

const KEY = "enquirer-questions";
const MOST = 50;

/**
 * A question and its answer.
 *
 * @typedef {object} Entry
 * @property {number} id
 * @property {string} question
 * @property {{question: string, program: string|null, confidence: number}|null} after the question before, on which it may lean
 * @property {string[]} tables ids
 * @property {string[]} names of the tables
 * @property {object} answer as the server gave it
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
    this.current = null;
    page["forget-questions"].addEventListener("click", () => this.forget());
    this.#list();
  }

  /** Keeps a question with its answer. @returns {Entry} */
  add(asked) {
    const entry = { id: 1 + Math.max(0, ...this.entries.map(({ id }) => id)), ...asked };
    this.entries = [...this.entries, entry].slice(-MOST);
    this.#keep();
    return entry;
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
      element("span", { className: "brief", textContent: briefValue(entry.answer) }),
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
