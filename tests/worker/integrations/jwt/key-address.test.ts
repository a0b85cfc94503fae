// Keys from an issuer's address (JWKS): fetched behind the answers, published once when they change, kept while the address is silent.

import { createExecutionContext, createMessageBatch, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JwtIntegration } from '#contracts/console/integrations';
import type { AccessCheckAnswer } from '#contracts/public/access';
import type { ErrorBody } from '#contracts/public/errors';
import { MINUTE_MS } from '#engine/durations';
import { inSeconds, newSigner, type Signer } from '#lab/fixtures/tokens';
import type { QueueMessage } from '#runtime/messages';
import { check } from '#tests/support/access-checks';
import { publicRequest } from '#tests/support/public-requests';
import { auditTrail } from '#tests/support/stored-state';
import { newTenant, publishAll, type Tenant } from '#tests/support/tenants';
import { newWorkspace } from '#tests/support/workspaces';
import { refreshDueKeys, refreshKeys } from '#worker/domains/integrations/jwt/refresh-keys';
import { workContext } from '#worker/http/make-work-context';
import worker from '#worker/index';

let tenant: Tenant;
/** Of this test: those of earlier ones are due as well. */
let address: string;
let key: string;
let signer: Signer;
/** What the issuer answers with; null: nothing. */
let published: readonly object[] | null;
let answer: ((url: string) => Response) | null;
let calls: { url: string; init: RequestInit | undefined }[];

beforeEach(async () => {
  tenant = await newTenant();
  await newWorkspace(tenant);
  key = (await tenant.key(await tenant.previewId(), 'public')).value;
  signer = await newSigner();
  address = `https://issuer.example/${tenant.orgId}/jwks.json`;
  published = [{ ...signer.jwk, kid: 'one' }];
  answer = null;
  calls = [];
  const real = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!url.includes('issuer')) return real(input as never, init as never);
    if (url === address) calls.push({ url, init });
    if (answer !== null) return answer(url);
    if (published === null) throw new TypeError('Connection refused');
    return Response.json({ keys: published });
  });
});
afterEach(() => void vi.restoreAllMocks());

const create = (publicKey = address) =>
  tenant.make<JwtIntegration>('POST', '/integrations/jwt', {
    name: 'Our sign-in',
    publicKey,
    claimKey: 'email',
    claimIndex: 'email',
  });
const read = ({ id }: JwtIntegration) => tenant.make<JwtIntegration>('GET', `/integrations/jwt/${id}`);
const later = (ms: number) => workContext(env, () => Date.now() + ms);
const tokenOf = (by: Signer, kid: string) =>
  by.sign({ email: 'ada@example.com', exp: inSeconds(600) }, { kid });

async function generations(): Promise<number[]> {
  const { results } = await env.DB.prepare('SELECT generation FROM environment WHERE org_id = ? ORDER BY id')
    .bind(tenant.orgId)
    .all<{ generation: number }>();
  return results.map(({ generation }) => generation);
}

