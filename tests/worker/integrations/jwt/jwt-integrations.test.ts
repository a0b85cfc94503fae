// JWT integrations: accepted public keys, what is stored of them, and that every change is published and audited.
import { env } from 'cloudflare:workers';
import { exportJWK, exportPKCS8, generateKeyPair } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { type JwtIntegration, MAX_JWT_INTEGRATIONS } from '#contracts/console/integrations';
import type { ErrorBody } from '#contracts/public/errors';
import { newSigner, type Signer } from '#lab/fixtures/tokens';
import { auditTrail, expectUnchanged } from '#tests/support/stored-state';
import { newTenant, outboxMessages, publishAll, type Tenant } from '#tests/support/tenants';
import { commitIf } from '#worker/db/commit-if';
import { openDatabase } from '#worker/db/database';
import { readLiveEnvironments } from '#worker/db/live-environments';
import { loadSnapshot } from '#worker/domains/snapshots/load-snapshot';

/** Made with openssl req -x509; its key is nowhere. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBiTCCAS+gAwIBAgIUWKI35hMceqkN/qhc+mSCLSLQw98wCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOaXNzdWVyLmV4YW1wbGUwIBcNMjYxMTIxMDAxMjQ0WhgPMjEy
NjEwMjgwMDEyNDRaMBkxFzAVBgNVBAMMDmlzc3Vlci5leGFtcGxlMFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAEb4vgnF+R/T7+xrraHLIxBoQkUehImOJYEpF4c3yC
qCWAzIFhMrdVE3km/7B5Cg7agVUThsC+POoE/km5H0Q7yqNTMFEwHQYDVR0OBBYE
FMp8hDbsgOanRYWVpEyOmxV2Mx0iMB8GA1UdIwQYMBaAFMp8hDbsgOanRYWVpEyO
mxV2Mx0iMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhALITjNA2
CYpefJPs0EneD9bpULqOXBTSfKbg2NxF2ZE8AiAEZUn38hLDtxZhb7+rk2fSzVaD
KIAEv7KAftK2Vdlhrw==
-----END CERTIFICATE-----`;
/** The beginning of what openssl pkey -pubin -outform der | sha256sum says of its key. */
const CERTIFICATE_FINGERPRINT = 'b8eab2749ed19e78';

const base = '/integrations/jwt';

let tenant: Tenant;

beforeEach(async () => {
  tenant = await newTenant();
});

const bodyWith = (publicKey: string, further: object = {}) => ({
  name: 'Our sign-in',
  publicKey,
  claimKey: 'email',
  claimIndex: 'email',
  ...further,
});
const create = (publicKey: string, further: object = {}) =>
  tenant.make<JwtIntegration>('POST', base, bodyWith(publicKey, further));

async function issuesOf(method: string, path: string, body: unknown): Promise<string[] | undefined> {
  let issues: string[] | undefined;
  await expectUnchanged(tenant, async () => {
    const answer = await tenant.call<ErrorBody>(method, path, body);
    expect(answer.status).toBe(400);
    issues = answer.body.issues?.map(({ path: field, message }) => `${field}: ${message}`);
  });
  return issues;
}

async function generations(): Promise<number[]> {
  const { results } = await env.DB.prepare('SELECT generation FROM environment WHERE org_id = ? ORDER BY id')
    .bind(tenant.orgId)
    .all<{ generation: number }>();
  return results.map(({ generation }) => generation);
}

const snapshotOf = async (environmentId: string) => {
  const snapshot = await loadSnapshot(env, openDatabase(env.DB), environmentId);
  if (snapshot === null) throw new Error('There is no such environment');
  return snapshot;
};

