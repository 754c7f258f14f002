/** The page: tables, a question about them, the answer, the rows behind it, and what was asked before. */

import { AnswerCard } from "./answer.js";
import * as api from "./api.js";
import { Choice } from "./choice.js";
import { Conversation, toLeanOn } from "./conversation.js";
import { Correction } from "./correction.js";
import { button, element, page } from "./dom.js";
import { Evidence } from "./evidence.js";
import { listenForFiles } from "./files.js";
import { atWork, attempt, copy, listenForMessages, say, showMessage } from "./messages.js";
import { PaperView } from "./paper_view.js";
import { Sheet } from "./sheet.js";
import { NOTHING } from "./table_view.js";
import { fillIn, words } from "./words.js";

/** How many tables the server takes for one question. */
const MOST_TOGETHER = 8;

/** What the page shows: the question with its answer, and the number of the last one that was asked. */
const state = { entry: null, asked: 0 };

fillIn(document);
const sheet = new Sheet();
const choice = new Choice({
  onChosen: (ids) => attempt(() => chooseTables(ids)),
  onShown: (id) => attempt(() => lookAt(id)),
  onForgotten: (ids) => attempt(() => leaveTables(ids)),
});
const evidence = new Evidence(sheet, showInSheet);
const paper = new PaperView(sheet, () => evidence.again());
const correction = new Correction(sheet, (entry, right) => {
  conversation.correct(entry, right);
  if (entry === state.entry) card.showCorrection();
});
const card = new AnswerCard({
  fieldOf,
  onReveal: revealAnswer,
  onNearest: showNearest,
  onAlone: (question) => ask(question, null),
});
const conversation = new Conversation(
  (entry) => attempt(() => goBackTo(entry)),
  () => takeAnswerAway(),
);

// ---- Tables --------------------------------------------------------------------------------------------------

async function start() {
  await choice.load();
  page.welcome.hidden = choice.known.size > 0;
  try {
    await followAddress();
  } catch (error) {
    const [first] = choice.known.keys();
    if (error.status === 404 && first) await showTables([first]);
    throw error;
  }
}

/** Opens files; several at once are asked together. */
async function openFiles(files) {
  if (!files.length) return;
  const done = atWork();
  try {
    const tables = [];
    for (const file of files) {
      say(words.reading(file.name));
      tables.push(await api.upload(file));
      choice.add(tables.at(-1));
    }
    await chooseTables(tables.map(({ id }) => id).slice(0, MOST_TOGETHER));
    const odd = tables.flatMap(({ warnings }) => warnings ?? []);
    if (odd.length) showMessage(odd.join(" "));
    say(tables.map(words.isOpen).join(" "));
  } finally {
    done();
  }
  page.question.focus();
}

async function chooseTables(ids) {
  history.pushState({}, "", addressOf(ids)); // first, so that a reload finds them while they are on their way
  await showTables(ids);
}

/** Shows tables to ask, without an answer; the first of them is in the sheet. */
async function showTables(ids) {
  state.asked = 0; // an answer on its way is kept among those asked so far
  const question = page.question.value;
  await known(ids, () => showInSheet(ids[0], ids));
  clearAnswer();
  if (page.question.value === question) page.question.value = ""; // or else somebody has begun the next one
  fitQuestion();
  page.welcome.hidden = true;
  document.title = words.title(choice.names(ids));
  const [examples] = await Promise.all([api.examples(ids), choice.showLinks()]);
  if (ids.join() === choice.chosen.join()) showExamples(examples);
}

/** Puts a table into the sheet; it is one of those that are asked. */
async function showInSheet(id, ids = choice.chosen) {
  if (sheet.table?.id !== id) await sheet.show(id);
  else await sheet.refine({ evidence: null, isOnly: false });
  sheet.paint();
  choice.tell(ids, id);
}

/** Shows another of the tables that are asked, with what the answer took from it. */
async function lookAt(id) {
  await showInSheet(id);
  if (paper.isOpen) await paper.again();
  else if (state.entry) await evidence.lookAt();
}