describe('an integration with an address', () => {
  it('accepts tokens of the published keys, skips those that it cannot use, and shows its state', async () => {
    published = [
      { kty: 'oct', k: 'c2VjcmV0', kid: 'shared' },
      { kty: 'EC', crv: 'secp256k1', x: 'a', y: 'b', kid: 'coin' },
      { ...signer.privateJwk, kid: 'private' },
      { kty: 'AKP', alg: 'ML-DSA-44', pub: 'x', kid: 'later' },
      { ...signer.jwk, kid: 'one' },
    ];
    const created = await create();
    expect(created).toMatchObject({
      keyAddress: address,
      keysFetchedAt: expect.any(Number),
      keysProblem: null,
      publicKeys: [{ kid: 'one' }],
    });
    await publishAll(tenant);
    expect(calls).toHaveLength(1);
    expect(calls[0]?.init).toMatchObject({ redirect: 'manual' });
    const userJwt = await tokenOf(signer, 'one');
    await expect.poll(async () => (await check(key, { userJwt })).identity.method).toBe('jwt');
    expect(calls).toHaveLength(1);
  });

  it('is called every ten minutes: new keys are there before their first token, withdrawn ones go, and each change is published once', async () => {
    const created = await create();
    await refreshDueKeys(later(9 * MINUTE_MS));
    expect(calls).toHaveLength(1);
    const before = await generations();
    await refreshDueKeys(later(11 * MINUTE_MS));
    expect([calls.length, await generations()]).toEqual([2, before]);

    const next = await newSigner();
    published = [
      { ...next.jwk, kid: 'two' },
      { ...signer.jwk, kid: 'one' },
    ];
    await refreshDueKeys(later(22 * MINUTE_MS));
    expect((await read(created)).publicKeys.map(({ kid }) => kid)).toEqual(['two', 'one']);
    const after = await generations();
    expect(after).toEqual(before.map((generation) => generation + 1));
    published = published.toReversed();
    await refreshDueKeys(later(33 * MINUTE_MS));
    expect(await generations()).toEqual(after);
    published = [{ ...next.jwk, kid: 'two' }];
    await refreshDueKeys(later(44 * MINUTE_MS));
    expect((await read(created)).publicKeys.map(({ kid }) => kid)).toEqual(['two']);
    const actions = (await auditTrail(tenant)).map(({ action }) => action);
    expect(actions.filter((action) => action === 'jwt-integration.keys-refreshed')).toHaveLength(2);
  });

  it('keeps its last set while the address is silent or wrong, and says since when and why', async () => {
    const created = await create();
    published = null;
    await refreshDueKeys(later(11 * MINUTE_MS));
    expect(await read(created)).toMatchObject({
      publicKeys: created.publicKeys,
      keysFetchedAt: created.keysFetchedAt,
      keysProblem: 'The address could not be reached',
    });
    for (const [wrong, problem] of [
      [() => new Response('<html>'), 'This is not valid JSON'],
      [() => Response.json({ keys: [] }), 'The key set has no signing keys'],
      [() => Response.json([]), 'This is not valid JSON'],
      [() => new Response('x'.repeat(65 * 1024)), 'The key set is larger than 64 KB'],
      [
        () => new Response(null, { status: 500 }),
        'The address answered with status 500. It must answer with 200.',
      ],
      [
        () => new Response(null, { status: 302, headers: { location: 'https://issuer.example/other' } }),
        'The address answered with status 302. It must answer with 200.',
      ],
    ] as const) {
      answer = wrong;
      calls = [];
      await env.DB.prepare('UPDATE jwt_integration SET keys_tried_at = 0').run();
      await refreshKeys(later(0), { type: 'jwt.key-unknown', integrationIds: [created.id] });
      expect(calls).toHaveLength(1);
      expect((await read(created)).keysProblem).toBe(problem);
    }
    expect((await read(created)).publicKeys).toEqual(created.publicKeys);
  });

  it('is called less and less often while it fails, and every ten minutes again once it answers', async () => {
    await create();
    published = null;
    calls = [];
    const startedAt = Date.now();
    const called: number[] = [];
    const runAt = async (...minutes: number[]) => {
      for (const minute of minutes) {
        const before = calls.length;
        await refreshDueKeys(workContext(env, () => startedAt + minute * MINUTE_MS));
        if (calls.length > before) called.push(minute);
      }
    };
    await runAt(11, 21, 24, 44, 50, 96, 102);
    expect(called).toEqual([11, 24, 50, 102]);
    published = [{ ...signer.jwk, kid: 'one' }];
    await runAt(200, 206, 215, 217);
    expect(called.slice(4)).toEqual([206, 217]);

    // A day at the most: it has failed for a year.
    published = null;
    const year = 365 * 1_440;
    await runAt(year, year + 11, year + 1_430, year + 1_441, year + 2_870, year + 2_882);
    expect(called.slice(6)).toEqual([year, year + 1_441, year + 2_882]);
  });

  it('has its turn, however many addresses of another organisation are due for longer', async () => {
    const created = await create();
    const own = address;
    const other = await newTenant();
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150)
      INSERT INTO jwt_integration (id, org_id, name, claim_key, claim_index, public_keys, key_address, keys_tried_at, created_at, updated_at)
      SELECT ?1 || i, ?1, 'Many', 'email', 'email', '[]', 'https://issuer.example/many/' || i, 1, 1, 1 FROM n`,
    )
      .bind(other.orgId)
      .run();
    address = own;
    calls = [];
    await refreshDueKeys(later(11 * MINUTE_MS));
    expect(calls).toHaveLength(1);
    expect((await read(created)).keysFetchedAt).toBeGreaterThan(created.keysFetchedAt ?? 0);
  });

  it('is asked for once a minute, behind the answer, when a token names an unknown key', async () => {
    const created = await create();
    await publishAll(tenant);
    const userJwt = await tokenOf(signer, 'one');
    await expect.poll(async () => (await check(key, { userJwt })).identity.method).toBe('jwt');
    const sent: QueueMessage[] = [];
    const own = { ...env, SYNC_QUEUE: { send: async (message: QueueMessage) => void sent.push(message) } };
    const next = await newSigner();
    for (let attempt = 0; attempt < 3; attempt++) {
      const context = createExecutionContext();
      const request = publicRequest('access-checks', key, { userJwt: await tokenOf(next, `two-${attempt}`) });
      const response = await worker.fetch(request as never, own as never, context);
      const { warnings } = await response.json<AccessCheckAnswer>();
      expect(warnings.map(({ code }) => code)).toEqual(['jwt-key-unknown']);
      await waitOnExecutionContext(context);
    }
    expect(sent).toEqual([{ type: 'jwt.key-unknown', integrationIds: [created.id] }]);
    expect(calls).toHaveLength(1);

    published = [{ ...next.jwk, kid: 'two' }];
    await env.DB.prepare('UPDATE jwt_integration SET keys_tried_at = 0').run();
    const deliver = (id: string) =>
      worker.queue(
        createMessageBatch<QueueMessage>('tessera-sync', [
          { id, timestamp: new Date(), attempts: 1, body: sent[0]! },
        ]),
        env,
      );
    await deliver('first');
    await deliver('again');
    expect(calls).toHaveLength(2);
    expect((await read(created)).publicKeys.map(({ kid }) => kid)).toEqual(['two']);
    await publishAll(tenant);
    const rotated = await tokenOf(next, 'two');
    await expect.poll(async () => (await check(key, { userJwt: rotated })).identity.method).toBe('jwt');
  });
});

it.each([
  'http://issuer.example/keys',
  'https://localhost/issuer',
  'https://10.0.0.1/issuer',
  'https://0x7f000001/issuer',
  'https://[::1]/issuer',
  'https://issuer/keys',
  'https://issuer.internal/keys',
  'https://issuer.local./keys',
  'https://user:password@issuer.example/keys',
  'https://',
  `https://issuer.example/${'x'.repeat(500)}`,
  'ftp://issuer.example/keys',
])('the address %s is refused, and never called', async (refused) => {
  address = refused;
  const { status, body } = await tenant.call<ErrorBody>('POST', '/integrations/jwt', {
    name: 'Our sign-in',
    publicKey: refused,
    claimKey: 'email',
    claimIndex: 'email',
  });
  expect([status, body.issues?.[0]?.path]).toEqual([400, 'publicKey']);
  expect(calls).toEqual([]);
});

it('a pasted key replaces an address, and an address a pasted key', async () => {
  const pasted = await create((await newSigner()).pem);
  expect(pasted).toMatchObject({ keyAddress: null, keysFetchedAt: null });
  const addressed = await tenant.make<JwtIntegration>('PUT', `/integrations/jwt/${pasted.id}`, {
    publicKey: address,
    updatedAt: pasted.updatedAt,
  });
  expect(addressed).toMatchObject({ keyAddress: address, publicKeys: [{ kid: 'one' }] });
  const again = await tenant.make<JwtIntegration>('PUT', `/integrations/jwt/${pasted.id}`, {
    publicKey: signer.pem,
    updatedAt: addressed.updatedAt,
  });
  expect(again).toMatchObject({ keyAddress: null, keysFetchedAt: null, publicKeys: [{ kid: null }] });
});
