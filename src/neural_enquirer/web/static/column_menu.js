/** What can be done with a field: sort by it, keep some of its values, change its width; and what is known of it. */

import { button, element, page, popUnder, whenStill } from "./dom.js";
import { words } from "./words.js";

const WIDER = 3;

/**
 * Opens the menu of a field.
 *
 * @param {HTMLElement} anchor what it hangs from
 * @param {object} field as the server tells of it
 * @param {object} kept what the field is filtered by: contains, from, to
 * @param {object} hands onSort(descending), onFilter(kept), onWidth(ems)
 */
export function openColumnMenu(anchor, field, kept, hands) {
  const menu = page["column-menu"];
  const [up, down] = words.sortedFrom(field.kind);
  menu.replaceChildren(
    element("h3", { textContent: field.name, id: "column-title" }),
    element("p", { className: "quiet facts", textContent: words.fieldFacts(field) }),
    element(
      "div",
      { className: "menu-line" },
      button("button", up, () => hands.onSort(false)),
      button("button", down, () => hands.onSort(true)),
    ),
    ...filters(field, kept, hands.onFilter),
    element(
      "div",
      { className: "menu-line" },
      button("button", words.narrower, () => hands.onWidth(-WIDER)),
      button("button", words.wider, () => hands.onWidth(WIDER)),
      button("button", words.done, () => menu.hidePopover()),
    ),
  );
  menu.ontoggle = (event) => {
    if (event.newState === "closed" && menu.contains(document.activeElement)) anchor.focus();
  };
  popUnder(menu, anchor);
  menu.querySelector("input").focus();
}

function filters(field, kept, onFilter) {
  const now = { ...kept };
  const told = whenStill(() => onFilter(now));
  const input = (name, label) => {
    const box = element("input", { type: "text", value: now[name] ?? "", autocomplete: "off", spellcheck: false });
    if (name !== "contains") box.placeholder = field.examples?.[0] ?? "";
    box.oninput = () => {
      now[name] = box.value.trim();
      told();
    };
    box.onkeydown = (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      page["column-menu"].hidePopover();
    };
    return element("label", { className: "menu-field" }, element("span", { textContent: label }), box);
  };
  if (field.kind === "text") return [input("contains", words.contains)];
  return [element("div", { className: "menu-line" }, input("from", words.from), input("to", words.to))];
}
