/** A card about one topic: title, description, content, and a footer for its action. */
import { Box, Flex, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './section.module.css';

export interface SectionProps {
  readonly title?: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly footer?: ReactNode;
  /** For actions that cannot be undone. */
  readonly isDanger?: boolean;
  /** The content reaches the card's edges, for example a table. */
  readonly isFlush?: boolean;
  readonly children?: ReactNode;
}

export function Section({ title, description, actions, footer, isDanger, isFlush, children }: SectionProps) {
  return (
    <section className={classes.section} data-danger={isDanger || undefined}>
      {title !== undefined && (
        <div className={classes.head}>
          <div>
            <Title order={2}>{title}</Title>
            {description && (
              <Box component="p" mt={2} mb={0} c="dimmed" maw="68ch">
                {description}
              </Box>
            )}
          </div>
          {actions && (
            <Flex gap={8} wrap="wrap" maw="100%">
              {actions}
            </Flex>
          )}
        </div>
      )}
      {children && <div className={isFlush ? classes.flush : classes.body}>{children}</div>}
      {footer && <div className={classes.footer}>{footer}</div>}
    </section>
  );
}
