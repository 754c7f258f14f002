/** Building the page's elements. Text only ever becomes a text node: no cell is read as HTML. */

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

/** Sets a number or length that the style sheet draws with, such as the height of a bar. */
export function draw(target, name, value) {
  target.style.setProperty(`--${name}`, value);
}

/** "1 row", "2,000 rows". */
export function counted(count, what) {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}

/** What people call a row: they count from 1, programs from 0. */
export const rowName = (row) => (row + 1).toLocaleString("en");

/** 0.987 as "99 %"; never "100 %" nor "0 %" for what only comes close. */
export function percent(share) {
  if (share > 0.995 && share < 1) return "> 99\u202f%";
  if (share > 0 && share < 0.01) return "< 1\u202f%";
  return `${Math.round(100 * share)}\u202f%`;
}

/** "a", "a and b", "a, b and c". */
export function listed(parts, last = "and") {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} ${last} ${parts.at(-1)}`;
}

/** Whether the person has asked for less movement on their screen. */
export const prefersStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
