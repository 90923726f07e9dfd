// SPDX-License-Identifier: Apache-2.0

/** Arrows move the focus from button to button, as in any list. */
export function moveFocus(event, list) {
  const buttons = [...list.querySelectorAll("button:enabled")];
  const steps = { ArrowDown: 1, ArrowUp: -1, Home: -buttons.length, End: buttons.length };
  const step = steps[event.key];
  const at = buttons.indexOf(document.activeElement);
  if (step === undefined || at < 0) return;
  event.preventDefault();
  buttons[Math.min(buttons.length - 1, Math.max(0, at + step))].focus();
}
