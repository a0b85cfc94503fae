/** The frame of a server-paged table: search above, row count and page buttons below. */
import { Button, Group, Stack } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatNumber } from '../format.ts';
import classes from './paged-list.module.css';
import { SearchField } from './search-field.tsx';
import type { Pages } from './use-pages.ts';

export interface PagedListProps {
  readonly label: string;
  readonly placeholder: string;
  /** How many characters are searched. */
  readonly maxLength: number;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly pages: Pages;
  /** Undefined while the first page loads. */
  readonly page:
    | { readonly items: readonly unknown[]; readonly nextCursor: string | null; readonly total: number }
    | undefined;
  /** The rows are those of the previous search or page. */
  readonly isStale: boolean;
  readonly children: ReactNode;
}

export function PagedList(props: PagedListProps) {
  const { label, placeholder, maxLength, text, onText, pages, page, isStale, children } = props;
  const rows = page?.items.length ?? 0;
  const next = page?.nextCursor ?? null;
  return (
    <Stack gap={12}>
      <SearchField
        label={label}
        placeholder={placeholder}
        maxLength={maxLength}
        text={text}
        onText={onText}
        maw={360}
      />
      <div className={classes.rows} data-stale={isStale || undefined} aria-busy={isStale}>
        {children}
      </div>
      <Group gap="8px 16px" justify="space-between">
        <span className="muted small figures" aria-live="polite">
          {page !== undefined &&
            (rows === 0
              ? `0 of ${formatNumber(page.total)}`
              : `${formatNumber(pages.start + 1)}–${formatNumber(pages.start + rows)} of ${formatNumber(page.total)}`)}
        </span>
        <Group gap={8}>
          <Button
            variant="default"
            leftSection={<IconChevronLeft size={15} aria-hidden />}
            disabled={!pages.hasPrevious}
            onClick={pages.previous}
          >
            Previous
          </Button>
          <Button
            variant="default"
            rightSection={<IconChevronRight size={15} aria-hidden />}
            disabled={next === null || isStale}
            onClick={() => next !== null && pages.next(next, rows)}
          >
            Next
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}
