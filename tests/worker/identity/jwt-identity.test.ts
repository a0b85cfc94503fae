// Token verification: only valid tokens from the organisation's own issuers identify a subject.
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JwtIntegration } from '#contracts/console/integrations';
import type { JwtIssuer } from '#contracts/internal/snapshot';
import type { ErrorBody } from '#contracts/public/errors';
import { check, propertyOf, send } from '#tests/support/access-checks';
import { countedEnv } from '#tests/support/counted-env';
import { newTenant, publishAll, type Tenant } from '#tests/support/tenants';
import {
  type Claims,
  inSeconds,
  newSigner,
  type Signer,
  segment,
  signedWithSecret,
} from '#tests/support/tokens';
import { newWorkspace } from '#tests/support/workspaces';
import type { TestedAccess } from '#worker/domains/access/test-access';
import { LEEWAY_MS } from '#worker/domains/identity/check-claims';
import { VerifiedTokens } from '#worker/domains/identity/verified-tokens';
import { verifyToken } from '#worker/domains/identity/verify-token';
import worker from '#worker/index';
import { isSignedBy } from '#worker/platform/jwt';

const ADA = { email: 'Ada@Example.com' };

interface Asked {
  readonly tenant: Tenant;
  readonly secret: string;
  readonly open: string;
}

async function newAsked(): Promise<Asked> {
  const tenant = await newTenant();
  const workspace = await newWorkspace(tenant, 5);
  const { planId } = await tenant.make<{ planId: string }>('POST', '/plans', {
    name: 'Known',
    slug: 'known',
  });
  await tenant.make('PUT', `/plans/${planId}`, { grantToAuthenticatedUsers: true });
  await tenant.make('PUT', `/plans/${planId}/versions/1`, {
    properties: { [workspace.feature.id]: [{ id: workspace.seats.id, type: 'number', value: 50 }] },
  });
  const preview = await tenant.previewId();
  const secret = (await tenant.key(preview, 'secret')).value;
  const open = (await tenant.key(preview, 'public')).value;
  return { tenant, secret, open };
}

const integrate = (tenant: Tenant, publicKey: string, further: Claims = {}) =>
  tenant.make<JwtIntegration>('POST', '/integrations/jwt', {
    name: 'Our sign-in',
    publicKey,
    claimKey: 'email',
    claimIndex: 'email',
    ...further,
  });

async function outcome(key: string, userJwt: string): Promise<string> {
  const { identity, warnings } = await check(key, { userJwt });
  expect(identity).toEqual(
    warnings.length === 0
      ? { isAuthenticated: true, method: 'jwt' }
      : { isAuthenticated: false, method: 'anonymous' },
  );
  return warnings[0]?.code ?? 'verified';
}

