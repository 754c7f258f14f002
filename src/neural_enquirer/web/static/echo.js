/** The question said again, with what its words were taken for right at the words. */

import { button, element, page } from "./dom.js";
import { words } from "./words.js";

/** Shows the question with its understood and its unused words; pointing at one tells more. */
export function showEcho(answer) {
  page.asked.replaceChildren(...partsOf(answer));
  const hasWords = answer.understood.length + answer.unused_spans.length > 0;
  page["word-meaning"].hidden = !hasWords;
  tell(null);
}

/** What is on the page while no word is pointed at. */
function tell(text) {
  page["word-meaning"].textContent = text ?? words.echoHint;
  page["word-meaning"].classList.toggle("told", text !== null);
}

function partsOf({ question, answer, understood, unused_spans: unused }) {
  const left = answer === null ? words.notFound : words.notUsed;
  const spans = [
    ...understood.map(({ start, end, as }) => ({ start, end, className: "understood", says: words.takenFor, as })),
    ...unused.map(({ start, end }) => ({ start, end, className: "unused", says: left })),
  ].filter(({ start, end }) => start < end);
  const parts = [];
  let from = 0;
  for (const span of spans.sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (span.start < from) continue; // inside of one before it
    parts.push(question.slice(from, span.start), wordOf(question, span));
    from = span.end;
  }
  return [...parts, question.slice(from)];
}

function wordOf(question, { start, end, className, says, as }) {
  const text = question.slice(start, end);
  const told = says(text, as);
  const made = button(`word ${className}`, text, () => tell(told), {
    onmouseenter: () => tell(told),
    onmouseleave: () => tell(null),
    onfocus: () => tell(told),
    onblur: () => tell(null),
  });
  made.append(element("span", { className: "hidden", textContent: words.inBrackets(told) }));
  return made;
}
