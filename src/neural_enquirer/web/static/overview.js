/** A strip beside a long table: where its marked rows are, and the answer. */

export class Overview {
  /** @param {(row: number) => void} onRow called with the row that somebody points at */
  constructor(canvas, onRow) {
    this.canvas = canvas;
    this.rows = 0;
    canvas.addEventListener("pointerdown", (event) => {
      const place = event.offsetY / canvas.clientHeight;
      onRow(Math.min(this.rows - 1, Math.floor(place * this.rows)));
    });
  }

  /** Draws where the marked rows of so many are, unless there is no need. */
  draw({ marks, answers }, rows, isWanted) {
    const { canvas } = this;
    this.rows = rows;
    canvas.hidden = !isWanted || !(marks.size || answers.size);
    if (canvas.hidden) return;
    const height = canvas.clientHeight;
    if (canvas.height !== height) Object.assign(canvas, { width: 10, height });
    const context = canvas.getContext("2d");
    const style = getComputedStyle(canvas);
    const lineHeight = Math.max(1, height / rows);
    context.clearRect(0, 0, canvas.width, height);
    context.fillStyle = style.getPropertyValue("color");
    strongestByPixel(marks, rows, height).forEach((mark, pixel) => {
      context.globalAlpha = mark ** 2;
      context.fillRect(0, pixel, canvas.width, Math.ceil(lineHeight));
    });
    context.globalAlpha = 1;
    context.fillStyle = style.getPropertyValue("outline-color");
    for (const row of answers.keys()) {
      context.fillRect(0, (row / rows) * height, canvas.width, Math.max(3, lineHeight));
    }
  }
}

/** The strongest mark of the rows that start at each pixel; a Map, as most pixels of short tables have none. */
function strongestByPixel(marks, rows, height) {
  const strongest = new Map();
  marks.forEach((mark, row) => {
    const pixel = Math.floor((row / rows) * height);
    if (mark > (strongest.get(pixel) ?? 0)) strongest.set(pixel, mark);
  });
  return strongest;
}
