/** Every text of the page, in English; [data-say] and the like in index.html name those that never change. */

import { brief, cut, grouped, listed, rowName } from "./formats.js";

/** "1 row", "2,000 rows". */
const counted = (count, what) => `${grouped(count)} ${what}${count === 1 ? "" : "s"}`;

/** A file's name as a shell takes it. */
const quoted = (name) => (/^[\w.:-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`);

/** "8 hours", "5 minutes". */
const lasting = (seconds) =>
  seconds >= 5400
    ? counted(Math.round(seconds / 3600), "hour")
    : counted(Math.max(1, Math.round(seconds / 60)), "minute");

const KINDS = {
  superlative: "the most",
  "count above": "count",
  groups: "by group",
  years: "over time",
  top: "top three",
  sum: "total",
  "average by group": "by group",
};
const ENDS = {
  text: ["A to Z", "Z to A"],
  duration: ["Shortest first", "Longest first"],
  date: ["Earliest first", "Latest first"],
  "time of day": ["Earliest first", "Latest first"],
  year: ["Earliest first", "Latest first"],
};
const TYPES = { text: "text", number: "numbers", date: "dates" };

export const words = {
  // ---- The top, the welcome, messages
  product: "Neural Enquirer",
  skip: "Skip to the question",
  table: "Table",
  yourFiles: "Your files",
  onThisServer: "On this server",
  exampleTables: "Examples",
  /** Whose a table is, where another has the same name. */
  whose: ({ name, uploaded, example }) => `${name} (${uploaded ? "yours" : example ? "example" : "on this server"})`,
  aboutExample: "Ask a table in plain words. This one is an example: open a file to ask your own.",
  openFile: "Open a file…",
  fileName: "A file with a table",
  retry: "Try again",
  closeMessage: "Close this message",
  welcomeTitle: "Ask a table in plain words",
  welcomeText: "Get the answer, the rows behind it and the SQL. Your table stays on the computer that runs this page.",
  chooseFile: "Choose a file",
  dropHint: "or drop it anywhere on this page: CSV, TSV, Excel, JSON, Parquet; several at once are asked together",
  dropNow: "Drop the file to open it",
  lost: "The server does not answer. Is “enquirer serve” still running? This page tries again by itself.",
  back: "The server is back.",
  broken: "Something went wrong on this page.",
  tooLarge: "The server broke off the upload: the file is probably too large for it.",
  failed: (status) => `The server could not do this (status ${status}).`,
  noTable: (names) => `This server has no table “${names.join("”, “")}”: open its file to ask it.`,
  noLonger: (names) => `The server no longer keeps ${listed(names)}: open the file again to ask it.`,
  copied: "Copied",
  notCopied: "The browser does not let this page copy",
  reading: (name) => `Reading ${name}`,
  isOpen: (table) =>
    `${table.name} is open: ${counted(table.rows_there, "row")}, ${counted(table.fields.length, "field")}.`,
  title: (names) => `${listed(names)} · Ask your table`,

  // ---- The question
  question: "Question",
  yourQuestion: "Your question",
  placeholder: "Ask about this table",
  ask: "Ask",
  working: "Looking for the answer…",
  examples: "Questions to try",
  kind: (kind) => KINDS[kind] ?? kind,
  together: "Ask it together with another table",
  addTable: "+ Ask with another table…",
  takeAway: (what) => `Take away: ${what}`,
  linksTitle: "How the tables are linked",
  link: ([one, other], [field, otherField], shared) =>
    `${one}: ${field} = ${other}: ${otherField} · ${counted(shared, "value")} in both`,
  noLink: "These tables share no values, so that a question cannot go across them.",

  // ---- The answer
  answer: "Answer",
  noAnswer: "No answer",
  echoHint: `${matchMedia("(hover: none)").matches ? "Tap" : "Point at"} a word to see how it was read.`,
  takenFor: (text, meaning) => `“${text}” was taken for: ${meaning}`,
  notUsed: (text) => `“${text}” was not used`,
  notFound: (text) => `“${text}” was not found in the table`,
  inBrackets: (text) => ` (${text})`,
  readAs: (question) => `Read as: ${question}`,
  askAlone: "Ask it on its own",
  yesNo: (text) => ({ yes: "Yes", no: "No" })[text.toLowerCase()] ?? text,
  asSpelled: (text) => `In the table: ${text}`,
  group: "group",
  tie: (count) => `A tie: ${grouped(count)} share the place.`,
  showMore: (count) => `Show ${grouped(count)} more`,
  corrected: (right) => `You corrected this: ${right}`,
  correctedTo: (right) => `corrected: ${right}`,
  rowsOf: (rows) => `row${rows.length === 1 ? "" : "s"} ${listed(rows.map(rowName))}`,
  sureness: ["a guess", "unsure", "fairly sure", "sure", "very sure"],
  confidence: (share) => `confidence ${share}`,
  inTen: (confidence) => `Of ten answers like this, about ${Math.round(10 * confidence)} are right.`,
  others: "What else it may mean",
  cells: (count) => `See the ${counted(count, "cell")} behind it`,
  place: (field, row) => `${field} · row ${rowName(row)}`,
  showInTable: "Show it in the table",
  nearestRow: ({ row, count }) =>
    count > 1
      ? `${grouped(count)} rows come nearest. The first is row ${rowName(row)}, with these fields:`
      : `The nearest is row ${rowName(row)}, with these fields:`,
  spokenRefusal: (sentence) => `No answer. ${sentence}`,
  spokenAnswer: ({ answer, sentence }, sure, share) => `${answer}. ${sentence} ${sure}, ${share}.`,
  someRows: (count) => `${counted(count, "row")} of those that count`,
  sql: "SQL",
  sqlName: "The program as SQL",
  copySql: "Copy SQL",
  copyLink: "Copy link",
  saveAnswer: "Save answer",
  asCsv: "As a CSV file",
  chart: ({ kind, label, value, labels, values }) =>
    `${kind === "line" ? "Line" : "Bar"} chart of ${value} by ${label}: ` +
    `${labels.map((name, place) => `${name} ${brief(values[place])}`).join(", ")}.`,
  chartCaption: ({ label, value }) => `${value} by ${label}`,
  upTo: (most) => `up to ${most}`,

  // ---- How it was worked out
  program: "How it was worked out",
  stepBack: "Step before",
  stepNext: "Next step",
  keyCounts: "rows that count",
  keyUsed: (names) => `looked at: ${cut(names.join(", "), 40)}`,
  keyAnswer: "answer",
  keyCells: "cells behind the answer",
  keyWhole: "answer made of the whole field",

  // ---- The paper's view
  paper: "The paper’s view: what each executor read and marked",
  paperNone: "No executor has looked at this table: its rows are with an engine, or the model has no executors.",
  paperHint:
    "A second opinion by the cascade of executors. A mark, from 0 to 1, says how much a row looks to a step like " +
    "those it was after: the rows that the question names, or the answer’s.",
  stepName: "Step",
  figure: "Figure:",
  step: (label) => `Step ${label}`,
  rows: "Rows",
  allElse: "all else",
  howProbable: "How probable each candidate is, all opinions weighed.",
  sameAs: (step) => `Does the same as step ${step}.`,
  readsAndMarks: (reading, marking) => `Reads ${reading} and ${marking}.`,
  noFieldInParticular: (read) => `no field in particular, most of all ${read},`,
  andMore: (read) => `${read} and a little of many fields,`,
  marks: (marked, all, areAll) => {
    if (!areAll) return `marks ${marked} of ${counted(all, "row")}`;
    return all === 1 ? "marks the only row" : `marks all ${counted(all, "row")}`;
  },
  leans: "marks no row, but leans to some",
  marksNone: "marks no row",
  keyRead: (label) => `field read by step ${label}`,
  keyMarked: "row marked",
  keyCandidates: "candidates",
  marked: (mark) => `marked ${mark.toFixed(2)}`,
  rowCounts: (isMarked) => (isMarked ? " marked" : " counts"),

  // ---- Corrections
  wrong: "That is wrong",
  whatIsRight: "What would have been right?",
  pickChoice: "Cells or rows that I pick in the table",
  pickHint: "Click cells, or the numbers of rows; with the keyboard, Enter picks a cell and Shift + Enter its row.",
  typeChoice: "Another answer",
  rightAnswer: "The right answer",
  refuseChoice: "There is no answer in this table",
  send: "Keep this",
  cancel: "Cancel",
  picked: (cells, rows) => (rows ? `${counted(rows, "row")} picked.` : `${counted(cells, "cell")} picked.`),
  nothingChosen: "Choose what is right first.",
  thanks: ({ kept_in: file, count }, names) => [
    `Thank you. Kept on this computer in `,
    { code: file },
    ` (${counted(count, "correction")}), and told when this is asked again. Other answers stay as they are until a ` +
      `model learns from it. For that, type in a terminal, in the folder with ${listed(names)}: `,
    { code: `enquirer learn ${names.map(quoted).join(" ")} ${file} --out my-model` },
  ],

  // ---- What was asked before
  questions: "Asked so far",
  forgetQuestions: "Clear the list",

  // ---- The table
  row: "row",
  caption: (name, rows) => `${name}: ${counted(rows, "row")}`,
  size: ({ rows, rows_there: there, fields }) => {
    const shown = rows < there ? `first ${grouped(rows)} of ${counted(there, "row")}` : counted(there, "row");
    return `${shown} · ${counted(fields.length, "field")}`;
  },
  tabs: "Tables asked together",
  search: "Search the rows",
  tools: "Rows shown",
  narrowed: "Order and filters",
  showAll: "Reset",
  showAllTitle: "Show all rows, in the order of the table",
  showOnly: (count) => `Only ${count === 1 ? "this row" : `these ${grouped(count)} rows`}`,
  copyRows: "Copy rows",
  copySelected: (count) => `Copy ${counted(count, "row")}`,
  copiedFirst: (count) => `Copied the first ${count} rows.`,
  exportRows: "Save rows",
  selected: (count) => `${counted(count, "row")} selected`,
  rowsTold: (matching, all, { evidence, isOnly, search, kept }) => {
    const isNarrowed = search || Object.keys(kept).length || (evidence && isOnly);
    if (matching === 0) return "No row has that.";
    return isNarrowed ? `${grouped(matching)} of ${counted(all, "row")}` : "";
  },
  narrowedTo: (count) => counted(count, "row"),
  sortedBy: (name, descending) => `${name} ${descending ? "↓" : "↑"}`,
  keptBy: (name, { contains, from, to }) => {
    const range = from && to ? `${from} to ${to}` : from ? `≥ ${from}` : to ? `≤ ${to}` : "";
    return [name, contains && `has “${contains}”`, range].filter(Boolean).join(" ");
  },
  headerKeys: "Enter sorts by this field; the down arrow opens its filter, width and facts.",
  columnMenu: (name) => `Filter ${name}, change its width, or see what is known of it`,
  fieldHint: ({ name, type, unit }) => `${name} · ${TYPES[type]}${unit ? ` in ${unit}` : ""}`,
  fieldFacts: ({ type, unit, reading, missing, distinct, examples = [] }) =>
    [
      (reading || TYPES[type]) + (unit && !reading?.includes(unit) ? ` in ${unit}` : ""),
      distinct === null || distinct === undefined ? "" : counted(distinct, "distinct value"),
      missing ? `${counted(missing, "empty cell")}` : "",
      examples.length ? `such as ${examples.slice(0, 3).join(", ")}` : "",
    ]
      .filter(Boolean)
      .join(" · "),
  sortedFrom: (kind) => ENDS[kind] ?? ["Lowest first", "Highest first"],
  contains: "Has the words",
  from: "From",
  to: "To",
  narrower: "Narrower",
  wider: "Wider",
  done: "Done",
  keptFor: (seconds) =>
    seconds === null || seconds === undefined
      ? "Only this browser sees this file."
      : `Only this browser sees this file; unused, it is forgotten in ${lasting(seconds)}.`,
  forgetThis: "Forget it now",
  forgetAll: (count) => `Forget all ${grouped(count)}`,
  forgotten: "Forgotten.",
};

/** Puts the texts that never change into the page. */
export function fillIn(document) {
  const uses = { say: "textContent", name: "ariaLabel", hint: "placeholder", title: "title" };
  for (const [use, property] of Object.entries(uses)) {
    for (const part of document.querySelectorAll(`[data-${use}]`)) part[property] = words[part.dataset[use]];
  }
}
