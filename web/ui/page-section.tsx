/** A part of a page with a heading, for content that is not one card. */
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
    <section className="column gap-12">
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