describe('with one integration', () => {
  let asked: Asked;
  let signer: Signer;
  let stranger: Signer;
  let elsewhere: Signer;

  beforeAll(async () => {
    asked = await newAsked();
    [signer, stranger, elsewhere] = await Promise.all([
      newSigner('RS256'),
      newSigner('RS256'),
      newSigner('RS256'),
    ]);
    await integrate(asked.tenant, signer.pem);
    const other = await newTenant();
    await integrate(other, JSON.stringify({ keys: [{ ...elsewhere.jwk, kid: 'theirs' }] }));
    await publishAll(asked.tenant);
  });

  it.each(['secret', 'open'] as const)('a good token names its bearer, with a %s key', async (key) => {
    const answer = await check(asked[key], { userJwt: await signer.sign({ ...ADA, exp: inSeconds(600) }) });
    expect(answer).toMatchObject({
      status: 'success',
      identity: { isAuthenticated: true, method: 'jwt' },
      customer: { isCustomer: false, plans: ['known'] },
      warnings: [],
    });
    expect(propertyOf(answer, 'team-seats', 'seats')).toBe(50);
  });

  it('an answer is not to be kept beyond the expiry of its token', async () => {
    const exp = inSeconds(10);
    const token = await signer.sign({ ...ADA, exp });
    for (const answer of [
      await check(asked.open, { userJwt: token }),
      await check(asked.open, { userJwt: token }),
    ]) {
      expect(answer.validUntil).toBe(exp * 1000);
    }
    const long = await check(asked.open, { userJwt: await signer.sign({ ...ADA, exp: inSeconds(3600) }) });
    expect(long.validUntil - long.asOf).toBe(60_000);
    const late = await check(asked.open, { userJwt: await signer.sign({ ...ADA, exp: inSeconds(-10) }) });
    expect(late.validUntil, 'accepted during the leeway, and not cacheable').toBe(late.asOf);
  });

  it("the console's test check believes the same tokens", async () => {
    const test = (userJwt: string) =>
      asked.tenant.make<TestedAccess>('POST', '/envs/preview/access-checks', {
        request: { userJwt },
        apiKeyType: 'public',
      });
    const good = await test(await signer.sign({ ...ADA, exp: inSeconds(60) }));
    expect(good.response.identity).toEqual({ isAuthenticated: true, method: 'jwt' });
    expect(good.diagnostics.plans).toEqual(['known']);
    const bad = await test(await stranger.sign({ ...ADA, exp: inSeconds(60) }));
    expect(bad.response.warnings.map(({ code }) => code)).toEqual(['jwt-signature-invalid']);
  });

  const good = () => ({ ...ADA, exp: inSeconds(60) });
  const signed = (claims: Claims | string, header?: Claims) => () => signer.sign(claims, header);

  it.each<[string, () => string | Promise<string>]>([
    ['the claims are not an object', signed('["a"]')],
    ['the claims are not JSON', signed('{')],
    ['the claims are not UTF-8', async () => `${segment({ alg: 'RS256' })}.gIA.${'A'.repeat(342)}`],
    ['it is one word', () => 'token'],
    ['it has two segments', () => `${segment({ alg: 'RS256' })}.${segment(good())}`],
    ['it has five segments, as encrypted ones do', () => 'e30.e30.e30.e30.e30'],
    ['it has four segments', async () => `${await signer.sign(good())}.e30`],
    ['all segments are empty', () => '..'],
    ['it is garbage', () => '\u0000💥.\ud800.{}'],
    ['it is spaced', async () => ` ${await signer.sign(good())}`],
    ['it is padded', async () => `${await signer.sign(good())}=`],
    ['its header is no JSON', async () => `e.${(await signer.sign(good())).split('.').slice(1).join('.')}`],
    ['its header is a list', () => `${segment([])}.${segment(good())}.AA`],
    ['its header names no algorithm', () => `${segment({})}.${segment(good())}.AA`],
    ['its algorithm is a list', () => `${segment({ alg: ['RS256'] })}.${segment(good())}.AA`],
    ['its algorithm is inherited', () => `${segment('{"__proto__":{"alg":"RS256"}}')}.${segment(good())}.AA`],
    ['its kid is a number', signed({ ...ADA, exp: inSeconds(60) }, { kid: 7 })],
    [
      'it asks for an extension',
      () => `${segment({ alg: 'RS256', crit: ['x'], x: 1 })}.${segment(good())}.AA`,
    ],
    [
      'its claims are not encoded (b64)',
      () => `${segment({ alg: 'RS256', b64: false, crit: ['b64'] })}.e30.AA`,
    ],
  ])('a token is malformed when %s', async (_why, token) => {
    expect(await outcome(asked.open, await token())).toBe('jwt-malformed');
  });

  it.each([
    'none',
    'None',
    'NONE',
    'nOnE',
    '',
    'HS256',
    'rs256',
    'ES512',
    'ES256K',
    'RSA-OAEP',
    '__proto__',
    'constructor',
  ])('the algorithm %j is never accepted, signed or not', async (alg) => {
    const [, body, signature] = (await signer.sign(good())).split('.');
    for (const end of ['', signature]) {
      expect(await outcome(asked.open, `${segment({ alg })}.${body}.${end}`)).toBe(
        'jwt-algorithm-not-allowed',
      );
    }
  });

  it('the public key is never taken for a shared secret', async () => {
    for (const secret of [
      signer.pem,
      signer.pem.trim(),
      `${signer.pem}\n`,
      JSON.stringify(signer.jwk),
      signer.jwk.n ?? '',
    ]) {
      expect(await outcome(asked.secret, await signedWithSecret(secret, good()))).toBe(
        'jwt-algorithm-not-allowed',
      );
      const disguised = await signedWithSecret(secret, good(), { alg: 'RS256' });
      expect(await outcome(asked.secret, disguised)).toBe('jwt-signature-invalid');
    }
  });

  it('an RSA key verifies no elliptic signature, nor one of its own under another name', async () => {
    const elliptic = await newSigner('ES256');
    expect(await outcome(asked.open, await elliptic.sign(good()))).toBe('jwt-algorithm-not-allowed');
    const [, body, signature] = (await signer.sign(good())).split('.');
    expect(await outcome(asked.open, `${segment({ alg: 'PS256' })}.${body}.${signature}`)).toBe(
      'jwt-signature-invalid',
    );
  });

  it.each<[string, () => Promise<string>]>([
    ['made with a key that nobody knows', () => stranger.sign(good())],
    ["made with another organisation's key", () => elsewhere.sign(good())],
    ["made with another organisation's key and its kid", () => elsewhere.sign(good(), { kid: 'theirs' })],
    ['that brings its own key along', () => stranger.sign(good(), { jwk: stranger.jwk })],
    [
      'that says where its key is',
      () => stranger.sign(good(), { jku: 'https://evil.example/jwks.json', kid: 'evil' }),
    ],
    [
      'that brings a certificate along',
      () => stranger.sign(good(), { x5u: 'https://evil.example/x', x5c: ['AAAA'] }),
    ],
    ['whose kid is a path', () => stranger.sign(good(), { kid: '../../../../dev/null' })],
    ['whose kid is a query', () => stranger.sign(good(), { kid: "x' UNION SELECT 'key" })],
    ['whose kid is __proto__', () => stranger.sign(good(), { kid: '__proto__' })],
  ])('a token is refused %s', async (_what, token) => {
    expect(await outcome(asked.open, await token())).toBe('jwt-signature-invalid');
  });

  it('a valid token is accepted whatever else is in its header', async () => {
    const header = {
      kid: '../etc/passwd',
      jku: 'https://evil.example',
      jwk: stranger.jwk,
      typ: 'at+jwt',
      x: 1,
    };
    expect(await outcome(asked.open, await signer.sign(good(), header))).toBe('verified');
  });

  it.each<[string, string, Claims]>([
    ['expired a minute ago', 'jwt-expired', { exp: inSeconds(-60) }],
    ['expired before 1970', 'jwt-expired', { exp: -1e300 }],
    ['never expires', 'jwt-expiry-missing', {}],
    ['expires at a text', 'jwt-expiry-missing', { exp: `${inSeconds(60)}` }],
    ['expires at null', 'jwt-expiry-missing', { exp: null }],
    ['expires at the end of time', 'jwt-lifetime-too-long', { exp: 1e300 }],
    ['expires in milliseconds', 'jwt-lifetime-too-long', { exp: Date.now() + 60_000 }],
    ['expires in two days', 'jwt-lifetime-too-long', { exp: inSeconds(2 * 86_400) }],
    ['begins in an hour', 'jwt-not-yet-valid', { exp: inSeconds(7200), nbf: inSeconds(3600) }],
    ['begins at the end of time', 'jwt-not-yet-valid', { exp: inSeconds(60), nbf: 1e300 }],
    ['begins at a text', 'jwt-not-yet-valid', { exp: inSeconds(60), nbf: 'now' }],
  ])('a token that %s is refused: %s', async (_what, code, claims) => {
    expect(await outcome(asked.open, await signer.sign({ ...ADA, ...claims }))).toBe(code);
  });

  it.each<[string, Claims]>([
    ['expired ten seconds ago', { exp: inSeconds(-10) }],
    ['begins in ten seconds', { exp: inSeconds(60), nbf: inSeconds(10) }],
    ['expires at a fraction of a second', { exp: inSeconds(60) + 0.5 }],
    ['expires in a day', { exp: inSeconds(86_400) }],
    ['is meant for an audience that nobody asks for', { exp: inSeconds(60), aud: ['a', 'b'] }],
    ['holds an own claim __proto__', JSON.parse(`{"exp":${inSeconds(60)},"__proto__":{"email":1}}`)],
  ])('a token that %s is accepted', async (_what, claims) => {
    const text = JSON.stringify({ ...claims, ...ADA });
    expect(await outcome(asked.open, await signer.sign(text))).toBe('verified');
  });

  it.each<[string, string]>([
    ['jwt-claim-missing', '{}'],
    ['jwt-claim-missing', '{"email":null}'],
    ['jwt-claim-missing', '{"email":""}'],
    ['jwt-claim-missing', '{"Email":"ada@example.com"}'],
    ['jwt-claim-missing', '{"__proto__":{"email":"ada@example.com"}}'],
    ['jwt-claim-invalid', '{"email":true}'],
    ['jwt-claim-invalid', '{"email":["ada@example.com"]}'],
    ['jwt-claim-invalid', '{"email":{"toString":"ada@example.com"}}'],
    ['jwt-claim-invalid', '{"email":"ada"}'],
    ['jwt-claim-invalid', '{"email":"cus_NffrFeUfNV2Hib"}'],
    ['jwt-claim-invalid', '{"email":"ada@example.com\\u0000"}'],
    ['jwt-claim-invalid', '{"email":"\\ud800@example.com"}'],
    ['jwt-claim-invalid', `{"email":"${'a'.repeat(200)}@example.com"}`],
  ])('is %s: %s', async (code, text) => {
    const claims = `${text.slice(0, -1)}${text === '{}' ? '' : ','}"exp":${inSeconds(60)}}`;
    expect(await outcome(asked.open, await signer.sign(claims))).toBe(code);
  });

  it('of a duplicated claim, the last one counts (RFC 7519 section 4)', async () => {
    const claims = `{"email":"ada@example.com","exp":${inSeconds(60)},"exp":1}`;
    expect(await outcome(asked.open, await signer.sign(claims))).toBe('jwt-expired');
    const header = segment(`{"alg":"RS256","alg":"none"}`);
    const [, body, signature] = (await signer.sign(good())).split('.');
    expect(await outcome(asked.open, `${header}.${body}.${signature}`)).toBe('jwt-algorithm-not-allowed');
  });

  it('a token beyond 8 KiB is not read, one of 8 KiB is', async () => {
    const filled = async (length: number) =>
      (await signer.sign({ ...good(), filler: 'x'.repeat(length) })).length;
    const room = Math.floor(((8192 - (await filled(0))) * 3) / 4);
    const fits = await signer.sign({ ...good(), filler: 'x'.repeat(room - 3) });
    expect(fits.length).toBeLessThanOrEqual(8192);
    expect(await outcome(asked.open, fits)).toBe('verified');
    for (const size of [room + 8, 30_000]) {
      expect(await outcome(asked.open, await signer.sign({ ...good(), filler: 'x'.repeat(size) }))).toBe(
        'jwt-too-large',
      );
    }
    expect(await outcome(asked.open, '.'.repeat(60_000))).toBe('jwt-too-large');
  });

  it.each([
    [{ userJwt: 7 }, 'userJwt'],
    [{ userJwt: '' }, 'userJwt'],
    [{ userJwt: null }, 'userJwt'],
    [{ userJwt: ['a.b.c'] }, 'userJwt'],
    [{ userJwt: 'a.b.c', userIdentifier: 'ada' }, 'userJwt'],
  ])('only a malformed request is an error: %j', async (body, path) => {
    const response = await send(asked.secret, { body });
    expect(response.status).toBe(400);
    expect((await response.json<ErrorBody>()).issues?.[0]?.path).toBe(path);
  });

  it('every warning says in words what happened', async () => {
    const { warnings } = await check(asked.open, { userJwt: await signer.sign({ ...ADA, exp: 1 }) });
    expect(warnings).toEqual([
      {
        code: 'jwt-expired',
        message: 'The token has expired (exp), so the subject was treated as anonymous',
      },
    ]);
  });

  it('an accepted token is refused after it has expired', async () => {
    const token = await signer.sign({ ...ADA, exp: inSeconds(2 - LEEWAY_MS / 1000) });
    expect(await outcome(asked.open, token)).toBe('verified');
    await expect.poll(() => outcome(asked.open, token)).toBe('jwt-expired');
  });
});

