// SPDX-License-Identifier: Apache-2.0

// How far a page has been read (`scroll`, from 0 to 1) and watched (`seconds` of its film). Only `inPage` runs in a page, and
// only if that page is sent to another device, was received from one, or has continued on one.

import { browser } from "./browser.js";

/** Empty if the page does not say, as the browsers' own pages. */
export async function placeOn(tab) {
  const answers = await run(tab, "read");
  const { scroll } = answers.find((answer) => answer.frameId === 0)?.result ?? {};
  const [film] = answers.flatMap((answer) => answer.result?.films ?? []).sort(before);
  return { ...(typeof scroll === "number" && { scroll }), ...(film && { seconds: film.seconds }) };
}

/** Films that play precede others, long ones short ones. */
function before(one, other) {
  return other.plays - one.plays || other.duration - one.duration;
}

/** Goes there once the page is loaded. */
export function goToPlace(tab, { scroll, seconds }) {
  if (!(scroll > 0) && !(seconds > 0)) return;
  const loaded = (id, change) => {
    if (id !== tab || change.status !== "complete") return;
    stop();
    if (scroll > 0) run(tab, "scrollTo", scroll);
    if (seconds > 0) run(tab, "playFrom", seconds);
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
export function pauseFilms(tab) {
  return run(tab, "pause");
}

/** The results of all frames: players are often in a frame. */
async function run(tab, task, ...values) {
  try {
    const target = { tabId: tab, allFrames: task !== "scrollTo" };
    return await browser.scripting.executeScript({ target, func: inPage, args: [task, ...values] });
  } catch {
    return [];
  }
}

// Runs in the page, so it contains all that it calls.
function inPage(task, value) {
  const page = document.scrollingElement ?? document.documentElement;

  // Firefox; Chromium.
  const shadowOf = (element) => element.openOrClosedShadowRoot ?? globalThis.chrome?.dom?.openOrClosedShadowRoot(element);

  // Sites hide players in shadow roots. A film that repeats is decoration, and a stream has no end.
  function films(root = document) {
    const elements = [...root.querySelectorAll("*")].filter((element) => element instanceof HTMLElement);
    const roots = elements.map(shadowOf).filter(Boolean);
    const here = [...root.querySelectorAll("video, audio")].filter(
      (film) => Number.isFinite(film.duration) && !film.loop,
    );
    return [...here, ...roots.flatMap(films)];
  }

  const tasks = {
    read() {
      const room = page.scrollHeight - page.clientHeight;
      return {
        scroll: room > 0 ? Math.min(1, Math.max(0, page.scrollTop / room)) : 0,
        films: films()
          .filter((film) => film.currentTime > 0 && !film.ended)
          .map((film) => ({ seconds: film.currentTime, plays: !film.paused, duration: film.duration })),
      };
    },

    pause() {
      for (const film of films()) film.pause();
    },

    // The page may grow after it has loaded, so this repeats for some seconds, or until its user scrolls.
    scrollTo(scroll) {
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
    },

    // The browser or the page may wait for its user before it plays, so this waits for a minute. A shorter film is an
    // advertisement before the one that continues. Events do not leave shadow roots, so this looks again each second.
    playFrom(seconds) {
      const look = () => {
        const film = films().find((film) => !film.paused && film.readyState > 2 && film.duration > seconds);
        if (!film) return;
        end();
        film.currentTime = seconds;
        // Some sites go to a position of their own when the film begins.
        setTimeout(() => {
          if (Math.abs(film.currentTime - seconds) > 5) film.currentTime = seconds;
        }, 1000);
      };
      const end = () => {
        clearInterval(timer);
        clearTimeout(patience);
        document.removeEventListener("playing", look, true);
      };
      const timer = setInterval(look, 1000);
      const patience = setTimeout(end, 60_000);
      document.addEventListener("playing", look, true);
      look();
    },
  };
  return tasks[task](value);
}
