/**
 * Command palette (Ctrl/Cmd+K): finds pages, customers, events and documentation, and does things: creates, deploys, rolls
 * back, invites, switches. Fetches its lists once it is open.
 */
import { Flex } from '@mantine/core';
import { Spotlight, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.layer.css';
import { IconClock, IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { DeployPart, useMove } from '#web/domains/environments/versions/deploy/deploy-part.tsx';
import { useOrganisation } from '#web/session/organisation.tsx';
import { useSession } from '#web/session/session.ts';
import classes from './palette.module.css';
import { filterPalette } from './palette-filter.ts';
import type { PaletteGroup, PaletteItem } from './palette-item.ts';
import { type Reader, readRecents, rememberRecent } from './palette-recents.ts';
import { PALETTE_FIELD } from './use-command-palette.ts';
import { useActions, useCommands, useKeyIds } from './use-palette-commands.ts';
import { useFound } from './use-palette-found.ts';
import { usePages, useThings } from './use-palette-places.ts';

export interface CommandPaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** What was typed before the field had the focus. */
  readonly takeTyped: () => string;
  readonly onShortcuts: () => void;
  /** Absent if the page has no sidebar. */
  readonly onToggleSidebar: (() => void) | undefined;
}

export function CommandPalette({
  isOpen,
  onClose,
  takeTyped,
  onShortcuts,
  onToggleSidebar,
}: CommandPaletteProps) {
  const { orgId } = useOrganisation();
  const { user, isSudoAccess } = useSession();
  const [query, setQuery] = useState('');
  const [move, setMove] = useMove(orgId);
  const found = useFound(query);
  const isSearched = query.trim() !== '';
  const actions = useActions(orgId, isSearched, setMove);
  const pages = usePages();
  const things = useThings();
  const keyIds = useKeyIds(orgId, query);
  const commands = useCommands(onShortcuts, onToggleSidebar);
  const toAction = useToAction(user?.id);
  useEffect(() => {
    if (isOpen) spotlight.open();
    else spotlight.close();
  }, [isOpen]);
  // Without a search there is little to scroll through: where one was, what one does, where one goes.
  const groups = isSearched
    ? [...found.groups, pages, ...things, actions, keyIds, ...commands, found.failure]
    : [recentGroup({ userId: user?.id, isSudoAccess, orgId }), actions, pages, ...commands];
  return (
    <>
      <Spotlight
        actions={groups
          .filter(({ items }) => items.length > 0)
          .map(
            ({ title, items }): SpotlightActionGroupData => ({ group: title, actions: items.map(toAction) }),
          )}
        attributes={{ content: { 'aria-label': 'Search and commands' } }}
        classNames={{ content: classes.content, body: classes.body, search: classes.search }}
        shortcut={null}
        filter={filterPalette}
        onSpotlightClose={onClose}
        query={query}
        onQueryChange={setQuery}
        centered={false}
        limit={40}
        scrollable
        maxHeight={420}
        overlayProps={{ blur: 0 }}
        nothingFound={found.isSearching ? 'Searching…' : 'Nothing found'}
        searchProps={{
          leftSection: <IconSearch size={17} stroke={1.6} aria-hidden />,
          rightSectionWidth: 232,
          rightSection: <KeyHints />,
          rightSectionProps: { className: classes.hints },
          id: PALETTE_FIELD,
          placeholder: 'Go to a page, a customer, an event ID…',
          'aria-label': 'Search pages and commands',
          onFocus: () => setQuery((before) => before + takeTyped()),
          onKeyDown: openFirst,
        }}
      />
      <DeployPart orgId={orgId} move={move} onClose={() => setMove(null)} />
    </>
  );
}

/** Enter opens the first result if none is selected: results of the server arrive after the search selected one. */
function openFirst({ key, currentTarget }: KeyboardEvent<HTMLInputElement>): void {
  if (key !== 'Enter') return;
  const dialog = currentTarget.closest('[role="dialog"]');
  if (currentTarget.value.trim() === '' || dialog?.querySelector('[data-selected]') != null) return;
  dialog?.querySelector<HTMLElement>('[data-action]')?.click();
}

function recentGroup(reader: Reader): PaletteGroup {
  return {
    title: 'Recent',
    items: readRecents(reader).map(({ label, to }) => ({ id: `recent-${to}`, label, icon: IconClock, to })),
  };
}

/** Opens the item's page and remembers it, or runs the item. */
function useToAction(userId: string | undefined) {
  const navigate = useNavigate();
  return ({ id, label, icon: Icon, aside, keys, keywords, to, state, run, staysOpen }: PaletteItem) => ({
    id,
    label,
    ...(keywords !== undefined && { keywords: [...keywords] }),
    leftSection: <Icon size={17} stroke={1.6} aria-hidden />,
    ...(aside !== undefined && { rightSection: <span className="muted tiny">{aside}</span> }),
    ...(keys !== undefined && { rightSection: <kbd className={classes.key}>{keys}</kbd> }),
    ...(staysOpen && { closeSpotlightOnTrigger: false }),
    onClick: () => {
      run?.();
      if (to === undefined) return;
      if (state === undefined) rememberRecent(userId, { label, to });
      void navigate(to, { state });
    },
  });
}

function KeyHints() {
  return (
    <Flex component="span" display="inline-flex" align="center" gap={8} aria-hidden>
      <span>
        <kbd className={classes.key}>↑↓</kbd> move
      </span>
      <span>
        <kbd className={classes.key}>↵</kbd> open
      </span>
      <span>
        <kbd className={classes.key}>esc</kbd> close
      </span>
    </Flex>
  );
}
