/** What the page says: to all in a line at the top, to screen readers as things change. */

import { ApiError, isThere } from "./api.js";
import { page } from "./dom.js";
import { words } from "./words.js";

const LOOK_AGAIN = 3_000;
const A_WHILE = 500;
let again = null; // what to try again
let watching = null;
let working = null;

/** Runs what may fail; where it does, says so, and how to try again where no server answered. */
export async function attempt(work) {
  hideMessage();
  try {
    return await work();
  } catch (error) {
    if (error.name === "AbortError") return undefined;
    if (!(error instanceof ApiError)) {
      showMessage(words.broken);
      throw error;
    }
    showMessage(error.message, error.status === 0 ? work : null);
    return undefined;
  }
}

/** Shows a line at the top; with work to try again, also a button, which goes when the server is back. */
export function showMessage(text, retry = null) {
  page["message-text"].textContent = text;
  page.message.hidden = false;
  page.retry.hidden = !retry;
  again = retry;
  clearInterval(watching);
  if (retry) watching = setInterval(lookAgain, LOOK_AGAIN);
}

export function hideMessage() {
  clearInterval(watching);
  page.message.hidden = true;
}

async function lookAgain() {
  if (!(await isThere()) || page.message.hidden) return;
  clearInterval(watching);
  await attempt(again);
  say(words.back);
}

/** For screen readers: what has just changed. */
export function say(text) {
  page.spoken.textContent = text;
}

/** Shows that the page is at work, in words where it takes a while. @returns {() => void} ends that */
export function atWork() {
  document.body.classList.add("busy");
  clearTimeout(working);
  working = setTimeout(() => {
    page.working.hidden = false;
    say(words.working);
  }, A_WHILE);
  const mine = working;
  return () => {
    if (mine !== working) return; // other work by now
    clearTimeout(working);
    page.working.hidden = true;
    document.body.classList.remove("busy");
  };
}

/** Puts a text on the clipboard; a button tells that it is there. */
export async function copy(text, from) {
  const before = from.textContent;
  try {
    await navigator.clipboard.writeText(text);
    from.textContent = words.copied;
    say(words.copied);
  } catch {
    from.textContent = words.notCopied;
    say(words.notCopied);
  }
  setTimeout(() => (from.textContent = before), 2_000);
}

export function listenForMessages() {
  page.dismiss.addEventListener("click", hideMessage);
  page.retry.addEventListener("click", () => attempt(again));
}
