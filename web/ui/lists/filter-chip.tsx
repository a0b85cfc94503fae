/** A filter: dashed while it does not apply, with its value and a button that clears it once it does. */
import { Box, Combobox, Flex, useCombobox } from '@mantine/core';
import { IconCheck, IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './filter-chip.module.css';
import { matchesSearch } from './matches-search.ts';

export interface FilterOption {
  readonly value: string;
  readonly label: string;
}

export interface FilterChipProps {
  /** What is filtered: 'Outcome'. */
  readonly label: string;
  readonly options: readonly FilterOption[];
  /** Undefined: no filter. */
  readonly value: string | undefined;
  /** Shown for a value that is not among the options. */
  readonly valueLabel?: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  /** Always has a value, so it cannot be cleared. */
  readonly isRequired?: boolean;
}

/** Options beyond this are found by typing. */
const MAX_SHOWN = 60;
const SEARCH_FROM_OPTIONS = 9;

export function FilterChip({ label, options, value, valueLabel, onChange, isRequired }: FilterChipProps) {
  const [search, setSearch] = useState('');
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setSearch('');
    },
    onDropdownOpen: () => {
      if (options.length >= SEARCH_FROM_OPTIONS) combobox.focusSearchInput();
      combobox.updateSelectedOptionIndex('active');
    },
  });
  const found = options.filter((option) => matchesSearch(`${option.label}\n${option.value}`, search));
  const chosen =
    value === undefined
      ? undefined
      : (options.find((option) => option.value === value)?.label ?? valueLabel ?? value);
  const isSearchable = options.length >= SEARCH_FROM_OPTIONS;
  const searchLabel = `Find ${/^[AEIOU]/.test(label) ? 'an' : 'a'} ${label.toLowerCase()}`;
  return (
    <Combobox
      store={combobox}
      width={240}
      position="bottom-start"
      withinPortal
      onOptionSubmit={(option) => {
        onChange(option);
        combobox.closeDropdown();
        combobox.focusTarget();
      }}
    >
      <span className={classes.chip} data-set={chosen !== undefined || undefined}>
        <Combobox.Target targetType="button" withAriaAttributes>
          <button
            type="button"
            className={classes.button}
            aria-label={chosen === undefined ? `Filter by ${label.toLowerCase()}` : undefined}
            onClick={() => combobox.toggleDropdown()}
          >
            {chosen === undefined && <IconPlus size={13} aria-hidden />}
            <span className="muted">{label}</span>{' '}
            {chosen !== undefined && (
              <Box component="bdi" maw={200} className="truncate medium strong">
                {chosen}
              </Box>
            )}
          </button>
        </Combobox.Target>
        {chosen !== undefined && !isRequired && (
          <button
            type="button"
            className={classes.clear}
            aria-label={`Clear ${label.toLowerCase()}`}
            onClick={() => onChange(undefined)}
          >
            <IconX size={13} aria-hidden />
          </button>
        )}
      </span>
      <Combobox.Dropdown>
        {isSearchable && (
          <Combobox.Search
            value={search}
            onChange={(event) => {
              setSearch(event.currentTarget.value);
              combobox.selectFirstOption();
            }}
            placeholder={searchLabel}
            aria-label={searchLabel}
          />
        )}
        <Combobox.Options mah={300} style={{ overflowY: 'auto' }} aria-label={label}>
          {found.slice(0, MAX_SHOWN).map((option) => (
            <Combobox.Option key={option.value} value={option.value} active={option.value === value}>
              <Flex component="span" align="center" gap={8} justify="space-between" className="small">
                <bdi className="breaks">{option.label}</bdi>
                {option.value === value && <IconCheck size={14} aria-hidden />}
              </Flex>
            </Combobox.Option>
          ))}
        </Combobox.Options>
        {found.length === 0 && <Combobox.Empty>No results</Combobox.Empty>}
        {found.length > MAX_SHOWN && <Combobox.Footer>Type to find more</Combobox.Footer>}
      </Combobox.Dropdown>
    </Combobox>
  );
}
