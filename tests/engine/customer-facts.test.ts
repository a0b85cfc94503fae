import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileArtifact } from '#engine/artifacts/compile-artifact';
import { activeProducts } from '#engine/entitlements/active-products';
import { applyFacts } from '#engine/entitlements/apply-facts';
import { believeFacts, isNamedBy } from '#engine/entitlements/believe-facts';
import { planSources } from '#engine/entitlements/plan-sources';
import { plansOf } from '#engine/entitlements/plans-of';
import { prepare } from '#engine/entitlements/prepare';
import { factsOf, workspace } from './arbitraries';

const NOW = 1_000;
const ACCOUNTS = ['int_a', 'int_b', '__proto__'];
const types = fc.constantFrom('live' as const, 'test' as const, 'preview' as const);
const subject = { isAuthenticated: true };
const cases = workspace.chain((rows) =>
  fc.record({ prepared: fc.constant(prepare(compileArtifact(rows))), facts: factsOf(rows), type: types }),
);

describe('what Stripe says of a customer', () => {
  it('gives the plans of the products subscribed to, besides those of everybody and those granted by hand', () => {
    fc.assert(
      fc.property(cases, ({ prepared, facts, type }) => {
        const { resolution } = applyFacts(prepared, subject, facts, type, NOW);
        const products = facts.stripe ? activeProducts(facts.stripe.subscriptions, type) : [];
        const grantedPlanIds = facts.grants.flatMap(({ planId, until }) =>
          until === null || until > NOW ? [planId] : [],
        );
        expect(resolution.planIndexes).toEqual(
          plansOf(prepared, { ...subject, products, grantedPlanIds }).indexes,
        );
      }),
    );
  });

  it('never gives more in a live environment than elsewhere', () => {
    fc.assert(
      fc.property(cases, ({ prepared, facts }) => {
        const plansIn = (type: 'live' | 'preview') =>
          applyFacts(prepared, subject, facts, type, NOW).resolution.planIndexes;
        expect(plansIn('preview')).toEqual(expect.arrayContaining([...plansIn('live')]));
      }),
    );
  });

  it('is explained: every plan that holds has a reason, and no reason is given for a plan that does not', () => {
    fc.assert(
      fc.property(cases, fc.boolean(), ({ prepared, facts, type }, isAuthenticated) => {
        const { resolution } = applyFacts(prepared, { isAuthenticated }, facts, type, NOW);
        const sources = planSources(prepared, { isAuthenticated }, facts, type, NOW);
        expect([...sources.keys()].sort((one, other) => one - other)).toEqual(resolution.planIndexes);
        for (const from of sources.values()) expect(from.length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('what is believed of facts', () => {
  const believing = workspace.chain((rows) => fc.tuple(factsOf(rows), fc.subarray(ACCOUNTS)));

  it('is all of them, untouched, where every account that they mention is connected', () => {
    fc.assert(
      fc.property(believing, ([facts]) => {
        expect(believeFacts(facts, ACCOUNTS)).toBe(facts);
        const byHand = { version: facts.version, grants: facts.grants, overrides: facts.overrides };
        expect(believeFacts(byHand, undefined)).toBe(byHand);
      }),
    );
  });

  it('mentions connected accounts only, and believing it again changes nothing', () => {
    fc.assert(
      fc.property(believing, ([facts, connected]) => {
        const believed = believeFacts(facts, connected);
        for (const { integrationId } of [believed.nameOf, believed.stripe].flatMap((each) => each ?? []))
          expect(connected).toContain(integrationId);
        expect(believed.version).toBe(facts.version);
        expect(believeFacts(believed, connected)).toBe(believed);
      }),
    );
  });

  it('leaves what was said of the e-mail address out with the customer whose name it is', () => {
    fc.assert(
      fc.property(believing, ([facts, connected]) => {
        const believed = believeFacts(facts, connected);
        const isKept = !facts.stripe || connected.includes(facts.stripe.integrationId);
        const left = <Said extends { isOfEmail?: true }>(said: readonly Said[]) =>
          isKept ? said : said.filter(({ isOfEmail }) => isOfEmail === undefined);
        expect(believed.grants).toEqual(left(facts.grants));
        expect(believed.overrides).toEqual(left(facts.overrides));
      }),
    );
  });

  it('holds an address for the name of the customer who says so, and of no other', () => {
    fc.assert(
      fc.property(believing, ([facts]) => {
        expect(isNamedBy(facts, 'ada@tests.example')).toBe(facts.stripe?.isNamedByEmail === true);
        expect(isNamedBy(facts, 'eve@tests.example')).toBe(false);
      }),
    );
  });
});
