// OpenFeature's remote evaluation protocol: the same answers as an access check, as flags.
import { describe, expect, it } from 'vitest';
import { type Client, inSeconds, newUser } from './client.ts';

interface Flag {
  readonly key: string;
  readonly value: unknown;
}

export function describeOpenFeature(client: () => Client): void {
  describe('an evaluation for OpenFeature', () => {
    it('has a flag for every feature and property of the access check', async () => {
      const targetingKey = newUser();
      const { features } = (await client().check({ userIdentifier: targetingKey })).body;
      const { body } = await client().evaluate<{ flags: Flag[] }>(null, { context: { targetingKey } });
      const expected = Object.entries(features).flatMap(([slug, { allowed, properties }]) => [
        { key: slug, value: allowed },
        ...Object.entries(properties).map(([property, value]) => ({ key: `${slug}.${property}`, value })),
      ]);
      expect(body.flags.map(({ key }) => key)).toEqual(expected.map(({ key }) => key));
      for (const [index, { key, value }] of expected.entries()) {
        const flag = body.flags[index]?.value;
        if (typeof value !== 'object') expect(flag, key).toBe(value);
        else expect(flag, key).toMatchObject({ allowed: value.allowed });
        const one = await client().evaluate<Flag>(key, { context: { targetingKey } });
        const shape = { variant: expect.any(String), metadata: expect.any(Object) };
        expect(one.body, key).toMatchObject({ key, value: flag, ...shape });
      }
    });

    it('identifies the user by `targetingKey` with a secret key, and by `userJwt` with any', async () => {
      const { publicKey: key, sign } = client().target;
      const targetingKey = newUser();
      const userJwt = await sign({ email: targetingKey, exp: inSeconds(600) });
      const dashboardsOf = async (context: object, options = {}) =>
        (await client().evaluate<Flag>('dashboards.maxDashboards', { context }, options)).body.value;
      expect(await dashboardsOf({})).toBe(3);
      expect(await dashboardsOf({ targetingKey })).toBe(25);
      expect(await dashboardsOf({ targetingKey }, { key })).toBe(3);
      expect(await dashboardsOf({ targetingKey, userJwt }, { key })).toBe(25);
    });

    it('is a 304 without a body if the values are those of the entity tag', async () => {
      const body = { context: { targetingKey: newUser() } };
      const etag = (await client().evaluate(null, body)).headers.get('etag') ?? '';
      const again = await client().evaluate(null, body, { headers: { 'if-none-match': etag } });
      expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, null, etag]);
      const other = await client().evaluate(null, { context: {} }, { headers: { 'if-none-match': etag } });
      expect(other.status).toBe(200);
    });

    it('answers errors in the shapes of the protocol', async () => {
      const refused = async (key: string | null, body: object, options = {}) => {
        const answer = await client().evaluate<object>(key, body, options);
        expect(answer.body).toMatchObject({ metadata: { code: expect.any(String) } });
        return { status: answer.status, ...answer.body };
      };
      const context = { targetingKey: '' };
      expect(await refused('dark-mode', {})).toMatchObject({
        status: 404,
        key: 'dark-mode',
        errorCode: 'FLAG_NOT_FOUND',
      });
      expect(await refused(null, { context })).toMatchObject({
        status: 400,
        errorCode: 'TARGETING_KEY_MISSING',
      });
      expect(await refused(null, {}, { text: '{' })).toMatchObject({ status: 400, errorCode: 'PARSE_ERROR' });
      expect(await refused(null, { context: [] })).toMatchObject({
        status: 400,
        errorCode: 'INVALID_CONTEXT',
      });
      expect(await refused(null, {}, { key: null })).toMatchObject({ status: 401, errorCode: 'GENERAL' });
    });
  });
}
