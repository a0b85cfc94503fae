// Usage under aliases counts with the customer, once. Random histories with retries under another identifier, and merges that
// are lost, repeated and late, in up to three locations, with the alias in the customer's ledger and in another one.
// To replay one: LEDGER_SEED=<the printed seed> vitest run … ledger-aliases
import { expect, it } from 'vitest';
import { SharedMemory } from '#engine/cache/shared-memory';
import { LocalLedger } from '#objects/ledger/local-ledger';
import { mergeAliasUsage, nextAliasPage } from '#objects/ledger/merge-alias-usage';
import { AliasHistory } from './alias-history.ts';
import { MemoryStore } from './ledger-memory-store.ts';

const { env } = (globalThis as unknown as { process: { env: Record<string, string | undefined> } }).process;
const FIRST = Number(env.LEDGER_SEED ?? 1);
const HISTORIES = Number(env.LEDGER_HISTORIES ?? (env.LEDGER_SEED === undefined ? 250 : 1));
const STEPS = 60;

it.each([
  ['used', []],
  ['used and held', ['holds']],
] as const)(
  "what is %s under all identifiers is the customer's after any random history",
  {
    timeout: 600_000,
  },
  (_, kinds) => {
    const differing: Record<string, string> = {};
    let acknowledged = 0;
    for (let seed = FIRST; seed < FIRST + HISTORIES; seed++) {
      const history = new AliasHistory(seed, kinds);
      try {
        for (let step = 0; step < STEPS; step++) history.step();
        history.heal();
        history.check();
      } catch (error) {
        differing[`LEDGER_SEED=${seed}`] = String(error);
      }
      acknowledged += history.acknowledged;
    }
    expect(differing).toEqual({});
    expect(acknowledged).toBeGreaterThan(HISTORIES * 10);
  },
);

it('registers of an alias are those of the customer, under an origin of their own, however often they are merged', () => {
  const site = {
    environmentId: 'env_1',
    location: 'weur',
    shard: 0,
    generation: 1,
    locations: ['weur'],
  } as const;
  const ledger = new LocalLedger(new MemoryStore(), () => 'weur/1', new SharedMemory(1000));
  const register = { kind: 'hold', name: 'a', stamp: 1, isOpen: true, until: 1, body: '{}' };
  const put = (body: string) =>
    ledger.commit(() => {
      ledger.observe(site);
      const [origin, version] = [ledger.state.liveOrigin(), ledger.state.nextVersion()];
      ledger.store.putRegister('ada@example.com', { ...register, body, origin, version }, version);
    });
  for (const body of ['{"amount":1}', '{"amount":2}']) {
    put(body);
    const alias = { identifier: 'ada@example.com', target: 'cus_ada', changed: 1, merged: 0 };
    const { records } = nextAliasPage(ledger, alias, null);
    for (let times = 0; times < 2; times++) mergeAliasUsage(ledger, site, records);
    expect(ledger.store.findRegisters('cus_ada', register)).toMatchObject([
      { ...register, body, origin: 'weur/1~ada@example.com' },
    ]);
  }
});
