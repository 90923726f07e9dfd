// SPDX-License-Identifier: Apache-2.0

import { browser } from "./browser.js";

/**
 * Whether the extension's own popup is at the other end of a port. The extension's id alone proves nothing: in Chromium the
 * renderer of a page in which a content script ran may use it as well. The browser itself says the page and the tab.
 */
export function isPopup(port) {
  const sender = port.sender;
  const page = browser.runtime.getURL("popup.html");
  return (
    port.name === "popup" &&
    sender?.id === browser.runtime.id &&
    sender.url === page &&
    // If the popup is a tab, as on a phone, the browser reports the popup's page as the page of the tab.
    (!sender.tab || sender.tab.url === page)
  );
}