/** Runs what needs tables; where the server has forgotten one, says which. */
async function known(ids, work) {
  const lost = ids.filter((id) => !choice.known.has(id));
  if (lost.length) throw new api.ApiError(words.noTable(choice.names(lost)), 404);
  try {
    return await work();
  } catch (error) {
    if (error.status !== 404) throw error;
    const names = choice.names(ids);
    await choice.load();
    throw new api.ApiError(words.noLonger(names), 404);
  }
}

async function leaveTables(ids) {
  if (!ids.some((id) => choice.chosen.includes(id))) return;
  const [first] = choice.known.keys();
  if (first) {
    await chooseTables([first]);
    return;
  }
  clearAnswer();
  page.work.hidden = true;
  page.welcome.hidden = false;
  history.pushState({}, "", location.pathname);
}

function showExamples(questions) {
  page["examples-box"].hidden = questions.length === 0;
  page["examples-box"].open = state.entry === null;
  page.examples.replaceChildren(
    ...questions.map(({ kind, question }) => {
      const told = [question, element("span", { className: "kind quiet", textContent: words.kind(kind) })];
      return element(
        "li",
        {},
        button("", told, () => putQuestion(question)),
      );
    }),
  );
}

function fieldOf(name) {
  for (const id of choice.chosen) {
    const field = choice.known.get(id)?.fields.find((each) => each.name === name);
    if (field) return field;
  }
  return undefined;
}

// ---- Questions -----------------------------------------------------------------------------------------------

function putQuestion(question) {
  page.question.value = question;
  fitQuestion();
  const before = toLeanOn(state.entry);
  return attempt(async () => {
    await ask(question, before);
    page["answer-title"].focus();
  });
}

/** Asks what stands in the box. The focus stays there for the next question, but a keyboard on a screen goes. */
function askTyped() {
  const question = page.question.value;
  const before = toLeanOn(state.entry);
  return attempt(async () => {
    await ask(question, before);
    if (state.entry && matchMedia("(pointer: coarse)").matches) page["answer-title"].focus();
  });
}

/** The box is as high as its text where the browser does not see to it. */
function fitQuestion() {
  if (CSS.supports("field-sizing", "content")) return;
  page.question.style.height = "auto";
  page.question.style.height = `${page.question.scrollHeight + 2}px`;
}

async function ask(question, before) {
  const text = question.trim();
  if (!text) {
    page.question.focus();
    return;
  }
  const entry = await answered([...choice.chosen], text, before);
  if (entry.id !== state.asked) return;
  history.pushState({ entry: entry.id }, "", addressOfEntry(entry));
  // Somebody may have begun the next question meanwhile.
  const isBegun = page.question.value.trim() !== text;
  await showEntry(entry, isBegun ? page.question.value : question);
}

/** Has the server answer a question; where another is asked meanwhile, this one is just kept. */
async function answered(tables, question, after = null) {
  const id = (state.asked = conversation.nextId());
  const done = atWork();
  try {
    const answer = await known(tables, () => api.ask({ tables, question, after }));
    return conversation.add({ id, question, after, tables, names: choice.names(tables), answer });
  } catch (error) {
    if (id === state.asked) takeAnswerAway();
    throw error;
  } finally {
    done();
  }
}

// ---- The answer ----------------------------------------------------------------------------------------------

function clearAnswer() {
  state.entry = null;
  card.clear();
  evidence.clear();
  paper.clear();
  correction.close();
  page.legend.hidden = true;
  conversation.tell(null);
}

/** Takes the answer and its marks away; the table stays as it is where no server answers. */
function takeAnswerAway() {
  clearAnswer();
  sheet.paint();
  sheet.refine({ evidence: null, isOnly: false }).catch(() => {});
}

