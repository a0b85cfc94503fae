/** How many features a response allows. One that allows none is no reason to celebrate. */
type Features = Readonly<Record<string, { readonly allowed: boolean }>>;

export const allowedCount = (features: Features): number =>
  Object.values(features).filter(({ allowed }) => allowed).length;

/** 'Allowed: 2 of 3 features.' */
export function allowedLabel(features: Features): string {
  const count = Object.keys(features).length;
  return count === 0
    ? ''
    : `Allowed: ${allowedCount(features)} of ${count} ${count === 1 ? 'feature' : 'features'}.`;
}