test('an integration is created, listed, read, changed and deleted', async () => {
  expect(await tenant.make(`GET`, base)).toEqual([]);
  const { pem } = await newSigner('RS256');
  const created = await create(pem, { description: ' Production ', aud: 'shop', quickStart: true });
  expect(created).toEqual({
    id: expect.stringMatching(/^jwt_/),
    name: 'Our sign-in',
    description: 'Production',
    claimKey: 'email',
    claimIndex: 'email',
    entityClaimKey: null,
    aud: 'shop',
    iss: null,
    acceptsUnverifiedEmails: false,
    anonymizedPublicKey: expect.stringMatching(/^RSA · 2048 bit · SHA-256:[0-9a-f]{16}…$/),
    publicKeys: [{ kid: null, anonymized: created.anonymizedPublicKey }],
    keyAddress: null,
    keysFetchedAt: null,
    keysProblem: null,
    quickStart: true,
    createdAt: expect.any(Number),
    updatedAt: created.createdAt,
  });
  expect(await tenant.make('GET', base)).toEqual([created]);
  expect(await tenant.make('GET', `${base}/${created.id}`)).toEqual(created);

  const edit = {
    name: 'Sign-in',
    description: '',
    claimKey: 'user.id',
    claimIndex: 'stripe_customer_id',
    entityClaimKey: 'sub',
    aud: '',
    acceptsUnverifiedEmails: true,
  };
  const changed = await tenant.make<JwtIntegration>('PUT', `${base}/${created.id}`, edit);
  expect(changed).toEqual({
    ...created,
    ...edit,
    description: null,
    aud: null,
    updatedAt: expect.any(Number),
  });
  expect(changed.updatedAt).toBeGreaterThan(created.updatedAt);

  expect((await tenant.call('DELETE', `${base}/${created.id}`)).status).toBe(204);
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const answer = await tenant.call<ErrorBody>(
      method,
      `${base}/${created.id}`,
      method === 'PUT' ? {} : undefined,
    );
    expect([answer.status, answer.body.message]).toEqual([404, 'The integration could not be found']);
  }
});

test('an integration is looked up by the Stripe customer id unless told', async () => {
  const { pem } = await newSigner();
  const { claimIndex, ...body } = bodyWith(pem);
  expect(claimIndex).toBe('email');
  expect(await tenant.make('POST', base, body)).toMatchObject({
    claimIndex: 'stripe_customer_id',
    aud: null,
  });
});

test("another organisation's integration does not exist", async () => {
  const { id } = await create((await newSigner()).pem);
  const stranger = await newTenant();
  await expectUnchanged(tenant, async () => {
    for (const [method, body] of [['GET'], ['PUT', { name: 'Mine now' }], ['DELETE']] as const) {
      expect((await stranger.call(method, `${base}/${id}`, body)).status).toBe(404);
    }
  });
  expect(await stranger.make('GET', base)).toEqual([]);
});

describe('fields', () => {
  test.each<[object, string]>([
    [{ name: 'ab' }, 'name: Must be at least 3 characters'],
    [{ name: 'x'.repeat(101) }, 'name: Must be at most 100 characters'],
    [{ name: '   ' }, 'name: Must be at least 3 characters'],
    [{ description: 'x'.repeat(1001) }, 'description: Must be at most 1,000 characters'],
    [{ claimKey: '' }, 'claimKey: Must not be empty'],
    [{ claimKey: 'x'.repeat(101) }, 'claimKey: Must be at most 100 characters'],
    [{ claimKey: 'a\nb' }, 'claimKey: Must not contain control characters'],
    [{ claimIndex: 'sub' }, 'claimIndex: Must be one of email, stripe_customer_id'],
    [{ aud: 'x'.repeat(501) }, 'aud: Must be at most 500 characters'],
    [{ iss: 7 }, 'iss: Must be text'],
    [{ publicKey: 'x'.repeat(100_001) }, 'publicKey: Must be at most 100,000 characters'],
    [{ publicKey: null }, 'publicKey: Must be text'],
    [{ keys: [] }, 'keys: Unknown property'],
  ])('are refused: %j', async (further, issue) => {
    const { pem } = await newSigner();
    expect(await issuesOf('POST', base, bodyWith(pem, further))).toEqual([issue]);
    const { id } = await create(pem);
    expect(await issuesOf('PUT', `${base}/${id}`, further)).toEqual([issue]);
  });

  test('the public key has at least 5 characters when it is made, and 3 when it is changed', async () => {
    expect(await issuesOf('POST', base, bodyWith('abcd'))).toEqual([
      'publicKey: Must be at least 5 characters',
    ]);
    const { id } = await create((await newSigner()).pem);
    expect(await issuesOf('PUT', `${base}/${id}`, { publicKey: 'ab' })).toEqual([
      'publicKey: Must be at least 3 characters',
    ]);
    expect((await issuesOf('PUT', `${base}/${id}`, { publicKey: 'abc' }))?.[0]).toMatch(
      /^publicKey: Paste a public key/,
    );
  });

  test('a claim may be called what objects have by themselves', async () => {
    const { pem } = await newSigner();
    for (const claimKey of ['__proto__', 'constructor', 'hasOwnProperty.x', '..', '💥']) {
      expect((await create(pem, { claimKey })).claimKey).toBe(claimKey);
    }
  });
});

