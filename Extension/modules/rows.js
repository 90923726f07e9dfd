// SPDX-License-Identifier: Apache-2.0

/** The rows of a list. An unchanged row keeps its element and its place, and so the focus and a press under way. */
export class Rows {
  #list;
  /** By key. */
  #rows = new Map();

  constructor(list) {
    this.#list = list;
  }

  /** `content`: what a row shows. `make` is called for a row that is new or shows something else. */
  show(items, key, content, make) {
    const wanted = new Set(items.map(key));
    for (const [id, { row }] of this.#rows) {
      if (wanted.has(id)) continue;
      row.remove();
      this.#rows.delete(id);
    }
    items.forEach((item, index) => {
      const [id, shown] = [key(item), JSON.stringify(content(item))];
      const before = this.#rows.get(id);
      const row = before?.shown === shown ? before.row : make(item);
      if (row !== before?.row) {
        before?.row.replaceWith(row);
        this.#rows.set(id, { row, shown });
      }
      const there = this.#list.children[index];
      if (there !== row) this.#list.insertBefore(row, there ?? null);
    });
  }
}
