/** Small charts, drawn as SVG: bars for groups and for the first of many, a line for what goes on over dates. */

import { attributes, button, element } from "./dom.js";
import { brief } from "./formats.js";
import { words } from "./words.js";

const BAR = 26; // the height of a line of the bar chart, in pixels
const MOST_BARS = 12;
const LABEL_END = 36; // where labels end and bars begin, in percent of the width
const LETTER = 2.8; // of an amount beside its bar, in percent of the width
const LINE_HEIGHT = 140;
const DRAWN = { top: 12, bottom: 112, left: 2, right: 98 }; // of a line chart: pixels down, percent across

/**
 * A figure of a chart; its text alternative names every value.
 *
 * @param {object} chart as the server tells of it
 * @param {boolean} isAnswer whether nothing but the chart tells the values
 */
export function chartOf(chart, isAnswer) {
  const picture = named(chart.kind === "line" ? lineOf(chart) : barsOf(chart), chart);
  const caption = element("figcaption", { className: "quiet", textContent: words.chartCaption(chart) });
  const figure = element("figure", { className: isAnswer ? "chart is-answer" : "chart" }, caption, picture);
  const more = chart.values.length - MOST_BARS;
  if (chart.kind === "bars" && more > 0) {
    const all = button("plain", words.showMore(more), () => {
      all.remove();
      picture.replaceWith(named(barsOf(chart, Infinity), chart));
    });
    figure.append(all);
  }
  return figure;
}

const named = (picture, chart) => attributes(picture, { role: "img", "aria-label": words.chart(chart) });

/** Bars with their names on the left and their amounts on the right. */
function barsOf(chart, most = MOST_BARS) {
  const shown = chart.values.slice(0, most);
  const span = [Math.min(0, ...chart.values), Math.max(0, ...chart.values)];
  const barsEnd = 97 - LETTER * Math.max(...shown.map((value) => brief(value).length));
  const across = (value) => LABEL_END + 1 + ((value - span[0]) / (span[1] - span[0] || 1)) * (barsEnd - LABEL_END - 1);
  const marked = new Set(chart.marked);
  const picture = svg("svg", { width: "100%", height: shown.length * BAR, class: "bars" });
  shown.forEach((value, place) => {
    const line = svg("g", { class: marked.has(place) ? "is-marked" : "" });
    const middle = place * BAR + BAR / 2;
    const [start, end] = [across(0), across(value)].sort((a, b) => a - b);
    line.append(
      svg("title", {}, `${chart.labels[place]}: ${brief(value)}`),
      nameOf(chart.labels[place], middle),
      svg("rect", { x: `${start}%`, y: middle - 8, width: `${Math.max(end - start, 0.4)}%`, height: 16, rx: 3 }),
      svg("text", { x: `${Math.max(start, end)}%`, dx: 6, y: middle, class: "amount" }, brief(value)),
    );
    picture.append(line);
  });
  return picture;
}

/** A bar's name, which ends in dots where it has no room. */
function nameOf(label, middle) {
  const name = element("div", { className: "label", textContent: label });
  return svg("foreignObject", { x: 0, y: middle - BAR / 2, width: `${LABEL_END}%`, height: BAR }, name);
}

function lineOf({ labels, values, marked }) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const across = (place) => DRAWN.left + (place / Math.max(1, values.length - 1)) * (DRAWN.right - DRAWN.left);
  const down = (value) => DRAWN.bottom - ((value - least) / (most - least || 1)) * (DRAWN.bottom - DRAWN.top);
  const points = values.map((value, place) => `${across(place)},${down(value)}`).join(" ");
  // The line is stretched to the width there is; texts and dots are not.
  const stretched = svg("svg", {
    width: "100%",
    height: LINE_HEIGHT,
    viewBox: `0 0 100 ${LINE_HEIGHT}`,
    preserveAspectRatio: "none",
  });
  stretched.append(
    svg("line", { x1: 0, x2: 100, y1: DRAWN.bottom + 4, y2: DRAWN.bottom + 4, class: "axis" }),
    svg("polyline", { points, class: "line" }),
  );
  const picture = svg("svg", { width: "100%", height: LINE_HEIGHT, class: "lines" }, stretched);
  const isMarked = new Set(marked);
  values.forEach((value, place) => {
    const dot = svg("circle", { cx: `${across(place)}%`, cy: down(value), r: isMarked.has(place) ? 5 : 3 });
    if (isMarked.has(place)) dot.setAttribute("class", "is-marked");
    dot.append(svg("title", {}, `${labels[place]}: ${brief(value)}`));
    picture.append(dot);
  });
  const low = DRAWN.bottom + 20;
  picture.append(
    svg("text", { x: "0", y: low }, labels[0]),
    svg("text", { x: "100%", y: low, class: "label" }, labels.at(-1)),
    svg("text", { x: "100%", y: 10, class: "label amount" }, words.upTo(brief(most))),
  );
  return picture;
}

function svg(tag, values, ...children) {
  const made = attributes(document.createElementNS("http://www.w3.org/2000/svg", tag), values);
  made.append(...children);
  return made;
}
