/** What the executors did, in words and for the table to show. */

import { counted, listed, percent, rowName } from "./dom.js";

// As in the terminal's explanation: what gets less of the attention is not worth naming; a row marked less is
// not marked; executors that differ by less do the same thing twice.
const WORTH_NAMING = 0.2;
const CLEARLY_READ = 0.3;
const MOSTLY_READ = 0.6;
const MARKED = 0.5;
const SAME = 0.1;
const ROWS_TO_NAME = 5;

/**
 * One thing to look at: an executor's work, or last of all the answer.
 *
 * @typedef {object} Step
 * @property {string} label "1", "2", … or "Answer"
 * @property {string} sentence what happened
 * @property {number[]} weights by field; empty for the answer
 * @property {number[]} marks by row; empty for the answer
 * @property {number[]} rows a few rows to jump to
 */

/** All steps of an answer. @returns {Step[]} */
export function stepsOf(answer, fields) {
  const names = fields.map((field) => field.name);
  const steps = answer.steps ?? [];
  const executed = steps.map((step, index) => {
    const weights = names.map((name) => step.fields[name] ?? 0);
    const before = steps[index - 1];
    return {
      label: String(step.executor),
      sentence: repeats(step, before) ? `Does the same as step ${before.executor}.` : told(weights, step.rows, names),
      weights,
      marks: step.rows,
      rows: mostMarked(step.rows),
    };
  });
  return [...executed, { label: "Answer", sentence: concluded(answer), weights: [], marks: [], rows: [] }];
}

/** "sure", "fairly sure" or "unsure". */
export function sureness(confidence) {
  if (confidence >= 0.9) return "sure";
  return confidence >= 0.5 ? "fairly sure" : "unsure";
}

function told(weights, marks, names) {
  return `Reads ${reading(weights, names)} and ${marking(marks)}.`;
}

function reading(weights, names) {
  const order = [...weights.keys()].sort((a, b) => weights[b] - weights[a]);
  const worth = order.filter((field) => weights[field] >= WORTH_NAMING);
  const named = worth.length ? worth : order.slice(0, 1);
  const read = listed(named.map((field) => `${names[field]} (${percent(weights[field])})`));
  if (weights[order[0]] < CLEARLY_READ) return `no field in particular, most of all ${read},`;
  const all = named.reduce((sum, field) => sum + weights[field], 0);
  return all < MOSTLY_READ ? `${read} and a little of many fields,` : read;
}

function marking(marks) {
  const marked = marks.reduce((count, mark) => count + (mark >= MARKED), 0);
  if (marked === marks.length) return marked === 1 ? "marks the only row" : `marks all ${counted(marked, "row")}`;
  if (marked) return `marks ${marked.toLocaleString("en")} of ${counted(marks.length, "row")}`;
  return leansToSome(marks) ? "marks no row, but leans to some" : "marks no row";
}

function concluded(answer) {
  return answer.row === null ? answer.sentence : `It is ${answer.field} in row ${rowName(answer.row)}.`;
}

function mostMarked(marks) {
  const { lowest, highest } = span(marks);
  if (highest - lowest < SAME) return [];
  const least = highest >= MARKED ? MARKED : lowest + SAME;
  const rows = [...marks.keys()].filter((row) => marks[row] >= least);
  return rows
    .sort((a, b) => marks[b] - marks[a])
    .slice(0, ROWS_TO_NAME)
    .sort((a, b) => a - b);
}

function leansToSome(marks) {
  const { lowest, highest } = span(marks);
  return highest - lowest >= SAME;
}

/** Not Math.min(...marks): a hundred thousand arguments are too many. */
function span(marks) {
  return marks.reduce(
    ({ lowest, highest }, mark) => ({ lowest: Math.min(lowest, mark), highest: Math.max(highest, mark) }),
    { lowest: Infinity, highest: -Infinity },
  );
}

function repeats(step, before) {
  if (!before) return false;
  const fieldsAlike = Object.keys(step.fields).every(
    (name) => Math.abs(step.fields[name] - before.fields[name]) < SAME,
  );
  return fieldsAlike && step.rows.every((mark, row) => Math.abs(mark - before.rows[row]) < SAME);
}
