/** Building the page's elements. Text only ever becomes a text node: no cell is read as HTML. */

/** The parts of the page that have a name, by that name. */
export const page = Object.fromEntries([...document.querySelectorAll("[id]")].map((part) => [part.id, part]));

/**
 * A new element.
 *
 * @param {string} tag
 * @param {Object<string, *>} properties set on the element as they are, such as className, textContent, onclick
 * @param {...(Node|string)} children
 */
export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** A button that does something. */
export const button = (className, words, onclick, properties = {}) =>
  element("button", { type: "button", className, onclick, ...properties }, ...[words].flat());

/** Sets attributes; those that are null or undefined are taken away. */
export function attributes(target, values) {
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined) target.removeAttribute(name);
    else target.setAttribute(name, value);
  }
  return target;
}

/** Sets a number or length that the style sheet draws with, such as the height of a bar. */
export function draw(target, name, value) {
  target.style.setProperty(`--${name}`, value);
}

/** Shows a popover below what opened it, inside the window. */
export function popUnder(popover, anchor) {
  popover.showPopover();
  const box = anchor.getBoundingClientRect();
  const left = Math.max(8, Math.min(box.left, innerWidth - popover.offsetWidth - 8));
  const below = box.bottom + 4;
  const top =
    below + popover.offsetHeight > innerHeight - 8 ? Math.max(8, innerHeight - popover.offsetHeight - 8) : below;
  Object.assign(popover.style, { left: `${left}px`, top: `${top}px` });
}

/** Gives the browser a text to save as a file. */
export function saveText(name, text, type = "text/csv") {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Calls the work once nothing has asked for it for a while. */
export function whenStill(work, milliseconds = 250) {
  let waiting;
  return (...given) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => work(...given), milliseconds);
  };
}

/** Whether the person has asked for less movement on their screen. */
export const prefersStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
