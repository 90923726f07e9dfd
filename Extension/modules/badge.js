// SPDX-License-Identifier: Apache-2.0

import { browser } from "./browser.js";

/** Says on the button how much there is to continue. */
export function showBadge(state) {
  const count = state.offers.length;
  const text = state.problem ? "!" : count > 0 ? String(count) : "";
  const title = count > 0 ? browser.i18n.getMessage("badgeTitle", [String(count)]) : browser.i18n.getMessage("extensionName");
  browser.action.setBadgeText({ text });
  browser.action.setBadgeBackgroundColor({ color: state.problem ? "#8a4b08" : "#1f5fbf" });
  browser.action.setBadgeTextColor?.({ color: "#ffffff" });
  browser.action.setTitle({ title });
}
