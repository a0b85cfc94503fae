/**
 * All features as checkboxes, with a search over features and properties. One tab stop: arrow keys move, Space selects,
 * and Enter goes to the feature's section or to the property that was found.
 */
import { ActionIcon, Box, CloseButton, Skeleton, Stack } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { type KeyboardEvent, memo, type RefCallback, useLayoutEffect, useMemo, useState } from 'react';
import type { Feature, FeatureProperty } from '#contracts/console/features';
import { counted, formatNumber } from '#web/ui/format.ts';
import { SearchField } from '#web/ui/lists/search-field.tsx';
import { useScrolledRows } from '#web/ui/lists/use-virtual-rows.ts';
import type { EditorDispatch } from './editor-state.ts';
import classes from './feature-picker.module.css';
import { type FoundFeature, searchFeatures } from './search-features.ts';

export interface FeaturePickerProps {
  /** Undefined while loading. */
  readonly features: readonly Feature[] | undefined;
  readonly selected: ReadonlySet<string>;
  readonly dispatch: EditorDispatch;
  /** Scrolls to a feature's section or to one of its properties. */
  readonly onReveal: (featureId: string, propertyId: string | null) => void;
}

/** Heights before an item is measured: its name, and a line of matching properties. */
const ITEM_HEIGHT = 32;
const MATCHES_HEIGHT = 24;
const NONE: readonly Feature[] = [];
/** Widths of names while they load. */
const LOADING = [150, 110, 180, 130, 160, 100, 140, 120];

export const FeaturePicker = memo(function FeaturePicker(props: FeaturePickerProps) {
  const { features = NONE, selected, dispatch, onReveal } = props;
  const isLoading = props.features === undefined;
  const [isOpen, setIsOpen] = useState(!isLoading && selected.size === 0);
  const [query, setQuery] = useState('');
  const found = useMemo(() => searchFeatures(features, query), [features, query]);
  /** The item in the tab order. */
  const [activeId, setActiveId] = useState<string | null>(null);
  /** The item to focus next. A new object for each request. */
  const [wanted, setWanted] = useState<{ readonly index: number } | null>(null);
  const tabIndex = Math.max(
    0,
    found.findIndex(({ feature }) => feature.id === activeId),
  );
  const count = features.filter(({ id }) => selected.has(id)).length;
  const chosen = isLoading ? '…' : `${formatNumber(count)} of ${formatNumber(features.length)}`;
  const items = useScrolledRows<FoundFeature, HTMLUListElement>({
    items: found,
    keyOf: ({ feature, properties }) => `${feature.id} ${properties.length > 0}`,
    heightOf: ({ properties }) => ITEM_HEIGHT + (properties.length > 0 ? MATCHES_HEIGHT : 0),
    pinned: tabIndex,
  });
  const list = items.container;

  useLayoutEffect(() => {
    if (wanted === null) return;
    const item = list.current?.querySelector<HTMLElement>(`[data-index="${wanted.index}"] input`);
    item?.focus({ preventScroll: true });
    item?.scrollIntoView({ block: 'nearest' });
  }, [wanted, list]);
  const focusItem = (index: number) => {
    const next = Math.max(0, Math.min(index, found.length - 1));
    setActiveId(found[next]?.feature.id ?? null);
    setWanted({ index: next });
  };
  const onListKey = (event: KeyboardEvent) => {
    const steps: Partial<Record<string, number>> = {
      ArrowDown: tabIndex + 1,
      ArrowUp: tabIndex - 1,
      Home: 0,
      End: found.length - 1,
      PageDown: tabIndex + 10,
      PageUp: tabIndex - 10,
    };
    const next = steps[event.key];
    if (next !== undefined) {
      event.preventDefault();
      focusItem(next);
    } else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
      event.preventDefault();
      const active = found[tabIndex];
      if (active === undefined || !selected.has(active.feature.id)) return;
      onReveal(active.feature.id, active.properties[0]?.id ?? null);
    }
  };

  return (
    <section className={classes.picker} aria-label="All features" data-open={isOpen || undefined}>
      <button
        type="button"
        className={classes.opener}
        aria-expanded={isOpen}
        onClick={() => setIsOpen((is) => !is)}
      >
        Features in this plan
        <span className="muted tiny figures">{chosen}</span>
      </button>
      <div className={classes.content}>
        <Stack gap={8} pt={12} px={12} pb={10} style={{ borderBottom: '1px solid var(--line)' }}>
          <SearchField
            label="features"
            placeholder="Search by feature name and property name"
            className={classes.search}
            rightSection={
              query === '' ? undefined : (
                <CloseButton size="sm" aria-label="Clear the search" onClick={() => setQuery('')} />
              )
            }
            text={query}
            onText={setQuery}
            onKeyDown={(event) => {
              if (event.key === 'ArrowDown') {
                event.preventDefault();
                focusItem(0);
              } else if (event.key === 'Escape' && query !== '') {
                event.preventDefault();
                setQuery('');
              }
            }}
          />
          <span className="muted tiny figures" aria-live="polite">
            {query.trim() === '' ? `${chosen} in this plan` : `${counted(found.length, 'feature')} found`}
          </span>
        </Stack>
        <ul ref={list} className={classes.list} onKeyDown={onListKey}>
          {isLoading &&
            LOADING.map((width) => (
              <Box component="li" key={width} mih="var(--control-height)" px={8} className="row">
                <Skeleton height={14} width={width} />
              </Box>
            ))}
          {items.rows.flatMap(({ item: { feature, properties }, index, spaceBefore }) => [
            <Spacer key={`before ${feature.id}`} height={spaceBefore} />,
            <PickerItem
              key={feature.id}
              feature={feature}
              properties={properties}
              isSelected={selected.has(feature.id)}
              isTabStop={index === tabIndex}
              index={index}
              count={found.length}
              measure={items.measure}
              onFocus={setActiveId}
              dispatch={dispatch}
              onReveal={onReveal}
            />,
          ])}
          <Spacer height={items.spaceAfter} />
        </ul>
        {!isLoading && found.length === 0 && (
          <Box component="p" m={0} c="dimmed" ta="center" p={20}>
            No results
          </Box>
        )}
      </div>
    </section>
  );
});