// Concurrent: each waits for a change to reach the isolate's snapshot.
describe('algorithms', { concurrent: true }, () => {
  it.each(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA'])(
    'a token signed with %s is accepted, with the key as PEM and as a JWK',
    async (algorithm) => {
      const { tenant, open } = await newAsked();
      const signer = await newSigner(algorithm);
      const pem = await integrate(tenant, signer.pem);
      await publishAll(tenant);
      const token = await signer.sign({ ...ADA, exp: inSeconds(60) });
      expect(await outcome(open, token)).toBe('verified');
      await tenant.make('PUT', `/integrations/jwt/${pem.id}`, {
        publicKey: JSON.stringify({ ...signer.jwk, kid: 'one', alg: algorithm }),
      });
      await publishAll(tenant);
      const named = (kid: string) => signer.sign({ ...ADA, exp: inSeconds(60) }, { kid });
      await expect.poll(async () => outcome(open, await named('two'))).toBe('jwt-key-unknown');
      expect(await outcome(open, await named('one'))).toBe('verified');
    },
  );
});

describe('several integrations', () => {
  it('are tried in turn, or chosen by the kid that the token names', async () => {
    const { tenant, open } = await newAsked();
    const [first, second, third] = await Promise.all([
      newSigner('EdDSA'),
      newSigner('ES256'),
      newSigner('ES256'),
    ]);
    await integrate(tenant, first.pem);
    await integrate(
      tenant,
      JSON.stringify({
        keys: [
          { ...second.jwk, kid: 'old' },
          { ...third.jwk, kid: 'new', use: 'sig' },
        ],
      }),
    );
    await publishAll(tenant);
    const claims = { ...ADA, exp: inSeconds(60) };
    expect(await outcome(open, await first.sign(claims))).toBe('verified');
    expect(await outcome(open, await first.sign(claims, { kid: 'unheard of' }))).toBe('verified');
    expect(await outcome(open, await second.sign(claims))).toBe('verified');
    expect(await outcome(open, await third.sign(claims, { kid: 'new' }))).toBe('verified');
    expect(await outcome(open, await third.sign(claims, { kid: 'old' }))).toBe('jwt-signature-invalid');
    expect(await outcome(open, await first.sign(claims, { kid: 'new' }))).toBe('jwt-algorithm-not-allowed');
  });

  it('of which none has the key that a token names: its kid is unknown', async () => {
    const { tenant, open } = await newAsked();
    const signer = await newSigner();
    await integrate(tenant, JSON.stringify({ ...signer.jwk, kid: 'ours' }));
    await publishAll(tenant);
    for (const kid of ['theirs', '__proto__', 'constructor', '']) {
      expect(await outcome(open, await signer.sign({ ...ADA, exp: inSeconds(60) }, { kid }))).toBe(
        'jwt-key-unknown',
      );
    }
  });

  it('of one issuer serve its audiences apart', async () => {
    const { tenant, open } = await newAsked();
    const signer = await newSigner();
    await integrate(tenant, signer.pem, { aud: 'shop', iss: 'https://id.example' });
    await integrate(tenant, signer.pem, { aud: 'forum', iss: 'https://id.example', claimKey: 'user.mail' });
    await publishAll(tenant);
    const token = (claims: Claims) =>
      signer.sign({ iss: 'https://id.example', exp: inSeconds(60), ...claims });
    expect(await outcome(open, await token({ aud: 'shop', ...ADA }))).toBe('verified');
    expect(await outcome(open, await token({ aud: ['x', 'forum'], user: { mail: 'ada@example.com' } }))).toBe(
      'verified',
    );
    expect(await outcome(open, await token({ aud: 'forum', ...ADA }))).toBe('jwt-claim-missing');
    for (const aud of ['Shop', 'sho', ['x'], [], null, { 0: 'shop' }, [['shop']]]) {
      expect(await outcome(open, await token({ aud, ...ADA }))).toBe('jwt-audience-mismatch');
    }
    for (const iss of ['https://id.example/', 'https://evil.example', ['https://id.example'], null]) {
      expect(await outcome(open, await token({ aud: 'shop', ...ADA, iss }))).toBe('jwt-issuer-mismatch');
    }
  });
});

