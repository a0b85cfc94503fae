/**
 * A plan's values by feature, read-only and searchable. Properties at their defaults can be shown too. Of a large plan only
 * the features near the screen are rendered.
 */
import { Box, Group, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { memo, type ReactNode, type RefCallback, useDeferredValue, useMemo, useState } from 'react';
import type { Feature, FeatureProperty } from '#contracts/console/features';
import type { PlanProperties, PlanValue } from '#contracts/console/plans';
import { hasSearchField } from '#web/ui/lists/has-search-field.ts';
import { SearchField } from '#web/ui/lists/search-field.tsx';
import { Spacer } from '#web/ui/lists/spacer-row.tsx';
import { useVirtualRows } from '#web/ui/lists/use-virtual-rows.ts';
import { Section } from '#web/ui/page/section.tsx';
import { useAddressParams } from '#web/ui/page/use-address-params.ts';
import { PropertyValueView } from '#web/values/kinds/property-value.tsx';
import { propertiesOf } from './check-draft.ts';
import classes from './feature-configuration.module.css';
import { searchFeatures } from './search-features.ts';

export interface FeatureConfigurationProps {
  /** Undefined while loading. */
  readonly features: readonly Feature[] | undefined;
  /** Undefined while loading. */
  readonly properties: PlanProperties | undefined;
  /** The path of the editor. */
  readonly action: ReactNode;
}

const WHOLE_UP_TO_ROWS = 200;
/** Heights before a group is measured. */
const GROUP_HEIGHT = 45;
const ROW_HEIGHT = 41;

export function FeatureConfiguration({ features, properties, action }: FeatureConfigurationProps) {
  const [search, changeParams] = useAddressParams();
  /** Updates immediately; the URL follows after a pause. */
  const [isShowingAll, setIsShowingAll] = useState(search.get('properties') === 'all');
  const isLoading = features === undefined || properties === undefined;
  const [query, setQuery] = useState('');
  const needle = useDeferredValue(query);
  const groups = useMemo(
    () => groupsOf(features ?? [], properties ?? {}, isShowingAll, needle),
    [features, properties, isShowingAll, needle],
  );
  const shown = useVirtualRows<ValueGroup, HTMLTableElement>({
    items: groups,
    keyOf: ({ id, rows }) => `${id} ${rows.length}`,
    heightOf: ({ rows }) => GROUP_HEIGHT + rows.length * ROW_HEIGHT,
    isWhole: rowCountOf(groups) <= WHOLE_UP_TO_ROWS,
  });
  const configuredCount = Object.values(properties ?? {}).filter((values) => values.length > 0).length;

  if (!isLoading && configuredCount === 0) {
    return (
      <Section title="Feature Configuration" actions={action} isFlush>
        <Stack align="center" gap={4} pt={40} px={24} pb={44} ta="center">
          <p className="flush strong medium">This plan has no features configured yet</p>
          <Text c="dimmed" maw={440}>
            Choose the plan’s features and set their values. Your app receives them for every customer on the
            plan.
          </Text>
        </Stack>
      </Section>
    );
  }
  return (
    <Section title="Feature Configuration" description="The values this plan sets." actions={action} isFlush>
      <Group justify="space-between" gap={12} mih={44} py={8} px={20}>
        <Switch
          label="Show All Properties"
          checked={isShowingAll}
          onChange={({ currentTarget: { checked } }) => {
            setIsShowingAll(checked);
            changeParams({ properties: checked ? 'all' : null }, { replace: true });
          }}
        />
        {hasSearchField(configuredCount, query) && (
          <SearchField
            label="values"
            placeholder="Search by feature name and property name"
            w={{ base: '100%', sm: 316 }}
            text={query}
            onText={setQuery}
          />
        )}
      </Group>
      <table
        ref={shown.container}
        className={classes.table}
        aria-rowcount={isLoading ? -1 : rowCountOf(groups)}
        data-wide={isShowingAll || undefined}
        aria-label="Feature Configuration"
      >
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">Property</th>
            <th scope="col">Value</th>
            {isShowingAll && <th scope="col">Default</th>}
          </tr>
        </thead>
        {isLoading ? (
          <LoadingRows columns={isShowingAll ? 3 : 2} />
        ) : (
          <>
            {shown.rows.flatMap(({ item, index, spaceBefore }) => [
              <Spacer key={`before ${item.id}`} height={spaceBefore} />,
              <GroupRows
                key={item.id}
                group={item}
                isShowingAll={isShowingAll}
                index={index}
                measure={shown.measure}
              />,
            ])}
            <Spacer height={shown.spaceAfter} />
          </>
        )}
      </table>
      {!isLoading && groups.length === 0 && <p className="note">No results</p>}
    </Section>
  );
}

interface ValueGroup {
  /** The feature's id. */
  readonly id: string;
  readonly title: string;
  readonly warning: string | null;
  readonly rows: readonly FeatureProperty[];
  /** The plan's values by property. */
  readonly planned: ReadonlyMap<string, PlanValue['value']>;
  /** The group's first row in the table, counted from 1. */
  readonly rowIndex: number;
}

/** Deleted features first, then those that the plan configures. A search keeps what matches it. */
function groupsOf(
  features: readonly Feature[],
  properties: PlanProperties,
  isShowingAll: boolean,
  query: string,
): ValueGroup[] {
  const configured = new Map(Object.entries(properties).filter(([, values]) => values.length > 0));
  const known = new Set(features.map(({ id }) => id));
  const missing = [...configured.keys()].filter((id) => !known.has(id) && query.trim() === '');
  let rowIndex = 2;
  const numbered = (group: Omit<ValueGroup, 'rowIndex'>): ValueGroup => {
    const own = { ...group, rowIndex };
    rowIndex += 1 + group.rows.length;
    return own;
  };
  return [
    ...missing.map((id) =>
      numbered({
        id,
        title: `Missing Feature ${id}`,
        warning: 'This plan references a feature which has been removed',
        rows: [],
        planned: new Map(),
      }),
    ),
    ...searchFeatures(features, query).flatMap(({ feature, properties: matching }) => {
      const values = configured.get(feature.id);
      if (values === undefined) return [];
      const planned = new Map(values.map(({ id, value }) => [id, value]));
      const own = propertiesOf(feature);
      const found = matching.length > 0 ? matching : own;
      const isPartlyRemoved = own.filter(({ id }) => planned.has(id)).length < values.length;
      return numbered({
        id: feature.id,
        title: feature.name,
        warning: isPartlyRemoved ? 'This plan references a feature properties which has been removed' : null,
        rows: found.filter(({ id }) => isShowingAll || planned.has(id)),
        planned,
      });
    }),
  ];
}

/** The number of rows, with the table's head. */
function rowCountOf(groups: readonly ValueGroup[]): number {
  const last = groups.at(-1);
  return last === undefined ? 1 : last.rowIndex + last.rows.length;
}

interface GroupRowsProps {
  readonly group: ValueGroup;
  readonly isShowingAll: boolean;
  readonly index: number;
  readonly measure: RefCallback<Element> | undefined;
}

const GroupRows = memo(function GroupRows({ group, isShowingAll, index, measure }: GroupRowsProps) {
  const { title, warning, rows, planned, rowIndex } = group;
  return (
    <tbody ref={measure} data-index={index}>
      <tr className={classes.group} aria-rowindex={rowIndex}>
        <th scope="rowgroup" colSpan={isShowingAll ? 3 : 2}>
          {title}
          {warning !== null && (
            <Group component="span" gap={6} wrap="nowrap" fz="sm" fw={400} mt={2} c="var(--warning)">
              <IconAlertTriangle size={14} aria-hidden />
              {warning}
            </Group>
          )}
        </th>
      </tr>
      {rows.map(({ id, name, propertyKey, type, bounds, value: fallback }, at) => {
        const value = planned.get(id);
        return (
          <tr key={id} aria-rowindex={rowIndex + 1 + at}>
            <th scope="row">
              <Box component="span" mr={6}>
                {name}
              </Box>{' '}
              <code className={`muted tiny ${classes.key}`}>{propertyKey}</code>
            </th>
            <td>
              {value === undefined ? (
                <span className="muted">Default</span>
              ) : (
                <PropertyValueView type={type} value={value} bounds={bounds} />
              )}
            </td>
            {isShowingAll && (
              <td>
                <PropertyValueView type={type} value={fallback} />
              </td>
            )}
          </tr>
        );
      })}
    </tbody>
  );
});

const LOADING = [220, 140, 180, 160, 200, 120];

function LoadingRows({ columns }: { columns: number }) {
  return (
    <tbody aria-busy="true">
      {LOADING.map((width) => (
        <tr key={width}>
          <td>
            <Skeleton height={13} width={width} maw="90%" />
          </td>
          <td colSpan={columns - 1}>
            <Skeleton height={13} width={width / 2} />
          </td>
        </tr>
      ))}
    </tbody>
  );
}
