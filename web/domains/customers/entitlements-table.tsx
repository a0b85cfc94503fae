/** Every property of the customer's access checks: its value, and the plan or override that decided it. */
import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useDeferredValue, useState } from 'react';
import type { CustomerEntitlements, Entitlement } from '#contracts/console/customers';
import { Hint } from '#web/ui/hint.tsx';
import { Section } from '#web/ui/section.tsx';
import { PropertyValueView } from '#web/values/property-value.tsx';
import classes from './customers.module.css';

const SEARCH_FROM_ROWS = 10;

export function EntitlementsTable({ customer }: { customer: CustomerEntitlements }) {
  const { entitlements, plans } = customer;
  const [search, setSearch] = useState('');
  const needle = useDeferredValue(search).trim().toLocaleLowerCase();
  const shown = entitlements.filter(({ featureName, feature, property, propertyName }) =>
    `${featureName}\n${feature}\n${property}\n${propertyName}`.toLocaleLowerCase().includes(needle),
  );
  return (
    <Section
      title="Entitlements"
      description="What an access check answers, and what decided it."
      isFlush
      actions={
        entitlements.length > SEARCH_FROM_ROWS && (
          <TextInput
            aria-label="Search entitlements"
            placeholder="Search"
            leftSection={<IconSearch size={15} aria-hidden />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        )
      }
    >
      <table className={classes.table} aria-label="Entitlements">
        <thead>
          <tr>
            <th scope="col">Feature & property</th>
            <th scope="col">Value</th>
            <th scope="col">Decided by</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((entitlement) => (
            <tr key={entitlement.propertyId}>
              <td>
                <span className={classes.feature}>{entitlement.featureName}</span>
                <code className={classes.key}>{entitlement.property}</code>
              </td>
              <td>
                <PropertyValueView type={entitlement.type} value={entitlement.value} />
              </td>
              <td>
                <Hint label={entitlement.reason}>
                  <span className={classes.chips}>
                    <DecidedBy entitlement={entitlement} plans={plans} />
                  </span>
                </Hint>
              </td>
            </tr>
          ))}
          {shown.length === 0 && (
            <tr>
              <td colSpan={3} className={classes.none}>
                {entitlements.length === 0 ? 'This version has no features.' : 'No results'}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </Section>
  );
}

function DecidedBy({
  entitlement: { decidedBy },
  plans,
}: {
  entitlement: Entitlement;
  plans: CustomerEntitlements['plans'];
}) {
  if (decidedBy === 'default') return <span className={classes.faint}>Default</span>;
  if (!Array.isArray(decidedBy)) {
    return (
      <span className={classes.chip} data-kind="override">
        Override
      </span>
    );
  }
  return decidedBy.map((slug) => (
    <span key={slug} className={classes.chip}>
      {plans.find((plan) => plan.slug === slug)?.name ?? slug}
    </span>
  ));
}
