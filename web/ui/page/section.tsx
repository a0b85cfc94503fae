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
  /** For forms: title and description at the left, fields and footer at the right. */
  readonly isSplit?: boolean;
  /** The content reaches the card's edges, for example a table. */
  readonly isFlush?: boolean;
  readonly children?: ReactNode;
}

export function Section(props: SectionProps) {
  const { title, description, actions, footer, isDanger, isSplit, isFlush, children } = props;
  return (
    <section
      className={`card column clip ${classes.section}`}
      data-danger={isDanger || undefined}
      data-split={isSplit || undefined}
    >
      {title !== undefined && (
        <div className={classes.head}>
          <div>
            <Title order={2}>{title}</Title>
            {description && (
              <Box component="p" mt={2} mb={0} c="dimmed" maw="68ch" style={{ textWrap: 'pretty' }}>
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
