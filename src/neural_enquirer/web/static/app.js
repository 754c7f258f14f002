/** The page: a table, a question about it, the answer, and the steps that led to it. */

import * as api from "./api.js";
import { counted, draw, element, percent, rowName } from "./dom.js";
import { stepsOf, sureness } from "./steps.js";
import { TableView } from "./table_view.js";

const ROWS_AT_FIRST = 200;
const WORTH_SHADING = 0.01;

const page = Object.fromEntries([...document.querySelectorAll("[id]")].map((part) => [part.id, part]));

/** What the page shows: the table, whether the server had it from the start, the answer, the step. */
const state = { table: null, answer: null, steps: [], step: 0, question: null, retry: null, asking: null, wanted: null };
const known = new Map(); // tables by id: those that the server started with, and those opened here
const preloaded = new Set();

const view = new TableView(page, async (start, count) => (await api.rows(state.table.id, start, count)).cells);

// ---- Messages ------------------------------------------------------------------------------------------------

/** Runs what may fail; where it does, says so, and how to try again where no server answered. */
async function attempt(work) {
  hideMessage();
  try {
    return await work();
  } catch (error) {
    if (error.name === "AbortError") return undefined;
    const isLost = error.status === 0;
    showMessage(error instanceof api.ApiError ? error.message : "Something went wrong on this page.", isLost && work);
    if (!(error instanceof api.ApiError)) throw error;
    return undefined;
  }
}

function showMessage(text, retry) {
  page["message-text"].textContent = text;
  page.message.hidden = false;
  page.retry.hidden = !retry;
  state.retry = retry || null;
}

function hideMessage() {
  page.message.hidden = true;
}

/** For screen readers: what has just changed. */
function say(text) {
  page.spoken.textContent = text;
}

// ---- Tables --------------------------------------------------------------------------------------------------

async function start() {
  for (const table of await api.tables()) {
    known.set(table.id, table);
    preloaded.add(table.id);
  }
  listTables();
  page.welcome.hidden = known.size > 0;
  await followAddress();
}

function listTables() {
  page.picker.hidden = known.size === 0;
  page.tables.replaceChildren(
    ...[...known.values()].map(({ id, name }) => element("option", { value: id, textContent: name })),
  );
  if (state.table) page.tables.value = state.table.id;
}

async function openFile(file) {
  if (!file) return;
  say(`Reading ${file.name}`);
  document.body.classList.add("busy");
  try {
    const table = await api.upload(file);
    known.set(table.id, table);
    await showTable(table.id);
    if (table.warnings?.length) showMessage(table.warnings.join(" "));
  } finally {
    document.body.classList.remove("busy");
  }
  forgetAddress();
  say(`${state.table.name} is open: ${counted(state.table.rows_there, "row")}, ${counted(state.table.fields.length, "field")}.`);
  page.question.focus();
}

/** Shows a table, unless another has been wanted by the time its rows are here. */
async function showTable(id) {
  state.asking?.abort();
  state.wanted = id;
  const table = await api.rows(id, 0, ROWS_AT_FIRST);
  if (state.wanted !== id) throw new DOMException("Another table is wanted.", "AbortError");
  state.table = table;
  clearAnswer();
  page.welcome.hidden = true;
  page.work.hidden = false;
  page["sheet-title"].textContent = table.name;
  page["sheet-size"].textContent = `${counted(table.rows_there, "row")} · ${counted(table.fields.length, "field")}`;
  document.title = `${table.name} · Ask your table`;
  page.question.value = "";
  fitQuestion();
  listTables();
  showExamples(table.examples ?? []);
  view.show(table);
}

function showExamples(questions) {
  page["examples-box"].hidden = questions.length === 0;
  page["examples-box"].open = true;
  page.examples.replaceChildren(
    ...questions.map((question) =>
      element("li", {}, element("button", { type: "button", textContent: question, onclick: () => putQuestion(question) })),
    ),
  );
}

// ---- Questions -----------------------------------------------------------------------------------------------

function putQuestion(question) {
  page.question.value = question;
  fitQuestion();
  return attempt(async () => {
    await ask(question);
    page["answer-title"].focus();
  });
}

/** Asks what stands in the box. The focus stays there for the next question, but a keyboard on a screen goes. */
function askTyped() {
  return attempt(async () => {
    await ask(page.question.value);
    if (state.answer && matchMedia("(pointer: coarse)").matches) page["answer-title"].focus();
  });
}

/** Says what the answer belongs to, once the box says something else. */
function compareQuestion() {
  page.asked.hidden = !state.question || page.question.value.trim() === state.question;
}

