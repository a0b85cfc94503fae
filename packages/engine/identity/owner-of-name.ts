/**
 * Who owns a name among the customers that claim it: the one rule about names. A name is an id, an email or a user id of the
 * application. Whoever has to know whose it is, in one environment or in any, collects the claims and asks here. See
 * docs/names.md.
 */

/** What a claim rests on. In the order in which claims win. */
export const CLAIM_GROUNDS = ['id', 'creation', 'link', 'owner', 'carrier', 'email'] as const;

/**
 * - `id`: it is the customer's own id, at Stripe or of a customer that was created by API.
 * - `creation`: the customer was created by API with it, as its email or user id.
 * - `link`: a person has linked the email to the customer.
 * - `owner`: the email was decided to be the customer's.
 * - `carrier`: the metadata of the Stripe customer says that it is the customer's user id.
 * - `email`: the customer has the email at Stripe and shares it; this alone never makes an owner.
 */
export type ClaimGround = (typeof CLAIM_GROUNDS)[number];

/** One customer's claim to a name. */
export interface NameClaim {
  /** Who the claimant is: its id, or the id of the created customer that it is the same as. */
  readonly customer: string;
  /** The integration whose customer claims it; empty: the customer was created by API. */
  readonly integrationId: string;
  readonly ground: ClaimGround;
  /** Since when, for links and owners: epoch milliseconds. The last link and the first owner win. */
  readonly at?: number;
}

/**
 * @param name canonical
 * @param claims to this name, of customers that the environment sees, in any order
 * @returns the claim that wins; null: the name is a customer of its own, whose claimants share it
 */
export function ownerOfName(name: string, claims: readonly NameClaim[]): NameClaim | null {
  for (const ground of CLAIM_GROUNDS) {
    const those = claims.filter((claim) => claim.ground === ground);
    if (those.length === 0) continue;
    switch (ground) {
      case 'id':
        // An id that several accounts have is one customer; it is another one’s only if all of them say so.
        return first(those.filter(({ customer }) => customer === name)) ?? onlyOne(those);
      case 'creation':
        return first(those);
      case 'link':
        return first(those, (claim) => -at(claim));
      case 'owner':
        return first(those, at);
      case 'carrier':
        return onlyOne(those);
      case 'email':
        return null;
    }
  }
  return null;
}

const at = (claim: NameClaim): number => claim.at ?? 0;

/** The lowest, whatever the order of the claims. */
function first(claims: readonly NameClaim[], key: (claim: NameClaim) => number = () => 0): NameClaim | null {
  const [lowest = null] = claims.toSorted(
    (a, b) => key(a) - key(b) || compare(a.customer, b.customer) || compare(a.integrationId, b.integrationId),
  );
  return lowest;
}

function onlyOne(claims: readonly NameClaim[]): NameClaim | null {
  return new Set(claims.map(({ customer }) => customer)).size === 1 ? first(claims) : null;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
