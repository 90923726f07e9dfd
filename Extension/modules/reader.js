// SPDX-License-Identifier: Apache-2.0

// Firefox's reader view is a page of the browser, so without the permission "tabs" the tab has no address. It shows the
// article that was in the tab before. Other browser pages in the tab of an article cannot be told from it.

import { browser } from "./browser.js";

/** The tab's last article, in memory alone, and also while this script does not run. */
const keyOf = (id) => `article ${id}`;

/** A tab in front: in reader view, with the address and title of its article. */
export async function withArticle(tab) {
  const key = keyOf(tab.id);
  const { [key]: article } = await browser.storage.session.get(key);
  if (!tab.url) return article && !tab.incognito ? { ...tab, ...article } : tab;
  // When Firefox leaves an article, it briefly reports that the tab has none.
  if (tab.isArticle && !tab.incognito) {
    if (article?.url !== tab.url || article.title !== tab.title) {
      await browser.storage.session.set({ [key]: { url: tab.url, title: tab.title ?? "" } });
    }
  } else if (article && article.url !== tab.url) {
    await forgetArticle(tab.id);
  }
  return tab;
}

export async function forgetArticle(tab) {
  await browser.storage.session.remove(keyOf(tab));
}