/** The box is as high as its text where the browser does not see to it. */
function fitQuestion() {
  if (CSS.supports("field-sizing", "content")) return;
  page.question.style.height = "auto";
  page.question.style.height = `${page.question.scrollHeight + 2}px`;
}

async function ask(question) {
  const text = question.trim();
  if (!text) {
    page.question.focus();
    return;
  }
  state.asking?.abort();
  const asking = new AbortController();
  state.asking = asking;
  document.body.classList.add("busy");
  try {
    const answer = await api.ask(state.table.id, text, asking.signal);
    showAnswer(text, answer);
    rememberInAddress(text);
  } finally {
    if (state.asking === asking) document.body.classList.remove("busy");
  }
}

// ---- The answer ----------------------------------------------------------------------------------------------

function clearAnswer() {
  Object.assign(state, { answer: null, steps: [], step: 0, question: null });
  page["answer-box"].hidden = page["steps-box"].hidden = page.legend.hidden = true;
}

function showAnswer(question, answer) {
  Object.assign(state, { question, answer, steps: stepsOf(answer, state.table.fields) });
  const isThere = answer.answer !== null;
  const sure = sureness(answer.confidence);
  page.asked.textContent = question;
  page["examples-box"].open = false;
  compareQuestion();
  page.value.textContent = isThere ? answer.answer : "No answer";
  page["answer-box"].dataset.sure = isThere ? sure : "none";
  page.sentence.textContent = answer.sentence;
  page.place.replaceChildren(...placeButtons(answer));
  page.unused.hidden = answer.unused.length === 0;
  page.unused.textContent = `Not used: ${answer.unused.join(", ")}.`;
  showProgram(answer);
  draw(page.bar, "share", answer.confidence);
  page.bar.setAttribute("aria-label", `confidence ${percent(answer.confidence)}`);
  page.sure.replaceChildren(element("strong", { textContent: sure }), ` · ${percent(answer.confidence)}`);
  showOthers(answer);
  showWaysToTakeIt(question);
  page["answer-box"].hidden = false;
  page["steps-box"].hidden = !answer.steps;
  page["steps-title"].textContent = answer.program_steps.length ? "A second opinion" : "How it got there";
  listSteps();
  goTo(state.steps.length - 1);
  say(spoken(answer, sure));
}

function spoken(answer, sure) {
  if (answer.answer === null) return `No answer. ${answer.sentence}`;
  return `${answer.answer}. ${answer.sentence} ${sure}, ${percent(answer.confidence)}.`;
}

/** A button that shows the cells of the answer: one by its place, several by their number. */
function placeButtons({ row, field, cells, cells_count: count }) {
  if (!cells.length) return [];
  const told = row === null ? [counted(count, "cell")] : [element("span", { textContent: field }), ` · row ${rowName(row)}`];
  return [placeButton(told)];
}

function placeButton(words) {
  const button = element("button", { type: "button", className: "plain", title: "Show it in the table" }, ...words);
  button.onclick = () => {
    revealAnswer();
    page.scroller.scrollIntoView({ block: "nearest" });
  };
  return button;
}

/** The steps of the program with how many rows each leaves, and the program as SQL. */
function showProgram(answer) {
  page["program-box"].hidden = !answer.sql && !answer.program_steps.length;
  page.program.replaceChildren(
    ...answer.program_steps.map(({ step }) => element("li", { textContent: step })),
  );
  page.sql.hidden = !answer.sql;
  page.sql.textContent = answer.sql ?? "";
}

function showOthers(answer) {
  const others = answer.ranked.slice(1);
  page["others-box"].hidden = others.length === 0;
  page["others-box"].open = sureness(answer.confidence) !== "sure";
  page.others.replaceChildren(...others.map(otherItem));
}

function otherItem(candidate) {
  const { row, field, probability } = candidate;
  const share = element("span", { className: "share", textContent: percent(probability) });
  draw(share, "share", probability);
  if (row === null) {
    const text = element("span", { className: "text", textContent: candidate.answer ?? "No answer" });
    return element("li", {}, element("span", { className: "other" }, text, share));
  }
  const button = element("button", { type: "button", className: "other" });
  button.append(
    element("span", { className: "text", textContent: candidate.answer }),
    element("span", { className: "where", textContent: `${field} · row ${rowName(row)}` }),
    share,
  );
  const cell = { row, field: fieldIndex(field) };
  const point = () => {
    view.pointAt(cell);
    if (!view.isInSight(row)) view.reveal(row, cell.field);
  };
  const leave = () => view.pointAt(null);
  Object.assign(button, { onmouseenter: point, onfocus: point, onmouseleave: leave, onblur: leave });
  button.onclick = () => view.reveal(row, cell.field);
  return element("li", {}, button);
}

