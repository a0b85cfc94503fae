/** The card of an authentication page: what to do, the form, and where else one may want to go. */
import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './auth.module.css';

export interface AuthCardProps {
  readonly title: string;
  readonly subtitle?: ReactNode;
  readonly children?: ReactNode;
  /** Below the card. */
  readonly footer?: ReactNode;
}

export function AuthCard({ title, subtitle, children, footer }: AuthCardProps) {
  return (
    <>
      <title>{`${title} · Tessera`}</title>
      <div className={classes.card}>
        <div className={classes.head}>
          <Title order={1}>{title}</Title>
          {subtitle && <p className={classes.subtitle}>{subtitle}</p>}
        </div>
        {children}
      </div>
      {footer && <div className={classes.footer}>{footer}</div>}
    </>
  );
}
