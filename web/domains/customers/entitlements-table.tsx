/**
 * Every property of the customer's access checks: its value, and the plan or override that decided it. Of a long table only
 * the rows near the screen are rendered.
 */
import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useDeferredValue, useMemo, useState } from 'react';
import type { CustomerEntitlements, Entitlement } from '#contracts/console/customers';
import { Hint } from '#web/ui/hint.tsx';
import { Section } from '#web/ui/section.tsx';
import { SpacerRow } from '#web/ui/spacer-row.tsx';
import { useVirtualRows } from '#web/ui/use-virtual-rows.ts';
import { PropertyValueView } from '#web/values/property-value.tsx';
import classes from './customers.module.css';

const SEARCH_FROM_ROWS = 10;
const ROW_HEIGHT = 41;

export function EntitlementsTable({ customer }: { customer: CustomerEntitlements }) {
  const { entitlements, plans } = customer;
  const [search, setSearch] = useState('');
  const needle = useDeferredValue(search).trim().toLocaleLowerCase();
  const found = useMemo(
    () =>
      entitlements.filter(({ featureName, feature, property, propertyName }) =>
        `${featureName}\n${feature}\n${property}\n${propertyName}`.toLocaleLowerCase().includes(needle),
      ),
    [entitlements, needle],
  );
  const shown = useVirtualRows<Entitlement, HTMLTableSectionElement>({
    items: found,
    keyOf: ({ propertyId }) => propertyId,
    heightOf: () => ROW_HEIGHT,
  });
  return (
    <Section
      title="Entitlements"
      description="Values an access check returns, and why."
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
      <table
        className={classes.table}
        aria-label="Entitlements"
        aria-rowcount={found.length + 1}
        // Columns keep their widths whichever rows are rendered.
        data-fixed={shown.measure !== undefined || undefined}
      >
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">Feature & property</th>
            <th scope="col">Value</th>
            <th scope="col">Decided by</th>
          </tr>
        </thead>
        <tbody ref={shown.container}>
          {shown.rows.flatMap(({ item: entitlement, index, spaceBefore }) => [
            <SpacerRow key={`before ${entitlement.propertyId}`} height={spaceBefore} columns={3} />,
            <tr key={entitlement.propertyId} ref={shown.measure} data-index={index} aria-rowindex={index + 2}>
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
            </tr>,
          ])}
          <SpacerRow height={shown.spaceAfter} columns={3} />
          {found.length === 0 && (
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
