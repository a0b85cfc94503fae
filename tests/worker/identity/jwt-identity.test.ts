// Token verification: only valid tokens from the organisation's own issuers identify a subject.

import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { ErrorBody } from '#contracts/public/errors';
import { LEEWAY_MS } from '#engine/identity/check-claims';
import {
  type Claims,
  inSeconds,
  newSigner,
  type Signer,
  segment,
  signedWithSecret,
} from '#lab/fixtures/tokens';
import { check, propertyOf, send } from '#tests/support/access-checks';
import { countedEnv } from '#tests/support/counted-env';
import { publicRequest } from '#tests/support/public-requests';
import { newTenant, publishAll } from '#tests/support/tenants';
import { ADA, type Asked, integrate, issuerOf, newAsked, outcome } from '#tests/support/token-checks';
import type { TestedAccess } from '#worker/domains/access/tries/test-access';
import { verifyToken } from '#worker/domains/identity/verify-token';
import worker from '#worker/index';
import { isSignedBy } from '#worker/platform/jwt';

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
    ['jwt-email-unverified', '{"email":"ada@example.com","email_verified":false}'],
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

it('a warm check with a token calls D1 0 times, queues 0 times and objects 0 times', async () => {
  const { tenant, open } = await newAsked();
  const signer = await newSigner();
  await integrate(tenant, signer.pem);
  await publishAll(tenant);
  const counted = countedEnv();
  const ask = async (userJwt: string) => {
    const context = createExecutionContext();
    const request = publicRequest('access-checks', open, { userJwt });
    const response = await worker.fetch(request, counted.env, context);
    const { replicas, d1, queues } = counted.counts;
    await waitOnExecutionContext(context);
    return { answer: await response.json(), calls: { replicas, d1, queues } };
  };
  // The snapshot is asked for again after a few seconds, which a busy machine needs for signing.
  const first = await signer.sign({ ...ADA, exp: inSeconds(60) });
  const token = await signer.sign({ ...ADA, exp: inSeconds(61) });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  try {
    await ask(first);
    Object.assign(counted.counts, { d1: 0, queues: 0, replicas: 0 });
    // A token that is new to the isolate, and the same token again.
    for (const round of ['verified', 'remembered']) {
      expect(await ask(token), round).toMatchObject({
        answer: { identity: { method: 'jwt' } },
        calls: { replicas: 0, d1: 0, queues: 0 },
      });
    }
  } finally {
    vi.useRealTimers();
  }
});
