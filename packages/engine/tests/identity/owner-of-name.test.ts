// The laws of names: who owns one follows from its claims alone.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CLAIM_GROUNDS, type NameClaim, ownerOfName } from '../../identity/owner-of-name.ts';

const NAME = 'ada';
const customers = fc.constantFrom(NAME, 'cus_1', 'cus_2', 'acme');
const claim: fc.Arbitrary<NameClaim> = fc.record({
  customer: customers,
  integrationId: fc.constantFrom('', 'stripe_1', 'stripe_2'),
  ground: fc.constantFrom(...CLAIM_GROUNDS),
  at: fc.integer({ min: 0, max: 3 }),
});
const claims = fc.array(claim, { maxLength: 6 });
const law = (check: (given: NameClaim[]) => void) =>
  fc.assert(
    fc.property(claims, (given) => {
      check(given);
    }),
  );
const of = (given: readonly NameClaim[], ground: NameClaim['ground']) =>
  given.filter((each) => each.ground === ground);
const own = (given: readonly NameClaim[]) => ownerOfName(NAME, given);

const who = (claim: NameClaim | null) => claim && [claim.customer, claim.integrationId, claim.ground];

test('the owner is one of the claimants', () => {
  law((given) => expect([null, ...given]).toContainEqual(own(given)));
});

test('the order in which claims arrive does not matter', () => {
  fc.assert(
    fc.property(
      claims.chain((given) =>
        fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length })),
      ),
      ([given, shuffled]) => {
        expect(who(own(shuffled))).toEqual(who(own(given)));
      },
    ),
  );
});

test('an id wins over everything, and a name that is an id somewhere is nobody else’s alias there', () => {
  law((given) => {
    const ids = of(given, 'id');
    if (ids.length === 0) return;
    expect([undefined, 'id']).toContain(own(given)?.ground);
    if (ids.some(({ customer }) => customer === NAME)) expect(own(given)?.customer).toBe(NAME);
    else if (new Set(ids.map(({ customer }) => customer)).size > 1) expect(own(given)).toBeNull();
  });
});

test('a customer that was created with the name keeps it, whatever Stripe says later', () => {
  law((given) => {
    if (of(given, 'id').length > 0 || of(given, 'creation').length === 0) return;
    expect(own(given)?.ground).toBe('creation');
  });
});

test('a link wins over an owner, and the last link over all others', () => {
  law((given) => {
    const links = of(given, 'link');
    if (links.length === 0 || of(given, 'id').length + of(given, 'creation').length > 0) return;
    expect(own(given)?.ground).toBe('link');
    expect(own(given)?.at).toBe(Math.max(...links.map(({ at = 0 }) => at)));
  });
});

test('without a link the first owner keeps the name', () => {
  law((given) => {
    const owners = of(given, 'owner');
    if (owners.length === 0 || given.some(({ ground }) => ['id', 'creation', 'link'].includes(ground)))
      return;
    expect(own(given)?.at).toBe(Math.min(...owners.map(({ at = 0 }) => at)));
  });
});

test('carried by one customer, in however many accounts, it is the customer’s; carried by two it is nobody’s', () => {
  law((given) => {
    const carriers = of(given, 'carrier');
    if (carriers.length === 0 || given.some(({ ground }) => !['carrier', 'email'].includes(ground))) return;
    const [first, ...others] = new Set(carriers.map(({ customer }) => customer));
    expect(own(given)?.customer).toBe(others.length === 0 ? first : undefined);
  });
});

test('having the same email makes nobody the owner', () => {
  law((given) => expect(own(of(given, 'email'))).toBeNull());
});
