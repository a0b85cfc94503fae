/**
 * Every property of the customer's access checks, by feature: its value or usage, what decided it, and how to override it.
 * Renders only those rows of a long table that are near the screen.
 */
import { useDeferredValue, useMemo, useState } from 'react';
import type { Customer, CustomerEntitlements, Entitlement } from '#contracts/console/customers';
import type { Environment } from '#contracts/console/environments';
import type { Feature } from '#contracts/console/features';
import { locationName } from '#engine/regions/data-locations';
import { ChoiceBar } from '#web/ui/choice-bar.tsx';
import { mayLeave } from '#web/ui/guarded-forms.ts';
import { hasSearchField } from '#web/ui/has-search-field.ts';
import { SearchField } from '#web/ui/search-field.tsx';
import { Section } from '#web/ui/section.tsx';
import { useVirtualRows } from '#web/ui/use-virtual-rows.ts';
import { VerdictMark } from '#web/values/verdict.tsx';
import { CorrectMeterDialog } from './correct-meter-dialog.tsx';
import { EntitlementRow } from './entitlement-row.tsx';
import classes from './entitlements-table.module.css';
import { findEntitlements } from './find-entitlements.ts';
import { appliedOverrides, manualEntries } from './manual-entries.ts';
import { propertiesById } from './override-form.ts';
import { type NamedOverride, RemoveOverrideDialog } from './remove-override-dialog.tsx';

const ROW_HEIGHT = 49;
const HEAD_HEIGHT = 37;
const EDITOR_HEIGHT = 340;

export interface EntitlementsTableProps {
  readonly orgId: string;
  readonly customer: Customer;
  readonly entitled: CustomerEntitlements;
  readonly features: readonly Feature[];
  readonly environments: readonly Environment[];
}

/** A row: the head of a feature, or one of its properties. */
type Item =
  | { readonly kind: 'feature'; readonly id: string; readonly name: string }
  | { readonly kind: 'property'; readonly entitlement: Entitlement };

const FILTERS = [
  { id: 'all', label: 'All' },
  { id: 'overridden', label: 'Overridden' },
] as const;

export function EntitlementsTable(props: EntitlementsTableProps) {
  const { orgId, customer, entitled, features, environments } = props;
  const [search, setSearch] = useState('');
  const [filter, setFilter] = useState<(typeof FILTERS)[number]['id']>('all');
  const [editedId, setEditedId] = useState<string | null>(null);
  const [removed, setRemoved] = useState<NamedOverride | null>(null);
  const [corrected, setCorrected] = useState<Entitlement | null>(null);
  const needle = useDeferredValue(search).trim();
  const { entitlements, features: verdictsOf, plans, environmentId, readLocation } = entitled;
  const verdicts = useMemo(() => new Map(verdictsOf.map((each) => [each.featureId, each])), [verdictsOf]);
  const properties = useMemo(() => propertiesById(features), [features]);
  const overrides = useMemo(
    () => appliedOverrides(manualEntries(customer, entitled).overrides, environmentId),
    [customer, entitled, environmentId],
  );
  const items = useMemo(
    () =>
      itemsOf(
        findEntitlements(entitlements, {
          isOverriddenOnly: filter === 'overridden',
          search: needle,
          editedId,
        }),
      ),
    [entitlements, filter, needle, editedId],
  );
  const shown = useVirtualRows<Item, HTMLUListElement>({
    items,
    keyOf: (item) => `${keyOf(item)}${keyOf(item) === editedId ? ' open' : ''}`,
    heightOf: (item) =>
      item.kind === 'feature' ? HEAD_HEIGHT : ROW_HEIGHT + (keyOf(item) === editedId ? EDITOR_HEIGHT : 0),
    pinned: editedId === null ? undefined : items.findIndex((item) => keyOf(item) === editedId),
  });
  /** Closes the editor of another property, after asking if it has unsaved input. */
  const edit = async (propertyId: string | null) => {
    if (propertyId !== editedId && (await mayLeave())) setEditedId(propertyId);
  };
  const close = (propertyId: string) => setEditedId((edited) => (edited === propertyId ? null : edited));
  return (
    <Section
      title="Entitlements"
      description={
        readLocation === null
          ? 'Values an access check returns, and why.'
          : `Values an access check returns, and why. Usage as counted in ${locationName(readLocation)}.`
      }
      isFlush
      actions={
        <>
          <ChoiceBar label="Filter entitlements" choices={FILTERS} chosen={filter} onChoose={setFilter} />
          {hasSearchField(entitlements.length, search) && (
            <SearchField label="entitlements" text={search} onText={setSearch} w={180} />
          )}
        </>
      }
    >
      <ul ref={shown.container} className={classes.rows} aria-label="Entitlements">
        {shown.rows.flatMap(({ item, index, spaceBefore }) => [
          spaceBefore > 0 && <li key={`before ${keyOf(item)}`} aria-hidden style={{ height: spaceBefore }} />,
          <li
            key={keyOf(item)}
            ref={shown.measure}
            data-index={index}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            className={item.kind === 'feature' ? classes.feature : classes.property}
          >
            {item.kind === 'feature' ? (
              <>
                <bdi>{item.name}</bdi>
                <VerdictMark verdict={verdicts.get(item.id)} />
              </>
            ) : (
              <EntitlementRow
                orgId={orgId}
                identifier={customer.identifier}
                entitlement={item.entitlement}
                plans={plans}
                property={properties.get(item.entitlement.propertyId)}
                override={overrides.get(item.entitlement.propertyId)}
                environmentId={environmentId}
                environments={environments}
                isEdited={keyOf(item) === editedId}
                onEdit={edit}
                onClose={() => close(keyOf(item))}
                onRemove={setRemoved}
                onCorrect={() => setCorrected(item.entitlement)}
              />
            )}
          </li>,
        ])}
        {shown.spaceAfter > 0 && <li aria-hidden style={{ height: shown.spaceAfter }} />}
      </ul>
      {items.length === 0 && (
        <p className="note">
          {entitlements.length === 0
            ? 'This version has no features.'
            : filter === 'overridden' && needle === ''
              ? 'No value is overridden in this environment.'
              : 'No results'}
        </p>
      )}
      <RemoveOverrideDialog
        orgId={orgId}
        override={removed}
        onClose={() => setRemoved(null)}
        onRemoved={({ propertyId }) => close(propertyId)}
      />
      <CorrectMeterDialog
        orgId={orgId}
        identifier={customer.identifier}
        environmentId={environmentId}
        entitlement={corrected}
        onClose={() => setCorrected(null)}
      />
    </Section>
  );
}

function keyOf(item: Item): string {
  return item.kind === 'feature' ? `feature ${item.id}` : item.entitlement.propertyId;
}

function itemsOf(entitlements: readonly Entitlement[]): Item[] {
  const items: Item[] = [];
  let last: string | null = null;
  for (const entitlement of entitlements) {
    const { featureId, featureName } = entitlement;
    if (featureId !== last) items.push({ kind: 'feature', id: featureId, name: featureName });
    last = featureId;
    items.push({ kind: 'property', entitlement });
  }
  return items;
}
