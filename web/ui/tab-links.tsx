/**
 * Tabs that are addresses: each is a link, so the back button and a copied URL keep them. Where they do not fit side by
 * side, the current one is scrolled to.
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
    // Sideways alone: scrollIntoView would move the page as well.
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
