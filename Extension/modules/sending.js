// SPDX-License-Identifier: Apache-2.0

// The part of the popup that sends the page in front to another device.

import { deviceIcon } from "./icons.js";
import { moveFocus } from "./keys.js";
import { pageOf } from "./page.js";
import { part } from "./parts.js";
import { withArticle } from "./reader.js";
import { Rows } from "./rows.js";
import { problemWords, words } from "./words.js";

export class Sending {
  #requests;
  #section = document.getElementById("sending");
  #button = document.getElementById("send");
  #list = document.getElementById("devices");
  #rows = new Rows(this.#list);
  #sent = document.getElementById("sent");
  #takeBack = document.getElementById("takeBack");
  #devices = [];
  #tab = null;
  /** The send that can be taken back. */
  #kept = null;

  constructor(requests) {
    this.#requests = requests;
    this.#button.addEventListener("click", () => this.#open(this.#list.hidden));
    this.#list.addEventListener("keydown", (event) => moveFocus(event, this.#list));
    this.#takeBack.addEventListener("click", () => this.#takeItBack());
  }

  /** `tab`: in front of the popup's window. */
  async showPage(tab) {
    this.#tab = tab ?? null;
    const page = tab ? pageOf(await withArticle(tab)) : null;
    this.#button.disabled = !page;
    if (!page) this.#say(words("onlyWebPages"));
    this.#showSection();
  }

  show({ devices = [], phones = [], problem }) {
    this.#devices = problem ? [] : [...devices, ...phones];
    const focused = document.activeElement?.dataset?.device;
    this.#rows.show(this.#devices, ({ device }) => device, (shown) => shown, (shown) => this.#line(shown));
    this.#showSection();
    if (focused && !document.activeElement?.dataset?.device) this.#list.querySelector(`[data-device="${CSS.escape(focused)}"]`)?.focus();
  }

  #showSection() {
    this.#section.hidden = this.#devices.length === 0 || this.#tab === null;
  }

  #line({ device, name, kind, isConnected, through }) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "device";
    button.dataset.device = device;
    const state = through ?? words(isConnected ? "deviceConnected" : "deviceAway");
    button.append(deviceIcon(kind), part("title", name), part("from", state));
    button.addEventListener("click", () => this.#send(through ? { phone: device } : { device }));
    item.append(button);
    return item;
  }

  #open(isOpen) {
    this.#list.hidden = !isOpen;
    this.#button.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) this.#list.querySelector("button")?.focus();
  }

  #say(text, kept = null) {
    this.#kept = kept;
    this.#sent.hidden = text === "";
    document.getElementById("sentWords").textContent = text;
    this.#takeBack.hidden = kept === null;
  }

  /** `receiver`: a device of the account, or a phone. */
  async #send(receiver) {
    this.#open(false);
    this.#button.focus();
    this.#button.disabled = true;
    this.#say(words("sending"));
    const { deviceName, isTaken, through, activity, problem } = await this.#requests.ask({
      type: "send",
      ...receiver,
      tab: this.#tab.id,
    });
    this.#button.disabled = false;
    if (problem) this.#say(words("notSent", problemWords(problem)));
    else if (through) this.#say(words("handedTo", through));
    else if (isTaken) this.#say(words("sentTo", deviceName));
    else this.#say(words("keptFor", deviceName), activity);
  }

  async #takeItBack() {
    const { problem } = await this.#requests.ask({ type: "takeBack", activity: this.#kept });
    this.#button.focus();
    this.#say(problem ? problemWords(problem) : words("takenBack"));
  }
}
