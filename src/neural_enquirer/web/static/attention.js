/** What the executors did, in words and for the table to show. */

import { grouped, listed, percent } from "./formats.js";
import { words } from "./words.js";

// As in the terminal's explanation: what gets less of the attention is not worth naming; a row marked less is
// not marked; executors that differ by less do the same thing twice.
const WORTH_NAMING = 0.2;
const CLEARLY_READ = 0.3;
const MOSTLY_READ = 0.6;
const MARKED = 0.5;
const SAME = 0.1;
const ROWS_TO_NAME = 5;

/**
 * What an executor did with a table.
 *
 * @typedef {object} Step
 * @property {string} label "1", "2", …
 * @property {string} sentence what happened
 * @property {number[]} weights by field
 * @property {number[]} marks by row
 * @property {number[]} rows a few rows to jump to
 */

/** The steps of an answer in one of its tables. @returns {Step[]} */
export function stepsOf(answer, name, fields) {
  const names = fields.map((field) => field.name);
  const steps = (answer.steps ?? []).filter((step) => step.table === name);
  return steps.map((step, index) => {
    const weights = names.map((field) => step.fields[field] ?? 0);
    const before = steps[index - 1];
    return {
      label: String(step.executor),
      sentence: repeats(step, before) ? words.sameAs(before.executor) : told(weights, step.rows, names),
      weights,
      marks: step.rows,
      rows: mostMarked(step.rows),
    };
  });
}

function told(weights, marks, names) {
  return words.readsAndMarks(reading(weights, names), marking(marks));
}

function reading(weights, names) {
  const order = [...weights.keys()].sort((a, b) => weights[b] - weights[a]);
  const worth = order.filter((field) => weights[field] >= WORTH_NAMING);
  const named = worth.length ? worth : order.slice(0, 1);
  const read = listed(named.map((field) => `${names[field]} (${percent(weights[field])})`));
  if (weights[order[0]] < CLEARLY_READ) return words.noFieldInParticular(read);
  const all = named.reduce((sum, field) => sum + weights[field], 0);
  return all < MOSTLY_READ ? words.andMore(read) : read;
}

function marking(marks) {
  const marked = marks.reduce((count, mark) => count + (mark >= MARKED), 0);
  if (marked) return words.marks(grouped(marked), marks.length, marked === marks.length);
  const { lowest, highest } = span(marks);
  return highest - lowest >= SAME ? words.leans : words.marksNone;
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
