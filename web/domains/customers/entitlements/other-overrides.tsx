/** Overrides that the entitlements of the chosen environment do not show: of other environments, ended, or not deployed. */
import { Flex } from '@mantine/core';
import { useState } from 'react';
import type { Customer, CustomerEntitlements, CustomerOverride } from '#contracts/console/customers';
import type { Environment } from '#contracts/console/environments';
import type { Feature } from '#contracts/console/features';
import { End } from '#web/ui/labels/age.tsx';
import { RemoveItem, RowMenu } from '#web/ui/lists/row-menu.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { PropertyValueView } from '#web/values/kinds/property-value.tsx';
import { appliedOverrides, manualEntries } from '../manual/manual-entries.ts';
import classes from '../plans/plans-card.module.css';
import { type NamedOverride, RemoveOverrideDialog } from './remove-override-dialog.tsx';

export interface OtherOverridesProps {
  readonly customer: Customer;
  readonly entitled: CustomerEntitlements;
  readonly features: readonly Feature[];
  readonly environments: readonly Environment[];
}

export function OtherOverrides({ customer, entitled, features, environments }: OtherOverridesProps) {
  const { identifier } = customer;
  const { overrides } = manualEntries(customer, entitled);
  const [removed, setRemoved] = useState<NamedOverride | null>(null);
  const applied = appliedOverrides(overrides, entitled.environmentId);
  const deployed = new Set(entitled.entitlements.map(({ propertyId }) => propertyId));
  const others = overrides.filter(
    (each) => applied.get(each.propertyId) !== each || !deployed.has(each.propertyId),
  );
  const names = new Map(
    features.flatMap(({ slug, properties, systemFeatureProperties }) =>
      [...systemFeatureProperties, ...properties].map(({ id, propertyKey }) => [
        id,
        `${slug}.${propertyKey}`,
      ]),
    ),
  );
  const nameOf = ({ propertyId }: CustomerOverride) => names.get(propertyId) ?? propertyId;
  return (
    <>
      {others.length > 0 && (
        <Section title="Other overrides" isFlush>
          <ul className={`list divided ${classes.list}`} aria-label="Other overrides">
            {others.map((override) => (
              <li key={override.id}>
                <Flex component="span" direction="column" gap={4} miw={0}>
                  <code className="tiny mono breaks">{nameOf(override)}</code>
                  <PropertyValueView value={override.value} />
                  <span className={classes.detail}>
                    {override.environmentId === null
                      ? 'All environments'
                      : (environments.find(({ id }) => id === override.environmentId)?.name ??
                        'a deleted environment')}
                    {override.until !== null && (
                      <>
                        {' · '}
                        <End at={override.until} />
                      </>
                    )}
                    {override.of !== identifier && ` · via ${override.of}`}
                    {` · ${override.reason}`}
                  </span>
                </Flex>
                <RowMenu name={nameOf(override)}>
                  <RemoveItem onClick={() => setRemoved({ ...override, name: nameOf(override) })}>
                    Remove override
                  </RemoveItem>
                </RowMenu>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <RemoveOverrideDialog override={removed} onClose={() => setRemoved(null)} />
    </>
  );
}
