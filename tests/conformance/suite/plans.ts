// Public plans: what a pricing page may read, with any key.
import { describe, expect, it } from 'vitest';
import type { Client } from './client.ts';

export function describePlans(client: () => Client): void {
  describe('the list of plans', () => {
    it('has the public ones, with what is on in them, for keys of both types', async () => {
      const { publicKey } = client().target;
      const headers = { origin: 'https://shop.example' };
      const { status, body, headers: answered } = await client().plans({ key: publicKey, headers });
      expect(status).toBe(200);
      expect(answered.get('access-control-allow-origin')).toBe('*');
      const [team, ...others] = body.plans;
      expect(others).toEqual([]);
      expect(team).toMatchObject({ slug: 'team', isAddOn: false });
      const shown = team?.features.map(({ slug, properties }) => [
        slug,
        properties.map(({ key, display }) => [key, display]),
      ]);
      expect(shown).toEqual([
        [
          'dashboards',
          [
            ['maxDashboards', '25'],
            ['publicSharing', 'on'],
          ],
        ],
        [
          'data-exports',
          [
            ['exports', '100 / month'],
            ['formats', 'csv,xlsx'],
          ],
        ],
        [
          'team-seats',
          [
            ['seats', '10 total'],
            ['guests', 'on'],
          ],
        ],
      ]);
      expect((await client().plans()).body.plans).toEqual(body.plans);
    });

    it('is a 304 without a body if it is that of the entity tag', async () => {
      const etag = (await client().plans()).headers.get('etag') ?? '';
      const again = await client().plans({ headers: { 'if-none-match': etag } });
      expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, null, etag]);
      expect((await client().plans({ headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    });

    it('needs a key', async () => {
      const { status, body } = await client().plans({ key: null });
      expect([status, body]).toMatchObject([401, { code: 'key-missing' }]);
    });
  });
}
