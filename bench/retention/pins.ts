/** Made for the bench and pinned before the first message: nothing in a real conversation says the same. */
export const PIN_TEXTS: readonly string[] = [
  'Releases go out on the second Tuesday; nothing is merged on the Monday before.',
  'The on-call number is 555-0142-77, and it is for outages only.',
  'Write British English in everything that customers read.',
]
