// What an isolate remembers of customers neither outlives nor hides the memory that it takes.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import { resolveSubject } from '#engine/access/resolve-subject';
import { compileArtifact } from '#engine/artifacts/compile-artifact';
import { NO_FACTS } from '#engine/entitlements/no-facts';
import { RenderedTexts } from '#engine/entitlements/rendered-texts';
import type { Resolution } from '#engine/entitlements/resolution';
import { SMALL } from '#engine/tests/small-workspace';
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

function check(environment: ReturnType<typeof someEnvironment>, facts: CustomerFacts): Resolution | null {
  const identity = { isAuthenticated: true, identifier: 'ada' } as never;
  return resolveSubject({ loaded: environment, now: NOW }, identity, undefined, { facts, customer: 'ada' })
    .resolution;
}

async function countAlive(things: readonly WeakRef<object>[]): Promise<number> {
  await new Promise((resolve) => void setTimeout(resolve));
  collectGarbage();
  return things.filter((thing) => thing.deref() !== undefined).length;
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
  expect(await countAlive(kept)).toBe(0);
});

it('customers keep no values that the environment no longer remembers, and get equal ones again', async () => {
  const environment = someEnvironment();
  const customers = Array.from({ length: 100 }, granted);
  const resolutions = customers.map((facts) => {
    environment.prepared?.resolutions.clear();
    return new WeakRef(check(environment, facts) as Resolution);
  });
  environment.prepared?.resolutions.clear();
  expect(await countAlive(resolutions)).toBe(0);
  const again = customers.map((facts) => check(environment, facts));
  expect(again[0]?.planSlugs).toEqual(['free', 'pro']);
  expect(new Set(again).size).toBe(1);
});

it('facts with more plans than they are weighed for count as the memory of the environment', () => {
  const environment = someEnvironment();
  const facts = granted();
  const planSet = {
    indexes: [],
    quantities: null,
    trials: null,
    key: '1,'.repeat(500),
    unknownPlanSlugs: [],
  };
  environment.appliedFacts.set(facts, {
    resolution: check(environment, facts) as Resolution,
    planSet,
    until: Infinity,
    refused: [],
  });
  expect(environment.appliedFacts.weight).toBeGreaterThan(2_000);
});

it('a remembered answer is weighed with the readings that it was rendered of', async () => {
  const resolution = check(someEnvironment(), granted()) as Resolution;
  const texts = new RenderedTexts(200_000);
  const kept = Array.from({ length: 50 }, () => {
    const readings = new Map(Array.from({ length: 1_000 }, (_, index) => [`prop_${index}`, { used: 1 }]));
    texts.render(resolution, readings, NOW);
    return new WeakRef(readings);
  });
  const alive = await countAlive(kept);
  expect(alive).toBeGreaterThan(0);
  expect(alive).toBeLessThanOrEqual(4);
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
