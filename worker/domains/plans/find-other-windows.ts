/** Limits that add up need one window: finds other plans that set such a limit in another one. */
import type { PlanProperties } from '#contracts/console/plans';
import type { Issue } from '#contracts/public/errors';
import type { ConflictResolution } from '#contracts/public/values';
import { windowKey } from '#engine/values/kinds/meterable';
import type { Db } from '#worker/db/database';
import { readConfigured, selectConfiguredValues } from '#worker/db/select-configured-values';
import type { Scope } from '#worker/http/request-context';

interface Edit {
  readonly planId: string;
  /** Valid ones. */
  readonly properties: PlanProperties;
}

/**
 * The result holds as long as the workspace's revision does.
 * @param known all properties of the features that the edit names
 * @returns an issue for each value whose window differs, naming a plan
 */
export async function findOtherWindows(
  db: Db,
  { orgId }: Scope,
  { planId, properties }: Edit,
  known: readonly { readonly id: string; readonly conflictResolution: ConflictResolution }[],
): Promise<Issue[]> {
  const summed = new Set(known.filter((each) => each.conflictResolution === 'sum').map(({ id }) => id));
  const edited = Object.entries(properties).flatMap(([featureId, values]) =>
    values.flatMap(({ id, value }, index) =>
      summed.has(id) && typeof value === 'object' && value.state === 'metered'
        ? [{ id, path: `properties.${featureId}.${index}.value.meter.periodType`, meter: value.meter }]
        : [],
    ),
  );
  if (edited.length === 0) return [];
  const ids = edited.map(({ id }) => id);
  const configured = readConfigured(await selectConfiguredValues(db, orgId, ids));
  return edited.flatMap(({ id, path, meter }): Issue[] => {
    const other = configured.find(
      (each) =>
        each.propertyId === id &&
        each.planId !== planId &&
        typeof each.value === 'object' &&
        each.value.state === 'metered' &&
        windowKey(each.value.meter) !== windowKey(meter),
    );
    if (other === undefined) return [];
    const message = `The plan "${other.planName}" sets another period. Limits that add up need the same one.`;
    return [{ path, message }];
  });
}
