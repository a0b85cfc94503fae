// Usage that the client counts on a machine whose clock is wrong, against the Worker: all of it, and in its hour, from the first batch on.
import { exports } from 'cloudflare:workers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { PropertyValue } from '#contracts/public/values';
import { createTessera } from '#sdk/index';
import { newTenant, publishAll } from '#tests/support/tenants';
import { createFeature, createKey, createPlan } from '../../../dev/workspace/build-workspace.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const url = 'http://localhost:4001';

/** What the client's clock is ahead of the Worker's. */
let aheadMs = 0;
const now = Date.now.bind(Date);
vi.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
afterAll(() => void vi.restoreAllMocks());

const metered = (meter: object) =>
  ({ state: 'metered', meter: { limit: 1_000, uniqueResourceIds: false, ...meter } }) as PropertyValue;

let key: string;
beforeAll(async () => {
  const tenant = await newTenant();
  const property = (propertyKey: string) =>
    ({ name: propertyKey, propertyKey, type: 'meterable', value: { state: 'off' } }) as const;
  const definition = { name: 'Exports', slug: 'exports' };
  const feature = await createFeature(tenant, {
    ...definition,
    properties: [property('hourly'), property('total')],
  });
  const values = {
    exports: {
      hourly: metered({ periodType: 'fixed', periodCount: 1, periodLength: 'hour' }),
      total: metered({ periodType: 'lifetime' }),
    },
  };
  await createPlan(tenant, { name: 'Team', slug: 'team', grantToAuthenticatedUsers: true, values }, [
    feature,
  ]);
  key = await createKey(tenant, await tenant.previewId(), 'secret');
  await publishAll(tenant);
});

test.each([45_000, -45_000, 3 * HOUR, -3 * HOUR, 48 * HOUR, -48 * HOUR])(
  '4 of 4 updates of a clock that is %d ms ahead are counted, in the hour in which they happened',
  async (clientAheadMs) => {
    const paths: string[] = [];
    const undelivered = vi.fn();
    const tessera = createTessera({
      url,
      key,
      timeoutMs: 20_000,
      buffer: { onUndelivered: undelivered },
      fetch: async (input, init) => {
        paths.push(new URL(String(input)).pathname);
        aheadMs = 0;
        const answer = await exports.default.fetch(new Request(input as string, init));
        aheadMs = clientAheadMs;
        return answer;
      },
    });
    const on = { user: `user-${crypto.randomUUID()}` };
    aheadMs = clientAheadMs;
    for (const meter of ['exports.hourly', 'exports.total']) {
      tessera.count(meter, { on, by: 1 });
      tessera.count(meter, { on, by: 2, at: new Date(Date.now() - 20 * MINUTE) });
      tessera.count(meter, { on, by: 4, at: new Date(Date.now() - 50 * MINUTE) });
      tessera.count(meter, { on, by: 8, at: new Date(Date.now() - 2 * HOUR) });
    }
    await tessera.flush();
    const access = await tessera.check(on);
    aheadMs = 0;
    expect(access.get('exports.hourly')).toMatchObject({ used: 7 });
    expect(access.get('exports.total')).toMatchObject({ used: 15 });
    expect(undelivered).not.toHaveBeenCalled();
    expect(paths).toEqual(['/api/v1/counter-updates/batch', '/api/v1/access-checks']);
  },
);
