// A tenant whose plans limit each entity of a customer.
import type { FeatureProperty } from '#contracts/console/features';
import { type Provisioner, provisioner } from './provisioning.ts';
import { publishAll } from './tenants.ts';

export interface EntityTenant extends Provisioner {
  /** Grants a plan under which files have this value. */
  limited(customer: string, value: object): Promise<void>;
}

export const TOTAL = { periodType: 'lifetime' } as const;

/** @returns a meterable value @param limit of the customer; undefined: on @param seats id of a property */
export const limits = (limit: number | undefined, perEntity?: number, seats?: string): object => ({
  ...(limit === undefined
    ? { state: 'on' }
    : { state: 'metered', meter: { limit, ...TOTAL, uniqueResourceIds: false } }),
  ...(perEntity !== undefined && { perEntity: { limit: perEntity, ...TOTAL, ...(seats && { seats }) } }),
});

/** @param values of which customers have one each */
export async function entityTenant(...values: readonly object[]): Promise<EntityTenant> {
  const own = await provisioner();
  const [feature] = await own.tenant.make<{ id: string }[]>('GET', '/features');
  const plans = new Map<string, string>();
  const planOf = async (value: object): Promise<string> => {
    const name = JSON.stringify(value);
    const known = plans.get(name);
    if (known !== undefined) return known;
    const slug = `plan-${plans.size}`;
    const { planId } = await own.tenant.make<{ planId: string }>('POST', '/plans', { name: slug, slug });
    const files: Pick<FeatureProperty, 'id'> = own.files;
    await own.tenant.make('PUT', `/plans/${planId}/versions/1`, {
      properties: { [feature!.id]: [{ id: files.id, type: 'meterable', value }] },
    });
    plans.set(name, planId);
    return planId;
  };
  for (const value of values) await planOf(value);
  await publishAll(own.tenant);
  return {
    ...own,
    async limited(customer, value) {
      const planId = await planOf(value);
      await own.grant(customer, { planId });
      await publishAll(own.tenant);
    },
  };
}
