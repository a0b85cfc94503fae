/** The last value that was not null: what a dialog shows while it fades out. */
import { useState } from 'react';

export function useLastValue<Thing>(thing: Thing | null): Thing | null {
  const [kept, setKept] = useState(thing);
  if (thing !== null && thing !== kept) setKept(thing);
  return thing ?? kept;
}
