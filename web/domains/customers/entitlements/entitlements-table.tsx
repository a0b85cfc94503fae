/**
 * Every property of the customer's access checks, by feature: its value or usage, what decided it, and how to override it.
 * Renders only those rows of a long table that are near the screen.
 */
import { Flex, Skeleton } from '@mantine/core';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import type { Customer, CustomerEntitlements, Entitlement } from '#contracts/console/customers';
import type { Environment } from '#contracts/console/environments';
import type { Feature, FeatureProperty } from '#contracts/console/features';
import { locationName } from '#engine/regions/data-locations';
import { useOrgId } from '#web/session/organisation.tsx';
import { mayLeave } from '#web/ui/dialogs/guarded-forms.ts';
import { ChoiceBar } from '#web/ui/inputs/choice-bar.tsx';
import { hasSearchField } from '#web/ui/lists/has-search-field.ts';
import { SearchField } from '#web/ui/lists/search-field.tsx';
import { useVirtualRows } from '#web/ui/lists/use-virtual-rows.ts';
import { codeApart } from '#web/ui/loading/loaded-apart.tsx';
import { OptionalPart } from '#web/ui/loading/optional-part.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { VerdictMark } from '#web/values/verdict.tsx';
import { AddBalance } from '../balances/add-balance.tsx';
import { costNotes } from '../costs/cost-notes.ts';
import { appliedOverrides, manualEntries } from '../manual/manual-entries.ts';
import { EntitlementRow } from './entitlement-row.tsx';
import classes from './entitlements-table.module.css';
import { findEntitlements } from './find-entitlements.ts';
import { type NamedOverride, RemoveOverrideDialog } from './remove-override-dialog.tsx';

const correctMeterDialog = codeApart(
  async () => (await import('./correct-meter-dialog.tsx')).CorrectMeterDialog,
);

const ROW_HEIGHT = 37;
const HEAD_HEIGHT = 37;
const EDITOR_HEIGHT = 340;

export interface EntitlementsTableProps {
  readonly customer: Customer;
  readonly entitled: CustomerEntitlements;
  readonly features: readonly Feature[];
  readonly environments: readonly Environment[];
}

type FeatureVerdict = CustomerEntitlements['features'][number];

/** A row: the head of a feature, or one of its properties. */
type Item =
  | {
      readonly kind: 'feature';
      readonly id: string;
      readonly name: string;
      /** Whether it is on; undefined: the version has no such property. */
      readonly own: Entitlement | undefined;
    }
  | { readonly kind: 'property'; readonly entitlement: Entitlement };

const FILTERS = [
  { id: 'all', label: 'All' },
  { id: 'overridden', label: 'Overridden' },
] as const;

