// SPDX-License-Identifier: Apache-2.0

// Finds the page in front, and decides whether it may be offered.

import { browser } from "./browser.js";
import { withArticle } from "./reader.js";
import { isExcluded } from "./settings.js";

/** The page in this tab; null if it must not leave this device, even if its user wants to send it. */
export function pageOf(tab) {
  // The extension does not run in private windows ("incognito" in the manifest). Checked all the same.
  if (!tab || tab.incognito !== false || !tab.active || !tab.url) return null;
  let address;
  try {
    address = new URL(tab.url);
  } catch {
    return null;
  }
  if (address.protocol !== "https:" && address.protocol !== "http:") return null;
  // An address that contains a name and a password must not be shared.
  if (address.username !== "" || address.password !== "") return null;
  return { url: tab.url, title: tab.title ?? "" };
}

/** The page that is offered from this tab; null if the user excluded it, or it must not leave this device. */
export function offeredPage(tab, settings) {
  const page = settings.offers ? pageOf(tab) : null;
  return page && !isExcluded(new URL(page.url).hostname, settings.excluded) ? page : null;
}

/** Windows with pages: browser windows, and those of web apps. Popups are often dialogs in which people log in. */
const windowTypes = ["normal", "app"];

/** The tab that its user looks at; nil while another app is in front. */
export async function tabInFront() {
  let window;
  try {
    window = await browser.windows.getLastFocused({ populate: true, windowTypes });
  } catch {
    return null;
  }
  if (!window.focused || window.incognito || !windowTypes.includes(window.type)) return null;
  const tab = window.tabs?.find((tab) => tab.active);
  return tab ? await withArticle(tab) : null;
}
