// Public plans: what a pricing page may read, with any key.
import { describe, expect, it } from 'vitest';
import type { PublicError } from '#contracts/public/errors';
import type { Client, SendOptions } from './client.ts';

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
        Object.fromEntries(properties.map(({ key, display }) => [key, display])),
      ]);
      expect(shown).toEqual([
        ['dashboards', { maxDashboards: '25', publicSharing: 'on' }],
        ['data-exports', { exports: '100 / month', formats: 'csv,xlsx' }],
        ['team-seats', { seats: '10 total', guests: 'on' }],
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
  describe('a page of Stripe', () => {
    const open = (page: string, customer: string, body: object, options?: SendOptions) =>
      client().customers<PublicError>('POST', `/${customer}/${page}`, `/{customer}/${page}`, body, options);
    const wanted = { price: 'price_none', successUrl: 'https://app.example/' };
    const returned = { returnUrl: 'https://app.example/' };
    const newCustomer = async () => {
      const customer = `customer-${crypto.randomUUID()}`;
      await client().customers('PUT', `/${customer}`, '/{customer}', {});
      return customer;
    };

    it('is opened for known customers alone, and with a key that may', async () => {
      const customer = await newCustomer();
      const options = { key: client().target.publicKey };
      for (const [page, body] of [
        ['checkout', wanted],
        ['portal', returned],
      ] as const) {
        const forbidden = await open(page, customer, body, options);
        expect([forbidden.status, forbidden.body.code]).toEqual([403, 'managing-key-required']);
        const unknown = await open(page, `nobody-${crypto.randomUUID()}`, body);
        expect([unknown.status, unknown.body.code]).toEqual([404, 'customer-unknown']);
        const invalid = await open(page, customer, { ...body, url: 'https://app.example/' });
        expect([invalid.status, invalid.body.issues?.[0]?.path]).toEqual([400, 'url']);
      }
    });

    it('sells no price that gives nothing, and is no portal for who has never paid', async () => {
      const customer = await newCustomer();
      const checkout = await open('checkout', customer, wanted);
      expect([checkout.status, checkout.body.code]).toEqual([400, 'price-not-sold']);
      const preview = await client().customers<PublicError>(
        'GET',
        `/${customer}/preview`,
        '/{customer}/preview',
        undefined,
        { query: '?price=price_none' },
      );
      expect([preview.status, preview.body.code]).toEqual([400, 'price-not-sold']);
      const portal = await open('portal', customer, returned);
      expect([portal.status, portal.body.code]).toEqual([409, 'stripe-customer-needed']);
    });
  });
}