describe('claims', () => {
  it.each<[string, Claims]>([
    ['user.contact.mail', { user: { contact: { mail: 'ada@example.com' } } }],
    ['https://example.com/email', { 'https://example.com/email': 'ada@example.com' }],
    ['https://example.com/user.email', { 'https://example.com/user': { email: 'ada@example.com' } }],
    ['__proto__.mail', JSON.parse('{"__proto__":{"mail":"ada@example.com"}}')],
    ['constructor', JSON.parse('{"constructor":"ada@example.com"}')],
  ])('are found at %s', async (claimKey, claims) => {
    expect(await verdictOn({ claimKey }, claims)).toMatchObject({ identifier: 'ada@example.com' });
  });

  it.each<[string, Claims]>([
    ['user.mail', { user: 'ada@example.com' }],
    ['user.mail', { user: ['ada@example.com'] }],
    ['user.length', { user: 'x' }],
    ['emails.0', { emails: ['ada@example.com'] }],
    ['__proto__', {}],
    ['__proto__.__proto__', { a: 1 }],
    ['constructor.name', { a: 1 }],
    ['toString', { a: 1 }],
    ['.', { '': 'a' }],
    ['a.'.repeat(50), { a: { a: { a: {} } } }],
  ])('are missing at %s of %j', async (claimKey, claims) => {
    expect(await verdictOn({ claimKey }, claims)).toBe('jwt-claim-missing');
  });

  it('are looked up as what the integration says, and as nothing else', async () => {
    const stripe = { claimKey: 'sub', claimIndex: 'stripe_customer_id' } as const;
    expect(await verdictOn(stripe, { sub: 'cus_NffrFeUfNV2Hib' })).toMatchObject({
      identifier: 'cus_NffrFeUfNV2Hib',
    });
    // Accounts can choose the ids of their customers.
    for (const sub of ['customer-42', 'CUS_abc', 'ada']) {
      expect(await verdictOn(stripe, { sub })).toMatchObject({ identifier: sub });
    }
    for (const sub of ['ada@example.com', 'a\u0000', 'a'.repeat(201), 42, ['cus_a']]) {
      expect(await verdictOn(stripe, { sub })).toBe('jwt-claim-invalid');
    }
    const email = { claimKey: 'sub', claimIndex: 'email' } as const;
    expect(await verdictOn(email, { sub: 'ADA@Example.COM' })).toMatchObject({
      identifier: 'ada@example.com',
    });
    expect(await verdictOn(email, { sub: 'cus_NffrFeUfNV2Hib' })).toBe('jwt-claim-invalid');
  });
});

