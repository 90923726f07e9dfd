// SPDX-License-Identifier: Apache-2.0

// The scroll position of a page, from 0 to 1. Only these two functions run in a page, and only when that page is sent
// to another device or was received from one.

import { browser } from "./browser.js";

/** Null where the page does not say, as the browsers' own pages. */
export async function placeOn(tab) {
  try {
    const [answer] = await browser.scripting.executeScript({ target: { tabId: tab }, func: readPlace });
    return typeof answer?.result === "number" ? answer.result : null;
  } catch {
    return null;
  }
}

/** Goes there once the page is loaded. */
export function goToPlace(tab, scroll) {
  if (!(scroll > 0)) return;
  const loaded = async (id, change) => {
    if (id !== tab || change.status !== "complete") return;
    stop();
    try {
      await browser.scripting.executeScript({ target: { tabId: tab }, func: scrollTo, args: [scroll] });
    } catch {
      // The page stays at its top.
    }
  };
  const removed = (id) => {
    if (id === tab) stop();
  };
  const stop = () => {
    browser.tabs.onUpdated.removeListener(loaded);
    browser.tabs.onRemoved.removeListener(removed);
  };
  browser.tabs.onUpdated.addListener(loaded);
  browser.tabs.onRemoved.addListener(removed);
}

// Runs in the page.
function readPlace() {
  const page = document.scrollingElement ?? document.documentElement;
  const room = page.scrollHeight - page.clientHeight;
  return room > 0 ? Math.min(1, Math.max(0, page.scrollTop / room)) : 0;
}

// Runs in the page. The page may grow after it has loaded, so this repeats for some seconds, or until its user scrolls.
function scrollTo(scroll) {
  const page = document.scrollingElement ?? document.documentElement;
  const go = () => {
    page.scrollTo({ top: scroll * (page.scrollHeight - page.clientHeight), behavior: "instant" });
  };
  const growth = new ResizeObserver(go);
  const end = () => growth.disconnect();
  growth.observe(document.documentElement);
  for (const move of ["wheel", "touchstart", "keydown", "pointerdown"]) {
    addEventListener(move, end, { once: true, capture: true, passive: true });
  }
  setTimeout(end, 3000);
  go();
}