function Spacer({ height }: { readonly height: number }) {
  return height === 0 ? null : <li aria-hidden style={{ height }} />;
}

interface PickerItemProps {
  readonly feature: Feature;
  /** The items that match the search. */
  readonly properties: readonly FeatureProperty[];
  readonly isSelected: boolean;
  readonly isTabStop: boolean;
  readonly index: number;
  /** The number of items in the list. */
  readonly count: number;
  readonly measure: RefCallback<Element> | undefined;
  readonly onFocus: (featureId: string) => void;
  readonly dispatch: EditorDispatch;
  readonly onReveal: (featureId: string, propertyId: string | null) => void;
}

/** The maximum number of matching properties to list. */
const MOST_NAMED = 3;

const PickerItem = memo(function PickerItem(props: PickerItemProps) {
  const { feature, properties, isSelected, isTabStop, index, onFocus, dispatch, onReveal } = props;
  return (
    <li
      ref={props.measure}
      data-index={index}
      aria-setsize={props.count}
      aria-posinset={index + 1}
      className={classes.item}
      data-selected={isSelected || undefined}
    >
      <Box component="label" mih="var(--control-height)" py={5} px={8} className="row pointer gap-10">
        <input
          type="checkbox"
          className="native-check"
          checked={isSelected}
          tabIndex={isTabStop ? 0 : -1}
          onFocus={() => onFocus(feature.id)}
          onChange={(event) =>
            dispatch(
              event.currentTarget.checked
                ? {
                    type: 'select-feature',
                    featureId: feature.id,
                    systemPropertyId: feature.systemFeatureProperties[0]?.id,
                  }
                : { type: 'deselect-feature', featureId: feature.id },
            )
          }
        />
        <span className={classes.name}>{feature.name}</span>
      </Box>
      {isSelected && (
        <ActionIcon
          tabIndex={-1}
          className={classes.go}
          aria-label={`Go to ${feature.name}`}
          onClick={() => onReveal(feature.id, null)}
        >
          <IconArrowRight size={14} aria-hidden />
        </ActionIcon>
      )}
      {properties.length > 0 && (
        <span className={classes.matches}>
          {properties.slice(0, MOST_NAMED).map((property) => (
            <Match
              key={property.id}
              property={property}
              onOpen={isSelected ? () => onReveal(feature.id, property.id) : undefined}
            />
          ))}
          {properties.length > MOST_NAMED && <span>and {properties.length - MOST_NAMED} more</span>}
        </span>
      )}
    </li>
  );
});

function Match({ property, onOpen }: { property: FeatureProperty; onOpen: (() => void) | undefined }) {
  if (onOpen === undefined) return <span>{property.name}</span>;
  return (
    <button type="button" tabIndex={-1} className={classes.match} onClick={onOpen}>
      {property.name}
    </button>
  );
}
