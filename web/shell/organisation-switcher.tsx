/** Organisation switcher at the bottom of the sidebar: the selected organisation, the others, and 'Create'. */
import { Box, Group, Menu, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconPlus, IconRefresh, IconSearch, IconSelector } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { useOrganisation } from '#web/session/organisation.tsx';
import { useSession } from '#web/session/session.ts';
import { initialsOf } from '#web/ui/labels/initials.ts';
import { matchesSearch } from '#web/ui/lists/matches-search.ts';
import classes from './organisation-switcher.module.css';

/** Longer lists get a search field. */
const SEARCHABLE_FROM = 10;

/** Mantine gives the whole dropdown the role `menu`. With a search field, only the list below the field may have it. */
function callDialog(dropdown: HTMLElement | null): void {
  dropdown?.setAttribute('role', 'dialog');
  dropdown?.removeAttribute('aria-orientation');
}

export interface OrganisationSwitcherProps {
  readonly isCollapsed: boolean;
  readonly onNavigate?: (() => void) | undefined;
}

export function OrganisationSwitcher({ isCollapsed, onNavigate }: OrganisationSwitcherProps) {
  const { orgId, name, ownOrganisations, isLoading, error, retry, switchTo } = useOrganisation();
  const { isSudoAccess } = useSession();
  const [text, setText] = useState('');
  if (isLoading)
    return (
      <Group gap={0} wrap="nowrap" c="dimmed" h={40} px={8}>
        Loading...
      </Group>
    );

  const isForeign = isSudoAccess && orgId !== null && !ownOrganisations.some(({ id }) => id === orgId);
  const listed = isForeign ? [...ownOrganisations, { id: orgId, name: name ?? orgId }] : ownOrganisations;
  if (listed.length === 0 && error !== null) {
    return (
      <UnstyledButton className={classes.trigger} data-collapsed={isCollapsed || undefined} onClick={retry}>
        <span className={classes.tile} data-empty>
          <IconRefresh size={14} aria-hidden />
        </span>
        <span className={isCollapsed ? 'visually-hidden' : 'truncate fill'}>Load organisations again</span>
      </UnstyledButton>
    );
  }
  if (listed.length === 0) {
    return (
      <Link
        to={paths.createOrganisation}
        className={classes.trigger}
        data-collapsed={isCollapsed || undefined}
        onClick={onNavigate}
      >
        <span className={classes.tile} data-empty>
          <IconPlus size={14} aria-hidden />
        </span>
        <span className={isCollapsed ? 'visually-hidden' : 'truncate fill'}>Create Organisation</span>
      </Link>
    );
  }

  const current = listed.find(({ id }) => id === orgId);
  const title = current?.name ?? 'Select an Organisation';
  const isSearchable = listed.length > SEARCHABLE_FROM;
  const found = listed.filter((organisation) => matchesSearch(organisation.name, text));
  return (
    <Menu position="top-start" width={isCollapsed ? 232 : 'target'} classNames={{ itemLabel: 'shrink' }}>
      <Menu.Target>
        <UnstyledButton className={classes.trigger} data-collapsed={isCollapsed || undefined}>
          <span className={classes.tile} aria-hidden>
            {initialsOf(title)}
          </span>
          <VisuallyHidden>Organisation:</VisuallyHidden>
          <span className={isCollapsed ? 'visually-hidden' : 'truncate fill'}>{title}</span>
          {!isCollapsed && <IconSelector size={15} aria-hidden className="rigid faint" />}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={classes.dropdown} ref={isSearchable ? callDialog : undefined}>
        {isSearchable && (
          <Menu.Search
            aria-label="Search organisations"
            placeholder="Search"
            leftSection={<IconSearch size={15} aria-hidden />}
            classNames={{ input: classes.search ?? '' }}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        <div className={classes.menu} {...(isSearchable && { role: 'menu', 'aria-label': 'Organisations' })}>
          <Menu.Label>Organisations</Menu.Label>
          {/* Only the list scrolls. Heading, search and 'Create' stay in view. */}
          <Box flex={1} mih={0} style={{ overflowY: 'auto' }}>
            {found.length === 0 && (
              <Box c="dimmed" fz="sm" py={10} px={12}>
                No organisation found.
              </Box>
            )}
            {found.map((organisation) => (
              <Menu.Item
                key={organisation.id}
                leftSection={
                  <span className={classes.tile} aria-hidden>
                    {initialsOf(organisation.name)}
                  </span>
                }
                rightSection={
                  organisation.id === orgId ? <IconCheck size={15} aria-label="selected" /> : undefined
                }
                onClick={() => {
                  switchTo(organisation.id);
                  onNavigate?.();
                }}
              >
                <div className="truncate" title={organisation.name}>
                  {organisation.name}
                </div>
              </Menu.Item>
            ))}
          </Box>
          <Menu.Divider />
          <Menu.Item
            component={Link}
            to={paths.createOrganisation}
            leftSection={<IconPlus size={15} aria-hidden />}
            onClick={onNavigate}
          >
            Create
          </Menu.Item>
        </div>
      </Menu.Dropdown>
    </Menu>
  );
}
