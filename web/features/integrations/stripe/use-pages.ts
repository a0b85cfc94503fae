/** Where one stands in a list that is read page by page: back and forth by cursors, from the start for another search. */
import { useState } from 'react';

interface Place {
  readonly cursor: string | null;
  /** Rows before it. */
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

/** @param search what the list is narrowed by */
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
