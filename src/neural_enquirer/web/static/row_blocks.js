/** Rows of a table as they come from the server: some at a time, kept for as long as they are near. */

/** How many rows come at a time. */
export const BLOCK = 200;
const MOST_BLOCKS = 100;

/**
 * Some rows.
 *
 * @typedef {object} Block
 * @property {string[][]} cells
 * @property {(number|null)[]} numbers of these rows in the table; null where an engine does not tell
 */

export class RowBlocks {
  /**
   * @param {(start: number, count: number) => Promise<Block>} fetchRows
   * @param {Block|null} first
   */
  constructor(fetchRows, first) {
    this.fetchRows = fetchRows;
    this.blocks = new Map(first ? [[0, first]] : []); // undefined for what is on its way
  }

  numberAt(place) {
    return this.blocks.get(Math.floor(place / BLOCK))?.numbers[place % BLOCK];
  }

  textsAt(place) {
    return this.blocks.get(Math.floor(place / BLOCK))?.cells[place % BLOCK];
  }

  /** The cells of the rows that came together, by the place of the first. */
  cellsFrom(place) {
    return this.blocks.get(Math.floor(place / BLOCK))?.cells ?? [];
  }

  /** The place of a row among those that have come; null where it has not. */
  placeOf(row) {
    for (const [block, rows] of this.blocks) {
      const place = rows?.numbers.indexOf(row) ?? -1;
      if (place >= 0) return block * BLOCK + place;
    }
    return null;
  }

  /** Fetches what has not been asked for; tells from where to where as rows come. */
  async *fetchMissing(first, end) {
    for (let block = Math.floor(first / BLOCK); block * BLOCK < end; block++) {
      if (!this.blocks.has(block) && (await this.#fetch(block))) yield [block * BLOCK, (block + 1) * BLOCK];
    }
  }

  async #fetch(block) {
    this.blocks.set(block, undefined);
    try {
      this.blocks.set(block, await this.fetchRows(block * BLOCK, BLOCK));
    } catch {
      this.blocks.delete(block); // asked for again when it next comes into sight
      return false;
    }
    this.#forgetFrom(block);
    return true;
  }

  /** Keeps the blocks near one. */
  #forgetFrom(near) {
    const distant = [...this.blocks.keys()].sort((a, b) => Math.abs(b - near) - Math.abs(a - near));
    distant.slice(0, Math.max(0, this.blocks.size - MOST_BLOCKS)).forEach((block) => this.blocks.delete(block));
  }
}
