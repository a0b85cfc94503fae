/** Navigation between the page's sections. Marks the section on the screen. */
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import classes from './docs-page.module.css';

export interface DocsSection {
  readonly id: string;
  readonly label: string;
}

export function SectionNav({ sections }: { sections: readonly DocsSection[] }) {
  const current = useCurrentSection(sections);
  const { search } = useLocation();
  return (
    <nav aria-label="On this page" className={classes.nav}>
      <ul className={`list flex wrap gap-4 ${classes.entries}`}>
        {sections.map(({ id, label }) => (
          <li key={id}>
            <Link
              to={{ hash: id, search }}
              replace
              className={classes.entry}
              aria-current={id === current ? 'location' : undefined}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
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
