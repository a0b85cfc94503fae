/** Navigation between the page's sections, and the search through them. Marks the section on the screen. */
import { Stack, Text } from '@mantine/core';
import { useDeferredValue, useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { SearchField } from '#web/ui/lists/search-field.tsx';
import classes from './docs-page.module.css';
import { type DocsEntry, findEntries } from './search-document.ts';

export interface DocsSection {
  readonly id: string;
  readonly label: string;
}

export interface SectionNavProps {
  readonly sections: readonly DocsSection[];
  /** What the search finds. */
  readonly entries: readonly DocsEntry[];
}

export function SectionNav({ sections, entries }: SectionNavProps) {
  const current = useCurrentSection(sections);
  const [text, setText] = useState('');
  const search = useDeferredValue(text).trim();
  const found = search === '' ? undefined : findEntries(entries, search);
  return (
    <Stack gap={8} className={classes.nav}>
      <SearchField label="the API" text={text} onText={setText} />
      <nav aria-label={found === undefined ? 'On this page' : 'Search results'}>
        <ul className={`list flex wrap gap-4 ${classes.entries}`}>
          {(found ?? sections).map(({ id, label }) => (
            <li key={`${id} ${label}`}>
              <SectionLink id={id} label={label} isCurrent={found === undefined && id === current} />
            </li>
          ))}
        </ul>
      </nav>
      {found?.length === 0 && (
        <Text fz="sm" c="dimmed" role="status">
          Nothing in the API matches “{search}”.
        </Text>
      )}
    </Stack>
  );
}

function SectionLink({ id, label, isCurrent }: DocsSection & { readonly isCurrent: boolean }) {
  const { search } = useLocation();
  return (
    <Link
      to={{ hash: id, search }}
      replace
      className={classes.entry}
      aria-current={isCurrent ? 'location' : undefined}
    >
      {label}
    </Link>
  );
}

/** The last section with its heading above the screen's header; the first section before that. */
function useCurrentSection(sections: readonly DocsSection[]): string | undefined {
  const [current, setCurrent] = useState(sections[0]?.id);
  useEffect(() => {
    const read = () => {
      const isAtEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
      const passed = sections.filter(
        ({ id }) =>
          (document.getElementById(id)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY) < 120,
      );
      setCurrent((isAtEnd ? sections : passed).at(-1)?.id ?? sections[0]?.id);
    };
    read();
    window.addEventListener('scroll', read, { passive: true });
    window.addEventListener('resize', read);
    return () => {
      window.removeEventListener('scroll', read);
      window.removeEventListener('resize', read);
    };
  }, [sections]);
  return current;
}
