import type { CounterUpdate } from '#contracts/internal/ledger';

/**
 * A meter of unique resources does not read amounts, so an update without a resource cannot count under it, nor while the property is on or
 * off and has such a meter by default.
 */
export function lacksResourceId({
  value,
  usageMeter,
  resourceId,
}: Pick<CounterUpdate, 'value' | 'usageMeter' | 'resourceId'>): boolean {
  const meter = value.state === 'metered' ? value.meter : usageMeter;
  return resourceId === undefined && meter?.uniqueResourceIds === true;
}
