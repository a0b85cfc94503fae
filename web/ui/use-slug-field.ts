/** Derives a slug from the name until the user edits the slug. */
import { useRef } from 'react';

export interface SlugField {
  /** The slug for a changed name. Null once the user has edited the slug. */
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
