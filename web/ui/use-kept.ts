/** The last thing that was not null: what a dialog goes on naming while it closes. */
import { useState } from 'react';

export function useKept<Thing>(thing: Thing | null): Thing | null {
  const [kept, setKept] = useState(thing);
  if (thing !== null && thing !== kept) setKept(thing);
  return thing ?? kept;
}
