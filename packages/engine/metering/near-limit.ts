/** From this share of its limit on, a meter is near it. */
export const NEAR_LIMIT = 0.8;