describe('a public key', () => {
  test('is known again by what openssl says of it', async () => {
    const { anonymizedPublicKey } = await create(`\n${CERTIFICATE.replaceAll('\n', '\r\n')}\n\n`);
    expect(anonymizedPublicKey).toBe(`ES256 · P-256 · SHA-256:${CERTIFICATE_FINGERPRINT}…`);
  });

  test.each([
    ['RS256', 'RSA · 2048 bit'],
    ['ES256', 'ES256 · P-256'],
    ['ES384', 'ES384 · P-384'],
    ['EdDSA', 'EdDSA · Ed25519'],
  ])('for %s is the same as PEM, JWK and JWKS', async (algorithm, kind) => {
    const signer = await newSigner(algorithm);
    const forms = [
      signer.pem,
      signer.pem.replaceAll('\n', '\\n'),
      `Bag Attributes\n    friendlyName: key\n${signer.pem}\nThe end.`,
      signer.pem.replaceAll('\n', ''),
      JSON.stringify(signer.jwk),
      JSON.stringify({ keys: [signer.jwk] }),
    ];
    const made = [];
    for (const form of forms) made.push(await create(form));
    const lines = new Set(made.map(({ anonymizedPublicKey }) => anonymizedPublicKey));
    expect([...lines]).toEqual([expect.stringContaining(`${kind} · SHA-256:`)]);
  });

  test('of a key set is kept with its id, and those for encryption are left out', async () => {
    const [one, other, secretly] = await Promise.all([newSigner('RS256'), newSigner(), newSigner('RS256')]);
    const keys = [
      { ...one.jwk, kid: '2026-10', use: 'sig', alg: 'RS512', x5t: 'abc', x5c: ['MII'] },
      { ...secretly.jwk, kid: 'enc', use: 'enc', alg: 'RSA-OAEP' },
      { ...other.jwk, kid: '__proto__', alg: 'ES256' },
    ];
    const { publicKeys, anonymizedPublicKey } = await create(
      JSON.stringify({ keys, next: 'https://example.com' }),
    );
    expect(publicKeys.map(({ kid }) => kid)).toEqual(['2026-10', '__proto__']);
    expect(anonymizedPublicKey).toMatch(/^RS512 · 2048 bit · SHA-256:\w{16}… and 1 more$/);
    const { jwtIssuers } = await snapshotOf(await tenant.previewId());
    expect(jwtIssuers?.[0]?.keys).toEqual([
      { kid: '2026-10', alg: 'RS512', kty: 'RSA', n: one.jwk.n, e: 'AQAB' },
      { kid: '__proto__', kty: 'EC', crv: 'P-256', x: other.jwk.x, y: other.jwk.y },
    ]);
  });

  const refusals: [string, RegExp, () => Promise<string> | string][] = [
    [
      'a private key in PEM form',
      /private key/,
      async () => exportPKCS8((await generateKeyPair('RS256', { extractable: true })).privateKey),
    ],
    [
      'a private key of another form',
      /private key/,
      () => '-----BEGIN RSA PRIVATE KEY-----\nMII=\n-----END RSA PRIVATE KEY-----',
    ],
    [
      'a private key beside a public one',
      /private key/,
      async () =>
        `${(await newSigner()).pem}\n-----BEGIN EC PRIVATE KEY-----\nMII=\n-----END EC PRIVATE KEY-----`,
    ],
    ['a private JWK', /private key/, async () => JSON.stringify((await newSigner()).privateJwk)],
    ['a private RSA JWK', /private key/, async () => JSON.stringify((await newSigner('RS256')).privateJwk)],
    [
      'a private JWK among public ones',
      /private key/,
      async () => JSON.stringify({ keys: [(await newSigner()).jwk, (await newSigner()).privateJwk] }),
    ],
    [
      'a private JWK for encryption',
      /private key/,
      async () =>
        JSON.stringify({
          keys: [(await newSigner()).jwk, { ...(await newSigner()).privateJwk, use: 'enc' }],
        }),
    ],
    [
      'a shared secret',
      /shared secret/,
      () => JSON.stringify({ kty: 'oct', k: 'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ' }),
    ],
    [
      'a shared secret in a set',
      /shared secret/,
      async () => JSON.stringify({ keys: [(await newSigner()).jwk, { kty: 'oct', k: 'AyM1' }] }),
    ],
    ['a weak RSA key', /at least 2048 bits; this one has 1024/, weakKey],
    [
      'an RSA key that anybody can sign with',
      /not secure|could not be read/,
      async () => JSON.stringify({ ...(await newSigner('RS256')).jwk, e: 'AQ' }),
    ],
    [
      'an RSA key with an even exponent',
      /could not be read/,
      async () => JSON.stringify({ ...(await newSigner('RS256')).jwk, e: 'Ag' }),
    ],
    [
      'an RSA key with exponent 3',
      /not secure/,
      async () => JSON.stringify({ ...(await newSigner('RS256')).jwk, e: 'Aw' }),
    ],
    ...[
      `01${'00'.repeat(31)}`,
      '00'.repeat(32),
      `${'00'.repeat(31)}80`,
      '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
      'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
      `ec${'ff'.repeat(30)}7f`,
    ].map((point): [string, RegExp, () => string] => [
      `the low-order Ed25519 point ${point}`,
      /not secure|could not be read/,
      () =>
        JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x: Buffer.from(point, 'hex').toString('base64url') }),
    ]),
    ['an RSA key without a modulus', /could not be read/, () => '{"kty":"RSA","e":"AQAB"}'],
    [
      'a curve that is not supported',
      /EC P-521 are not supported/,
      async () => JSON.stringify((await newSigner('ES512')).jwk),
    ],
    [
      'a curve that is not supported, as PEM',
      /could not be read/,
      async () => (await newSigner('ES512')).pem,
    ],
    [
      'a point that is not on its curve',
      /could not be read/,
      async () => JSON.stringify({ ...(await newSigner()).jwk, y: (await newSigner()).jwk.y }),
    ],
    ['an unknown type', /type XYZ are not supported/, () => '{"kty":"XYZ"}'],
    [
      'a type that objects have by themselves',
      /type __proto__ are not supported/,
      () => '{"kty":"__proto__","crv":7}',
    ],
    ['a key without a type', /has no type/, () => '{"n":"AQAB"}'],
    [
      'a key for encryption',
      /for encryption/,
      async () => JSON.stringify({ ...(await newSigner()).jwk, use: 'enc' }),
    ],
    [
      'an algorithm that does not fit',
      /cannot be used with the algorithm HS256/,
      async () => JSON.stringify({ ...(await newSigner('RS256')).jwk, alg: 'HS256' }),
    ],
    ['a kid that is no text', /kid/, async () => JSON.stringify({ ...(await newSigner()).jwk, kid: 7 })],
    ['an empty key set', /no signing keys/, () => '{"keys":[]}'],
    ['a key set without a list', /no keys list/, () => '{"keys":{"a":1}}'],
    [
      'eleven keys',
      /at most 10 signing keys/,
      async () => JSON.stringify({ keys: Array(11).fill((await newSigner()).jwk) }),
    ],
    ['broken JSON', /not valid JSON/, () => '{"kty":"RSA"'],
    ['an SSH key', /SSH key/, () => 'ssh-rsa AAAAB3NzaC1yc2E ada@example'],
    ['a token', /This is a token/, async () => (await newSigner()).sign({})],
    [
      'a key in PKCS #1 form',
      /PKCS #1/,
      () => '-----BEGIN RSA PUBLIC KEY-----\nMIIB\n-----END RSA PUBLIC KEY-----',
    ],
    [
      'a certificate request',
      /CERTIFICATE REQUEST PEM block is not a public key/,
      () => '-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END CERTIFICATE REQUEST-----',
    ],
    [
      'two PEM blocks, of which a chain of certificates would be one',
      /one key only/,
      () => `${CERTIFICATE}\n${CERTIFICATE}`,
    ],
    ['half a PEM block', /incomplete/, () => CERTIFICATE.slice(0, 300)],
    [
      'a PEM block of nonsense',
      /could not be read/,
      () => '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----',
    ],
    ['prose', /Paste a public key/, () => 'correct horse battery staple'],
  ];

  test.each(refusals)('is refused when it is %s', async (_what, message, text) => {
    const issues = await issuesOf('POST', base, bodyWith(await text()));
    expect(issues).toEqual([expect.stringMatching(message)]);
    expect(issues?.[0]).toMatch(/^publicKey: /);
  });

  test('that is private or secret is nowhere in the database, the audit log or the answer', async () => {
    const { privateJwk } = await newSigner('RS256');
    const answer = await tenant.call('POST', base, bodyWith(JSON.stringify(privateJwk)));
    expect(JSON.stringify(answer.body)).not.toContain(privateJwk.d);
    const tables = await env.DB.batch(
      ['jwt_integration', 'audit_log', 'outbox'].map((table) => env.DB.prepare(`SELECT * FROM ${table}`)),
    );
    expect(JSON.stringify(tables)).not.toContain(privateJwk.d);
  });
});

