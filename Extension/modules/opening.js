// SPDX-License-Identifier: Apache-2.0

import { browser } from "./browser.js";
import { goToPlace } from "./place.js";

/** Opens a page in a tab in front, never in a private window; throws where that is not to be. */
export async function openPage(url, place) {
  const { protocol } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") throw new Error("not a web page");
  const windows = await browser.windows.getAll({ windowTypes: ["normal"] });
  const open = windows.filter((window) => !window.incognito);
  const home = open.find((window) => window.focused) ?? open.at(-1);
  if (!home) {
    const window = await browser.windows.create({ url, incognito: false });
    goToPlace(window.tabs[0].id, place);
    return;
  }
  const tab = await browser.tabs.create({ url, active: true, windowId: home.id });
  goToPlace(tab.id, place);
  await browser.windows.update(home.id, { focused: true });
}
