// SPDX-License-Identifier: Apache-2.0

import { hostsOf, onSettingsChanged, readSettings, writeSettings } from "./modules/settings.js";
import { fillWords, words } from "./modules/words.js";

const offers = document.getElementById("offers");
const excluded = document.getElementById("excluded");
const saved = document.getElementById("saved");

function show(settings) {
  offers.checked = settings.offers;
  excluded.value = settings.excluded.join("\n");
}

fillWords(document);
offers.addEventListener("change", () => writeSettings({ offers: offers.checked }));
excluded.addEventListener("input", () => (saved.textContent = ""));
document.getElementById("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  await writeSettings({ excluded: hostsOf(excluded.value) });
  show(await readSettings());
  saved.textContent = words("saved");
});
onSettingsChanged(show);
readSettings().then(show);
