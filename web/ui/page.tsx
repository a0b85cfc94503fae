/** The frame of a page's content: the trail in the top bar, title, subtitle and actions, and the content below them. */
import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Crumb } from './breadcrumbs.tsx';
import { HeaderCrumbs } from './header-slot.tsx';
import classes from './page.module.css';

export interface PageProps {
  readonly title: string;
  /** Beside the title: a slug, a badge. */
  readonly aside?: ReactNode;
  readonly subtitle?: ReactNode;
  readonly actions?: ReactNode;
  /** From Dashboard to this page. */
  readonly crumbs: readonly Crumb[];
  readonly children: ReactNode;
}

export function Page({ title, aside, subtitle, actions, crumbs, children }: PageProps) {
  return (
    <div className={classes.page}>
      <title>{`${title} · Tessera`}</title>
      <HeaderCrumbs crumbs={crumbs} />
      <header className={classes.header}>
        <div className={classes.titles}>
          <div className={classes.titleRow}>
            <Title order={1} className={classes.title}>
              {title}
            </Title>
            {aside}
          </div>
          {subtitle && <div className={classes.subtitle}>{subtitle}</div>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
