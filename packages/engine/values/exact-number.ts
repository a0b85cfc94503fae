/** Computed numbers as an answer can state them. */
const DECIMAL_DIGITS = 15;

/** No further from zero than the largest safe integer, 0.3 for 0.1 + 0.2, and 0 for -0. */
export function exactNumber(value: number): number {
  const bounded = Math.min(Math.max(value, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
  return (Number.isInteger(bounded) ? bounded : Number(bounded.toPrecision(DECIMAL_DIGITS))) + 0;
}

/** Summed in an order of their own, so that the plans' order has no effect. */
export function exactSum(values: readonly number[]): number {
  return exactNumber(values.toSorted((one, other) => one - other).reduce((total, value) => total + value, 0));
}
