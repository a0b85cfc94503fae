/** The path from Dashboard to the current page. Small screens show only the current page. */
import { Flex } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import classes from './breadcrumbs.module.css';

export interface Crumb {
  readonly label: string;
  /** Undefined for the current page. */
  readonly to?: string | undefined;
}

export function Breadcrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <nav aria-label="Breadcrumbs" className="shrink">
      <Flex component="ol" align="center" gap={6} miw={0} className="list small">
        {crumbs.map(({ label, to }, index) => {
          const isCurrent = index === crumbs.length - 1;
          return (
            <li
              key={`${label} ${to ?? ''}`}
              className={`row shrink muted nowrap gap-6 ${classes.crumb}`}
              data-current={isCurrent || undefined}
            >
              {isCurrent || to === undefined ? (
                <span className="truncate" aria-current={isCurrent ? 'page' : undefined}>
                  {label}
                </span>
              ) : (
                <Link to={to} className="truncate">
                  {label}
                </Link>
              )}
              {!isCurrent && <IconChevronRight size={14} aria-hidden className="rigid faint" />}
            </li>
          );
        })}
      </Flex>
    </nav>
  );
}
