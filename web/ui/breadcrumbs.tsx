/** Where the page stands: always from Dashboard, the current page last; on small screens only the current one shows. */
import { IconChevronRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import classes from './breadcrumbs.module.css';

export interface Crumb {
  readonly label: string;
  /** Absent on the current page. */
  readonly to?: string | undefined;
}

export function Breadcrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <nav aria-label="Breadcrumbs" className={classes.trail}>
      <ol className={classes.list}>
        {crumbs.map(({ label, to }, index) => {
          const isCurrent = index === crumbs.length - 1;
          return (
            <li key={`${label} ${to ?? ''}`} className={classes.crumb} data-current={isCurrent || undefined}>
              {isCurrent || to === undefined ? (
                <span aria-current={isCurrent ? 'page' : undefined}>{label}</span>
              ) : (
                <Link to={to}>{label}</Link>
              )}
              {!isCurrent && <IconChevronRight size={14} aria-hidden className={classes.separator} />}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
