// SPDX-License-Identifier: Apache-2.0

// The parts of a row.

export function part(name, text) {
  const element = document.createElement("span");
  element.className = name;
  element.append(...isolated([text]));
  return element;
}

/** Parts of a line. The direction of a text does not affect the others, nor its alignment. */
export function isolated(texts) {
  return texts.filter(Boolean).flatMap((text, index) => {
    const element = document.createElement("bdi");
    element.textContent = text;
    return index === 0 ? [element] : [" · ", element];
  });
}
