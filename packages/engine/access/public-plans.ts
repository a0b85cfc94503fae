/** The plans that anyone may read, as a pricing page shows them. */
import type { PlanPrice, PublicPlan } from '#contracts/public/sales';
import type { ArtifactProperty, ProductReference } from '../artifacts/artifact-content.ts';
import type { PreparedArtifact } from '../entitlements/prepared-artifact.ts';
import { valueWords } from '../merge/value-words.ts';

/** @param pricesOf what the products that give a plan cost */
export function publicPlans(
  { plans, features }: Pick<PreparedArtifact, 'plans' | 'features'>,
  pricesOf: (products: readonly ProductReference[]) => PlanPrice[],
): PublicPlan[] {
  const listed = plans.filter(({ plan }) => plan.isPublic);
  return listed.map(({ plan: { slug, name, description, isAddOn = false, values, products } }) => {
    const set = new Map(values.map(({ propertyId, value }) => [propertyId, value]));
    const valueIn = ({ id, value }: ArtifactProperty) => set.get(id) ?? value;
    return {
      ...{ slug, name, description, isAddOn },
      features: features
        .filter(({ enabled }) => enabled === null || valueIn(enabled.property) === true)
        .map(({ feature: { slug, name, description }, properties }) => ({
          ...{ slug, name, description },
          properties: properties
            .filter(({ property }) => !property.isSystem)
            .map(({ property }) => {
              const { key, name, type } = property;
              const value = valueIn(property);
              const display = typeof value === 'string' ? value : valueWords(type, value);
              return { key, name, type, value, display };
            }),
        })),
      prices: pricesOf(products),
    };
  });
}
