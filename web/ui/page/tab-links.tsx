/**
 * Tabs that are links, so the back button and copied URLs keep the tab. If the tabs do not fit, they scroll to the
 * current one.
 */
import { useLayoutEffect, useRef } from 'react';
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
  const strip = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const tab = strip.current?.querySelector<HTMLElement>(`[data-tab="${current}"]`);
    // Horizontally only: scrollIntoView would also scroll the page.
    if (strip.current && tab) strip.current.scrollLeft = tab.offsetLeft - strip.current.offsetLeft - 24;
  }, [current]);
  return (
    <nav ref={strip} aria-label={label} className={classes.tabs}>
      {tabs.map(({ id, label: text, to }) => (
        <Link
          key={id}
          to={to}
          className={classes.tab}
          data-tab={id}
          aria-current={id === current ? 'page' : undefined}
        >
          {text}
        </Link>
      ))}
    </nav>
  );
}
