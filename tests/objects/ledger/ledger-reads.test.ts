// Reads: most calls of ledgers. The Worker sends what most reads share as one remembered text, and remembers what answers say.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { LedgerAnswer, LedgerRead } from '#contracts/internal/ledger';
import type { Meter } from '#contracts/public/values';
import { ledgerAt, ledgerStub } from '#objects/stubs';
import type { Env } from '#worker/env';
import { LIFETIME, NOW, SEATS, TestEnvironment, update } from './ledger-calls.ts';

const DAILY: Meter = { ...LIFETIME, periodType: 'rolling', periodCount: 1, periodLength: 'day' };
const TRAILING: Meter = { ...DAILY, periodType: 'fixed' };
const READS: readonly LedgerRead[] = [LIFETIME, SEATS, DAILY, TRAILING].map((meter) => ({
  propertyId: 'prop_calls',
  meter,
}));

const DAY_MS = 86_400_000;

async function stubOf(home: TestEnvironment, customer: string, bindings: Pick<Env, 'LEDGER'> = env) {
  return ledgerStub(bindings, { ...home.site('weur'), customer, shards: 1 });
}

describe('a read', () => {
  it('says what a call says, for each customer, after each update and at any time', async () => {
    const home = new TestEnvironment('weur');
    for (const [step, customer] of ['ada', 'bob', 'ada'].entries()) {
      const updates = [update({ by: step + 1 }), update({ resourceId: `seat-${step}`, by: undefined })];
      await home.call('weur', { customer, updates });
      for (const each of ['ada', 'bob']) {
        const { ledger, site } = await stubOf(home, each);
        for (const reads of [READS, READS.slice(1, 3)]) {
          for (const now of [NOW, NOW + 2 * DAY_MS]) {
            const called = await ledger.answer({ site, customer: each, now, updates: [], reads });
            expect(await ledger.read(reads, now, undefined)).toEqual(called);
          }
        }
      }
    }
    expect(await (await stubOf(home, 'ada')).ledger.read(READS, NOW, undefined)).toMatchObject({
      readings: [{ used: 6 }, { used: 2 }, { used: 6 }, { used: 6 }],
    });
  });

  it('is the same object while the answer is the same, so that nothing is parsed or rendered twice', async () => {
    const home = new TestEnvironment('weur');
    await home.update('weur', { by: 2 });
    const { ledger } = await stubOf(home, 'ada');
    const first = await ledger.read(READS, NOW, undefined);
    expect(await ledger.read(READS, NOW + 5, undefined)).toBe(first);
    await home.update('weur', { by: 1 });
    expect(await ledger.read(READS, NOW + 5, undefined)).not.toEqual(first);
  });

  it('requests facts that the ledger does not know', async () => {
    const { ledger } = await stubOf(new TestEnvironment('weur'), 'ada');
    const answer = await ledger.read(READS, NOW, 0);
    expect(answer).toMatchObject({ kind: 'answered', facts: { kind: 'unknown' } });
    expect(await ledger.read(READS, NOW, undefined)).not.toHaveProperty('facts');
  });

  it('reaches an object of an earlier version by its former method', async () => {
    const home = new TestEnvironment('weur');
    await home.update('weur', { by: 3 });
    const LEDGER = {
      getByName: (...named: Parameters<Env['LEDGER']['getByName']>) => ({
        answerText: (text: string) => env.LEDGER.getByName(...named).answerText(text),
        // The runtime's own words for a method that the receiver does not have.
        readText: async () => {
          throw new TypeError('The RPC receiver does not implement the method "readText".');
        },
        readTexts: async () => {
          throw new TypeError('The RPC receiver does not implement the method "readTexts".');
        },
      }),
    } as unknown as Env['LEDGER'];
    const { ledger } = await stubOf(home, 'ada', { LEDGER });
    expect(await ledger.read(READS.slice(0, 1), NOW, undefined)).toMatchObject({ readings: [{ used: 3 }] });
    expect(await ledger.readTogether(READS.slice(0, 1), NOW, undefined, [{ customer: 'bob' }])).toMatchObject(
      {
        answer: { readings: [{ used: 3 }] },
        companions: [],
      },
    );
  });

  it('says of each companion what a read of its own says', async () => {
    const home = new TestEnvironment('weur');
    for (const [index, customer] of ['ada', 'bob', 'eve'].entries()) {
      await home.call('weur', { customer, updates: [update({ by: index + 1 })] });
    }
    const { ledger } = await stubOf(home, 'ada');
    const companions = [{ customer: 'bob' }, { customer: 'eve', factsVersion: 0 }, { customer: 'nobody' }];
    const together = await ledger.readTogether(READS, NOW, undefined, companions);
    const alone = async (customer: string, factsVersion?: number) =>
      (await stubOf(home, customer)).ledger.read(READS, NOW, factsVersion);
    expect(together).toEqual({
      answer: await alone('ada'),
      companions: [await alone('bob'), await alone('eve', 0), await alone('nobody')],
    });
  });

  it('leaves out a companion whose usage must be copied from another location first', async () => {
    const home = new TestEnvironment('weur', 'enam');
    await home.call('enam', { customer: 'ada', updates: [update({ by: 1 })] });
    const { ledger } = await stubOf(home, 'ada');
    const { answer, companions } = await ledger.readTogether(READS, NOW, undefined, [{ customer: 'bob' }]);
    expect(answer).toMatchObject({ kind: 'answered', readings: [{ used: 1 }, {}, {}, {}] });
    expect(companions).toEqual([null]);
  });
});

