// SPDX-License-Identifier: Apache-2.0

// Icons of rows. An app's own comes from the host; the others are drawn here, because a request for a site's icon would inform
// the site.

const kinds = {
  laptop: "M4 5h16v11H4z M2 19h20",
  desktop: "M3 4h18v12H3z M12 16v4 M8 20h8",
  server: "M4 4h16v6H4z M4 14h16v6H4z M7 7h1 M7 17h1",
  tablet: "M5 3h14v18H5z M11 18h2",
  phone: "M7 2h10v20H7z M11 19h2",
  device: "M4 5h16v12H4z M9 21h6",
};
const targets = {
  page: "M12 3a9 9 0 0 0 0 18a9 9 0 0 0 0-18z M3 12h18 M12 3c-5 5-5 13 0 18 M12 3c5 5 5 13 0 18",
  app: "M7 4h10a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3H7a3 3 0 0 1-3-3V7a3 3 0 0 1 3-3z M4 9h16",
};

function drawing(path) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(svg.namespaceURI, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

/** Of a device. */
export function deviceIcon(kind) {
  const box = document.createElement("span");
  box.className = "icon";
  box.append(drawing(kinds[kind] ?? kinds.device));
  return box;
}

/** Where a row leads to, with the kind of the device it comes from. `picture`: the app's own icon, if it is known. */
export function offerIcon({ kind, deviceKind, app }, picture) {
  const box = document.createElement("span");
  box.className = "icon";
  if (app) box.dataset.app = app;
  const emblem = drawing(kinds[deviceKind] ?? kinds.device);
  emblem.classList.add("emblem");
  box.append(drawing(targets[kind] ?? targets.page), emblem);
  if (picture) showPicture(box, picture);
  return box;
}

/** Takes the same place, so that no row moves. */
export function showPicture(box, picture) {
  const image = document.createElement("img");
  image.alt = "";
  image.src = picture;
  box.firstElementChild.replaceWith(image);
}
