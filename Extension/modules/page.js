// SPDX-License-Identifier: Apache-2.0

// Which page is in front, and whether it may be offered.

import { browser } from "./browser.js";
import { withArticle } from "./reader.js";
import { isExcluded } from "./settings.js";

/** The page that is offered from this tab; nil where it is none of the other devices' business. */
export function offeredPage(tab, settings) {
  // Private windows do not get this extension at all ("incognito" in the manifest). Asked all the same.
  if (!settings.offers || !tab || tab.incognito !== false || !tab.active || !tab.url) return null;
  let address;
  try {
    address = new URL(tab.url);
  } catch {
    return null;
  }
  if (address.protocol !== "https:" && address.protocol !== "http:") return null;
  // Who was given a name and a password in an address did not mean to tell them to anybody.
  if (address.username !== "" || address.password !== "") return null;
  if (isExcluded(address.hostname, settings.excluded)) return null;
  return { url: tab.url, title: tab.title ?? "" };
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
