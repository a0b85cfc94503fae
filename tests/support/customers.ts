// A tenant whose customers have different manual grants and overrides.

import type { FeatureProperty } from '#contracts/console/features';
import { identifierSegment } from '#engine/identity/identifier-segment';
import { newFeatureForAll } from './features.ts';
import { newTenant, publishAll, type Tenant } from './tenants.ts';

export interface CustomerTenant {
  readonly tenant: Tenant;
  readonly previewId: string;
  /** A secret key of the preview environment. */
  readonly secret: string;
  readonly seats: FeatureProperty;
  readonly files: FeatureProperty;
  /** 50 seats, and 100 files in a lifetime. Nobody has it. */
  readonly proId: string;
  readonly plusId: string;
  path(identifier: string, below?: string): string;
  grant(identifier: string, more?: object): Promise<{ id: string }>;
  override(identifier: string, propertyId: string, value: unknown, more?: object): Promise<{ id: string }>;
}

/** Everybody has 1 seat and no files; the plan Plus has 5 seats and no files. */
export async function customerTenant(): Promise<CustomerTenant> {
  const tenant = await newTenant();
  const feature = await newFeatureForAll(tenant, { name: 'Workspaces', slug: 'workspaces' });
  const add = (propertyKey: string, type: string, value: unknown) =>
    tenant.make<FeatureProperty>('POST', `/features/${feature.id}/properties`, {
      name: propertyKey,
      propertyKey,
      type,
      value,
      ...(type === 'number' ? { bounds: { min: 0, max: 1000, allowDecimal: false } } : {}),
    });
  const seats = await add('seats', 'number', 1);
  const files = await add('files', 'meterable', { state: 'off' });
  const plan = async (name: string, slug: string, values: object[]) => {
    const { planId } = await tenant.make<{ planId: string }>('POST', '/plans', { name, slug });
    await tenant.make('PUT', `/plans/${planId}/versions/1`, { properties: { [feature.id]: values } });
    return planId;
  };
  const limited = {
    state: 'metered',
    meter: { limit: 100, periodType: 'lifetime', uniqueResourceIds: false },
  };
  const proId = await plan('Pro plan', 'pro', [
    { id: seats.id, type: 'number', value: 50 },
    { id: files.id, type: 'meterable', value: limited },
  ]);
  const plusId = await plan('Plus plan', 'plus', [{ id: seats.id, type: 'number', value: 5 }]);
  const previewId = await tenant.previewId();
  const secret = (await tenant.key(previewId)).value;
  await publishAll(tenant);
  const path = (identifier: string, below = '') => `/customers/${identifierSegment(identifier)}${below}`;
  const why = { environmentId: null, reason: 'A pilot customer', until: null };
  return {
    tenant,
    previewId,
    secret,
    seats,
    files,
    proId,
    plusId,
    path,
    grant: (identifier, more = {}) =>
      tenant.make('POST', path(identifier, '/grants'), { ...why, planId: proId, ...more }),
    override: (identifier, propertyId, value, more = {}) =>
      tenant.make('PUT', path(identifier, '/overrides'), { ...why, propertyId, value, ...more }),
  };
}
