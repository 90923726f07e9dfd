// SPDX-License-Identifier: Apache-2.0

// How far a page has been read (`scroll`, from 0 to 1) and watched (`seconds` of its film). Only the functions at the end run
// in a page, and only when that page is sent to another device, was received from one, or has continued on one.

import { browser } from "./browser.js";

/** Empty if the page does not say, as the browsers' own pages. */
export async function placeOn(tab) {
  const place = await run(tab, readPlace);
  return Object.fromEntries(Object.entries(place ?? {}).filter(([, value]) => typeof value === "number"));
}

/** Goes there once the page is loaded. */
export function goToPlace(tab, { scroll, seconds }) {
  if (!(scroll > 0) && !(seconds > 0)) return;
  const loaded = (id, change) => {
    if (id !== tab || change.status !== "complete") return;
    stop();
    if (scroll > 0) run(tab, scrollTo, scroll);
    if (seconds > 0) run(tab, playFrom, seconds);
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

/** Pauses what plays in it. */
export function pauseFilm(tab) {
  return run(tab, pausePlaying);
}

/** The result of the function in the page; null if it cannot run there. */
async function run(tab, func, ...args) {
  try {
    const [answer] = await browser.scripting.executeScript({ target: { tabId: tab }, func, args });
    return answer?.result ?? null;
  } catch {
    return null;
  }
}

// Runs in the page. A film that repeats is decoration, and a stream has no length.
function readPlace() {
  const page = document.scrollingElement ?? document.documentElement;
  const room = page.scrollHeight - page.clientHeight;
  const [film] = [...document.querySelectorAll("video, audio")]
    .filter((film) => film.currentTime > 0 && Number.isFinite(film.duration) && !film.loop && !film.ended)
    .sort((one, other) => one.paused - other.paused || other.duration - one.duration);
  return { scroll: room > 0 ? Math.min(1, Math.max(0, page.scrollTop / room)) : 0, seconds: film?.currentTime };
}

// Runs in the page.
function pausePlaying() {
  for (const film of document.querySelectorAll("video, audio")) {
    if (Number.isFinite(film.duration) && !film.loop) film.pause();
  }
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

// Runs in the page. The browser or the page may wait for its user before it plays, so this waits for a minute. A shorter
// film is an advertisement before the one that continues.
function playFrom(seconds) {
  const move = ({ target: film }) => {
    if (!(film instanceof HTMLMediaElement) || !(film.duration > seconds) || film.loop) return;
    end();
    film.currentTime = seconds;
  };
  const end = () => {
    clearTimeout(patience);
    document.removeEventListener("playing", move, true);
  };
  const patience = setTimeout(end, 60_000);
  document.addEventListener("playing", move, true);
  for (const film of document.querySelectorAll("video, audio")) {
    if (!film.paused && film.readyState > HTMLMediaElement.HAVE_CURRENT_DATA) move({ target: film });
  }
}
