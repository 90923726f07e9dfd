// SPDX-License-Identifier: Apache-2.0

// Creates and connects the modules. The browser may end this script at any time and start it again for an event. Then the
// host sends the state again, and listeners must be added at once.

import { browser } from "./modules/browser.js";
import { showBadge } from "./modules/badge.js";
import { Host } from "./modules/host.js";
import { openPage } from "./modules/opening.js";
import { placeOn } from "./modules/place.js";
import { isPopup } from "./modules/popup.js";
import { tabInFront } from "./modules/page.js";
import { onSettingsChanged, readSettings } from "./modules/settings.js";
import { Watching } from "./modules/watching.js";

let state = { deviceName: "", offers: [] };
const popups = new Set();

const watching = new Watching((page) => host.say(page ? { type: "page", ...page } : { type: "left" }));

const host = new Host({
  connected: () => watching.repeat(),
  lost: (problem) => show({ deviceName: "", offers: [], problem }),
  heard: async (message) => {
    switch (message.type) {
      case "state":
        show(message);
        break;
      case "answer":
        for (const popup of popups) popup.postMessage(message);
        break;
      case "place": {
        const tab = await tabInFront();
        // In the meantime another page may be in front.
        const scroll = tab?.url === message.url ? await placeOn(tab.id) : null;
        host.say({ type: "place", request: message.request, ...(scroll === null ? {} : { scroll }) });
        break;
      }
      case "open":
        host.say({ type: "opened", request: message.request, ...(await problemOfOpening(message)) });
        break;
      case "refused":
        console.warn(`handoff-browser-host: ${message.words}`);
        break;
    }
  },
});

async function problemOfOpening({ url, scroll }) {
  try {
    await openPage(url, scroll);
    return {};
  } catch (error) {
    return { problem: String(error.message ?? error) };
  }
}

function show(next) {
  state = next;
  showBadge(state);
  for (const popup of popups) popup.postMessage({ ...state, type: "state" });
}

// Accepts only the popup.
browser.runtime.onConnect.addListener((port) => {
  if (!isPopup(port)) {
    port.disconnect();
    return;
  }
  popups.add(port);
  port.onDisconnect.addListener(() => popups.delete(port));
  port.onMessage.addListener((message) => {
    if (message.type !== "goOn" && message.type !== "look") return;
    if (!host.say(message) && message.type === "goOn") {
      port.postMessage({ type: "answer", request: message.request, problem: { code: "hostGone", words: "" } });
    }
  });
  port.postMessage({ ...state, type: "state" });
  if (!host.say({ type: "look" })) host.connect();
});

watching.listen();
onSettingsChanged((settings) => (watching.settings = settings));
// Makes the browser start this script when it starts.
browser.runtime.onStartup.addListener(() => {});
browser.runtime.onInstalled.addListener(() => {});

readSettings().then((settings) => (watching.settings = settings));
host.connect();
