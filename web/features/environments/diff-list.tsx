/** A diff item by item, grouped by feature and plan, searchable once it is long; long ones begin folded. */
import { Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useDeferredValue, useMemo, useState } from 'react';
import type { DiffItem } from '#contracts/artifacts';
import classes from './diff.module.css';
import { DiffGroupCard } from './diff-group-card.tsx';
import { groupDiff, searchDiff } from './group-diff.ts';

const SEARCH_FROM_ITEMS = 10;
/** Diffs with more items begin with their groups folded. */
const UNFOLDED_ITEMS = 60;

export function DiffList({ items }: { items: readonly DiffItem[] }) {
  const [search, setSearch] = useState('');
  const [areAllOpen, setAllOpen] = useState(items.length <= UNFOLDED_ITEMS);
  const needle = useDeferredValue(search);
  const groups = useMemo(() => groupDiff(items), [items]);
  const shown = useMemo(() => searchDiff(groups, needle), [groups, needle]);
  const isSearched = needle.trim() !== '';
  return (
    <div className={classes.list}>
      {items.length > SEARCH_FROM_ITEMS && (
        <div className={classes.tools}>
          <TextInput
            className={classes.search}
            aria-label="Search changes"
            placeholder="Search changes"
            leftSection={<IconSearch size={15} aria-hidden />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          {groups.length > 1 && (
            <Button variant="subtle" color="gray" onClick={() => setAllOpen(!areAllOpen)}>
              {areAllOpen ? 'Fold all' : 'Unfold all'}
            </Button>
          )}
        </div>
      )}
      {shown.map((group) => (
        <DiffGroupCard
          // Folding all, and searching, begin anew.
          key={`${group.id} ${areAllOpen} ${isSearched}`}
          group={group}
          isOpenAtFirst={areAllOpen || isSearched}
        />
      ))}
      {shown.length === 0 && <p className={classes.none}>No results</p>}
    </div>
  );
}
