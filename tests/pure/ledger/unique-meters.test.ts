// A meter of unique resources counts resources and nothing else.

import { expect, it } from 'vitest';
import type { CounterUpdate, LedgerSite, UpdateOutcome } from '#contracts/internal/ledger';
import type { Meter } from '#contracts/public/values';
import { SharedMemory } from '#engine/cache/shared-memory';
import { LocalLedger } from '#objects/ledger/local-ledger';
import { MemoryStore } from './ledger-memory-store.ts';

const NOW = Date.UTC(2026, 9, 20);
const SEATS: Meter = { limit: 1, periodType: 'lifetime', uniqueResourceIds: true };
const CALLS: Meter = { limit: 100, periodType: 'lifetime', uniqueResourceIds: false };
const site: LedgerSite = {
  environmentId: 'env_1',
  location: 'weur',
  shard: 0,
  generation: 1,
  locations: ['weur'],
};

type Decided = Extract<UpdateOutcome, { kind: 'decided' }>;

function newCustomer() {
  const ledger = new LocalLedger(new MemoryStore(), () => 'weur/1', new SharedMemory(1000));
  return (meter: Meter, given: Partial<CounterUpdate>): Decided => {
    const update = {
      propertyId: 'seats',
      value: { state: 'metered', meter },
      enforce: false,
      ...given,
    } as const;
    const [answer] = ledger.apply([{ site, customer: 'ada', now: NOW, updates: [update], reads: [] }]);
    const outcome = answer?.kind === 'answered' ? answer.outcomes[0] : undefined;
    if (outcome?.kind !== 'decided') throw new Error(JSON.stringify(answer));
    return outcome;
  };
}

it.each([{}, { by: 1 }, { by: 7 }, { by: 0 }, { by: -3 }])(
  'an update without a resource (%j) is not accepted and counts nothing, with any key and limit',
  (amount) => {
    for (const more of [{}, { enforce: true }, { key: { text: 'k', bodyHash: 'a' } }]) {
      const update = newCustomer();
      expect(update(SEATS, { ...amount, ...more })).toMatchObject({
        accepted: false,
        replayed: false,
        applied: 0,
        reading: { used: 0 },
      });
      update(SEATS, { resourceId: 'one' });
      expect(update({ ...SEATS, limit: 10 }, amount)).toMatchObject({
        accepted: false,
        reading: { used: 1 },
      });
    }
  },
);

it('what was not accepted under a meter of unique resources does not surface when the plan counts amounts again', () => {
  const update = newCustomer();
  for (let count = 0; count < 5; count++) update(SEATS, { by: 20 });
  expect(update(CALLS, { by: 0 })).toMatchObject({ accepted: true, reading: { used: 0 } });
});

it('while the property is on or off, an update without a resource counts nothing where its default meter would not read it', () => {
  for (const state of ['on', 'off'] as const) {
    for (const amount of [{}, { by: 7 }, { by: 0 }, { by: -3 }]) {
      const update = newCustomer();
      const switched = { value: { state }, usageMeter: SEATS, ...amount } as const;
      expect(update(SEATS, switched)).toMatchObject({ accepted: true, applied: 0, reading: { used: 0 } });
      const enforced = update(SEATS, { ...switched, enforce: true });
      expect(enforced).toMatchObject({ accepted: state === 'on', applied: 0 });
      expect(update(CALLS, { by: 0 })).toMatchObject({ reading: { used: 0 } });
      const counted = { value: { state }, usageMeter: SEATS, resourceId: 'one' } as const;
      expect(update(SEATS, counted)).toMatchObject({ accepted: true, applied: 1, reading: { used: 1 } });
    }
  }
});

it('a retry without a resource repeats the refusal', () => {
  const update = newCustomer();
  const keyed = { by: 1, key: { text: 'k', bodyHash: 'a' } };
  update(SEATS, keyed);
  expect(update(CALLS, keyed)).toMatchObject({ accepted: false, replayed: true, applied: 0 });
});