async function verdictOn(issuer: Partial<JwtIssuer>, claims: Claims) {
  const signer = await newSigner();
  const token = await signer.sign(
    `${JSON.stringify(claims).slice(0, -1)}${Object.keys(claims).length > 0 ? ',' : ''}"exp":${inSeconds(60)}}`,
  );
  return verifyToken([issuerOf(signer, issuer)], token, Date.now(), { isSignedBy });
}

function issuerOf({ jwk }: Signer, further: Partial<JwtIssuer> = {}): JwtIssuer {
  const keys = [jwk as JwtIssuer['keys'][number]];
  return {
    id: 'jwt_1',
    claimKey: 'email',
    claimIndex: 'email',
    audience: null,
    issuer: null,
    keys,
    ...further,
  };
}

const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \n\u0000é';

it.each(['ES256', 'RS256', 'EdDSA'])('no alteration of a valid %s token is accepted', async (algorithm) => {
  const signer = await newSigner(algorithm);
  const issuers = [issuerOf(signer)];
  const token = await signer.sign({ ...ADA, exp: inSeconds(600) });
  const verdict = (altered: string) => verifyToken(issuers, altered, Date.now(), { isSignedBy });
  expect(await verdict(token)).toMatchObject({ identifier: 'ada@example.com' });

  const position = fc.nat(token.length - 1);
  const character = fc.constantFrom(...CHARACTERS);
  const altered = fc.oneof(
    fc.tuple(position, character).map(([at, by]) => token.slice(0, at) + by + token.slice(at + 1)),
    fc.tuple(position, character).map(([at, by]) => token.slice(0, at) + by + token.slice(at)),
    fc
      .tuple(position, fc.integer({ min: 1, max: 9 }))
      .map(([at, count]) => token.slice(0, at) + token.slice(at + count)),
    fc.tuple(position, position).map(([at, to]) => token.slice(0, at) + token.slice(to)),
    character.map((by) => token + by),
    // The last character of each segment has stray bits, which a lenient parser ignores.
    fc.tuple(fc.nat(2), character).map(([index, by]) => {
      const segments = token.split('.');
      segments[index] = `${segments[index]?.slice(0, -1)}${by}`;
      return segments.join('.');
    }),
  );
  await fc.assert(
    fc.asyncProperty(altered, async (text) => {
      if (text !== token) expect(typeof (await verdict(text))).toBe('string');
    }),
    { numRuns: 1_500 },
  );
});

