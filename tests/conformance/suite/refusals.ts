// Every refusal that a client can provoke: status, errorType, the fields that issues name, and headers.
import { describe, expect, it } from 'vitest';
import { CHECKS, type Client, newUser, UPDATES } from './client.ts';

const EXPORTS = { feature: 'data-exports', property: 'exports' };

const inLatin1 = (text: string) => Uint8Array.from([...text].map((character) => character.charCodeAt(0)));

export function describeRefusals(client: () => Client): void {
  describe('a refusal', () => {
    it.each([CHECKS, UPDATES])(
      'of %s has the one error body, with the request id of the header',
      async (path) => {
        const { status, headers, body } = await client().refused(path, {}, { key: null });
        expect(status).toBe(401);
        expect(body).toEqual({
          status: 'error',
          requestId: headers.get('x-request-id'),
          errorType: 'unauthenticated',
          code: 'key-missing',
          message: 'Send an API key in the header Authorization: Bearer tsr_…',
        });
      },
    );

    it('is 401 with WWW-Authenticate for a missing, malformed, mistyped or unknown key', async () => {
      const { secretKey } = client().target;
      const mistyped = `${secretKey.slice(0, -1)}${secretKey.endsWith('0') ? '1' : '0'}`;
      const keys = [null, '', 'nonsense', mistyped, secretKey.replace('tsr_sec_', 'tsr_pub_')];
      for (const key of keys) {
        const { status, headers, body } = await client().refused(CHECKS, {}, { key });
        expect([status, body.errorType]).toEqual([401, 'unauthenticated']);
        expect(headers.get('www-authenticate')).toBe('Bearer');
      }
    });

    it('is 403 where a public key counts usage', async () => {
      const key = client().target.publicKey;
      const userIdentifier = newUser();
      for (const [path, body] of [
        [UPDATES, { ...EXPORTS, userIdentifier }],
        [CHECKS, { userIdentifier, consume: EXPORTS }],
      ] as const) {
        const { status, body: answer } = await client().refused(path, body, { key });
        expect([status, answer.errorType]).toEqual([403, 'forbidden']);
      }
    });

    it.each([
      ['no JSON', { text: '{"userIdentifier":' }, ''],
      ['no object', { text: '[1]' }, ''],
      ['an unknown field', { text: '{"user":"ada"}' }, 'user'],
      ['a wrong type', { text: '{"userIdentifier":7}' }, 'userIdentifier'],
      ['an empty identifier', { text: '{"userIdentifier":""}' }, 'userIdentifier'],
      ['a long identifier', { text: JSON.stringify({ userIdentifier: 'x'.repeat(201) }) }, 'userIdentifier'],
      ['a control character', { text: '{"userIdentifier":"a\\u0000b"}' }, 'userIdentifier'],
      ['outer white space', { text: '{"userIdentifier":"a@b.example "}' }, 'userIdentifier'],
      ['an identifier that shows nothing', { text: '{"userIdentifier":"\\u200b\\ufeff"}' }, 'userIdentifier'],
      ['a Kelvin sign', { text: '{"userIdentifier":"\\u212a@b.example"}' }, 'userIdentifier'],
      ['bytes that are not UTF-8', { text: inLatin1('{"userIdentifier":"müller"}') }, ''],
      ['two subjects', { text: '{"userIdentifier":"a","userJwt":"b"}' }, 'userJwt'],
      ['an unknown consistency', { text: '{"consistency":"eventual"}' }, 'consistency'],
      ['an invalid slug', { text: '{"features":["__proto__"]}' }, 'features.0'],
      ['a hostile key', { text: '{"__proto__":{"isAdmin":true}}' }, '__proto__'],
      ['usage of nobody', { text: JSON.stringify({ consume: EXPORTS }) }, 'consume'],
      [
        'usage by an unverified token',
        { text: JSON.stringify({ userJwt: 'a.b.c', consume: EXPORTS }) },
        'userJwt',
      ],
      [
        'consumption of nothing',
        { text: JSON.stringify({ userIdentifier: 'a', consume: { ...EXPORTS, by: 0 } }) },
        'consume.by',
      ],
      [
        'consumption of a property that is not meterable',
        {
          text: JSON.stringify({
            userIdentifier: 'a',
            consume: { feature: 'dashboards', property: 'maxDashboards' },
          }),
        },
        'consume.property',
      ],
    ])('of an access check with %s is 400 and names the field', async (_what, options, path) => {
      const { status, body } = await client().refused(CHECKS, {}, options);
      expect([status, body.errorType]).toEqual([400, 'invalid-request']);
      expect(body.issues?.[0]?.path).toBe(path);
    });

    it.each([
      ['without a subject', { userIdentifier: undefined }, 'userIdentifier'],
      ['with two subjects', { userJwt: 'x' }, 'userJwt'],
      ['with an unverified token', { userIdentifier: undefined, userJwt: 'a.b.c' }, 'userJwt'],
      ['of an unknown feature', { feature: 'dark-mode' }, 'feature'],
      ['of an unknown property', { property: 'nothing' }, 'property'],
      ['of a property that is not meterable', { property: 'formats' }, 'property'],
      ['by half an amount', { by: 1.5 }, 'by'],
      ['by more than 10^12', { by: 10 ** 12 + 1 }, 'by'],
      ['by an amount that is text', { by: '1' }, 'by'],
      ['with an amount and a resource', { by: 1, resourceId: 'ada' }, 'resourceId'],
      ['that releases nothing', { release: true }, 'release'],
      ['with an empty idempotency key', { idempotencyKey: '' }, 'idempotencyKey'],
      ['with a long idempotency key', { idempotencyKey: 'k'.repeat(201) }, 'idempotencyKey'],
      ['with an idempotency key that shows nothing', { idempotencyKey: '\u200b' }, 'idempotencyKey'],
      ['with a resource that shows nothing', { resourceId: ' ' }, 'resourceId'],
      ['with an unknown field', { amount: 1 }, 'amount'],
    ])('of a counter update %s is 400, names the field and counts nothing', async (_what, change, path) => {
      const userIdentifier = newUser();
      const { status, body } = await client().refused(UPDATES, { ...EXPORTS, userIdentifier, ...change });
      expect([status, body.errorType]).toEqual([400, 'invalid-request']);
      expect(body.issues?.[0]?.path).toBe(path);
      const { body: answer } = await client().check({ userIdentifier });
      expect(answer.features['data-exports']?.properties.exports).toMatchObject({ used: 0 });
    });

    it('is 404 on an unknown path', async () => {
      for (const [method, path] of [
        ['POST', '/api/v1/access-check'],
        ['GET', '/api/v1/openapi.yaml'],
      ] as const) {
        const response = await client().target.fetch(path, { method });
        expect(response.status).toBe(404);
        expect(await response.json()).toMatchObject({ status: 'error', errorType: 'not-found' });
      }
    });

    it('is 405 with Allow for another method', async () => {
      for (const [method, path, allow] of [
        ['GET', CHECKS, 'POST, OPTIONS'],
        ['PUT', UPDATES, 'POST, OPTIONS'],
        ['DELETE', `${UPDATES}?explain=1`, 'POST, OPTIONS'],
        ['POST', '/api/v1/openapi.json', 'GET, HEAD, OPTIONS'],
      ] as const) {
        const response = await client().target.fetch(path, { method });
        expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
        expect(await response.json()).toMatchObject({ status: 'error', errorType: 'method-not-allowed' });
      }
    });

    it.each(['0', 'false', '', 'yes', '1&explain=0'])(
      'is 400 for explain=%s, and counts nothing',
      async (explain) => {
        const body = { userIdentifier: newUser(), consume: EXPORTS };
        const { status, body: answer } = await client().refused(CHECKS, body, {
          query: `?explain=${explain}`,
        });
        expect([status, answer.errorType]).toEqual([400, 'invalid-request']);
        expect(answer.issues).toEqual([{ path: 'explain', message: 'Must be 1 or true' }]);
        const { body: after } = await client().check({ userIdentifier: body.userIdentifier });
        expect(after.features['data-exports']?.properties.exports).toMatchObject({ used: 0 });
      },
    );

    it('is 413 for a body of more than 64 KiB', async () => {
      const text = JSON.stringify({ userIdentifier: 'x'.repeat(64 * 1024) });
      for (const path of [CHECKS, UPDATES]) {
        const { status, body } = await client().refused(path, {}, { text });
        expect([status, body.errorType]).toEqual([413, 'payload-too-large']);
      }
    });

    it('is 415 for a body that is not sent as JSON, and names its type', async () => {
      const headers = { 'content-type': 'text/plain' };
      for (const path of [CHECKS, UPDATES]) {
        const { status, body } = await client().refused(path, {}, { headers });
        expect([status, body.errorType]).toEqual([415, 'unsupported-media-type']);
        expect(body.issues?.[0]).toMatchObject({
          path: 'Content-Type',
          message: expect.stringContaining('text/plain'),
        });
      }
    });

    it('is 415 for a body in another charset or compressed, and names the header', async () => {
      for (const [name, value] of [
        ['content-type', 'application/json; charset=iso-8859-1'],
        ['content-encoding', 'gzip'],
      ] as const) {
        const { status, body } = await client().refused(CHECKS, {}, { headers: { [name]: value } });
        expect([status, body.errorType]).toEqual([415, 'unsupported-media-type']);
        expect(body.issues?.[0]?.path.toLowerCase()).toBe(name);
      }
    });

    it('is 400 for a body of nothing but brackets', async () => {
      for (const text of ['['.repeat(60_000), `[${'[],'.repeat(20_000)}[]]`]) {
        const { status, body } = await client().refused(CHECKS, {}, { text });
        expect([status, body.errorType]).toEqual([400, 'invalid-request']);
      }
    });

    it('is 429 with Retry-After and RateLimit headers where the allowance is used up', async ({ skip }) => {
      const key = client().target.blockedKey;
      if (key === null) return skip('no key of a blocked organisation');
      const { status, headers, body } = await client().refused(CHECKS, {}, { key });
      expect([status, body.errorType]).toEqual([429, 'usage-blocked']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(headers.get('ratelimit-limit')).toBe('100000');
      expect(headers.get('ratelimit-remaining')).toBe('0');
      expect(headers.get('ratelimit-reset')).toBe(headers.get('retry-after'));
    });

    it('is of a documented type and code, with the documented status', async () => {
      const { status, body } = await client().refused(UPDATES, {});
      const documented = client().document['x-errors'].find(({ errorType }) => errorType === body.errorType);
      expect(documented?.status).toBe(status);
      const code = client().document['x-refusals'].find((each) => each.code === body.code);
      expect(code?.errorType).toBe(body.errorType);
    });
  });
}
