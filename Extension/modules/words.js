// SPDX-License-Identifier: Apache-2.0

// The strings in the user's language, from _locales.

import { browser } from "./browser.js";

export function words(key, ...values) {
  return browser.i18n.getMessage(key, values.map(String));
}

/** Puts words into everything that names some. */
export function fillWords(document) {
  document.documentElement.lang = words("language");
  document.documentElement.dir = words("@@bidi_dir") || "ltr";
  for (const element of document.querySelectorAll("[data-words]")) {
    element.textContent = words(element.dataset.words);
  }
}

/** A problem as a sentence: our own words if there are some, otherwise the host's, in English. */
export function problemWords(problem, opensHandoff = false) {
  if (problem.code === "noAccount" && !opensHandoff) return words("setUpInTerminal");
  const sentence = words(`problem_${problem.code}`) || problem.words || words("problem_other");
  return problem.command && !opensHandoff ? `${sentence} ${words("startByCommand")}` : sentence;
}

export function shownTitle({ title, host, kind, appName }) {
  return title || host || (kind === "app" && appName) || words("aPage");
}

/** How long ago, as people say it. */
export function age(since, now = Date.now()) {
  const format = new Intl.RelativeTimeFormat(words("language"), { numeric: "auto", style: "short" });
  const seconds = Math.max(0, Math.round((now - since) / 1000));
  if (seconds < 60) return format.format(0, "second");
  if (seconds < 3600) return format.format(-Math.floor(seconds / 60), "minute");
  if (seconds < 86_400) return format.format(-Math.floor(seconds / 3600), "hour");
  return format.format(-Math.floor(seconds / 86_400), "day");
}