async function showEntry(entry, inBox = entry.question) {
  state.entry = entry;
  page["examples-box"].open = false;
  page.question.value = inBox;
  fitQuestion();
  card.show(entry);
  paper.show(entry);
  correction.show(entry);
  conversation.tell(entry);
  page.link.hidden = !choice.isPublic(entry.tables);
  page.link.href = addressOfEntry(entry);
  say(card.spoken());
  sheet.paint();
  await evidence.show(entry);
  if (state.entry === entry) await card.showNearest();
}

/** Shows a question asked before, with its tables. */
async function goBackTo(entry) {
  if (history.state?.entry !== entry.id) history.pushState({ entry: entry.id }, "", addressOfEntry(entry));
  await restore(entry);
  page["answer-title"].focus();
}

async function restore(entry) {
  state.asked = 0; // what is being asked does not take its place
  const lost = entry.tables.filter((id) => !choice.known.has(id));
  if (lost.length) throw new api.ApiError(words.noLonger(entry.names), 404);
  if (entry.tables.join() !== choice.chosen.join()) await showTables(entry.tables);
  await showEntry(entry);
}

async function revealAnswer() {
  await evidence.reveal();
  page.scroller.scrollIntoView({ block: "nearest" });
}

/** Shows the row that comes nearest to an answer, marked. */
async function showNearest(id, { row, fields }) {
  await showInSheet(id);
  const used = new Set(fields.map((name) => sheet.fieldIndex(name)).filter((field) => field >= 0));
  sheet.paint({ ...NOTHING, marks: new Map([[row, 1]]), used });
  await sheet.reveal(row, [...used][0] ?? null);
}

// ---- The address: tables and a question; what was asked in this tab comes back as it was ---------------------

const addressOf = (ids, ...more) => `#${new URLSearchParams([...ids.map((id) => ["table", id]), ...more])}`;

/** A question that was read by the one before it comes with that one. */
function addressOfEntry({ tables, question, after, answer }) {
  const before = after && answer.read_as
    ? [
        ["after", after.question],
        ["program", after.program ?? ""],
        ["confidence", after.confidence],
      ]
    : [];
  return addressOf(tables, ["question", question], ...before);
}

/** Shows what the address says, or else the first table. */
async function followAddress() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const entry = conversation.find(history.state?.entry);
  if (entry) {
    await restore(entry);
    return;
  }
  const [first] = choice.known.keys();
  const called = wanted.getAll("table").map(idCalled);
  const ids = called.length ? called : choice.chosen.length ? choice.chosen : first ? [first] : [];
  if (!ids.length) return;
  const question = wanted.get("question");
  if (ids.join() !== choice.chosen.join() || !question) await showTables(ids);
  if (!question) return;
  page.question.value = question;
  fitQuestion();
  const found = await answered(ids, question, beforeIn(wanted));
  if (found.id !== state.asked) return;
  history.replaceState({ entry: found.id }, "", location.href); // no new place to go back from
  await showEntry(found);
}

/** The question before that an address tells of, if it does. */
const beforeIn = (wanted) =>
  wanted.has("after")
    ? {
        question: wanted.get("after"),
        program: wanted.get("program") || null,
        confidence: Number(wanted.get("confidence") ?? 1),
      }
    : null;

/** Links may say olympics.csv as well as olympics. */
function idCalled(called) {
  const table = choice.known.get(called) ?? [...choice.known.values()].find(({ name }) => name === called);
  return table?.id ?? called;
}

// ---- Hands: mouse, keys --------------------------------------------------------------------------------------

function listen() {
  page.ask.addEventListener("submit", (event) => {
    event.preventDefault();
    askTyped();
  });
  page.question.addEventListener("input", fitQuestion);
  page.question.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    page.ask.requestSubmit();
  });
  page.link.addEventListener("click", (event) => {
    event.preventDefault();
    copy(page.link.href, page.link);
  });
  addEventListener("popstate", () => attempt(followAddress));
  listenForMessages();
  listenForFiles((files) => attempt(() => openFiles(files)));
}

listen();
attempt(start);
