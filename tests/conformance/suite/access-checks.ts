// What an access check answers: subjects, plans, values, warnings, freshness, explanations.
import { describe, expect, it } from 'vitest';
import { CHECKS, CHECKS_BATCH, type Client, codesOf, inSeconds, newUser } from './client.ts';

const EXPORTS = { feature: 'data-exports', property: 'exports' };

/** Without what differs between two calls. */
const comparable = (answer: unknown) => ({
  ...(answer as object),
  requestId: null,
  asOf: null,
  validUntil: null,
});

export function describeAccessChecks(client: () => Client): void {
  describe('a batch of access checks', () => {
    it('answers each check in order, as its own call would, and with 200 whatever fails', async () => {
      const { target } = client();
      const [ada, eve] = [newUser(), newUser()];
      await client().update({ ...EXPORTS, userIdentifier: ada, by: 100 });
      const userJwt = await target.sign({ email: eve, exp: inSeconds(600) });
      const single = [
        { userIdentifier: ada },
        {},
        { userJwt },
        { userIdentifier: eve, context: { page: '/', isNew: true } },
        { userIdentifier: ada.toUpperCase() },
        { userIdentifier: ada },
        { userJwt: 'a.b.c' },
      ];
      const failing = [
        { userIdentifier: '' },
        { userIdentifier: ada, userJwt },
        { userIdentifier: ada, consume: EXPORTS },
        { context: { list: [] } },
        'ada',
        null,
        [],
      ];
      for (const features of [undefined, ['data-exports', 'nothing-known']]) {
        const { body } = await client().checks([...single, ...failing], features);
        for (const [index, check] of single.entries()) {
          const { body: alone } = await client().check({ ...check, features });
          expect(comparable(body.results[index]), JSON.stringify(check)).toEqual(comparable(alone));
        }
        const errors = body.results.slice(single.length);
        expect(errors.map((each) => each.status === 'error' && each.errorType)).toEqual(
          failing.map(() => 'invalid-request'),
        );
        expect(new Set(body.results.map(({ requestId }) => requestId)).size).toBe(body.results.length);
      }
    });

    it('answers public keys for users of a token; whom they name otherwise is anonymous, with a warning', async () => {
      const { target } = client();
      const userJwt = await target.sign({ email: newUser(), exp: inSeconds(600) });
      const { body } = await client().checks([{ userJwt }, { userIdentifier: newUser() }], undefined, {
        key: target.publicKey,
      });
      expect(body.results).toMatchObject([
        { identity: { method: 'jwt' }, warnings: [] },
        { identity: { method: 'anonymous' }, warnings: [{ code: 'identifier-needs-secret-key' }] },
      ]);
    });

    it('takes 1 to 100 checks and the features of all of them, and nothing else', async () => {
      const check = { userIdentifier: newUser() };
      expect((await client().checks(new Array(100).fill(check))).body.results).toHaveLength(100);
      for (const [body, path] of [
        [{ checks: [] }, 'checks'],
        [{ checks: new Array(101).fill(check) }, 'checks'],
        [{ checks: check }, 'checks'],
        [{}, 'checks'],
        [{ checks: [check], features: [] }, 'features'],
        [{ checks: [check], features: ['__proto__'] }, 'features.0'],
        [{ checks: [check], consistency: 'strict' }, 'consistency'],
        [{ checks: [check], userIdentifier: 'ada' }, 'userIdentifier'],
      ] as const) {
        const { status, body: refused } = await client().refused(CHECKS_BATCH, body);
        expect([status, refused.errorType, refused.issues?.[0]?.path]).toEqual([
          400,
          'invalid-request',
          path,
        ]);
      }
      const { status } = await client().refused(CHECKS_BATCH, { checks: [check] }, { query: '?explain=no' });
      expect(status).toBe(400);
      const large = { checks: [{ userJwt: 'x'.repeat(256 * 1024) }] };
      expect((await client().refused(CHECKS_BATCH, large)).status).toBe(413);
    });
  });

  describe('an access check', () => {
    it('without a subject answers for an anonymous session', async () => {
      for (const body of [undefined, {}]) {
        const { body: answer } = await client().check(body, { key: client().target.publicKey });
        expect(answer).toMatchObject({
          status: 'success',
          identity: { isAuthenticated: false, method: 'anonymous' },
          customer: { isCustomer: false, plans: ['free'] },
          features: {
            dashboards: { properties: { enabled: true, maxDashboards: 3, publicSharing: false } },
            'data-exports': { properties: { enabled: false, exports: { state: 'off', allowed: false } } },
          },
          warnings: [],
        });
      }
    });

    it('allows features that are enabled, whatever else is off, and denies others as not-in-plan', async () => {
      const { body: anonymous } = await client().check({});
      expect(anonymous.features.dashboards).toMatchObject({
        properties: { publicSharing: false },
        allowed: true,
      });
      expect(anonymous.features.dashboards).not.toHaveProperty('reason');
      expect(anonymous.features['data-exports']).toMatchObject({ allowed: false, reason: 'not-in-plan' });
      const { body } = await client().check({ userIdentifier: newUser() });
      expect(Object.values(body.features).map(({ allowed }) => allowed)).toEqual([true, true, true]);
    });

    it('with a secret key and an identifier answers for an authenticated user', async () => {
      const { body } = await client().check({ userIdentifier: newUser() });
      expect(body).toMatchObject({
        identity: { isAuthenticated: true, method: 'identifier' },
        customer: { isCustomer: false, plans: ['team'] },
        features: {
          dashboards: { properties: { enabled: true, maxDashboards: 25, publicSharing: true } },
          'data-exports': { properties: { enabled: true, formats: 'csv,xlsx' } },
        },
        warnings: [],
      });
    });

    it('with a public key ignores the identifier and warns', async () => {
      const { publicKey } = client().target;
      const { body } = await client().check({ userIdentifier: newUser() }, { key: publicKey });
      expect(body.identity).toEqual({ isAuthenticated: false, method: 'anonymous' });
      expect(codesOf(body)).toEqual(['identifier-needs-secret-key']);
    });

    it('with a signed token answers for its user, also with a public key', async () => {
      const { target } = client();
      const userJwt = await target.sign({ email: newUser(), exp: inSeconds(600) });
      for (const key of [target.publicKey, target.secretKey]) {
        const { body } = await client().check({ userJwt }, { key });
        expect(body.identity).toEqual({ isAuthenticated: true, method: 'jwt' });
        expect(body.customer.plans).toEqual(['team']);
        expect(body.warnings).toEqual([]);
      }
    });

    it.each([
      ['an expired token', { exp: -600 }, 'jwt-expired'],
      ['a token without exp', {}, 'jwt-expiry-missing'],
      ['a token that lives for more than 24 hours', { exp: 100_000 }, 'jwt-lifetime-too-long'],
      ['a token that is not valid yet', { exp: 7_200, nbf: 3_600 }, 'jwt-not-yet-valid'],
      ['a token without the claim', { exp: 600, email: undefined }, 'jwt-claim-missing'],
      ['a token with a claim of another form', { exp: 600, email: 'nobody' }, 'jwt-claim-invalid'],
      ['a token with white space around the claim', { exp: 600, email: 'a@b.example ' }, 'jwt-claim-invalid'],
      [
        'a token with a Kelvin sign in the email',
        { exp: 600, email: '\u212a@b.example' },
        'jwt-claim-invalid',
      ],
      ['a token of an unverified email', { exp: 600, email_verified: false }, 'jwt-email-unverified'],
    ] as const)('treats the subject of %s as anonymous and warns', async (_what, claims, code) => {
      const { exp, nbf, ...others } = claims as Record<string, unknown>;
      const userJwt = await client().target.sign({
        email: newUser(),
        ...others,
        ...(exp === undefined ? {} : { exp: inSeconds(exp as number) }),
        ...(nbf === undefined ? {} : { nbf: inSeconds(nbf as number) }),
      });
      const { body } = await client().check({ userJwt });
      expect(body.identity.method).toBe('anonymous');
      expect(codesOf(body)).toEqual([code]);
    });

    it('treats the subject of a forged or malformed token as anonymous and warns', async () => {
      const signed = () => client().target.sign({ email: newUser(), exp: inSeconds(600) });
      const [header = '', payload = ''] = (await signed()).split('.');
      const [, , foreignSignature = ''] = (await signed()).split('.');
      const unsigned = `${btoa(JSON.stringify({ alg: 'none' })).replaceAll('=', '')}.${payload}.`;
      for (const [userJwt, code] of [
        [`${header}.${payload}.${foreignSignature}`, 'jwt-signature-invalid'],
        [unsigned, expect.stringMatching(/^jwt-(algorithm-not-allowed|malformed)$/)],
        ['no token', 'jwt-malformed'],
        [`${'x'.repeat(9_000)}.a.b`, 'jwt-too-large'],
      ] as const) {
        const { body } = await client().check({ userJwt });
        expect(body.identity.method).toBe('anonymous');
        expect(codesOf(body)).toEqual([code]);
      }
    });

    it('answers for the requested features only, and warns of unknown ones', async () => {
      const { body } = await client().check({ features: ['dashboards', 'dark-mode'] });
      expect(Object.keys(body.features)).toEqual(['dashboards']);
      expect(body.warnings).toEqual([
        { code: 'feature-unknown', message: expect.stringContaining('dark-mode') },
      ]);
    });

    it('says when it was answered and how long the answer may be used', async () => {
      const before = Date.now();
      const { body } = await client().check({});
      expect(body.validUntil - body.asOf).toBe(60_000);
      expect(Math.abs(body.asOf - before)).toBeLessThan(60_000);
      expect(body.version).toMatchObject({ artifactId: expect.any(String) });
    });

    it('states the subscriptions of the customer if they are included', async () => {
      const { body } = await client().check({ userIdentifier: 'nobody@tests.example' });
      expect(body.customer).not.toHaveProperty('subscriptions');
      const included = { userIdentifier: 'nobody@tests.example', include: ['subscriptions'] as const };
      expect((await client().check(included)).body.customer.subscriptions).toEqual([]);
    });

    it('explains each value to a secret key, and warns a public key', async () => {
      const options = { query: '?explain=1' };
      const body = { userIdentifier: newUser(), features: ['dashboards'] };
      const { body: explained } = await client().check(body, options);
      expect(explained.explanation).toContainEqual({
        feature: 'dashboards',
        property: 'maxDashboards',
        value: 25,
        decidedBy: ['team'],
        reason: expect.any(String),
        candidates: [{ plan: 'team', value: 25, from: [{ kind: 'authenticated-users' }] }],
      });
      const { body: open } = await client().check({}, { ...options, key: client().target.publicKey });
      expect(open).not.toHaveProperty('explanation');
      expect(codesOf(open)).toEqual(['explain-needs-secret-key']);
    });

    it('ignores unknown query parameters and warns of them', async () => {
      const query = '?utm_source=mail&explain=true&utm_source=web';
      const { body } = await client().check({}, { query });
      expect(body.explanation).toBeDefined();
      expect(body.warnings).toEqual([
        { code: 'query-ignored', message: 'Unknown query parameters were ignored: utm_source' },
      ]);
      const update = { userIdentifier: newUser(), feature: 'data-exports', property: 'exports' };
      const { body: counted } = await client().update(update, { query: '?explain=0&x=1' });
      expect(counted).toMatchObject({ accepted: true, meter: { used: 1 } });
      expect(counted.warnings).toEqual([
        { code: 'query-ignored', message: 'Unknown query parameters were ignored: explain, x' },
      ]);
    });

    it('takes each value of consistency', async () => {
      const userIdentifier = newUser();
      for (const consistency of ['local', 'bounded', 'strict']) {
        const { body } = await client().check({ userIdentifier, consistency });
        expect(body.features['data-exports']?.properties.exports).toMatchObject({ used: 0, limit: 100 });
      }
    });

    it('takes a flat `context` of at most 20 entries and 4 KiB, which changes nothing without workflows', async () => {
      const userIdentifier = newUser();
      const plain = await client().check({ userIdentifier });
      const contexts = [{}, { page: '/prices', beta: true, width: 390.5 }, { text: 'é'.repeat(2_040) }];
      for (const context of contexts) {
        const { body } = await client().check({ userIdentifier, context });
        expect(body.features).toEqual(plain.body.features);
      }
      const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`key-${index}`, index]));
      for (const context of [
        many,
        { nested: { a: 1 } },
        { list: [1] },
        { none: null },
        { '': 1 },
        [1],
        'x',
      ]) {
        const refused = await client().refused(CHECKS, { userIdentifier, context });
        expect(refused.body, JSON.stringify(context)).toMatchObject({ errorType: 'invalid-request' });
      }
      const refused = await client().refused(CHECKS, { context: { text: 'é'.repeat(2_050) } });
      expect(refused.body.issues).toEqual([{ path: 'context', message: 'Must be at most 4 KiB' }]);
    });

    it('takes any `Tessera-Answered`, and ignores what is no number', async () => {
      for (const answered of ['0', '12', '1000000', '99999999999', '-1', '1e3', 'many', '1, 2', ' ']) {
        const headers = { 'tessera-answered': answered };
        expect((await client().check({}, { headers })).body.warnings, answered).toEqual([]);
      }
    });

    it('answers with the documented warnings only', async () => {
      const documented = client().document['x-warnings'].map(({ code }) => code as string);
      const { body } = await client().check({ userJwt: 'no token', features: ['dark-mode'] });
      expect(codesOf(body).length).toBeGreaterThan(0);
      expect(codesOf(body).filter((code) => !documented.includes(code))).toEqual([]);
    });

    it('documents the warning about an email that several customers have', () => {
      const documented = client().document['x-warnings'].map(({ code }) => code as string);
      expect(documented).toContain('email-ambiguous');
    });

    it('documents the warning about a user ID that several customers have', () => {
      const documented = client().document['x-warnings'].map(({ code }) => code as string);
      expect(documented).toContain('user-id-ambiguous');
    });

    it('documents the warning about a customer that exists in the other mode only', () => {
      const documented = client().document['x-warnings'].map(({ code }) => code as string);
      expect(documented).toContain('customer-in-other-mode');
    });
  });
}
