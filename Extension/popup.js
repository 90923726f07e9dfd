// SPDX-License-Identifier: Apache-2.0

// The list of the other devices' activities. Each row is a button, so that Tab, Enter and screen readers can use it.

import { browser } from "./modules/browser.js";
import { offerIcon, showPicture } from "./modules/icons.js";
import { moveFocus } from "./modules/keys.js";
import { isolated, part } from "./modules/parts.js";
import { Pictures } from "./modules/pictures.js";
import { Requests } from "./modules/requests.js";
import { Rows } from "./modules/rows.js";
import { Sending } from "./modules/sending.js";
import { isExcluded, readSettings, writeSettings } from "./modules/settings.js";
import { key, steady } from "./modules/steady.js";
import { age, fillWords, problemWords, shownTitle, words } from "./modules/words.js";

const list = document.getElementById("offers");
const empty = document.getElementById("empty");
const problem = document.getElementById("problem");
const background = browser.runtime.connect({ name: "popup" });
const requests = new Requests(background);
const sending = new Sending(requests);
const rows = new Rows(list);
const pictures = new Pictures();
/** What is shown, and what there is. */
let lines = [];
let current = { offers: [] };

fillWords(document);
background.onMessage.addListener((message) => {
  if (message.type === "state") show(message);
  else if (message.type === "icon") showIcon(message);
  else requests.answered(message);
});
document.getElementById("settings").addEventListener("click", () => browser.runtime.openOptionsPage());
for (const id of ["openHandoff", "problemButton"]) document.getElementById(id).addEventListener("click", openHandoff);
list.addEventListener("keydown", (event) => moveFocus(event, list));
// Rows do not move under the pointer.
list.addEventListener("pointerleave", () => {
  if (lines.length !== current.offers.length || lines.some(({ offer }, index) => offer !== current.offers[index])) {
    show(current, false);
  }
});
showPage();

function show(state, isPointedAt = list.matches(":hover")) {
  current = state;
  const focused = document.activeElement;
  const isInList = focused === document.body || list.contains(focused);
  lines = steady(lines, state.offers, isPointedAt);
  rows.show(lines, ({ offer }) => key(offer), (shown) => [shown, age(shown.offer.since)], line);
  list.hidden = lines.length === 0;
  empty.hidden = lines.length > 0 || Boolean(state.problem);
  empty.textContent = words(state.devices?.length === 0 ? "emptyAlone" : "nothing");
  document.getElementById("openHandoff").hidden = !state.opensHandoff || isHelpedByWindow(state.problem);
  say(state.problem);
  sending.show(state);
  if (!isInList || (focused !== document.body && focused.isConnected)) return;
  // Its row was removed, or shows something else now.
  const buttons = [...list.querySelectorAll("button:enabled")];
  (buttons.find((button) => button.dataset.key === focused.dataset.key) ?? buttons[0])?.focus();
}

function showIcon({ app, data }) {
  if (!pictures.add(app, data)) return;
  for (const box of list.querySelectorAll(`[data-app="${CSS.escape(app)}"]`)) showPicture(box, data);
}

/** The window sets up the device, and starts the daemon. */
function isHelpedByWindow(what) {
  return current.opensHandoff && ["noAccount", "noDaemon"].includes(what?.code);
}

function say(what) {
  const isHelped = isHelpedByWindow(what);
  problem.hidden = !what;
  document.getElementById("problemWords").textContent = what ? problemWords(what, current.opensHandoff) : "";
  const command = document.getElementById("problemCommand");
  command.hidden = isHelped || !what?.command;
  command.textContent = what?.command ?? "";
  document.getElementById("problemButton").hidden = !isHelped;
}

function line({ offer, isGone }) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "offer";
  button.dataset.key = key(offer);
  button.disabled = isGone;
  const title = part("title", shownTitle(offer));
  const from = part("from", "");
  from.append(...isolated([offer.appName, offer.deviceName, age(offer.since)]));
  const deed = offer.kind === "app" ? words("continueIn", offer.targetName) : words("continueHere");
  button.title = [title.textContent, offer.host].filter(Boolean).join("\n");
  button.append(offerIcon(offer, pictures.get(offer.app)), title, from, part("deed", deed));
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

async function goOn({ activity, device }, button, inBrowser) {
  button.setAttribute("aria-busy", "true");
  say(null);
  const answer = await requests.ask({ type: "goOn", activity, device, inBrowser });
  button.removeAttribute("aria-busy");
  if (answer.problem) say(answer.problem);
  else window.close();
}

async function openHandoff() {
  const answer = await requests.ask({ type: "openHandoff" });
  if (answer.problem) say(answer.problem);
  else window.close();
}

/** Whether pages of the site in front are offered, to be changed, and where to send the page. */
async function showPage() {
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true });
  await sending.showPage(tab);
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