describe('a long list of meters', () => {
  /** More than is sent with each call. */
  const listOf = (name: string): readonly LedgerRead[] => [
    ...Array.from({ length: 200 }, (_, index) => ({ propertyId: `prop_${name}_${index}`, meter: DAILY })),
    { propertyId: 'prop_calls', meter: LIFETIME },
  ];
  const lastOf = (answer: LedgerAnswer) =>
    answer.kind === 'answered' ? answer.readings.at(-1)?.used : answer.kind;

  /** Real ledgers, and what each call sent. @param lacks methods that the objects do not have yet */
  function recorded(lacks: readonly string[] = []) {
    const calls: { method: string; bytes: number }[] = [];
    const LEDGER = {
      getByName: (...named: Parameters<Env['LEDGER']['getByName']>) => {
        const stub = env.LEDGER.getByName(...named);
        return new Proxy(stub, {
          get:
            (_, method: 'readListed') =>
            (...sent: Parameters<(typeof stub)['readListed']>) => {
              calls.push({ method, bytes: JSON.stringify(sent).length });
              if (lacks.includes(method)) {
                throw new TypeError(`The RPC receiver does not implement the method "${method}".`);
              }
              return stub[method](...sent);
            },
        });
      },
    } as unknown as Env['LEDGER'];
    return { calls, LEDGER };
  }

  it('is sent once and named by its hash from then on, also for other customers and other limits', async () => {
    const home = new TestEnvironment('weur');
    await home.update('weur', { by: 7 });
    const { calls, LEDGER } = recorded();
    const reads = listOf('once');
    const { ledger } = await stubOf(home, 'ada', { LEDGER });
    expect(lastOf(await ledger.read(reads, NOW, undefined))).toBe(7);
    expect(calls.map(({ method, bytes }) => [method, bytes > 10_000])).toEqual([
      ['readListed', false],
      ['readListed', true],
    ]);

    calls.length = 0;
    const otherLimits = reads.map(({ propertyId, meter }) => ({
      propertyId,
      meter: { ...meter, limit: 12 },
    }));
    const bob = (await stubOf(home, 'bob', { LEDGER })).ledger;
    expect(lastOf(await ledger.read(reads, NOW, undefined))).toBe(7);
    expect(lastOf(await bob.read(otherLimits, NOW, undefined))).toBe(0);
    const { answer, companions } = await bob.readTogether(reads, NOW, undefined, [{ customer: 'ada' }]);
    expect([answer, ...companions].map((each) => each && lastOf(each))).toEqual([0, 7]);
    expect(calls.map(({ method, bytes }) => [method, bytes < 1_000])).toEqual(
      new Array(3).fill(['readListed', true]),
    );
  });

  it('is asked for by a call that counts, which counts once', async () => {
    const home = new TestEnvironment('weur');
    const { calls, LEDGER } = recorded();
    const reads = listOf('counted');
    const { ledger, site } = await stubOf(home, 'ada', { LEDGER });
    const count = () =>
      ledger.answer({ site, customer: 'ada', now: NOW, updates: [update({ by: 1 })], reads });
    expect(lastOf(await count())).toBe(1);
    expect(lastOf(await count())).toBe(2);
    expect(calls.map(({ bytes }) => bytes > 10_000)).toEqual([false, true, false]);
  });

  it('is sent whole to an object of an earlier version, which counts once', async () => {
    const home = new TestEnvironment('weur');
    await home.update('weur', { by: 3 });
    const { calls, LEDGER } = recorded(['readListed']);
    // It ignores the hash of a call, and reads what it was sent: nothing.
    const former = {
      getByName: (...named: Parameters<Env['LEDGER']['getByName']>) => {
        const stub = LEDGER.getByName(...named);
        const answerText = (text: string) =>
          stub.answerText(JSON.stringify({ ...JSON.parse(text), listHash: undefined }));
        return new Proxy(stub, {
          get: (_, name: 'readText') => (name === ('answerText' as string) ? answerText : stub[name]),
        });
      },
    } as unknown as Env['LEDGER'];
    const { ledger, site } = await stubOf(home, 'ada', { LEDGER: former });
    const reads = listOf('former');
    expect(lastOf(await ledger.read(reads, NOW, undefined))).toBe(3);
    const counted = await ledger.answer({
      site,
      customer: 'ada',
      now: NOW,
      updates: [update({ by: 1 })],
      reads,
    });
    expect(counted).toMatchObject({ outcomes: [{ accepted: true }] });
    expect(lastOf(counted)).toBe(4);
    expect(calls.map(({ method }) => method)).toContain('readText');
  });

  it('is read as an earlier Worker sends it: whole, with each call', async () => {
    const home = new TestEnvironment('weur');
    await home.update('weur', { by: 5 });
    const { site } = await stubOf(home, 'ada');
    const reads = listOf('text');
    const stub = await ledgerAt(env, site);
    const text = await stub.readText(JSON.stringify({ site, reads }), 'ada', NOW);
    expect(lastOf(JSON.parse(text) as LedgerAnswer)).toBe(5);
    const call = { site, customer: 'ada', now: NOW, updates: [update({ by: 1 })], reads };
    expect(lastOf(JSON.parse(await stub.answerText(JSON.stringify(call))) as LedgerAnswer)).toBe(6);
  });
});
