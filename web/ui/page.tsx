/** A page's frame: breadcrumbs in the top bar, title, subtitle and actions, and the content. */
import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Crumb } from './breadcrumbs.tsx';
import { HeaderCrumbs } from './header-slot.tsx';
import classes from './page.module.css';

export interface PageProps {
  readonly title: string;
  /** Rendered in place of the plain title. */
  readonly shownTitle?: ReactNode;
  /** Beside the title, for example a slug or a badge. */
  readonly aside?: ReactNode;
  readonly subtitle?: ReactNode;
  readonly actions?: ReactNode;
  /** From Dashboard to this page. */
  readonly crumbs: readonly Crumb[];
  readonly children: ReactNode;
}

export function Page({ title, shownTitle = title, aside, subtitle, actions, crumbs, children }: PageProps) {
  return (
    <div className={classes.page}>
      <title>{`${title} · Tessera`}</title>
      <HeaderCrumbs crumbs={crumbs} />
      <header className="flex top wrap between gap-16">
        <div className={classes.titles}>
          <div className={classes.titleRow}>
            <Title order={1} className={classes.title} {...(shownTitle !== title && { 'aria-label': title })}>
              {shownTitle}
            </Title>
            {aside}
          </div>
          {subtitle && <div className={classes.subtitle}>{subtitle}</div>}
        </div>
        {actions && <div className="row wrap gap-8">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
