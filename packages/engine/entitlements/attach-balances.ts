/** Adds a customer's balances to the meters that they are of, and opens features that balances open. */
import type { BalanceFacts, CustomerFacts } from '#contracts/internal/customer-facts';
import { isActive } from '../balances/drawing-order.ts';
import { openMeters } from './open-meters.ts';
import type { PreparedProperty } from './prepared-artifact.ts';
import { nothingMade, type Resolution } from './resolution.ts';

/**
 * Also those that have not started, have ended or are frozen: which of them can be drawn from depends on the instant of a call. Those of
 * properties that this version does not have, or that count unique resources, are ignored, as are those that need a plan while no plan of the
 * customer's own sets the property.
 *
 * @returns the same resolution if the customer has none of its meters
 */
export function attachBalances(resolution: Resolution, { balances }: CustomerFacts, now: number): Resolution {
  if (balances === undefined || balances.length === 0) return resolution;
  const { prepared, configured } = resolution;
  const ofProperties = new Map<number, BalanceFacts[]>();
  const opening = new Set<PreparedProperty>();
  for (const balance of balances) {
    const entry = prepared.propertyById.get(balance.propertyId);
    if (entry?.type !== 'meterable' || configured[entry.index]?.meter?.meter.uniqueResourceIds) continue;
    if (balance.needsPlan && !isSetByOwnPlan(resolution, entry.index)) continue;
    if (entry.property.balanceOpens && isActive(balance, now)) opening.add(entry);
    const others = ofProperties.get(entry.index);
    if (others === undefined) ofProperties.set(entry.index, [balance]);
    else others.push(balance);
  }
  if (ofProperties.size === 0) return resolution;
  return openMeters({ ...resolution, balances: ofProperties, made: nothingMade() }, opening);
}

/** By a plan that not everyone has. */
function isSetByOwnPlan({ prepared, planIndexes }: Resolution, property: number): boolean {
  const { plans, assigned } = prepared;
  return planIndexes.some(
    (index) =>
      !assigned.authenticated.includes(index) && plans[index]?.propertyIndexes.includes(property) === true,
  );
}
