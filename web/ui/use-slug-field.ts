/** Keeps a slug in step with the name it is made from, until somebody edits the slug by hand. */
import { useRef } from 'react';

export interface SlugField {
  /** The slug that belongs to a newly typed name; null where the slug was edited by hand. */
  readonly follow: (name: string) => string | null;
  readonly markEdited: () => void;
  readonly restart: () => void;
}

export function useSlugField(make: (name: string) => string): SlugField {
  const isEdited = useRef(false);
  return {
    follow: (name) => (isEdited.current ? null : make(name)),
    markEdited: () => {
      isEdited.current = true;
    },
    restart: () => {
      isEdited.current = false;
    },
  };
}
