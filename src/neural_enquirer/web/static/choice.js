/** The tables that are there, those that questions are about, and how several are linked. */

import * as api from "./api.js";
import { attributes, button, element, page } from "./dom.js";
import { attempt, say } from "./messages.js";
import { words } from "./words.js";

export class Choice {
  /**
   * @param {object} hands
   * @param {(ids: string[]) => void} hands.onChosen called when somebody wants to ask other tables
   * @param {(id: string) => void} hands.onShown called when somebody wants to see another of them
   * @param {(ids: string[]) => void} hands.onForgotten called when uploads are no longer there
   */
  constructor(hands) {
    this.hands = hands;
    this.known = new Map();
    this.chosen = [];
    this.shown = null;
    page.tables.addEventListener("change", () => hands.onChosen([page.tables.value]));
    page.together.addEventListener("change", () => hands.onChosen([...this.chosen, page.together.value]));
    page["forget-this"].addEventListener("click", () => attempt(() => this.#forget(this.shown)));
    page["forget-all"].addEventListener("click", () => attempt(() => this.#forget(null)));
    page.tabs.addEventListener("keydown", (event) => this.#onTabKey(event));
  }

  /** Asks the server which tables there are. */
  async load() {
    this.known = new Map((await api.tables()).map((table) => [table.id, table]));
    this.#list();
  }

  add(table) {
    this.known.set(table.id, { ...table, uploaded: true });
    this.#list();
  }

  /** Takes tables away that the server no longer has. */
  drop(ids) {
    ids.forEach((id) => this.known.delete(id));
    this.#list();
  }

  /** Says which tables questions are about, and which is in the sheet. */
  tell(ids, shown) {
    Object.assign(this, { chosen: ids, shown });
    this.#list();
  }

  names(ids) {
    return ids.map((id) => this.known.get(id)?.name ?? id);
  }

  /** Whether others can be sent a link to these tables. */
  isPublic(ids) {
    return ids.every((id) => this.known.has(id) && !this.known.get(id).uploaded);
  }

  #list() {
    const tables = [...this.known.values()];
    const isTwice = ({ name }) => tables.filter((other) => other.name === name).length > 1;
    const named = (table) => (isTwice(table) ? words.whose(table) : table.name);
    const option = (table) => element("option", { value: table.id, textContent: named(table) });
    const group = (label, members) => (members.length ? [element("optgroup", { label }, ...members.map(option))] : []);
    const grouped = (members) => [
      ...group(
        words.yourFiles,
        members.filter(({ uploaded }) => uploaded),
      ),
      ...group(
        words.onThisServer,
        members.filter(({ uploaded, example }) => !uploaded && !example),
      ),
      ...group(
        words.exampleTables,
        members.filter(({ example }) => example),
      ),
    ];
    page.purpose.hidden = !this.known.get(this.shown)?.example;
    page.picker.hidden = tables.length === 0;
    page.tables.replaceChildren(...grouped(tables));
    if (this.shown) page.tables.value = this.chosen[0];
    const others = tables.filter(({ id }) => !this.chosen.includes(id));
    page["together-box"].hidden = others.length === 0;
    page.together.replaceChildren(
      element("option", { value: "", textContent: words.addTable, disabled: true, selected: true }),
      ...grouped(others),
    );
    this.#listChips();
    this.#listTabs();
    this.#tellUpload();
  }

  /** The tables that are asked together, each to be taken out again. */
  #listChips() {
    const chip = (id) => {
      const [name] = this.names([id]);
      const made = button(
        "chip",
        [name, attributes(element("span", { textContent: "×" }), { "aria-hidden": "true" })],
        () => this.hands.onChosen(this.chosen.filter((other) => other !== id)),
      );
      return element("li", {}, attributes(made, { "aria-label": words.takeAway(name) }));
    };
    page.chosen.hidden = this.chosen.length < 2;
    page.chosen.replaceChildren(...(this.chosen.length > 1 ? this.chosen.map(chip) : []));
  }

  #listTabs() {
    page.tabs.hidden = this.chosen.length < 2;
    const tab = (id) => {
      const isShown = id === this.shown;
      const made = button("tab", this.names([id]), () => this.#look(id), { tabIndex: isShown ? 0 : -1 });
      return attributes(made, { role: "tab", "aria-selected": isShown, "aria-controls": "sheet-panel" });
    };
    page.tabs.replaceChildren(...(this.chosen.length > 1 ? this.chosen.map(tab) : []));
  }

  #onTabKey(event) {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!direction) return;
    event.preventDefault();
    const place = this.chosen.indexOf(this.shown) + direction;
    const next = this.chosen[(place + this.chosen.length) % this.chosen.length];
    this.#look(next);
  }

  async #look(id) {
    await this.hands.onShown(id);
    page.tabs.querySelector("[aria-selected=true]").focus(); // the tabs have been made anew
  }

  /** Says by which fields the chosen tables are linked. */
  async showLinks() {
    const { chosen } = this;
    page.links.hidden = true;
    if (chosen.length < 2) return;
    const links = await api.links(chosen);
    if (chosen !== this.chosen) return;
    const told = links.map(({ tables, fields, shared }) => words.link(this.names(tables), fields, shared));
    page.links.replaceChildren(
      ...(told.length ? told : [words.noLink]).map((text) => element("li", { textContent: text })),
    );
    page.links.hidden = false;
    say(told[0] ?? words.noLink);
  }

  /** Uploads are kept for a while; those who do not want that can have them forgotten at once. */
  #tellUpload() {
    const table = this.known.get(this.shown);
    const uploads = [...this.known.values()].filter(({ uploaded }) => uploaded);
    page["keep-box"].hidden = !table?.uploaded;
    page["keep-told"].textContent = table?.uploaded ? words.keptFor(table.forgotten_in) : "";
    page["forget-all"].hidden = uploads.length < 2;
    page["forget-all"].textContent = words.forgetAll(uploads.length);
  }

  async #forget(id) {
    const ids = id ? [id] : [...this.known.values()].filter(({ uploaded }) => uploaded).map((table) => table.id);
    await api.forget(id);
    say(words.forgotten);
    this.drop(ids);
    this.hands.onForgotten(ids);
  }
}
