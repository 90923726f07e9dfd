// SPDX-License-Identifier: Apache-2.0

// The connection to handoff-browser-host while this script runs. It is opened again after a failure.

import { browser, browserName } from "./browser.js";

const hostName = "handoff.browser_host";
/** Waits between tries, milliseconds: the first, and the longest. */
const firstWait = 500;
const longestWait = 30_000;

export class Host {
  #port = null;
  #wait = firstWait;
  #timer = null;
  #heard;
  #connected;
  #lost;

  /** `heard`: with each message; `connected`: hello was said; `lost`: with a problem, until the next `heard`. */
  constructor({ heard, connected, lost }) {
    this.#heard = heard;
    this.#connected = connected;
    this.#lost = lost;
  }

  /** False if there is no host. */
  say(message) {
    if (!this.#port) return false;
    this.#port.postMessage(message);
    return true;
  }

  async connect() {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#port) return;
    const port = browser.runtime.connectNative(hostName);
    this.#port = port;
    port.onMessage.addListener((message) => {
      this.#wait = firstWait;
      this.#heard(message);
    });
    port.onDisconnect.addListener(() => {
      if (this.#port !== port) return;
      this.#port = null;
      const reason = port.error?.message ?? browser.runtime.lastError?.message ?? "";
      // Chromium: "Specified native messaging host not found."; Firefox: "No such native application …".
      const isMissing = /not found|no such native|forbidden/i.test(reason);
      this.#lost({ code: isMissing ? "noHost" : "hostGone", words: reason });
      this.#timer = setTimeout(() => this.connect(), this.#wait);
      this.#wait = Math.min(this.#wait * 2, longestWait);
    });
    port.postMessage({ type: "hello", browser: await browserName() });
    if (this.#port === port) this.#connected();
  }
}
