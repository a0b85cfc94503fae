/** A list of codes, each with its meaning and what to do about it. Searchable when long. */
import { type ReactNode, useDeferredValue, useState } from 'react';
import { hasSearchField } from '#web/ui/lists/has-search-field.ts';
import { matchesSearch } from '#web/ui/lists/matches-search.ts';
import { SearchField } from '#web/ui/lists/search-field.tsx';
import classes from './code-list.module.css';

export interface CodeEntry {
  readonly code: string;
  readonly meaning: string;
  readonly advice: string;
  /** Rendered beside the code. */
  readonly aside?: ReactNode;
}

export function CodeList({ label, entries }: { label: string; entries: readonly CodeEntry[] }) {
  const [search, setSearch] = useState('');
  const needle = useDeferredValue(search);
  const found = entries.filter(({ code, meaning, advice }) =>
    matchesSearch(`${code} ${meaning} ${advice}`, needle),
  );
  return (
    <div className="card clip">
      {hasSearchField(entries.length, search) && (
        <div className={classes.search}>
          <SearchField label={label} text={search} onText={setSearch} />
        </div>
      )}
      <ul className="list" aria-label={label}>
        {found.map(({ code, meaning, advice, aside }) => (
          <li key={code} className={classes.entry}>
            <div className={classes.code}>
              <code>{code}</code>
              {aside}
            </div>
            <div>
              <p>{meaning}</p>
              <p className="muted">{advice}</p>
            </div>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="note">No results</p>}
    </div>
  );
}
