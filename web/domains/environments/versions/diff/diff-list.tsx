/** A diff grouped by feature, plan and workflow. Long diffs are searchable and start collapsed. */
import { Button, Group, Stack } from '@mantine/core';
import { useDeferredValue, useMemo, useState } from 'react';
import type { DiffItem } from '#contracts/console/artifacts';
import { hasSearchField } from '#web/ui/lists/has-search-field.ts';
import { SearchField } from '#web/ui/lists/search-field.tsx';
import { useFirstItems } from '#web/ui/lists/use-first-items.tsx';
import { DiffGroupCard } from './diff-group-card.tsx';
import { groupDiff, searchDiff } from './group-diff.ts';

/** Diffs with more items start with collapsed groups. */
const UNFOLDED_ITEMS = 60;

export function DiffList({ items }: { items: readonly DiffItem[] }) {
  const [search, setSearch] = useState('');
  const [areAllOpen, setAllOpen] = useState(items.length <= UNFOLDED_ITEMS);
  const needle = useDeferredValue(search);
  const groups = useMemo(() => groupDiff(items), [items]);
  const found = useMemo(() => searchDiff(groups, needle), [groups, needle]);
  const { shown, more } = useFirstItems(found);
  const isSearched = needle.trim() !== '';
  return (
    <Stack gap={12}>
      {hasSearchField(items.length, search) && (
        <Group gap={8} justify="space-between">
          <SearchField
            flex="1 1 200px"
            maw={320}
            label="changes"
            placeholder="Search changes"
            text={search}
            onText={setSearch}
          />
          {groups.length > 1 && (
            <Button variant="subtle" color="gray" onClick={() => setAllOpen(!areAllOpen)}>
              {areAllOpen ? 'Fold all' : 'Unfold all'}
            </Button>
          )}
        </Group>
      )}
      {shown.map((group) => (
        <DiffGroupCard
          // 'Fold all' and a search remount every card, which resets its own state.
          key={`${group.id} ${areAllOpen} ${isSearched}`}
          group={group}
          isOpenAtFirst={areAllOpen || isSearched}
        />
      ))}
      {more}
      {found.length === 0 && <p className="note">No results</p>}
    </Stack>
  );
}
