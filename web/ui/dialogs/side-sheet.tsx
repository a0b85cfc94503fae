/** A sheet at the right edge, over the page. What is behind it stays usable. */
import { ActionIcon, Box } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './side-sheet.module.css';

export interface SideSheetProps {
  /** The sheet's accessible name. */
  readonly label: string;
  readonly title: ReactNode;
  /** Before the close button. */
  readonly actions?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function SideSheet({ label, title, actions, onClose, children }: SideSheetProps) {
  const sheet = useRef<HTMLElement>(null);
  useEffect(() => sheet.current?.focus({ preventScroll: true }), []);
  return (
    <aside ref={sheet} className={classes.sheet} tabIndex={-1} aria-label={label}>
      <header className={classes.head}>
        <Box component="h2" fz="0.9375rem" className="truncate flush bold">
          {title}
        </Box>
        <Box ml="auto" className="row rigid">
          {actions}
          <ActionIcon aria-label="Close (Escape)" onClick={onClose}>
            <IconX size={17} aria-hidden />
          </ActionIcon>
        </Box>
      </header>
      <div className={classes.body}>{children}</div>
    </aside>
  );
}