export function EntitlementsTable(props: EntitlementsTableProps) {
  const orgId = useOrgId();
  const { customer, entitled, features, environments } = props;
  const [search, setSearch] = useState('');
  const [filter, setFilter] = useState<(typeof FILTERS)[number]['id']>('all');
  const [editedId, setEditedId] = useState<string | null>(null);
  const [removed, setRemoved] = useState<NamedOverride | null>(null);
  const [corrected, setCorrected] = useState<Entitlement | null>(null);
  const [added, setAdded] = useState<Entitlement | null>(null);
  const needle = useDeferredValue(search).trim();
  const { entitlements, features: verdictsOf, plans, environmentId, readLocation } = entitled;
  const verdicts = useMemo(() => new Map(verdictsOf.map((each) => [each.featureId, each])), [verdictsOf]);
  const notes = useMemo(() => costNotes(entitlements), [entitlements]);
  const properties = useMemo(() => propertiesById(features), [features]);
  const overrides = useMemo(
    () => appliedOverrides(manualEntries(customer, entitled).overrides, environmentId),
    [customer, entitled, environmentId],
  );
  const items = useMemo(
    () =>
      itemsOf(
        entitlements,
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
    keyOf: (item) => `${keyOf(item)}${editedId !== null && propertyOf(item) === editedId ? ' open' : ''}`,
    heightOf: (item) =>
      (item.kind === 'feature' ? HEAD_HEIGHT : ROW_HEIGHT) +
      (editedId !== null && propertyOf(item) === editedId ? EDITOR_HEIGHT : 0),
    pinned: editedId === null ? undefined : items.findIndex((item) => propertyOf(item) === editedId),
  });
  /** Closes the editor of another property, after asking if it has unsaved input. */
  const edit = async (propertyId: string | null) => {
    if (propertyId !== editedId && (await mayLeave())) setEditedId(propertyId);
  };
  const rowOf = (item: Item) => {
    const entitlement = item.kind === 'feature' ? item.own : item.entitlement;
    if (entitlement === undefined) return null;
    const { propertyId } = entitlement;
    return (
      <EntitlementRow
        identifier={customer.identifier}
        entitlement={entitlement}
        note={notes.get(propertyId)}
        head={item.kind === 'feature' ? <Head item={item} verdict={verdicts.get(item.id)} /> : undefined}
        plans={plans}
        property={properties.get(propertyId)}
        override={overrides.get(propertyId)}
        environmentId={environmentId}
        environments={environments}
        isEdited={propertyId === editedId}
        onEdit={edit}
        onClose={() => close(propertyId)}
        onRemove={setRemoved}
        onCorrect={() => setCorrected(entitlement)}
        onAddBalance={() => setAdded(entitlement)}
      />
    );
  };
  const close = (propertyId: string) => setEditedId((edited) => (edited === propertyId ? null : edited));
  return (
    <EntitlementsSection
      readLocation={readLocation}
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
            {item.kind === 'feature' && item.own === undefined ? (
              <Head item={item} verdict={verdicts.get(item.id)} />
            ) : (
              rowOf(item)
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
        override={removed}
        onClose={() => setRemoved(null)}
        onRemoved={({ propertyId }) => close(propertyId)}
      />
      <OptionalPart
        code={correctMeterDialog}
        isNeeded={corrected !== null}
        props={{
          orgId,
          identifier: customer.identifier,
          environmentId,
          entitlement: corrected,
          onClose: () => setCorrected(null),
        }}
        onFailure={() => setCorrected(null)}
      />
      <AddBalance
        identifier={customer.identifier}
        environmentId={environmentId}
        environments={environments}
        meter={added && { propertyId: added.propertyId, name: `${added.feature}.${added.property}` }}
        onClose={() => setAdded(null)}
      />
    </EntitlementsSection>
  );
}

interface EntitlementsSectionProps {
  /** Where usage was counted; null: nowhere, or not known yet. */
  readonly readLocation?: CustomerEntitlements['readLocation'];
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** The card. Without rows they load. */
export function EntitlementsSection(props: EntitlementsSectionProps) {
  const { readLocation = null, actions, children = <LoadingRows /> } = props;
  return (
    <Section
      title="Entitlements"
      description={
        readLocation === null
          ? 'Values an access check returns, and why.'
          : `Values an access check returns, and why. Usage as counted in ${locationName(readLocation)}.`
      }
      isFlush
      actions={actions}
    >
      {children}
    </Section>
  );
}

const LOADING_ROWS = ['one', 'two', 'three', 'four', 'five', 'six'];

function LoadingRows() {
  return (
    <ul className={classes.rows} role="status" aria-label="Loading the customer">
      {LOADING_ROWS.map((row) => (
        <li key={row} className={classes.property}>
          <div className={classes.row}>
            <Flex component="span" direction="column" gap={6}>
              <Skeleton height={13} width="70%" />
              <Skeleton height={10} width="50%" />
            </Flex>
            <Skeleton height={13} width={60} />
            <Skeleton height={13} width={48} />
            <Skeleton height={24} width={72} mr="var(--control-height)" />
          </div>
        </li>
      ))}
    </ul>
  );
}

type FeatureItem = Extract<Item, { kind: 'feature' }>;

function Head({
  item,
  verdict,
}: {
  readonly item: FeatureItem;
  readonly verdict: FeatureVerdict | undefined;
}) {
  return (
    <Flex component="span" align="center" gap={8} miw={0} className="medium breaks">
      <bdi>{item.name}</bdi>
      <VerdictMark verdict={verdict} />
    </Flex>
  );
}

function keyOf(item: Item): string {
  return item.kind === 'feature' ? `feature ${item.id}` : item.entitlement.propertyId;
}

/** The property that the row shows. */
function propertyOf(item: Item): string | undefined {
  return item.kind === 'feature' ? item.own?.propertyId : item.entitlement.propertyId;
}

/** A feature's head says whether it is on. */
function itemsOf(all: readonly Entitlement[], found: readonly Entitlement[]): Item[] {
  const switches = new Map(all.filter(({ isSystem }) => isSystem).map((each) => [each.featureId, each]));
  const items: Item[] = [];
  let last: string | null = null;
  for (const entitlement of found) {
    const { featureId, featureName, isSystem } = entitlement;
    if (featureId !== last)
      items.push({ kind: 'feature', id: featureId, name: featureName, own: switches.get(featureId) });
    last = featureId;
    if (!isSystem) items.push({ kind: 'property', entitlement });
  }
  return items;
}

/** Every property of the workspace, by id. */
function propertiesById(features: readonly Feature[]): ReadonlyMap<string, FeatureProperty> {
  return new Map(
    features.flatMap(({ properties, systemFeatureProperties }) =>
      [...systemFeatureProperties, ...properties].map((property) => [property.id, property]),
    ),
  );
}
