/** The server, and what can go wrong with it in words for people. */

import { words } from "./words.js";

const LARGE = 1_000_000;

/** A request that failed; the message is for people, status is 0 where no server answered. */
export class ApiError extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** The tables that can be asked: those that the server was started with, and those opened in this browser. */
export const tables = () => call("api/tables");

/**
 * What of a table is shown, and in which order.
 *
 * @typedef {object} Query
 * @property {string} [sort] a field
 * @property {boolean} [descending]
 * @property {string} [search] what any cell has
 * @property {string[]} [filters] such as "country=France"
 * @property {string} [program] of an answer: only the rows that count there
 * @property {number} [step] of the program
 * @property {boolean} [others] the other rows too, after them
 * @property {string[]} [tables] the ids of all tables that the program is about
 */

/** A table's fields, some of its rows, and questions to try on it. @param {Query} query */
export const rows = (id, start, count, query = {}, signal = undefined) =>
  call(`api/tables/${encodeURIComponent(id)}?${parameters(query, { start, count })}`, { signal });

/** Where the same rows are as a file. */
export const csv = (id, query) => `api/tables/${encodeURIComponent(id)}.csv?${parameters(query)}`;

function parameters(query, more = {}) {
  const told = new URLSearchParams(more);
  const { sort, descending, search, filters = [], program, step, others, tables: together = [] } = query;
  if (sort) told.set("sort", sort);
  if (sort && descending) told.set("descending", "1");
  if (search) told.set("search", search);
  filters.forEach((filter) => told.append("filter", filter));
  if (!program) return told;
  told.set("program", program);
  told.set("step", step);
  if (others) told.set("others", "1");
  if (together.length > 1) together.forEach((id) => told.append("tables", id));
  return told;
}

/** The answer to a question about tables; `after` is the question before, on which it may lean. */
export const ask = ({ tables: ids, question, after = null, steps = false }) =>
  post("api/ask", { question, tables: ids, steps, ...(after && { after }) });

/** Gives the server a file; returns the table that it read there. */
export async function upload(file) {
  try {
    return await call(`api/tables?${new URLSearchParams({ name: file.name })}`, { method: "POST", body: file });
  } catch (error) {
    // A server that has had enough hangs up, which looks from here as if it were gone.
    if (error.status === 0 && file.size > LARGE && (await isThere())) throw new ApiError(words.tooLarge, 413);
    throw error;
  }
}

/** Has an own upload forgotten; without an id, all of them. */
export const forget = (id) => call(id ? `api/tables/${encodeURIComponent(id)}` : "api/tables", { method: "DELETE" });

/** By which fields tables are linked, the best first. */
export const links = (ids) => call(`api/links?${new URLSearchParams(ids.map((id) => ["table", id]))}`);

/** Questions to try, with what kind each is of; those about several tables go across them. */
export const examples = (ids) => call(`api/examples?${new URLSearchParams(ids.map((id) => ["table", id]))}`);

/** Keeps what the right answer would have been. */
export const correct = (correction) => post("api/corrections", correction);

/** Where the picture of an answer is. */
export const figure = (ids, question, format) =>
  `api/figure?${new URLSearchParams([...ids.map((id) => ["table", id]), ["question", question], ["format", format]])}`;

/** Whether the server is there. */
export async function isThere() {
  try {
    return (await fetch("healthz")).ok;
  } catch {
    return false;
  }
}

const post = (path, content) =>
  call(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(content),
  });

async function call(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(words.lost, 0);
  }
  if (!response.ok) throw new ApiError(await reason(response), response.status);
  return response.status === 204 ? null : response.json();
}

async function reason(response) {
  try {
    const { detail } = await response.json();
    return typeof detail === "string" ? detail : (detail?.[0]?.msg ?? words.failed(response.status));
  } catch {
    return words.failed(response.status);
  }
}
