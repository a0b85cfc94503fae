/** The workspace's meters, as a value of one names others: whose resources are the seats of members, and what each one costs. */
import { createContext, useContext, useMemo } from 'react';
import type { Feature, FeatureProperty } from '#contracts/console/features';
import type { MeterCosts, SeatMeter } from '#web/values/kinds/kind.ts';

const NONE: readonly SeatMeter[] = [];

export const SeatMetersContext = createContext(NONE);

export function seatMetersOf(features: readonly Feature[]): readonly SeatMeter[] {
  return features.flatMap(({ name: featureName, properties }) =>
    properties.flatMap(({ id, type, name }) =>
      type === 'meterable' ? { id, name: `${featureName} › ${name}` } : [],
    ),
  );
}

/** The others than the property itself. */
export function useSeatMeters(propertyId: string): readonly SeatMeter[] {
  const all = useContext(SeatMetersContext);
  return useMemo(() => all.filter(({ id }) => id !== propertyId), [all, propertyId]);
}

/** Null: each one costs nothing. */
export function useMeterCosts({ costs }: FeatureProperty): MeterCosts | null {
  const all = useContext(SeatMetersContext);
  return useMemo(() => {
    if (costs === null) return null;
    const of = all.find(({ id }) => id === costs.propertyId)?.name ?? 'a deleted meter';
    return { per: costs.per, of };
  }, [all, costs]);
}
