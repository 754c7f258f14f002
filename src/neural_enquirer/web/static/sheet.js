/** The table on the page with its tools: search, filters, order, rows that count, copies and files. */

import * as api from "./api.js";
import { openColumnMenu } from "./column_menu.js";
import { button, element, page, whenStill } from "./dom.js";
import { fileName, grouped, tabbed } from "./formats.js";
import { attempt, copy, say, showMessage } from "./messages.js";
import { BLOCK } from "./row_blocks.js";
import { TableHands } from "./table_hands.js";
import { NOTHING, TableView } from "./table_view.js";
import { words } from "./words.js";

const MOST_COPIED = 1000;

/** All rows in their own order; `kept` has by field what its values are filtered by. */
const PLAIN = { sort: null, descending: false, search: "", kept: {}, evidence: null, isOnly: false };

export class Sheet {
  constructor() {
    this.table = null;
    this.query = PLAIN;
    this.fetching = null;
    this.view = new TableView(page, (start, count) => this.#moreRows(start, count), {
      onSort: (field) => this.#sortBy(field),
      onMenu: (field, anchor) => this.#openMenu(field, anchor),
    });
    this.hands = new TableHands(this.view, () => this.#tellSelection());
    this.#listen();
  }

  /** Shows a table, all of its rows in their order. */
  async show(id) {
    const table = await this.#fetched((signal) => api.rows(id, 0, BLOCK, {}, signal));
    this.table = table;
    this.query = PLAIN;
    page.search.value = "";
    page["sheet-title"].textContent = table.name;
    page["sheet-size"].textContent = words.size(table);
    this.hands.clear();
    page.work.hidden = false; // what is hidden has no size
    this.view.show(table, { ...table, isInOrder: true, counting: 0 });
    this.#tell(table.matching);
    return table;
  }

  /** Shows other rows, or the same in another order. */
  async refine(changes) {
    if (!this.table) return;
    const query = { ...this.query, ...changes };
    if (same(query, this.query)) return;
    const first = await this.#fetched((signal) => api.rows(this.table.id, 0, BLOCK, asked(query), signal));
    this.query = query;
    const counting = query.evidence && !query.sort ? Math.min(query.evidence.count, first.matching) : 0;
    this.view.refill({ ...first, isInOrder: isPlain(query), counting });
    this.#tell(first.matching);
  }

  /** Shows all rows in their own order again. */
  async showAll() {
    page.search.value = "";
    await this.refine(PLAIN);
  }

  /** Brings a row, and a field if one is given, into sight. */
  async reveal(row, field = null) {
    if (this.view.placeOf(row) === null) await this.showAll();
    this.view.revealPlace(this.view.placeOf(row) ?? 0, field);
  }

  /** Paints what counts over the cells; nothing without a picture. */
  paint(picture = NOTHING) {
    this.view.paint(picture);
  }

  /** The number of a field; -1 where the table has none of that name. */
  fieldIndex(name) {
    return this.table.fields.findIndex((field) => field.name === name);
  }

  /** Lets cells and rows be picked; null ends that. */
  pick(onPick) {
    this.hands.onPick = onPick;
    this.view.picked.clear();
    document.body.classList.toggle("picking", onPick !== null);
    if (!onPick) this.hands.clear();
  }

  /** Shows which cells, and which rows, are picked. */
  showPicked(cells, rows) {
    this.view.picked = new Set(cells.map(({ row, field }) => `${row} ${field}`));
    this.view.selected = new Set(rows);
    this.view.repaint();
  }

