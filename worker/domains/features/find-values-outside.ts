/** Finds what an edited property does not allow of the values that plans currently set. */
import type { Issue } from '#contracts/public/errors';
import { checkValue, type ValueDefinition } from '#engine/values/kinds/check-value';
import { windowKey } from '#engine/values/kinds/meterable';
import type { ConfiguredValue } from '#worker/db/select-configured-values';

/** An issue for each plan with a value outside the property's new bounds, naming it. */
export function issuesOutside(configured: readonly ConfiguredValue[], property: ValueDefinition): Issue[] {
  return configured.flatMap(({ planName, value }) =>
    checkValue(property, value).map(({ message }) => ({
      path: 'bounds',
      message: `The plan "${planName}" configures ${value}: ${message}`,
    })),
  );
}

/** Limits add up in one window only: an issue that names two plans, if theirs differ. */
export function issuesOfWindows(configured: readonly ConfiguredValue[]): Issue[] {
  const meters = configured.flatMap(({ planName, value }) =>
    typeof value === 'object' && value.state === 'metered'
      ? [{ planName, window: windowKey(value.meter) }]
      : [],
  );
  const [first] = meters;
  const other = meters.find(({ window }) => window !== first?.window);
  if (first === undefined || other === undefined) return [];
  const message = `The plans "${first.planName}" and "${other.planName}" set different periods. Limits that add up need the same one.`;
  return [{ path: 'conflictResolution', message }];
}
