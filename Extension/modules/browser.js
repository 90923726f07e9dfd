// SPDX-License-Identifier: Apache-2.0

// The API has different names in Firefox and Chromium; both return promises.
export const browser = globalThis.browser ?? globalThis.chrome;

/** What people call the browser that this runs in. */
export async function browserName() {
  if (browser.runtime.getBrowserInfo) return (await browser.runtime.getBrowserInfo()).name;
  const brands = (navigator.userAgentData?.brands ?? []).map((brand) => brand.brand);
  const own = brands.find((brand) => brand !== "Chromium" && !/not.*brand/i.test(brand));
  return own ?? "Chromium";
}
