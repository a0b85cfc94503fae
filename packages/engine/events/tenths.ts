/**
 * Formats milliseconds with at most one decimal. Writing two small integers is several times faster than writing a fraction,
 * and every call writes ten of these.
 *
 * @param ms a difference of clock readings; negative values count as 0
 */
export function tenthsText(ms: number): string {
  const tenths = Math.max(0, Math.round(ms * 10));
  const rest = tenths % 10;
  const whole = (tenths - rest) / 10;
  return rest === 0 ? `${whole}` : `${whole}.${rest}`;
}
