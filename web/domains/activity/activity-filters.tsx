/** What the Activity page shows: by person, kind of object and time. */
import { Button, Flex } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { FilterChip, type FilterOption } from '#web/ui/lists/filter-chip.tsx';
import { RANGES } from '#web/values/time-ranges.ts';
import { KIND_LABELS } from './describe-activity.ts';
import type { ActivitySearch } from './use-activity-search.ts';

export interface ActivityFiltersProps {
  readonly search: ActivitySearch;
  readonly onChange: (changes: Partial<Record<keyof ActivitySearch, string | undefined>>) => void;
  readonly people: readonly FilterOption[];
  /** Names of an author and of an object that are not among the options. */
  readonly actorLabel: string | undefined;
  readonly targetLabel: string | undefined;
}

const options = (labels: Readonly<Record<string, string>>): FilterOption[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));
const KINDS = options(KIND_LABELS);
const TIMES = Object.entries(RANGES).map(([value, { label }]) => ({ value, label }));
const NOBODY = [
  { value: 'stripe', label: 'Stripe' },
  { value: 'service', label: 'Tessera' },
];

export function ActivityFilters(props: ActivityFiltersProps) {
  const { search, onChange, people, actorLabel, targetLabel } = props;
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  return (
    <Flex component="search" align="center" gap={6} wrap="wrap">
      <FilterChip
        label="Person"
        options={[...people, ...NOBODY]}
        value={search.actor}
        valueLabel={actorLabel}
        onChange={(actor) => onChange({ actor })}
      />
      <FilterChip
        label="Object"
        options={KINDS}
        value={search.target ?? search.kind}
        valueLabel={targetLabel}
        onChange={(kind) => onChange({ kind, target: undefined })}
      />
      <FilterChip
        label="Time"
        options={TIMES}
        value={search.range}
        onChange={(range) => onChange({ range })}
      />
      {isFiltered && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconX size={14} aria-hidden />}
          onClick={() => onChange({ actor: undefined, kind: undefined, target: undefined, range: undefined })}
        >
          Clear
        </Button>
      )}
    </Flex>
  );
}
