/** The rows of the comparison: one per property, each feature's first one standing for the feature itself. */
import type { Feature, FeatureProperty } from '#contracts/console/features';
import { propertiesOf } from '../editor/check-draft.ts';
import { type DraftValue, isSameValue, type PlanDraft } from '../editor/plan-draft.ts';
import { searchFeatures } from '../editor/search-features.ts';

export interface CompareRow {
  readonly key: string;
  readonly feature: Feature;
  readonly property: FeatureProperty;
  /** The feature's name is the row's name: its system property, or else its first property. */
  readonly isFeature: boolean;
  /** What each one costs, such as 4 of 'ai.credits'; null: nothing. */
  readonly costs: { readonly per: number; readonly of: string } | null;
}

/** In the order of the features. A search keeps matching features, and of those the matching properties. */
export function compareRows(features: readonly Feature[], query: string): CompareRow[] {
  return searchFeatures(features, query).flatMap(({ feature, properties: matching }) => {
    const own = propertiesOf(feature);
    const shown = matching.length > 0 ? own.filter((each, at) => at === 0 || matching.includes(each)) : own;
    return shown.map((property, at) => ({
      key: `${feature.id} ${property.id}`,
      feature,
      property,
      isFeature: at === 0,
      costs: costsOf(features, property),
    }));
  });
}

function costsOf(features: readonly Feature[], { costs }: FeatureProperty): CompareRow['costs'] {
  if (costs === null) return null;
  for (const { slug, properties } of features) {
    const payer = properties.find(({ id }) => id === costs.propertyId);
    if (payer !== undefined) return { per: costs.per, of: `${slug}.${payer.propertyKey}` };
  }
  return null;
}

/** The plan's own value; undefined where the default applies. */
export function entryAt(draft: PlanDraft, { feature, property }: CompareRow): DraftValue | undefined {
  return draft.get(feature.id)?.get(property.id);
}

/** The plan's value, or the default. */
export function valueAt(draft: PlanDraft, row: CompareRow): DraftValue {
  return entryAt(draft, row) ?? defaultOf(row);
}

const defaultOf = ({ property: { type, value } }: CompareRow): DraftValue => ({ type, value });

/** Whether two plans have different values. */
export function isDifferent(row: CompareRow, drafts: readonly PlanDraft[]): boolean {
  let first: DraftValue | undefined;
  for (const draft of drafts) {
    const value = valueAt(draft, row);
    if (first === undefined) first = value;
    else if (!isSameValue(first, value)) return true;
  }
  return false;
}

/** Feature rows, and rows in which plans differ; a feature's row only with such a row. */
export function onlyDifferent(rows: readonly CompareRow[], drafts: readonly PlanDraft[]): CompareRow[] {
  const different = new Set(rows.filter((row) => isDifferent(row, drafts)));
  const features = new Set([...different].map(({ feature }) => feature.id));
  return rows.filter((row) => different.has(row) || (row.isFeature && features.has(row.feature.id)));
}
