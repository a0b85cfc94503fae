/** A part of a page that is not a card itself: its heading, and the cards or lists below it. */
import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './page-section.module.css';

export interface PageSectionProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function PageSection({ title, description, actions, children }: PageSectionProps) {
  return (
    <section className={classes.section}>
      <div className={classes.head}>
        <div className={classes.words}>
          <Title order={2}>{title}</Title>
          {description && <p className={classes.description}>{description}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}
