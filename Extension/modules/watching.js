// SPDX-License-Identifier: Apache-2.0

// Decides when to check which page is in front: some time after an event, so that one navigation sends one message, and
// at a limited rate, whatever a page does.

import { browser } from "./browser.js";
import { offeredPage, tabInFront } from "./page.js";
import { forgetArticle, withArticle } from "./reader.js";

/** From an event to the look at what it led to, milliseconds. */
const settleTime = 60;
/** A page that loads longer is offered before it is there, milliseconds. */
const loadingPatience = 2000;
/** Between two titles of one page, milliseconds. */
const titleSpacing = 1000;

export class Watching {
  #tell;
  #settings;
  #timer = null;
  #due = Infinity;
  #said = null;
  #saidAt = 0;
  #loadingSince = null;

  /** `tell` is called with the page in front, and with null where there is none to offer; never twice with the same. */
  constructor(tell) {
    this.#tell = tell;
  }

  /** Something may be different now. */
  happened() {
    this.#lookIn(settleTime);
  }

  set settings(settings) {
    this.#settings = settings;
    this.happened();
  }

  /** What was said counts no more: it is said again. */
  repeat() {
    this.#said = undefined;
    this.happened();
  }

  /** The earliest look counts: put off by each event it would never come. */
  #lookIn(time) {
    const due = Date.now() + time;
    if (due >= this.#due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => {
      this.#due = Infinity;
      this.#look();
    }, time);
  }

  async #look() {
    if (!this.#settings) return;
    const tab = await tabInFront();
    const page = offeredPage(tab, this.#settings);
    const isSamePage = page !== null && page.url === this.#said?.url;
    if (page !== null && !isSamePage && tab.status === "loading") {
      // It is reported once, when its title is known.
      const now = Date.now();
      this.#loadingSince ??= now;
      if (now - this.#loadingSince < loadingPatience) {
        this.#lookIn(this.#loadingSince + loadingPatience - now);
        return;
      }
    } else {
      this.#loadingSince = null;
    }
    if (isSamePage) {
      if (page.title === this.#said.title) return;
      const rest = this.#saidAt + titleSpacing - Date.now();
      if (rest > 0) return this.#lookIn(rest);
    }
    if (page === null && this.#said === null) return;
    this.#say(page);
  }

  #say(page) {
    this.#said = page;
    this.#saidAt = Date.now();
    this.#tell(page);
  }

  /** Listens to what can change which page is in front. At once, so that the browser wakes this script for it. */
  listen() {
    const happened = () => this.happened();
    browser.tabs.onActivated.addListener(happened);
    browser.tabs.onUpdated.addListener((_id, change, tab) => {
      // Reader view may follow at once.
      if (change.isArticle && tab.active) withArticle(tab);
      if (["url", "title", "status", "isArticle"].some((name) => name in change)) happened();
    });
    browser.tabs.onRemoved.addListener((id) => {
      forgetArticle(id);
      happened();
    });
    browser.tabs.onReplaced.addListener(happened);
    browser.tabs.onAttached.addListener(happened);
    browser.tabs.onDetached.addListener(happened);
    browser.windows.onFocusChanged.addListener(happened);
    browser.windows.onRemoved.addListener(happened);
  }
}
