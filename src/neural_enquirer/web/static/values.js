/** The value of an answer: one, a list, or lines of several. */

import { button, element } from "./dom.js";
import { brief, cut, written } from "./formats.js";
import { words } from "./words.js";

const AT_FIRST = 8;
const LONGEST_BRIEF = 60;

/** Nodes that show the value; `fieldOf` finds a field by its name. */
export function valueNodes(answer, fieldOf) {
  if (answer.answer === null) return [element("p", { className: "one", textContent: words.noAnswer })];
  if (isToldByChart(answer)) return [];
  const lines = linesOf(answer, fieldOf);
  if (lines.length > 1) return [...tieNote(answer), listOf(lines, isRanking(answer))];
  const [line] = lines;
  const isAsSpelled = line.length === 1 && answer.aggregation === "none";
  const text = isAsSpelled ? line[0] : answer.answer;
  const said = answer.aggregation === "yes_no" ? words.yesNo(text) : text;
  const shown = element("p", { className: "one", textContent: said });
  if (isAsSpelled && answer.answers[0] !== text) shown.title = words.asSpelled(answer.answers[0]);
  return [shown];
}

/** The value in a few words, for a list of questions. */
export const briefValue = (answer) => (answer.answer === null ? words.noAnswer : cut(answer.answer, LONGEST_BRIEF));

/** The answer as lines of cells, with their names on top. */
export function answerLines(answer) {
  const { names, width } = columnsOf(answer);
  return [names, ...inLines(answer.answers, width)];
}

/** Several values as people write them; each line has one, or one of each of several fields. */
function linesOf(answer, fieldOf) {
  const { names, width } = columnsOf(answer);
  const isMeasure = (text, place) => isGrouped(answer) && place % width === 1 && Number.isFinite(Number(text));
  const texts = answer.answers.map((text, place) =>
    isMeasure(text, place) ? brief(Number(text)) : written(text, fieldOf(names[place % width])),
  );
  return inLines(texts, width);
}

/** Whether a chart of bars says all that a list would say. */
export function isToldByChart({ chart, answers }) {
  if (chart?.kind !== "bars" || chart.marked.length) return false;
  return [1, 2].some((width) => chart.labels.length * width === answers.length);
}

function inLines(texts, width) {
  const lines = [];
  for (let start = 0; start < texts.length; start += width) lines.push(texts.slice(start, start + width));
  return lines;
}

/** What the values are: one field, several beside each other, or groups and a measure of each. */
function columnsOf({ answers, cells, aggregation, program, chart, field }) {
  if (isGrouped({ program, answers })) {
    return { names: [chart?.label ?? words.group, chart?.value ?? aggregation], width: 2 };
  }
  const names = [...new Set(cells.map((cell) => cell.field))];
  const isLines = aggregation === "none" && names.length > 1 && cells.length === answers.length;
  if (isLines && answers.length % names.length === 0) return { names, width: names.length };
  return { names: [field ?? (aggregation === "none" ? names[0] : aggregation) ?? words.answer], width: 1 };
}

const isGrouped = ({ program, answers }) =>
  /^cells\(.*, measure, groups\(/.test(program ?? "") && answers.length % 2 === 0;

const isRanking = ({ program }) => /(largest|smallest)\(\d/.test(program ?? "");

/** Says that several share the first place. */
function tieNote({ program, answers }) {
  const isTie = /^cells\([^()]*, (largest|smallest)\([^\d]/.test(program ?? "") && !/beside|second/.test(program);
  return isTie ? [element("p", { className: "tie quiet", textContent: words.tie(answers.length) })] : [];
}

function listOf(lines, isRanking) {
  const list = element(isRanking ? "ol" : "ul", { className: "values" });
  const item = ([first, ...more]) => {
    const made = element("li", {}, element("span", { textContent: first }));
    more.forEach((text) => made.append(element("span", { className: "measure", textContent: text })));
    return made;
  };
  list.append(...lines.slice(0, AT_FIRST).map(item));
  if (lines.length <= AT_FIRST) return list;
  const rest = button("plain", words.showMore(lines.length - AT_FIRST), () => {
    rest.remove();
    list.append(...lines.slice(AT_FIRST).map(item));
  });
  return element("div", {}, list, rest);
}
