// Meters that count by billing period: a ledger counts, limits and reads them in the window of the customer's anchor.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import type { LedgerReading } from '#contracts/internal/ledger';
import type { Meter } from '#contracts/public/values';
import { HOURS } from '#engine/metering/bucket-widths';
import { PageRoom } from '#objects/ledger/page-room';
import { ledgerStub } from '#objects/stubs';
import { evict } from '#tests/support/evict';
import { TestEnvironment } from './ledger-calls.ts';

const MONTH: Meter = {
  limit: 3,
  periodType: 'billing',
  periodCount: 1,
  periodLength: 'month',
  uniqueResourceIds: false,
};
const ANCHOR = Date.parse('2025-12-31T14:37:00Z');
const END = Date.parse('2026-02-28T14:37:00Z');
const NEXT = Date.parse('2026-03-31T14:37:00Z');
const metered = { value: { state: 'metered', meter: MONTH }, anchorAt: ANCHOR } as const;

async function reading(
  home: TestEnvironment,
  now: number,
  meter = MONTH,
  anchorAt?: number,
): Promise<LedgerReading> {
  const { ledger } = await ledgerStub(env, { ...home.site('weur'), customer: 'ada', shards: 1 });
  const answer = await ledger.read(
    [{ propertyId: 'prop_calls', meter: { ...meter, anchorAt } }],
    now,
    undefined,
  );
  if (answer.kind !== 'answered') throw new Error('The location is disabled');
  return answer.readings[0]!;
}

describe('a billing window', () => {
  it('limits what is counted until its last minute, and begins anew with the next', async () => {
    const home = new TestEnvironment('weur');
    const enforced = { ...metered, enforce: true, by: 3 };
    expect(await home.update('weur', enforced, END - 60_000)).toMatchObject({
      accepted: true,
      reading: { used: 3, resetsAt: END },
    });
    expect(await home.update('weur', { ...enforced, by: 1 }, END - 1)).toMatchObject({ accepted: false });
    expect(await home.update('weur', { ...enforced, by: 2 }, END)).toMatchObject({
      accepted: true,
      reading: { used: 2, resetsAt: NEXT },
    });
    expect(await reading(home, END, MONTH, ANCHOR)).toEqual({ used: 2, resetsAt: NEXT });
  });

  it('is read by several anchors at once, from what was counted under any', async () => {
    const home = new TestEnvironment('weur');
    await home.update('weur', { ...metered, by: 1 }, Date.parse('2026-02-10T00:00:00Z'));
    await home.update('weur', { ...metered, by: 2 }, Date.parse('2026-02-20T00:00:00Z'));
    const now = Date.parse('2026-02-27T00:00:00Z');
    expect(await reading(home, now, MONTH, ANCHOR)).toEqual({ used: 3, resetsAt: END });
    const later = Date.parse('2026-02-15T08:00:00Z');
    expect(await reading(home, now, MONTH, later)).toEqual({
      used: 2,
      resetsAt: Date.parse('2026-03-15T08:00:00Z'),
    });
    expect(await reading(home, now)).toEqual({ used: 3, resetsAt: Date.UTC(2026, 2, 1) });
  });

  it('gives back no usage of the window before', async () => {
    const home = new TestEnvironment('weur');
    await home.update('weur', { ...metered, by: 2 }, END - 60_000);
    expect(await home.update('weur', { ...metered, by: -2 }, END)).toMatchObject({ applied: 0 });
  });

  it('counts a unique resource again once it is used in the next', async () => {
    const home = new TestEnvironment('weur');
    const meter = { ...MONTH, limit: 1, uniqueResourceIds: true };
    const seat = { value: { state: 'metered', meter }, anchorAt: ANCHOR, enforce: true } as const;
    expect(await home.update('weur', { ...seat, resourceId: 'a' }, END - 60_000)).toMatchObject({
      accepted: true,
    });
    expect(await home.update('weur', { ...seat, resourceId: 'b' }, END - 60_000)).toMatchObject({
      accepted: false,
    });
    expect(await home.update('weur', { ...seat, resourceId: 'b' }, END)).toMatchObject({
      accepted: true,
      reading: { used: 1, resetsAt: NEXT },
    });
  });
});

it('a decision is repeated with the end of its window, and stored without the anchor: customers share the value', async () => {
  const home = new TestEnvironment('weur');
  const keyed = (text: string, anchorAt: number) =>
    home.update('weur', { ...metered, anchorAt, key: { text, bodyHash: '1' } }, END - 60_000);
  const first = await keyed('one', ANCHOR);
  await keyed('two', ANCHOR + 60_000);
  expect(first).toMatchObject({ value: { state: 'metered', meter: MONTH }, reading: { resetsAt: END } });
  expect(await keyed('one', ANCHOR - 86_400_000)).toEqual({ ...first, replayed: true });
  const texts = await runInDurableObject(await home.ledger('weur'), (_object, { storage }) =>
    storage.sql.exec<{ text: string }>("SELECT text FROM name WHERE text LIKE '%billing%'").toArray(),
  );
  expect(texts).toHaveLength(1);
});

it('what is counted over days is read to the minute by every anchor of the customer’s facts, also after an eviction', async () => {
  const home = new TestEnvironment('weur');
  const place = { ...home.site('weur'), customer: 'ada', shards: 1 };
  const { ledger, site } = await ledgerStub(env, place);
  const call = { site, customer: 'ada', now: END, updates: [], reads: [] };
  const asked = await ledger.answer({ ...call, facts: { version: 0 } });
  if (asked.kind !== 'answered' || asked.facts?.kind !== 'unknown') throw new Error('The customer is known');
  const anchors = [ANCHOR, Date.parse('2026-01-28T22:13:00Z')];
  const facts: CustomerFacts = {
    version: 3,
    overrides: [],
    grants: anchors.map((anchorAt, index) => ({ planId: `plan_${index}`, until: null, anchorAt })),
  };
  await ledger.answer({ ...call, facts: { version: 3, loaded: { token: asked.facts.token, facts } } });

  const from = Date.parse('2026-02-28T12:02:00Z');
  const instants = Array.from({ length: 250 }, (_, index) => from + index * 30 * 60_000);
  for (const now of instants.slice(0, -1)) await home.update('weur', { ...metered, by: 1 }, now);
  await evict(await home.ledger('weur'));
  await home.update('weur', { ...metered, by: 1 }, instants.at(-1)!);
  await evict(await home.ledger('weur'));

  const widths = await runInDurableObject(await home.ledger('weur'), ({ store }) =>
    store.copyOf('ada', null, new PageRoom()).records.buckets.map(({ width }) => width),
  );
  expect(widths.some((width) => width >= HOURS)).toBe(true);
  for (const [anchorAt, startsAt] of [
    [ANCHOR, END],
    [anchors[1], Date.parse('2026-02-28T22:13:00Z')],
  ] as const) {
    const { used } = await reading(home, instants.at(-1)!, MONTH, anchorAt);
    expect(used).toBe(instants.filter((at) => at >= startsAt).length);
  }
});
