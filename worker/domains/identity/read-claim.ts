/**
 * Finds a claim by its name, with dots for nested ones (DESIGN section 5). A name that holds dots of its own, as
 * `https://example.com/email`, is found as well: what stands under the whole name comes first.
 */
import { type ClaimSet, own } from './read-token.ts';

/** Undefined where there is none. Names such as `__proto__` and `constructor` lead nowhere but to claims called so. */
export function readClaim(claims: ClaimSet, claimKey: string): unknown {
  const whole = own(claims, claimKey);
  if (whole !== undefined) return whole;
  for (let dot = claimKey.indexOf('.'); dot !== -1; dot = claimKey.indexOf('.', dot + 1)) {
    const outer = own(claims, claimKey.slice(0, dot));
    if (typeof outer !== 'object' || outer === null || Array.isArray(outer)) continue;
    const inner = readClaim(outer as ClaimSet, claimKey.slice(dot + 1));
    if (inner !== undefined) return inner;
  }
  return undefined;
}
