/** The position in a cursor-paged list: next, previous, and back to the first page when the search changes. */
import { useState } from 'react';

interface Place {
  readonly cursor: string | null;
  /** The number of rows on previous pages. */
  readonly start: number;
}

const FIRST: Place = { cursor: null, start: 0 };

export interface Pages {
  readonly cursor: string | null;
  readonly start: number;
  readonly hasPrevious: boolean;
  readonly next: (cursor: string, rows: number) => void;
  readonly previous: () => void;
}

/** @param search the list's filter; a change returns to the first page */
export function usePages(search: string): Pages {
  const [state, setState] = useState({ search, places: [FIRST] });
  const places = state.search === search ? state.places : [FIRST];
  const place = places.at(-1) ?? FIRST;
  return {
    ...place,
    hasPrevious: places.length > 1,
    next: (cursor, rows) => setState({ search, places: [...places, { cursor, start: place.start + rows }] }),
    previous: () => setState({ search, places: places.slice(0, -1) }),
  };
}
