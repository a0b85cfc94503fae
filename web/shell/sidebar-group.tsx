/** Sidebar group: an optional heading and links, which are disabled while no organisation is selected. */
import { Stack } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import { useOrganisation } from '#web/session/organisation.tsx';
import { Hint } from '#web/ui/labels/hint.tsx';
import { isCurrentEntry, isOfOrganisation, type NavigationEntry } from './navigation.ts';
import classes from './sidebar.module.css';

export interface SidebarGroupProps {
  readonly title: string | undefined;
  readonly entries: readonly NavigationEntry[];
  readonly isCollapsed: boolean;
  readonly onNavigate?: (() => void) | undefined;
}

export function SidebarGroup({ title, entries, isCollapsed, onNavigate }: SidebarGroupProps) {
  const { orgId } = useOrganisation();
  const { pathname } = useLocation();
  return (
    <div className={`round-8 ${classes.group}`}>
      {title !== undefined && (
        <div className={classes.groupTitle} title={title}>
          {title}
        </div>
      )}
      <Stack component="ul" gap={2} className="list">
        {entries.map((entry) => {
          const { label, icon: Icon, to } = entry;
          const content = (
            <>
              <Icon size={18} stroke={1.6} aria-hidden className={`rigid ${classes.icon}`} />
              <span className={isCollapsed ? 'visually-hidden' : 'truncate'}>{label}</span>
            </>
          );
          const isCurrent = isCurrentEntry(entry, pathname);
          return (
            <li key={label}>
              <Hint label={label} position="right" isDisabled={!isCollapsed}>
                {orgId === null && isOfOrganisation(entry) ? (
                  // biome-ignore lint/a11y/useValidAnchor: a disabled link, announced as disabled.
                  <a className={classes.entry} aria-disabled="true" role="link">
                    {content}
                  </a>
                ) : (
                  <Link
                    to={to(orgId ?? '')}
                    className={classes.entry}
                    aria-current={isCurrent ? 'page' : undefined}
                    onClick={onNavigate}
                  >
                    {content}
                  </Link>
                )}
              </Hint>
            </li>
          );
        })}
      </Stack>
    </div>
  );
}
