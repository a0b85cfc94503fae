// The client of applications against the Worker: what it reads, takes and counts.
import { exports } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { createTessera, type TesseraEvent, type TesseraOptions } from '#sdk/index';
import { documentedWorkspace } from '#tests/support/documented-workspace';

const url = 'http://localhost:4001';
const fetch: typeof globalThis.fetch = (input, init) =>
  exports.default.fetch(new Request(input as string, init));
const newUser = () => ({ user: `user-${crypto.randomUUID()}@tests.example` });

async function open(options: TesseraOptions = {}) {
  const { keys, signer } = await documentedWorkspace();
  // Workers start slowly in tests.
  return {
    tessera: createTessera({ url, key: keys.secret, fetch, timeoutMs: 20_000, ...options }),
    keys,
    signer,
  };
}

test('reads verdicts, switches, numbers, texts and meters, once for many callers', async () => {
  const { tessera } = await open();
  const on = newUser();
  const [can, rows] = await Promise.all([
    tessera.can('dashboards', { on, fallback: false }),
    tessera.get('dashboards.maxDashboards', { on, fallback: 0 }),
  ]);
  expect([can, rows]).toEqual([true, 25]);
  expect(tessera.peek('data-exports.formats', { on })).toMatchObject({ value: 'csv,xlsx', source: 'cache' });
  const access = await tessera.check({ anonymous: true });
  expect([access.plans, access.can('data-exports'), access.can('data-exports.exports')]).toEqual([
    ['free'],
    false,
    false,
  ]);
  expect((await tessera.check(on)).get('data-exports.exports')).toEqual({
    state: 'metered',
    allowed: true,
    limit: 100,
    used: 0,
    remaining: 100,
    resetsAt: expect.any(Date),
  });
});

test('checks of many customers go in one call, and each is answered as for it alone', async () => {
  const paths: string[] = [];
  const events: TesseraEvent[] = [];
  const { tessera } = await open({
    onEvent: (event) => void events.push(event),
    fetch: (input, init) => {
      paths.push(new URL(input as string).pathname);
      return fetch(input, init);
    },
  });
  const subjects = [newUser(), newUser(), { anonymous: true }, { user: ' x ' }, { token: 'no.jwt' }] as const;
  const found = await tessera.checkMany(subjects);
  expect(paths).toEqual(['/api/v1/access-checks/batch']);
  const plans = [['team'], ['team'], ['free'], null, ['free']];
  expect(found.map((access) => access?.plans ?? null)).toEqual(plans);
  expect(found[4]?.warnings).toMatchObject([{ code: expect.stringMatching(/^jwt-/) }]);
  expect(events).toContainEqual({
    type: 'mistake',
    message: 'checkMany: userIdentifier: Must not begin or end with white space',
  });
  tessera.refresh();
  const alone = await tessera.check(subjects[0]);
  expect(alone.features).toEqual(found[0]?.features);
});

test('takes usage up to the limit, and the verdict follows', async () => {
  const { tessera } = await open();
  const on = newUser();
  const take = (by: number) => tessera.consume('data-exports.exports', { on, by, fallback: 'deny' });
  expect(await take(99)).toMatchObject({
    allowed: true,
    counted: 'now',
    meter: { used: 99, remaining: 1 },
    source: 'live',
  });
  expect(await take(2)).toMatchObject({ allowed: false, counted: 'no', meter: { used: 99 } });
  expect(await take(1)).toMatchObject({ allowed: true, meter: { used: 100, remaining: 0 } });
  expect(await tessera.can('data-exports', { on, fallback: true })).toBe(false);
});

test('counts in batches, once, and in the window in which it happened', async () => {
  const { tessera } = await open();
  const on = newUser();
  for (let times = 0; times < 150; times++) tessera.count('data-exports.exports', { on });
  const idempotencyKey = tessera.count('data-exports.exports', {
    on,
    by: 10,
    at: new Date(Date.now() - 60_000),
  });
  await tessera.flush();
  tessera.refresh(on);
  expect((await tessera.check(on)).get('data-exports.exports')).toMatchObject({ used: 160, allowed: false });
  tessera.count('data-exports.exports', { on, by: 11, idempotencyKey });
  await expect(tessera.flush()).rejects.toMatchObject({
    type: 'conflict',
    issues: [{ path: 'idempotencyKey' }],
  });
});

test('usage that was allowed while answers were lost is counted once', async () => {
  let lost = 2;
  const { tessera } = await open({
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (lost-- > 0) throw new TypeError('The answer is lost');
      return response;
    },
  });
  const on = newUser();
  const taken = await tessera.consume('data-exports.exports', { on, by: 3, fallback: 'allow' });
  expect(taken).toMatchObject({ allowed: true, counted: 'later' });
  await tessera.flush();
  expect((await tessera.check(on)).get('data-exports.exports')).toMatchObject({ used: 3 });
});

test('a public key reads for the user of a token, and what it may not do is refused with its reason', async () => {
  const { keys, signer } = await open();
  const tessera = createTessera({ url, key: keys.public, fetch, timeoutMs: 20_000, onEvent: () => {} });
  const { user: email } = newUser();
  const token = await signer.sign({ email, exp: Math.floor(Date.now() / 1000) + 600 });
  expect((await tessera.check({ token })).plans).toEqual(['team']);
  tessera.count('data-exports.exports', { on: { token } });
  await expect(tessera.flush()).rejects.toMatchObject({
    type: 'forbidden',
    status: 403,
    requestId: expect.stringMatching(/^req_/),
  });
});
