// A small believable workspace: one feature with a number and a meter, one plan for anonymous sessions that configures them.
import type { Feature, FeatureProperty } from '#contracts/console/features';
import { type Plan, type PlanVersion, planEndpoints } from '#contracts/console/plans';
import {
  createFeature,
  createPlan,
  planProperties,
  setPlanValues,
} from '../../dev/workspace/build-workspace.ts';
import type { Tenant } from './tenants.ts';

export interface SmallWorkspace {
  readonly feature: Feature;
  readonly seats: FeatureProperty;
  readonly plan: Plan;
  /** Sets what the plan says of `seats`. */
  setSeats(value: number): Promise<PlanVersion>;
}

export async function newWorkspace(tenant: Tenant, seatsValue = 5): Promise<SmallWorkspace> {
  const bounds = { min: 0, max: 1000, allowDecimal: false };
  const seats = { name: 'Seats', propertyKey: 'seats', type: 'number', value: 1, bounds } as const;
  const definition = { name: 'Team seats', slug: 'team-seats' };
  const feature = await createFeature(tenant, { ...definition, properties: [seats] });
  const starter = { name: 'Starter', slug: 'starter', grantToAnonymousSessions: true };
  const plan = await createPlan(tenant, starter);
  const { orgId } = tenant;
  const setSeats = async (value: number) => {
    const params = { orgId, planId: plan.planId };
    const current = await tenant.session.call(planEndpoints.get, { params });
    return setPlanValues(tenant, current, planProperties([feature], { 'team-seats': { seats: value } }));
  };
  await setSeats(seatsValue);
  return { feature, seats: feature.properties[0]!, plan, setSeats };
}