it('no text at all is an error to the verification of tokens', async () => {
  const issuers = [issuerOf(await newSigner())];
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.json().map((json) => `${segment(json)}.${segment(json)}.AA`),
      ),
      async (text) => {
        expect(typeof (await verifyToken(issuers, text, 1, { isSignedBy }))).toBe('string');
      },
    ),
    { numRuns: 500 },
  );
});

describe('changes', () => {
  it('a new integration, a new key and a deletion are in force within five seconds, remembered tokens included', async () => {
    const { tenant, open } = await newAsked();
    await publishAll(tenant);
    const [one, other] = await Promise.all([newSigner(), newSigner()]);
    const [ones, others] = await Promise.all(
      [one, other].map((signer) => signer.sign({ ...ADA, exp: inSeconds(600) })),
    );
    expect(await outcome(open, ones ?? '')).toBe('jwt-integration-missing');

    const { id } = await integrate(tenant, one.pem);
    await publishAll(tenant);
    await expect.poll(() => outcome(open, ones ?? '')).toBe('verified');

    await tenant.make('PUT', `/integrations/jwt/${id}`, { publicKey: other.pem });
    await publishAll(tenant);
    await expect.poll(() => outcome(open, ones ?? '')).toBe('jwt-signature-invalid');
    expect(await outcome(open, others ?? '')).toBe('verified');

    await tenant.make('DELETE', `/integrations/jwt/${id}`);
    await publishAll(tenant);
    await expect.poll(() => outcome(open, others ?? '')).toBe('jwt-integration-missing');
  });
});

