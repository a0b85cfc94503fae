/** The card of an authentication page: what to do, the form, and where else one may want to go. */
import { Title } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './auth.module.css';

export interface AuthCardProps {
  /** Of a card that says how things stand instead of asking for something. */
  readonly icon?: TablerIcon;
  readonly title: string;
  readonly subtitle?: ReactNode;
  readonly children?: ReactNode;
  /** Below the card. */
  readonly footer?: ReactNode;
}

export function AuthCard({ icon: Icon, title, subtitle, children, footer }: AuthCardProps) {
  return (
    <>
      <title>{`${title} · Tessera`}</title>
      <div className={classes.card}>
        {Icon && (
          <span className={classes.icon}>
            <Icon size={20} stroke={1.6} aria-hidden />
          </span>
        )}
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
