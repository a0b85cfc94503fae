/** The meters that an amount can be of. */
import type { Feature } from '#contracts/console/features';
import type { MeterChoice } from '#web/values/balance-fields.tsx';

export function metersOf(features: readonly Feature[] | undefined): readonly MeterChoice[] {
  return (features ?? []).flatMap(({ slug, properties }) =>
    properties
      .filter(({ type, value }) => type === 'meterable' && !countsResources(value))
      .map(({ id, propertyKey }) => ({ propertyId: id, name: `${slug}.${propertyKey}` })),
  );
}

/** By its default; plans can say otherwise. */
function countsResources(value: unknown): boolean {
  const { meter } = Object(value) as { readonly meter?: { readonly uniqueResourceIds?: boolean } };
  return meter?.uniqueResourceIds === true;
}
