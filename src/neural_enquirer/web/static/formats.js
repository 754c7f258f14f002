/** Numbers, dates, shares and lists as people write them. */

const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const PLAIN_NUMBER = /^-?\d{5,}(\.\d+)?$/;
// Numbers that name a thing: nobody groups their digits.
const NAMING = /(^|[^a-z])(id|ids|no|nr|num|number|code|zip|postcode|phone|year|key|isbn|ean)s?($|[^a-z])/;

/** 1234567 as "1,234,567". */
export const grouped = (number) => number.toLocaleString("en", { maximumFractionDigits: 20 });

/** What people call a row: they count from 1, programs from 0. */
export const rowName = (row) => grouped(row + 1);

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

/** A value as people write it: large numbers grouped, ISO dates in words; all else as it is spelled. */
export function written(text, field = null) {
  if (PLAIN_NUMBER.test(text) && !isNaming(field)) return grouped(Number(text));
  return field?.type === "number" ? text : dateInWords(text);
}

function isNaming(field) {
  if (!field) return false;
  const words = field.name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return field.type === "text" || NAMING.test(words);
}

function dateInWords(text) {
  const parts = ISO_DATE.exec(text)?.slice(1).map(Number);
  if (!parts) return text;
  const date = new Date(0);
  date.setUTCFullYear(parts[0], parts[1] - 1, parts[2]);
  if (date.getUTCMonth() !== parts[1] - 1) return text;
  return date.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
}

/** A number that was worked out, rounded as the server's sentences round it. */
export function brief(number) {
  let digits = 2;
  while (number && Math.abs(number) * 10 ** digits < 1000 && digits < 20) digits++; // four digits that count
  return number.toLocaleString("en", { maximumFractionDigits: digits, roundingMode: "halfEven" });
}

/** At most so many letters. */
export const cut = (text, most) => (text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`);

/** Lines of cells as CSV, as RFC 4180 says. */
export function csvOf(lines) {
  const quoted = (cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return lines.map((line) => `${line.map(quoted).join(",")}\r\n`).join("");
}

/** Lines of cells as spreadsheets take them from the clipboard. */
export const tabbed = (lines) =>
  lines.map((line) => line.map((cell) => cell.replace(/[\t\r\n]+/g, " ")).join("\t")).join("\n");

/** A text as part of a file's name. */
export const fileName = (text) =>
  text
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60) || "answer";
