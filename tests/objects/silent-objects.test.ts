// Stubs of objects that never answer, as publishing, facts, queues, schedules and other objects call them.
import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import { eventStreamStub, ledgerAt, passwordHasherStub, replicaStub } from '#objects/stubs';
import { stopClock } from '#tests/support/silence';

const never = () => new Promise<never>(() => undefined);
const silent = {
  getByName: () => new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : never) }),
};
const bindings = {
  ...env,
  LEDGER: silent as never,
  ENVIRONMENT_REPLICA: silent as never,
  EVENT_STREAM: silent as never,
  PASSWORD_HASHER: silent as never,
};
const ledger = () => ledgerAt(bindings, { environmentId: 'env_1', location: 'oc', shard: 0 });
const stream = () => eventStreamStub(bindings, 'org_1', 'oc');

afterEach(() => void vi.useRealTimers());

it.each<[string, number, () => Promise<unknown>]>([
  ['a push of facts', 5_000, async () => (await ledger()).pushFacts('ada', {} as never)],
  ['a copy of a customer', 5_000, async () => (await ledger()).copy({} as never, {} as never)],
  ['a batch of a peer', 5_000, async () => (await ledger()).receive({} as never, {} as never)],
  ['a hand-off', 30_000, async () => (await ledger()).erase({} as never, false)],
  ['the deletion of a ledger', 5_000, async () => (await ledger()).deleteStorage()],
  ['a publication', 5_000, async () => (await replicaStub(bindings, 'env_1', 'oc')).publish({} as never)],
  ['the deletion of a replica', 5_000, async () => (await replicaStub(bindings, 'env_1', 'oc')).erase()],
  ['a delivery of events', 5_000, async () => (await stream()).appendGroups({} as never)],
  ['a search', 30_000, async () => (await stream()).get('evt_1')],
  ['a password', 30_000, async () => (await passwordHasherStub(bindings, 'ada', 1)).hash('secret')],
])('%s that nobody answers is an error when its time is over', async (_what, ms, call) => {
  stopClock();
  const calling = expect(call()).rejects.toMatchObject({ name: 'SilentError' });
  await scheduler.wait(10);
  await vi.advanceTimersByTimeAsync(ms);
  await calling;
});
