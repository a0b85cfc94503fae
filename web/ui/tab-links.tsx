/** Tabs that are addresses: each is a link, so the back button and a copied URL keep them. */
import { Link } from 'react-router';
import classes from './tab-links.module.css';

export interface TabLink {
  readonly id: string;
  readonly label: string;
  readonly to: string;
}

export function TabLinks({
  label,
  tabs,
  current,
}: {
  label: string;
  tabs: readonly TabLink[];
  current: string;
}) {
  return (
    <nav aria-label={label} className={classes.tabs}>
      {tabs.map(({ id, label: text, to }) => (
        <Link key={id} to={to} className={classes.tab} aria-current={id === current ? 'page' : undefined}>
          {text}
        </Link>
      ))}
    </nav>
  );
}
