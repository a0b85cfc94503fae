/** The card of an authentication page: title, form, and links to related pages. */
import { Box, Stack, Title } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './auth.module.css';

export interface AuthCardProps {
  /** For a card that reports a state and has no form. */
  readonly icon?: TablerIcon;
  readonly title: string;
  readonly subtitle?: ReactNode;
  readonly children?: ReactNode;
  /** Rendered below the card. */
  readonly footer?: ReactNode;
}

export function AuthCard({ icon: Icon, title, subtitle, children, footer }: AuthCardProps) {
  return (
    <>
      <title>{`${title} · Tessera`}</title>
      <div className={classes.card}>
        {Icon && (
          <Box component="span" bdrs="lg" w={40} h={40} className="centre accent">
            <Icon size={20} stroke={1.6} aria-hidden />
          </Box>
        )}
        <Stack gap={4}>
          <Title order={1}>{title}</Title>
          {subtitle && <p className="flush muted breaks">{subtitle}</p>}
        </Stack>
        {children}
      </div>
      {footer && <div className={classes.footer}>{footer}</div>}
    </>
  );
}
