// What an environment remembers of its customers' facts neither outlives nor hides the memory that the facts take.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { type CustomerFacts, NO_FACTS } from '#contracts/internal/customer-facts';
import { compileArtifact } from '#engine/artifacts/compile-artifact';
import { SMALL } from '#engine/tests/small-workspace';
import { resolveSubject } from '#worker/domains/access/resolve-subject';
import { load } from '#worker/domains/snapshots/snapshot-cache';

const NOW = 1_000;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function someEnvironment() {
  const content = JSON.stringify(compileArtifact(SMALL));
  return load(
    {
      generation: 1,
      environmentId: 'env_1',
      orgId: 'org_1',
      environmentType: 'preview',
      locations: ['weur'],
      artifact: { id: 'art_1', number: 1, hash: 'h1', content },
      keys: [],
      block: null,
    } as never,
    null,
    NOW,
  );
}

function check(environment: ReturnType<typeof someEnvironment>, facts: CustomerFacts): void {
  const identity = { isAuthenticated: true, identifier: 'ada' } as never;
  resolveSubject(environment, identity, undefined, facts, 'ada', NOW);
}

const granted = (): CustomerFacts => ({
  ...NO_FACTS,
  version: 1,
  grants: [{ planId: 'plan_pro', until: null }],
});

it('facts that nothing else uses any more are not kept by what they came to', async () => {
  const environment = someEnvironment();
  const kept = Array.from({ length: 100 }, () => {
    const facts = granted();
    check(environment, facts);
    return new WeakRef(facts);
  });
  await new Promise((resolve) => void setTimeout(resolve));
  collectGarbage();
  expect(kept.filter((facts) => facts.deref() !== undefined)).toHaveLength(0);
});

it('facts with values of their own count as the memory of the environment', () => {
  const environment = someEnvironment();
  check(environment, {
    ...granted(),
    overrides: [{ propertyId: 'prop_seats', value: 1, until: null }],
    stripe: {
      integrationId: 'int_1',
      customerId: 'ada',
      email: null,
      isNamedByEmail: false,
      subscriptions: [],
      metadata: { text: 'x'.repeat(50_000) },
    },
  });
  expect(environment.appliedFacts.weight).toBeGreaterThan(50_000);
});