function showWaysToTakeIt(question) {
  page.link.hidden = !preloaded.has(state.table.id);
  page.link.textContent = "Copy link";
  page.link.href = addressOf(question);
  for (const format of ["png", "svg"]) {
    page[format].href = api.figure(state.table.id, question, format);
    page[format].download = `${question.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 60)}.${format}`;
  }
}

const fieldIndex = (name) => state.table.fields.findIndex((field) => field.name === name);

// ---- The steps -----------------------------------------------------------------------------------------------

function listSteps() {
  page.slider.max = state.steps.length;
  page.panels.replaceChildren(...state.steps.map(stepPanel));
}

function stepPanel(step, index) {
  const isLast = index === state.steps.length - 1;
  const title = isLast ? "Answer" : `Step ${step.label}`;
  const words = element("span", { className: "words" });
  words.append(element("strong", { textContent: title }), " ", element("span", { textContent: step.sentence }));
  const badge = element("span", { className: "badge", textContent: isLast ? "✓" : step.label });
  badge.setAttribute("aria-hidden", "true");
  const button = element("button", { type: "button", className: "panel", onclick: () => goTo(index) }, badge, words);
  const details = element("div", { className: "details" }, ...(isLast ? distribution() : executorDetails(step)));
  return element("li", {}, button, details);
}

/** A bar for each field's weight, and buttons for the rows that stand out. */
function executorDetails(step) {
  const strip = element("div", { className: "strip" });
  strip.setAttribute("aria-hidden", "true");
  strip.append(...step.weights.slice(0, 60).map((weight) => {
    const bar = element("span");
    draw(bar, "weight", weight);
    return bar;
  }));
  if (!step.rows.length) return [strip];
  const jumps = step.rows.map((row) =>
    element("button", { type: "button", className: "jump", textContent: rowName(row), onclick: () => view.reveal(row) }),
  );
  return [strip, element("p", { className: "jumps" }, element("span", { textContent: "Rows" }), ...jumps)];
}

/** How probable each candidate is, and what is left for all other cells. */
function distribution() {
  const shares = state.answer.ranked.map(({ answer, probability }) => [answer ?? "No answer", probability]);
  const rest = 1 - shares.reduce((sum, [, share]) => sum + share, 0);
  if (rest > 0.0005) shares.push(["all else", rest]);
  const items = shares.map(([text, share]) => {
    const item = element("li", {}, element("span", { className: "text", textContent: text }), element("span", { textContent: percent(share) }));
    draw(item, "share", share);
    return item;
  });
  return [element("ul", { className: "distribution" }, ...items)];
}

/** Shows one step: in the list, on the slider, in the table. */
function goTo(index) {
  state.step = Math.max(0, Math.min(index, state.steps.length - 1));
  const step = state.steps[state.step];
  const isLast = state.step === state.steps.length - 1;
  page.slider.value = state.step + 1;
  draw(page.slider, "share", state.step / Math.max(1, state.steps.length - 1));
  page.slider.setAttribute("aria-valuetext", `${isLast ? "Answer" : `Step ${step.label}`}: ${step.sentence}`);
  page.back.disabled = state.step === 0;
  page.next.disabled = page.hint.hidden = isLast;
  [...page.panels.children].forEach((panel, place) => {
    panel.classList.toggle("current", place === state.step);
    if (place === state.step) panel.firstChild.setAttribute("aria-current", "step");
    else panel.firstChild.removeAttribute("aria-current");
  });
  showLegend(step, isLast);
  view.paint(pictureOf(step, isLast));
  if (isLast) revealAnswer();
  else view.revealPicture();
}

function revealAnswer() {
  const [first] = state.answer.cells;
  if (first) view.reveal(first.row, fieldIndex(first.field));
}

/** The cells that the answer is made of: by row, the numbers of their fields. */
function answerCells() {
  const found = new Map();
  for (const { row, field } of state.answer.cells) {
    if (!found.has(row)) found.set(row, new Set());
    found.get(row).add(fieldIndex(field));
  }
  return found;
}

function pictureOf(step, isLast) {
  const { answer } = state;
  const place = ({ row, field, probability }) => ({ row, field: fieldIndex(field), probability });
  return {
    weights: step.weights,
    marks: step.marks,
    cells: isLast ? worthShading(answer).map(place) : [],
    answers: answerCells(),
  };
}

