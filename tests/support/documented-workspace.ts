// The workspace that the examples of the public API speak of: exports a month, seats ever, and two plans over them.
import type { Feature, FeatureProperty } from '#contracts/features';
import type { PropertyValue } from '#contracts/values';
import { connectAccount, putCustomer } from './stripe-customers.ts';
import { newTenant, publishAll, type Tenant } from './tenants.ts';
import { inSeconds, newSigner } from './tokens.ts';

export interface DocumentedWorkspace {
  readonly tenant: Tenant;
  readonly freePlanId: string;
  /** Keys of the preview environment. */
  readonly keys: { readonly secret: string; readonly public: string };
  /** Of ada@example.com, valid and expired. */
  readonly token: string;
  readonly expiredToken: string;
}

const perMonth: PropertyValue = {
  state: 'metered',
  meter: {
    limit: 100,
    periodType: 'rolling',
    periodCount: 1,
    periodLength: 'month',
    uniqueResourceIds: false,
  },
};
const tenSeats: PropertyValue = {
  state: 'metered',
  meter: { limit: 10, periodType: 'lifetime', uniqueResourceIds: true },
};

export async function documentedWorkspace(): Promise<DocumentedWorkspace> {
  const tenant = await newTenant();
  const feature = async (slug: string, properties: Record<string, PropertyValue>) => {
    const made = await tenant.make<Feature>('POST', '/features', { name: slug, slug });
    const entries: [string, FeatureProperty][] = [];
    for (const [propertyKey, value] of Object.entries(properties)) {
      const type = typeof value === 'object' ? 'meterable' : typeof value;
      const body = { name: propertyKey, propertyKey, type, value };
      entries.push([
        propertyKey,
        await tenant.make<FeatureProperty>('POST', `/features/${made.id}/properties`, body),
      ]);
    }
    return { made, properties: new Map(entries) };
  };
  const dashboards = await feature('dashboards', { maxDashboards: 3, publicSharing: false });
  const exports = await feature('data-exports', { exports: { state: 'off' }, formats: 'csv' });
  const seats = await feature('team-seats', { seats: { state: 'off' }, guests: false });

  const { planId: free } = await tenant.make<{ planId: string }>('POST', '/plans', {
    ...{ name: 'Free', slug: 'free' },
  });
  await tenant.make('PUT', `/plans/${free}`, { grantToAnonymousSessions: true });
  const { planId: team } = await tenant.make<{ planId: string }>('POST', '/plans', {
    ...{ name: 'Team', slug: 'team' },
  });
  await tenant.make('PUT', `/plans/${team}`, { grantToAuthenticatedUsers: true });
  const configured = ({ made, properties }: typeof seats, values: Record<string, PropertyValue>) => [
    ...made.systemFeatureProperties.map(({ id }) => ({ id, type: 'boolean', value: true })),
    ...Object.entries(values).map(([key, value]) => ({
      id: properties.get(key)!.id,
      type: typeof value === 'object' ? 'meterable' : typeof value,
      value,
    })),
  ];
  await tenant.make('PUT', `/plans/${free}/versions/1`, {
    properties: { [dashboards.made.id]: configured(dashboards, {}) },
  });
  await tenant.make('PUT', `/plans/${team}/versions/1`, {
    properties: {
      [dashboards.made.id]: configured(dashboards, { maxDashboards: 25, publicSharing: true }),
      [exports.made.id]: configured(exports, { exports: perMonth, formats: 'csv,xlsx' }),
      [seats.made.id]: configured(seats, { seats: tenSeats, guests: true }),
    },
  });

  const signer = await newSigner();
  await tenant.make('POST', '/integrations/jwt', {
    ...{ name: 'Identity provider', claimKey: 'email', claimIndex: 'email', publicKey: signer.pem },
  });
  const previewId = await tenant.previewId();
  const secret = (await tenant.key(previewId, 'secret')).value;
  const open = (await tenant.key(previewId, 'public')).value;
  await publishAll(tenant);
  const integrationId = await connectAccount(tenant);
  await putCustomer(tenant, { integrationId, id: 'cus_NffrFeUfNV2Hib', email: 'grace@example.com' });
  return {
    tenant,
    freePlanId: free,
    keys: { secret, public: open },
    token: await signer.sign({ email: 'ada@example.com', exp: inSeconds(600) }),
    expiredToken: await signer.sign({ email: 'ada@example.com', exp: inSeconds(-600) }),
  };
}
