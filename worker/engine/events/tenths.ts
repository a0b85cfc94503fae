/**
 * Milliseconds with one decimal, or none if it is 0. Writing a fraction as text costs several times what two small integers do, and
 * every call writes ten of them.
 *
 * @param ms differences of clocks; what is below 0 counts as 0
 */
export function tenthsText(ms: number): string {
  const tenths = Math.max(0, Math.round(ms * 10));
  const rest = tenths % 10;
  const whole = (tenths - rest) / 10;
  return rest === 0 ? `${whole}` : `${whole}.${rest}`;
}
