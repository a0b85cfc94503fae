const DECIMAL_DIGITS = 15;

/** A computed number as an answer can state it: no further from zero than the largest safe integer, 0.3 for 0.1 + 0.2, and 0 for -0. */
export function exactNumber(value: number): number {
  const bounded = Math.min(Math.max(value, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
  return (Number.isInteger(bounded) ? bounded : Number(bounded.toPrecision(DECIMAL_DIGITS))) + 0;
}
