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
  menu.replaceChildren(
    element("h3", { textContent: field.name, id: "column-title" }),
    element("p", { className: "quiet facts", textContent: words.fieldFacts(field) }),
    element(
      "div",
      { className: "menu-line" },
      button("button", words.sortUp(field.type), () => hands.onSort(false)),
      button("button", words.sortDown(field.type), () => hands.onSort(true)),
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
  if (field.type === "text") return [input("contains", words.contains)];
  const range = element("div", { className: "menu-line" }, input("from", words.from), input("to", words.to));
  return [input("contains", words.contains), range];
}
