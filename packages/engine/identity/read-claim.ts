/**
 * Finds a claim by its name, in which dots select nested claims. A name that contains dots itself, such as
 * `https://example.com/email`, is found too: the full name takes precedence.
 */
/** As the token's issuer wrote it. Only own properties are ever read. */
export type ClaimSet = Readonly<Record<string, unknown>>;

export function own(object: ClaimSet, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Undefined if there is none. Own properties only, so `__proto__` and `constructor` are ordinary names. */
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
