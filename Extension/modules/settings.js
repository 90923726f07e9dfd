// SPDX-License-Identifier: Apache-2.0

// The user's settings, stored only in this browser.

import { browser } from "./browser.js";

const defaults = { offers: true, excluded: [] };

/** `offers`: pages are offered at all; `excluded`: hosts whose pages, and those of hosts below them, never are. */
export async function readSettings() {
  return { ...defaults, ...(await browser.storage.local.get(Object.keys(defaults))) };
}

export async function writeSettings(change) {
  await browser.storage.local.set(change);
}

/** Calls back with the settings at each change. */
export function onSettingsChanged(callback) {
  browser.storage.local.onChanged.addListener(async () => callback(await readSettings()));
}

/** What people type, as hosts: a line each; addresses and capitals are understood. */
export function hostsOf(text) {
  const hosts = text.split(/[\s,]+/).filter((word) => word !== "").map(hostOf).filter((host) => host !== "");
  return [...new Set(hosts)].sort();
}

function hostOf(word) {
  const plain = word.replace(/^\*\./, "");
  try {
    return new URL(plain.includes("://") ? plain : `https://${plain}`).hostname;
  } catch {
    return "";
  }
}

export function isExcluded(host, excluded) {
  return excluded.some((site) => host === site || host.endsWith(`.${site}`));
}
