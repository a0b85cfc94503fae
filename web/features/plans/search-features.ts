/** Finds features by their own name and by the names of their properties, as the feature editor's search does. */
import type { Feature, FeatureProperty } from '#contracts/features';
import { propertiesOf } from './check-draft.ts';

export interface FoundFeature {
  readonly feature: Feature;
  /** The properties that match; empty where only the feature itself does, and where nothing is searched for. */
  readonly properties: readonly FeatureProperty[];
}

/** Every word must stand in the feature's name or slug, or in one property's name or key; case and accents do not count. */
export function searchFeatures(features: readonly Feature[], query: string): FoundFeature[] {
  const words = fold(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return features.map((feature) => ({ feature, properties: [] }));
  return features.flatMap((feature) => {
    const own = fold(`${feature.name} ${feature.slug}`);
    const open = words.filter((word) => !own.includes(word));
    const properties = propertiesOf(feature).filter(({ name, propertyKey }) => {
      const text = fold(`${name} ${propertyKey}`);
      return (open.length > 0 ? open : words).every((word) => text.includes(word));
    });
    return open.length === 0 || properties.length > 0 ? [{ feature, properties }] : [];
  });
}

const fold = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLocaleLowerCase();
