// SPDX-License-Identifier: Apache-2.0

// The icon of a row: the kind of device, with a page, an app or nothing on it. Drawn here, because a request for a site's icon
// would inform the site.

const screens = {
  laptop: "M4 5h16v11H4z M2 19h20",
  desktop: "M3 4h18v12H3z M12 16v4 M8 20h8",
  server: "M4 4h16v6H4z M4 14h16v6H4z M7 7h1 M7 17h1",
  tablet: "M5 3h14v18H5z M11 18h2",
  phone: "M7 2h10v20H7z M11 19h2",
  device: "M4 5h16v12H4z M9 21h6",
};
const contents = { page: "M8 8h8 M8 11h5", app: "M10 8h4v4h-4z" };

export function icon(deviceKind, kind) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(svg.namespaceURI, "path");
  const content = deviceKind === "server" ? "" : (contents[kind] ?? "");
  path.setAttribute("d", `${screens[deviceKind] ?? screens.device} ${content}`);
  svg.append(path);
  return svg;
}
