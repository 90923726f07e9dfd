// SPDX-License-Identifier: Apache-2.0

/** The popup's requests to the background script. */
export class Requests {
  #port;
  /** A popup may get the answer to a request of an earlier one. */
  #last = crypto.getRandomValues(new Uint32Array(1))[0];
  #waiting = new Map();

  constructor(port) {
    this.#port = port;
  }

  /** Resolves to the answer. */
  ask(message) {
    this.#last += 1;
    const request = this.#last;
    return new Promise((resolve) => {
      this.#waiting.set(request, resolve);
      this.#port.postMessage({ ...message, request });
    });
  }

  answered(message) {
    const resolve = this.#waiting.get(message.request);
    this.#waiting.delete(message.request);
    resolve?.(message);
  }
}
