/** The search bar: text, a chip for each filter, and the time. */
import { Button, Flex, Group } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type ReactNode, type Ref, useMemo } from 'react';
import { type DrewFrom, searchedLength } from '#contracts/console/events';
import { FilterChip, type FilterOption } from '#web/ui/lists/filter-chip.tsx';
import { SearchField } from '#web/ui/lists/search-field.tsx';
import { countryOptions } from '#web/values/countries.ts';
import { CALL_TYPE_LABELS, OUTCOME_LABELS } from '#web/values/event-labels.ts';
import { isRange, RANGES } from '#web/values/time-ranges.ts';
import { rangeLabel } from './event-histogram.tsx';
import type { EventNames } from './event-names.ts';
import { type EventSearch, FILTERS, type FilterName, isFiltered } from './event-search.ts';
import classes from './events.module.css';

export interface EventFiltersProps {
  readonly search: EventSearch;
  /** As typed; the search follows once typing pauses. */
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onChange: (changes: Partial<EventSearch>) => void;
  readonly names: EventNames;
  readonly inputRef: Ref<HTMLInputElement>;
  /** Buttons beside the text. */
  readonly actions: ReactNode;
}

const LABELS: Record<FilterName, string> = {
  subject: 'Customer',
  environment: 'Environment',
  type: 'Type',
  outcome: 'Outcome',
  plan: 'Plan',
  feature: 'Feature',
  drew: 'Drew from',
  country: 'Country',
};

const RANGE_OPTIONS = Object.entries(RANGES).map(([value, { label }]) => ({ value, label }));
const NO_FILTERS = Object.fromEntries(FILTERS.map((name) => [name, undefined]));

export function EventFilters(props: EventFiltersProps) {
  const { search, text, onText, onChange, names, inputRef, actions } = props;
  const options = useMemo(() => optionsOf(names), [names]);
  const unknownEnvironment = names.environments === undefined ? '…' : 'Unknown environment';
  const unlistedLabel = (name: FilterName, { drew }: EventSearch) => {
    if (name === 'environment') return unknownEnvironment;
    return name === 'drew' ? drew?.replace(/^balance:/, '') : undefined;
  };
  return (
    <Flex component="search" direction="column" gap={10}>
      <Flex gap={8}>
        <SearchField
          className="grow shrink"
          ref={inputRef}
          label="events"
          placeholder="Customer, plan, feature, city, error, warning, event or request ID"
          rightSection={<kbd className={classes.key}>/</kbd>}
          rightSectionPointerEvents="none"
          maxLength={searchedLength(text)}
          text={text}
          onText={onText}
        />
        {actions}
      </Flex>
      <Group gap={6}>
        <FilterChip
          label="Time"
          options={RANGE_OPTIONS}
          value={search.period === undefined ? search.range : 'period'}
          valueLabel={rangeLabel(search)}
          isRequired={search.period === undefined}
          onChange={(value) =>
            onChange({
              period: undefined,
              ...(value !== undefined && isRange(value) && { range: value }),
            })
          }
        />
        {FILTERS.filter((name) => name !== 'subject' || search.subject !== undefined).map((name) => (
          <FilterChip
            key={name}
            label={LABELS[name]}
            options={options[name]}
            value={search[name]}
            valueLabel={unlistedLabel(name, search)}
            onChange={(value) => onChange({ [name]: value })}
          />
        ))}
        {isFiltered(search) && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={<IconX size={14} aria-hidden />}
            onClick={() => {
              onText('');
              onChange({ ...NO_FILTERS, q: '' });
            }}
          >
            Clear
          </Button>
        )}
      </Group>
    </Flex>
  );
}

function optionsOf({
  environments,
  plans,
  features,
}: EventNames): Record<FilterName, readonly FilterOption[]> {
  return {
    // Set by links only: there is no list of all customers to choose from.
    subject: [],
    environment: (environments ?? []).map(({ id, name }) => ({ value: id, label: name })),
    type: labelled(CALL_TYPE_LABELS),
    outcome: labelled(OUTCOME_LABELS),
    plan: (plans ?? []).map(({ planSlug, name }) => ({ value: planSlug, label: name })),
    feature: (features ?? []).map(({ slug, name }) => ({ value: slug, label: name })),
    // A balance is chosen by a link: of an event, or of the customer's page.
    drew: labelled(SOURCE_LABELS),
    country: countryOptions(),
  };
}

const SOURCE_LABELS: Partial<Record<DrewFrom, string>> = {
  quota: 'Quota of the plans',
  held: 'What was held',
};

const labelled = (labels: Readonly<Partial<Record<string, string>>>): FilterOption[] =>
  Object.entries(labels).map(([value, label = value]) => ({ value, label }));
