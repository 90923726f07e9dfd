// SPDX-License-Identifier: Apache-2.0

// The list of the other devices' activities. Each row is a button, so that Tab, Enter and screen readers can use it.

import { browser } from "./modules/browser.js";
import { icon } from "./modules/icons.js";
import { isExcluded, readSettings, writeSettings } from "./modules/settings.js";
import { key, steady } from "./modules/steady.js";
import { age, fillWords, problemWords, words } from "./modules/words.js";

const list = document.getElementById("offers");
const empty = document.getElementById("empty");
const problem = document.getElementById("problem");
const background = browser.runtime.connect({ name: "popup" });
let lastRequest = 0;
/** What was asked for and is not answered, by its number: the button. */
const waiting = new Map();
/** What is shown, and what there is. */
let lines = [];
let current = { offers: [] };

fillWords(document);
background.onMessage.addListener((message) => {
  if (message.type === "state") show(message);
  if (message.type === "answer") answered(message);
});
document.getElementById("settings").addEventListener("click", () => browser.runtime.openOptionsPage());
list.addEventListener("keydown", move);
// Rows do not move under the pointer.
list.addEventListener("pointerleave", () => {
  if (lines.length !== current.offers.length || lines.some(({ offer }, index) => offer !== current.offers[index])) {
    show(current, false);
  }
});
showSite();

function show(state, isPointedAt = list.matches(":hover")) {
  current = state;
  const focused = document.activeElement?.dataset?.key;
  lines = steady(lines, state.offers, isPointedAt);
  list.replaceChildren(...lines.map(line));
  list.hidden = lines.length === 0;
  empty.hidden = lines.length > 0 || Boolean(state.problem);
  say(state.problem);
  // Rows are added and removed; the focus stays on its row.
  const buttons = [...list.querySelectorAll("button:enabled")];
  (buttons.find((button) => button.dataset.key === focused) ?? buttons[0])?.focus();
}

function say(what) {
  problem.hidden = !what;
  problem.textContent = what ? problemWords(what) : "";
}

function line({ offer, isGone }) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "offer";
  button.dataset.key = key(offer);
  button.disabled = isGone;
  const title = part("title", offer.title || offer.host || offer.appName);
  const app = offer.kind === "app" && offer.appName === offer.targetName ? "" : offer.appName;
  const where = offer.host && offer.title ? offer.host : app;
  const target = offer.kind === "app" ? words("inApp", offer.targetName) : words("asPage");
  const from = part("from", [offer.deviceName, age(offer.since), where, target].filter(Boolean).join(" · "));
  button.title = title.textContent;
  button.append(icon(offer.deviceKind, offer.kind), title, from);
  button.addEventListener("click", () => goOn(offer, button, false));
  item.append(button);
  if (offer.kind === "app" && offer.browserToo && !isGone) {
    const here = document.createElement("button");
    here.type = "button";
    here.className = "here";
    here.dataset.key = `${button.dataset.key} here`;
    here.textContent = words("openHere");
    here.setAttribute("aria-label", words("openHereLabel", title.textContent));
    here.addEventListener("click", () => goOn(offer, button, true));
    item.append(here);
  }
  return item;
}

function part(name, text) {
  const element = document.createElement("span");
  element.className = name;
  element.textContent = text;
  return element;
}

function goOn(offer, button, inBrowser) {
  lastRequest += 1;
  waiting.set(lastRequest, button);
  button.setAttribute("aria-busy", "true");
  say(null);
  background.postMessage({
    type: "goOn",
    request: lastRequest,
    activity: offer.activity,
    device: offer.device,
    inBrowser,
  });
}

function answered({ request, problem: why }) {
  const button = waiting.get(request);
  if (!button) return;
  waiting.delete(request);
  button.removeAttribute("aria-busy");
  if (why) say(why);
  else window.close();
}

/** Arrows go from line to line, as in any list. */
function move(event) {
  const buttons = [...list.querySelectorAll("button:enabled")];
  const steps = { ArrowDown: 1, ArrowUp: -1, Home: -buttons.length, End: buttons.length };
  const step = steps[event.key];
  const at = buttons.indexOf(document.activeElement);
  if (step === undefined || at < 0) return;
  event.preventDefault();
  buttons[Math.min(buttons.length - 1, Math.max(0, at + step))].focus();
}

/** Whether pages of the site in front are offered, to be changed. */
async function showSite() {
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true });
  if (!tab?.url?.startsWith("http")) return;
  const host = new URL(tab.url).hostname;
  const checkbox = document.getElementById("offered");
  const settings = await readSettings();
  document.getElementById("offeredWords").textContent = words("offerSite", host);
  document.getElementById("site").hidden = false;
  checkbox.checked = settings.offers && !isExcluded(host, settings.excluded);
  checkbox.disabled = !settings.offers;
  checkbox.addEventListener("change", async () => {
    const { excluded } = await readSettings();
    const others = excluded.filter((site) => host !== site && !host.endsWith(`.${site}`));
    await writeSettings({ excluded: checkbox.checked ? others : [...others, host].sort() });
  });
}
