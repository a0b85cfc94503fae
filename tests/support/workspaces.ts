// A small believable workspace: one feature with a number and a meter, one plan for anonymous sessions that configures them.
import type { Feature, FeatureProperty } from '#contracts/console/features';
import type { Plan, PlanProperties, PlanVersion } from '#contracts/console/plans';
import type { Tenant } from './tenants.ts';

export interface SmallWorkspace {
  readonly feature: Feature;
  readonly seats: FeatureProperty;
  readonly plan: Plan;
  /** Sets what the plan says of `seats`. */
  setSeats(value: number): Promise<PlanVersion>;
}

export async function newWorkspace(tenant: Tenant, seatsValue = 5): Promise<SmallWorkspace> {
  const feature = await tenant.make<Feature>('POST', '/features', { name: 'Team seats', slug: 'team-seats' });
  const seats = await tenant.make<FeatureProperty>('POST', `/features/${feature.id}/properties`, {
    name: 'Seats',
    propertyKey: 'seats',
    type: 'number',
    value: 1,
    bounds: { min: 0, max: 1000, allowDecimal: false },
  });
  const plan = await tenant.make<Plan>('POST', '/plans', { name: 'Starter', slug: 'starter' });
  await tenant.make('PUT', `/plans/${plan.planId}`, { grantToAnonymousSessions: true });

  const setSeats = async (value: number) => {
    const current = await tenant.make<Plan>('GET', `/plans/${plan.planId}`);
    const properties: PlanProperties = {
      [feature.id]: [
        ...feature.systemFeatureProperties.map(({ id }) => ({ id, type: 'boolean' as const, value: true })),
        { id: seats.id, type: 'number', value },
      ],
    };
    return tenant.make<PlanVersion>('PUT', `/plans/${plan.planId}/versions/${current.currentVersion}`, {
      properties,
    });
  };
  await setSeats(seatsValue);
  return { feature, seats, plan, setSeats };
}
