/** The server, and what can go wrong with it in words for people. */

const LOST = "The server does not answer. Is “enquirer serve” still running?";
const TOO_LARGE = "The server broke off the upload: the file is probably too large for it.";
const LARGE = 1_000_000;

/** A request that failed; the message is for people, status is 0 where no server answered. */
export class ApiError extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** The tables that the server was started with. */
export const tables = () => call("api/tables");

/** A table's fields, some of its rows, and questions to try on it. */
export const rows = (id, start, count) =>
  call(`api/tables/${encodeURIComponent(id)}?${new URLSearchParams({ start, count })}`);

/** The answer to a question, with the steps that led to it. */
export const ask = (table, question, signal) =>
  call("api/ask", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ question, table, steps: true }),
    signal,
  });

/** Gives the server a file; returns the table that it read there. */
export async function upload(file) {
  try {
    return await call(`api/tables?${new URLSearchParams({ name: file.name })}`, { method: "POST", body: file });
  } catch (error) {
    // A server that has had enough hangs up, which looks from here as if it were gone.
    if (error.status === 0 && file.size > LARGE && (await isThere())) throw new ApiError(TOO_LARGE, 413);
    throw error;
  }
}

/** Where the picture of an answer is. */
export const figure = (table, question, format) =>
  `api/figure?${new URLSearchParams({ table, question, format })}`;

async function isThere() {
  try {
    return (await fetch("healthz")).ok;
  } catch {
    return false;
  }
}

async function call(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(LOST, 0);
  }
  if (!response.ok) throw new ApiError(await reason(response), response.status);
  return response.json();
}

async function reason(response) {
  const fallback = `The server could not do this (status ${response.status}).`;
  try {
    const { detail } = await response.json();
    return typeof detail === "string" ? detail : (detail?.[0]?.msg ?? fallback);
  } catch {
    return fallback;
  }
}
