/** The ids of holds are their names (ledger/hold-name.ts) after this. */
export const HOLD_PREFIX = 'hold_';
