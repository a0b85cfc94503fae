/** Names that one version has and another no longer has. */
import type { NamedItemType } from '#contracts/console/names';
import type { ArtifactContent } from '#engine/artifacts/artifact-content';

export interface NamedItem {
  readonly id: string;
  readonly itemType: NamedItemType;
  readonly itemName: string;
  /** Slug of a plan or feature, key of a property. */
  readonly name: string;
}

export interface MissingName extends Omit<NamedItem, 'id'> {
  /** What the item is called now; null if it no longer exists. */
  readonly renamedTo: string | null;
}

/** A name that anything still has, of whatever type, is not missing: text in code does not say what it means. */
export function missingNames(before: ArtifactContent, after: ArtifactContent): MissingName[] {
  const present = namedItems(after);
  const names = new Set(present.map(({ name }) => name));
  const nameById = new Map(present.map(({ id, name }) => [id, name]));
  return namedItems(before)
    .filter(({ name }) => !names.has(name))
    .map(({ id, ...item }) => ({ ...item, renamedTo: nameById.get(id) ?? null }));
}

export function namedItems({ plans, features }: ArtifactContent): NamedItem[] {
  return [
    ...plans.map(({ id, slug, name }) => ({ id, itemType: 'plan' as const, itemName: name, name: slug })),
    ...features.flatMap(({ id, slug, name, properties }) => [
      { id, itemType: 'feature' as const, itemName: name, name: slug },
      ...properties.map((property) => ({
        id: property.id,
        itemType: 'feature-property' as const,
        itemName: `${name} › ${property.name}`,
        name: property.key,
      })),
    ]),
  ];
}
