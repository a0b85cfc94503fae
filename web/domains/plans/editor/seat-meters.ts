/** Meters whose resources can be the seats of members. */
import { createContext, useContext, useMemo } from 'react';
import type { Feature } from '#contracts/console/features';
import type { SeatMeter } from '#web/values/kinds/kind.ts';

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