async function weakKey(): Promise<string> {
  const pair = (await crypto.subtle.generateKey(
    {
      name: 'RSASSA-PKCS1-v1_5',
      hash: 'SHA-256',
      modulusLength: 1024,
      publicExponent: new Uint8Array([1, 0, 1]),
    },
    true,
    ['sign', 'verify'],
  )) as CryptoKeyPair;
  return JSON.stringify(await exportJWK(pair.publicKey));
}

describe('changes', () => {
  let signer: Signer;
  let id: string;
  let environmentId: string;

  beforeEach(async () => {
    signer = await newSigner();
    ({ id: environmentId } = await tenant.make('POST', '/environments', {
      name: 'Production',
      type: 'live',
    }));
    ({ id } = await create(signer.pem));
    await publishAll(tenant);
  });

  test('reach the replicas of every environment, each once', async () => {
    const steps: [string, string, unknown][] = [
      ['POST', base, bodyWith(signer.pem)],
      ['PUT', `${base}/${id}`, { claimKey: 'mail' }],
      ['PUT', `${base}/${id}`, { publicKey: (await newSigner()).pem }],
      ['DELETE', `${base}/${id}`, undefined],
    ];
    for (const [method, path, body] of steps) {
      const before = await generations();
      await tenant.make(method, path, body);
      expect(await generations()).toEqual(before.map((generation) => generation + 1));
      const told = (await outboxMessages(tenant.orgId)).map(
        (message) => 'environmentId' in message && message.environmentId,
      );
      expect(told.sort()).toEqual([environmentId, await tenant.previewId()].sort());
      await publishAll(tenant);
    }
  });

  test('of the name or the description are of no concern to replicas, and neither is what changes nothing', async () => {
    const before = await generations();
    await tenant.make('PUT', `${base}/${id}`, { name: 'Another name', description: 'What for' });
    await tenant.make('PUT', `${base}/${id}`, {
      claimKey: 'email',
      publicKey: JSON.stringify(signer.jwk),
      aud: '',
    });
    await tenant.make('PUT', `${base}/${id}`, {});
    expect(await generations()).toEqual(before);
    expect(await outboxMessages(tenant.orgId)).toEqual([]);
  });

  test('are on record with who made them, and without the key', async () => {
    const next = await newSigner('EdDSA');
    await tenant.make('PUT', `${base}/${id}`, { name: 'Another name' });
    await tenant.make('PUT', `${base}/${id}`, { publicKey: next.pem });
    await tenant.make('DELETE', `${base}/${id}`);
    const trail = (await auditTrail(tenant)).filter(({ targetId }) => targetId === id);
    expect(trail.map(({ action }) => action)).toEqual([
      'jwt-integration.created',
      'jwt-integration.updated',
      'jwt-integration.updated',
      'jwt-integration.deleted',
    ]);
    const { results } = await env.DB.prepare(
      'SELECT actor_user_id, detail FROM audit_log WHERE target_id = ?',
    )
      .bind(id)
      .all();
    expect(new Set(results.map((row) => row.actor_user_id))).toEqual(new Set([tenant.user.userId]));
    expect(JSON.stringify(results)).toContain('EdDSA · Ed25519');
    expect(JSON.stringify(results)).not.toContain(next.jwk.x);
  });

  test('based on an outdated integration are refused with the current one', async () => {
    const { updatedAt } = await tenant.make<JwtIntegration>('GET', `${base}/${id}`);
    const changed = await tenant.make<JwtIntegration>('PUT', `${base}/${id}`, { name: 'First', updatedAt });
    await expectUnchanged(tenant, async () => {
      const late = await tenant.call<ErrorBody & { current: unknown }>('PUT', `${base}/${id}`, {
        publicKey: (await newSigner()).pem,
        updatedAt,
      });
      expect(late.status).toBe(409);
      expect(late.body.current).toEqual(changed);
    });
    // Repeating the first is harmless.
    expect(await tenant.make('PUT', `${base}/${id}`, { name: 'First', updatedAt })).toEqual(changed);
  });

  test('of ten at once on the same state: one is made', async () => {
    const { updatedAt } = await tenant.make<JwtIntegration>('GET', `${base}/${id}`);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        tenant.call('PUT', `${base}/${id}`, { name: `Name ${index}`, updatedAt }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
  });

  test('three deletions at once: one is made and on record', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => tenant.call('DELETE', `${base}/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
    const deleted = (await auditTrail(tenant)).filter(({ action }) => action === 'jwt-integration.deleted');
    expect(deleted).toHaveLength(1);
  });

  test('are not committed on an outdated list of environments', async () => {
    const db = openDatabase(env.DB);
    const { areCurrent } = await readLiveEnvironments(db, tenant.orgId);
    expect(await commitIf(db, { areCurrent }, [])).toBeNull();
    const made = await tenant.make<{ id: string }>('POST', '/environments', {
      name: 'Staging',
      type: 'test',
    });
    expect(await commitIf(db, { areCurrent }, [])).toBe('areCurrent');
    await tenant.make('DELETE', `/environments/${made.id}`);
    expect(await commitIf(db, { areCurrent }, [])).toBeNull();
    await tenant.make('DELETE', `/environments/${environmentId}`);
    expect(await commitIf(db, { areCurrent }, [])).toBe('areCurrent');
  });

  test('reach environments that are made at the same moment', async () => {
    const made = Array.from({ length: 8 }, (_, index) =>
      tenant.make<{ id: string }>('POST', '/environments', { name: `Staging ${index}`, type: 'test' }),
    );
    const changes = Array.from({ length: 2 }, (_, index) => create(signer.pem, { name: `Another ${index}` }));
    await Promise.all([...made, ...changes]);
    await publishAll(tenant);
    const stub = await import('#objects/stubs');
    for (const environment of await Promise.all(made)) {
      const { locations, generation, jwtIssuers } = await snapshotOf(environment.id);
      const replica = await stub.replicaStub(env, environment.id, locations[0] ?? 'weur');
      const pulled = await replica.pull(-1);
      expect(pulled).toMatchObject({ kind: 'snapshot', snapshot: { generation, jwtIssuers } });
      expect(jwtIssuers).toHaveLength(3);
    }
  });
});

test('of 20 concurrent creations ten succeed, and only those are audited', async () => {
  const { pem } = await newSigner();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => tenant.call<ErrorBody>('POST', base, bodyWith(pem))),
  );
  const refused = answers.filter(({ status }) => status === 409);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(MAX_JWT_INTEGRATIONS);
  expect(refused[0]?.body.message).toBe('An organisation can have at most 10 JWT integrations');
  expect(await tenant.make<JwtIntegration[]>('GET', base)).toHaveLength(MAX_JWT_INTEGRATIONS);
  const created = (await auditTrail(tenant)).filter(({ action }) => action === 'jwt-integration.created');
  expect(created).toHaveLength(MAX_JWT_INTEGRATIONS);
});

test("a snapshot holds the organisation's own integrations in their order, and a deleted environment's none", async () => {
  const [one, other] = await Promise.all([newSigner(), newSigner()]);
  const { id } = await tenant.make<{ id: string }>('POST', '/environments', {
    name: 'Production',
    type: 'live',
  });
  await create(one.pem, { claimKey: 'first', iss: 'https://id.example' });
  await create(other.pem, { claimKey: 'second', aud: 'shop', entityClaimKey: 'sub' });
  const stranger = await newTenant();
  await stranger.make('POST', base, bodyWith((await newSigner()).pem));
  expect((await snapshotOf(id)).jwtIssuers).toEqual([
    expect.objectContaining({
      claimKey: 'first',
      claimIndex: 'email',
      issuer: 'https://id.example',
      audience: null,
      acceptsUnverifiedEmails: false,
      entityClaimKey: null,
    }),
    expect.objectContaining({ claimKey: 'second', issuer: null, audience: 'shop', entityClaimKey: 'sub' }),
  ]);
  await tenant.make('DELETE', `/environments/${id}`);
  expect((await snapshotOf(id)).jwtIssuers).toEqual([]);
});
