// SPDX-License-Identifier: Apache-2.0

/** A list that is pointed at grows to so many lines. */
const most = 400;

export const key = (offer) => `${offer.device} ${offer.activity}`;

/**
 * What is shown of `offers` where `lines` were: while a person points at them, a line stays where it is, what is new is put at
 * the end, and what is gone stays to be shown as such. Otherwise they are in order. `SteadyList` in HandoffCore says the same.
 */
export function steady(lines, offers, isPointedAt) {
  if (!isPointedAt) return offers.map((offer) => ({ offer, isGone: false }));
  const there = new Map(offers.map((offer) => [key(offer), offer]));
  const kept = lines.map(({ offer }) => ({ offer: there.get(key(offer)) ?? offer, isGone: !there.has(key(offer)) }));
  for (const { offer } of lines) there.delete(key(offer));
  const added = [...there.values()].map((offer) => ({ offer, isGone: false }));
  return [...kept, ...added].slice(0, Math.max(lines.length, most));
}