describe('what is remembered of tokens', () => {
  const subject = { identifier: 'ada@example.com', expiresAt: 1_000_000 };

  it('is accepted until the leeway after its expiry ends, and no longer', () => {
    const known = new VerifiedTokens();
    known.set('a', subject);
    expect(known.get('a', subject.expiresAt + LEEWAY_MS - 1)).toBe(subject);
    expect(known.get('a', subject.expiresAt + LEEWAY_MS)).toBeUndefined();
    expect(known.get('a', 0)).toBeUndefined();
    expect(known.get('b', 0)).toBeUndefined();
  });

  it('stays within its bounds however many there are', () => {
    const known = new VerifiedTokens();
    for (let index = 0; index < 5_000; index++) known.set(`${index}`.padEnd(8_000, 'x'), subject);
    let kept = 0;
    for (let index = 0; index < 5_000; index++) kept += known.get(`${index}`.padEnd(8_000, 'x'), 0) ? 1 : 0;
    expect(kept).toBeGreaterThan(0);
    expect(kept * 8_000).toBeLessThanOrEqual(1024 * 1024);
  });
});

it('a warm check with a token calls D1 0 times, queues 0 times and objects 0 times', async () => {
  const { tenant, open } = await newAsked();
  const signer = await newSigner();
  await integrate(tenant, signer.pem);
  await publishAll(tenant);
  const counted = countedEnv();
  const ask = async (userJwt: string) => {
    const context = createExecutionContext();
    const request = new Request<unknown, IncomingRequestCfProperties>(
      'http://localhost:4001/api/v1/access-checks',
      {
        method: 'POST',
        headers: { authorization: `Bearer ${open}`, 'content-type': 'application/json' },
        body: JSON.stringify({ userJwt }),
      },
    );
    const response = await worker.fetch(request, counted.env, context);
    const { replicas, d1, queues } = counted.counts;
    await waitOnExecutionContext(context);
    return { answer: await response.json(), calls: { replicas, d1, queues } };
  };
  await ask(await signer.sign({ ...ADA, exp: inSeconds(60) }));
  Object.assign(counted.counts, { d1: 0, queues: 0, replicas: 0 });
  // A token that is new to the isolate, and the same token again.
  const token = await signer.sign({ ...ADA, exp: inSeconds(61) });
  for (const round of ['verified', 'remembered']) {
    expect(await ask(token), round).toMatchObject({
      answer: { identity: { method: 'jwt' } },
      calls: { replicas: 0, d1: 0, queues: 0 },
    });
  }
});
