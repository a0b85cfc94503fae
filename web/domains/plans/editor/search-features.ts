/** The feature editor's search: matches features by name and by the names of their properties. */
import type { Feature, FeatureProperty } from '#contracts/console/features';
import { foldText } from '#engine/text/fold-text';
import { propertiesOf } from './check-draft.ts';

export interface FoundFeature {
  readonly feature: Feature;
  /** The matching properties. Empty without a search, and if only the feature itself matches. */
  readonly properties: readonly FeatureProperty[];
}

const NONE: readonly FeatureProperty[] = [];

/** Every word must occur in the feature's name or slug, or in one property's name or key. Ignores case and accents. */
export function searchFeatures(features: readonly Feature[], query: string): FoundFeature[] {
  const words = foldText(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return features.map((feature) => ({ feature, properties: NONE }));
  return features.flatMap((feature) => {
    const { own, properties } = textsOf(feature);
    const open = words.filter((word) => !own.includes(word));
    const wanted = open.length > 0 ? open : words;
    const matching = properties.filter(({ text }) => wanted.every((word) => text.includes(word)));
    if (matching.length > 0) return [{ feature, properties: matching.map(({ property }) => property) }];
    return open.length > 0 ? [] : [{ feature, properties: NONE }];
  });
}

interface Texts {
  readonly own: string;
  readonly properties: readonly { readonly property: FeatureProperty; readonly text: string }[];
}

/** Normalised once per feature, so that hundreds of features are searched within one key press. */
const folded = new WeakMap<Feature, Texts>();

function textsOf(feature: Feature): Texts {
  const known = folded.get(feature);
  if (known !== undefined) return known;
  const texts = {
    own: foldText(`${feature.name} ${feature.slug}`),
    properties: propertiesOf(feature).map((property) => ({
      property,
      text: foldText(`${property.name} ${property.propertyKey}`),
    })),
  };
  folded.set(feature, texts);
  return texts;
}
