// Creates the workspace that the public API's examples and the conformance suite use: exports per month, seats per lifetime,
// and two plans that configure them. It needs nothing but the console API, so it works in workerd and over HTTP.

import type { Feature, FeatureProperty } from '#contracts/console/features';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import type { PropertyValue } from '#contracts/public/values';
import { newSigner, type Signer } from './tokens.ts';

/** Calls the console API; `path` is relative to /api/orgs/:orgId. Throws unless the call succeeds. */
export type Make = <T = { id: string }>(method: string, path: string, body?: unknown) => Promise<T>;

export interface CreatedWorkspace {
  readonly freePlanId: string;
  /** Keys of the preview environment. */
  readonly keys: { readonly [Type in ApiKeyType]: string };
  /** Signs tokens that the workspace accepts; the claim `email` identifies the user. */
  readonly signer: Signer;
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

const typeOf = (value: PropertyValue) => (typeof value === 'object' ? 'meterable' : typeof value);

export async function createDocumentedWorkspace(make: Make, previewId: string): Promise<CreatedWorkspace> {
  const feature = async (slug: string, values: Record<string, PropertyValue>) => {
    const created = await make<Feature>('POST', '/features', { name: slug, slug });
    const properties = new Map<string, FeatureProperty>();
    for (const [propertyKey, value] of Object.entries(values)) {
      const body = { name: propertyKey, propertyKey, type: typeOf(value), value };
      properties.set(propertyKey, await make('POST', `/features/${created.id}/properties`, body));
    }
    return { created, properties };
  };
  const plan = async (name: string, slug: string, grant: object): Promise<string> => {
    const { planId } = await make<{ planId: string }>('POST', '/plans', { name, slug });
    await make('PUT', `/plans/${planId}`, grant);
    return planId;
  };
  const configured = (
    { created, properties }: Awaited<ReturnType<typeof feature>>,
    values: Record<string, PropertyValue>,
  ) => [
    ...created.systemFeatureProperties.map(({ id }) => ({ id, type: 'boolean', value: true })),
    ...Object.entries(values).map(([key, value]) => ({
      id: properties.get(key)!.id,
      type: typeOf(value),
      value,
    })),
  ];

  const dashboards = await feature('dashboards', { maxDashboards: 3, publicSharing: false });
  const exports = await feature('data-exports', { exports: { state: 'off' }, formats: 'csv' });
  const seats = await feature('team-seats', { seats: { state: 'off' }, guests: false });
  const free = await plan('Free', 'free', { grantToAnonymousSessions: true });
  const team = await plan('Team', 'team', { grantToAuthenticatedUsers: true });
  await make('PUT', `/plans/${free}/versions/1`, {
    properties: { [dashboards.created.id]: configured(dashboards, {}) },
  });
  await make('PUT', `/plans/${team}/versions/1`, {
    properties: {
      [dashboards.created.id]: configured(dashboards, { maxDashboards: 25, publicSharing: true }),
      [exports.created.id]: configured(exports, { exports: perMonth, formats: 'csv,xlsx' }),
      [seats.created.id]: configured(seats, { seats: tenSeats, guests: true }),
    },
  });

  const signer = await newSigner();
  await make('POST', '/integrations/jwt', {
    name: 'Identity provider',
    claimKey: 'email',
    claimIndex: 'email',
    publicKey: signer.pem,
  });
  const key = async (type: ApiKeyType) =>
    (await make<{ value: string }>('POST', '/api-keys', { environmentId: previewId, type })).value;
  return { freePlanId: free, keys: { secret: await key('secret'), public: await key('public') }, signer };
}