/** The cells that the model considered in earnest. */
function worthShading(answer) {
  return answer.ranked.filter(({ row, probability }) => row !== null && probability >= WORTH_SHADING);
}

function showLegend(step, isLast) {
  const { answer } = state;
  const others = worthShading(answer).filter(({ row, field }) => row !== answer.row || field !== answer.field);
  const entries = isLast
    ? others.slice(0, 1).map(() => ["key-share", "other candidates"])
    : [["key-weight", `field read by step ${step.label}`], ["key-mark", "row marked"]];
  if (answer.cells.length) entries.push(["key-answer", answer.row === null ? "made of these cells" : "answer"]);
  page.legend.hidden = false;
  page.legend.replaceChildren(
    ...entries.map(([className, text]) => element("span", {}, element("i", { className }), text)),
  );
}

/** Left and right go through the steps wherever they do not already mean something else. */
function onArrow(event) {
  const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const isTaken = event.target.closest?.("input, textarea, select, .scroller");
  if (!direction || isTaken || !state.answer || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  goTo(state.step + direction);
  say(page.slider.getAttribute("aria-valuetext"));
}

// ---- The address: a table that the server starts with, and a question ---------------------------------------

function addressOf(question) {
  const { id } = state.table;
  return `#${new URLSearchParams(question ? { table: id, question } : { table: id })}`;
}

function rememberInAddress(question) {
  if (!preloaded.has(state.table.id)) return;
  const address = addressOf(question);
  if (location.hash !== address) history.pushState(null, "", address);
}

function forgetAddress() {
  if (location.hash) history.pushState(null, "", location.pathname);
}

/** Shows what the address says, or else the first table. */
async function followAddress() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const tables = [...preloaded].map((id) => known.get(id));
  const called = wanted.get("table");
  const table = called ? tables.find(({ id, name }) => [id, name].includes(called)) : (state.table ?? tables[0]);
  if (called && !table) throw new api.ApiError(`This server has no table “${called}”: open its file to ask it.`, 404);
  if (!table) return;
  if (table.id !== state.table?.id) await showTable(table.id);
  const question = wanted.get("question");
  if (!question || question === state.question) return;
  page.question.value = question;
  fitQuestion();
  await ask(question);
}

async function copyLink(event) {
  event.preventDefault();
  rememberInAddress(state.question);
  try {
    await navigator.clipboard.writeText(page.link.href);
    page.link.textContent = "Copied";
    say("Link copied");
  } catch {
    page.link.textContent = "The address of this page is the link";
  }
}

// ---- Hands: mouse, keys, files dropped ----------------------------------------------------------------------

function listen() {
  page.ask.addEventListener("submit", (event) => {
    event.preventDefault();
    askTyped();
  });
  page.question.addEventListener("input", () => {
    fitQuestion();
    compareQuestion();
  });
  page.question.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    page.ask.requestSubmit();
  });
  page.tables.addEventListener("change", () =>
    attempt(async () => {
      await showTable(page.tables.value);
      if (preloaded.has(state.table.id)) history.pushState(null, "", addressOf());
      else forgetAddress();
    }),
  );
  for (const button of [page.open, page.choose]) button.addEventListener("click", () => page.file.click());
  page.file.addEventListener("change", () => {
    const [file] = page.file.files;
    attempt(() => openFile(file)).finally(() => (page.file.value = ""));
  });
  page.slider.addEventListener("input", () => goTo(Number(page.slider.value) - 1));
  page.back.addEventListener("click", () => goTo(state.step - 1));
  page.next.addEventListener("click", () => goTo(state.step + 1));
  page.link.addEventListener("click", copyLink);
  page.dismiss.addEventListener("click", hideMessage);
  page.retry.addEventListener("click", () => attempt(state.retry));
  document.addEventListener("keydown", onArrow);
  addEventListener("popstate", () => attempt(followAddress));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => state.answer && goTo(state.step));
  listenForFiles();
}

function listenForFiles() {
  let depth = 0; // enter and leave come for every element on the way
  const holdsFiles = (event) => event.dataTransfer?.types.includes("Files");
  const count = (change) => (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    depth += change;
    document.body.classList.toggle("dropping", depth > 0);
  };
  addEventListener("dragenter", count(1));
  addEventListener("dragleave", count(-1));
  addEventListener("dragover", (event) => holdsFiles(event) && event.preventDefault());
  addEventListener("drop", (event) => {
    if (!holdsFiles(event)) return;
    count(-depth)(event);
    const [file] = event.dataTransfer.files;
    attempt(() => openFile(file));
  });
}

listen();
attempt(start);
