// SPDX-License-Identifier: Apache-2.0

/** As many as the host sends. */
const most = 64;
const allowed = /^data:image\/(png|svg\+xml);base64,[A-Za-z0-9+/=]*$/;

/** The icons of apps, as `data:` URLs. */
export class Pictures {
  #pictures = new Map();

  /** False if it is not a picture, or there are too many. */
  add(app, data) {
    if (typeof app !== "string" || typeof data !== "string" || !allowed.test(data)) return false;
    if (!this.#pictures.has(app) && this.#pictures.size >= most) return false;
    this.#pictures.set(app, data);
    return true;
  }

  get(app) {
    return this.#pictures.get(app);
  }

  /** Messages that tell a popup of all. */
  messages() {
    return [...this.#pictures].map(([app, data]) => ({ type: "icon", app, data }));
  }
}
