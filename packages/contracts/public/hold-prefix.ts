/** Begins the ids of holds. */
export const HOLD_PREFIX = 'hold_';
