// SPDX-License-Identifier: Apache-2.0

// Creates and connects the modules. The browser may end this script at any time and start it again for an event. Then the
// host sends the state again, and listeners must be added at once.

import { browser } from "./modules/browser.js";
import { showBadge } from "./modules/badge.js";
import { Host } from "./modules/host.js";
import { openPage } from "./modules/opening.js";
import { pauseFilms, placeOn } from "./modules/place.js";
import { isPopup } from "./modules/popup.js";
import { pageOf, tabInFront } from "./modules/page.js";
import { withArticle } from "./modules/reader.js";
import { onSettingsChanged, readSettings } from "./modules/settings.js";
import { Pictures } from "./modules/pictures.js";
import { Watching } from "./modules/watching.js";

let state = { deviceName: "", offers: [] };
const popups = new Set();
const pictures = new Pictures();

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
      case "sent":
        for (const popup of popups) popup.postMessage(message);
        break;
      case "icon":
        if (!pictures.add(message.app, message.data)) break;
        for (const popup of popups) popup.postMessage(message);
        break;
      case "place": {
        const tab = await tabInFront();
        // In the meantime another page may be in front.
        const place = tab?.url === message.url ? await placeOn(tab.id) : {};
        host.say({ type: "place", request: message.request, ...place });
        break;
      }
      case "continued": {
        const tab = await tabInFront();
        if (tab?.url === message.url) pauseFilms(tab.id);
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

async function problemOfOpening({ url, ...place }) {
  try {
    await openPage(url, place);
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

/** The popup's messages. The host gets them as they are, except a page to be sent, which the popup names by its tab. */
const fromPopup = new Set(["look", "goOn", "send", "takeBack", "openHandoff"]);

async function problemOfAsking(message) {
  const asked = message.type === "send" ? await withPage(message) : message;
  if (!asked) return { code: "notAllowed", words: "" };
  return host.say(asked) ? null : { code: "hostGone", words: "" };
}

/** Null if the tab's page must not leave this device. A click sends also an excluded page. */
async function withPage({ tab: id, ...message }) {
  const tab = await browser.tabs.get(id).catch(() => null);
  const page = tab && pageOf(await withArticle(tab));
  if (!page) return null;
  return { ...message, ...page, ...(await placeOn(id)) };
}

// Accepts only the popup.
browser.runtime.onConnect.addListener((port) => {
  if (!isPopup(port)) {
    port.disconnect();
    return;
  }
  popups.add(port);
  port.onDisconnect.addListener(() => popups.delete(port));
  port.onMessage.addListener(async (message) => {
    if (!fromPopup.has(message.type)) return;
    const problem = await problemOfAsking(message);
    if (problem && message.request && popups.has(port)) port.postMessage({ type: "answer", request: message.request, problem });
  });
  // First, so that the list has its icons from the beginning.
  for (const picture of pictures.messages()) port.postMessage(picture);
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