  async #fetched(fetchFirst) {
    this.fetching?.abort();
    this.fetching = new AbortController();
    page.scroller.classList.add("loading");
    const { fetching } = this;
    try {
      return await fetchFirst(fetching.signal);
    } finally {
      if (this.fetching === fetching) page.scroller.classList.remove("loading");
    }
  }

  #rows(start, count) {
    return api.rows(this.table.id, start, count, asked(this.query));
  }

  /** Rows that come into sight; where they do not come, says so. */
  async #moreRows(start, count) {
    try {
      return await this.#rows(start, count);
    } catch (error) {
      if (error instanceof api.ApiError)
        showMessage(error.message, error.status === 0 ? async () => this.view.refresh() : null);
      throw error;
    }
  }

  #sortBy(field) {
    const { name } = this.table.fields[field];
    const { sort, descending } = this.query;
    // Up, down, and back to the table's own order.
    const next =
      sort !== name ? { sort: name, descending: false } : { sort: descending ? null : name, descending: !descending };
    attempt(() => this.refine(next));
  }

  #openMenu(field, anchor) {
    const { name } = this.table.fields[field];
    openColumnMenu(anchor, this.table.fields[field], this.query.kept[name] ?? {}, {
      onSort: (descending) => attempt(() => this.refine({ sort: name, descending })),
      onFilter: (kept) => attempt(() => this.#keep(name, kept)),
      onWidth: (ems) => this.view.head.widen(field, ems),
    });
  }

  #keep(name, kept) {
    const { [name]: _, ...others } = this.query.kept;
    const isEmpty = Object.values(kept).every((text) => !text);
    return this.refine({ kept: isEmpty ? others : { ...others, [name]: kept } });
  }

  #tell(matching) {
    const { query, table } = this;
    this.view.head.tell(query, new Set(Object.keys(query.kept)));
    page["rows-told"].textContent = words.rowsTold(matching, table.rows, query);
    const chips = [
      ...(query.sort ? [chip(words.sortedBy(query.sort, query.descending), () => this.refine({ sort: null }))] : []),
      ...Object.entries(query.kept).map(([name, kept]) => chip(words.keptBy(name, kept), () => this.#keep(name, {}))),
    ];
    page.narrowed.replaceChildren(...chips);
    page["show-all"].hidden = isPlain(query);
    page.export.href = api.csv(table.id, asked(query));
    page.export.download = `${fileName(table.name.replace(/\.\w+$/, ""))}.csv`;
    this.#tellOnly();
    if (!query.evidence && !isPlain(query)) say(page["rows-told"].textContent || words.narrowedTo(matching));
  }

  #tellOnly() {
    const { evidence, isOnly } = this.query;
    page.only.hidden = !evidence?.hasOthers;
    if (!evidence) return;
    page.only.textContent = words.showOnly(evidence.count);
    page.only.setAttribute("aria-pressed", isOnly);
  }

  #tellSelection() {
    const { size } = this.hands.selected;
    page.copy.textContent = size ? words.copySelected(size) : words.copyRows;
  }

  async #copy() {
    const { selected } = this.hands;
    const lines = selected.size ? [...selected.values()] : (await this.#rows(0, MOST_COPIED)).cells;
    await copy(tabbed([this.table.fields.map(({ name }) => name), ...lines]), page.copy);
    const left = this.view.rows - lines.length;
    if (!selected.size && left > 0) say(words.copiedFirst(grouped(lines.length)));
  }

  #listen() {
    const search = whenStill(() => attempt(() => this.refine({ search: page.search.value.trim() })));
    page.search.addEventListener("input", search);
    page["show-all"].addEventListener("click", () => attempt(() => this.showAll()));
    page.only.addEventListener("click", () => attempt(() => this.refine({ isOnly: !this.query.isOnly })));
    page.copy.addEventListener("click", () => attempt(() => this.#copy()));
  }
}

function chip(text, undo) {
  const made = button("chip", [text, element("span", { textContent: "×", ariaHidden: "true" })], () => attempt(undo));
  made.setAttribute("aria-label", words.takeAway(text));
  return element("li", {}, made);
}

const isPlain = (query) => !query.sort && !query.search && !Object.keys(query.kept).length && !query.evidence;

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** A query as the server takes it. @returns {api.Query} */
function asked({ sort, descending, search, kept, evidence, isOnly }) {
  const filters = Object.entries(kept).flatMap(([name, { contains, from, to }]) => [
    ...(contains ? [`${name}~${contains}`] : []),
    ...(from ? [`${name}>=${from}`] : []),
    ...(to ? [`${name}<=${to}`] : []),
  ]);
  const rowsThatCount = evidence && {
    program: evidence.program,
    step: evidence.step,
    tables: evidence.tables,
    others: !isOnly,
  };
  return { sort, descending, search, filters, ...rowsThatCount };
}
