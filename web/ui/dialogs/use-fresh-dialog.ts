/** For a dialog that begins with an empty form each time it opens: the form's key has `serial`. */
import { useState } from 'react';
import { useLastValue } from './use-last-value.ts';

export interface FreshDialog<Thing> {
  /** What the dialog shows, while it fades out, too; null before it opens. */
  readonly shown: Thing | null;
  /** Rises with each closing. */
  readonly serial: number;
  readonly dialog: { readonly isOpen: boolean; readonly onClose: () => void };
}

/** @param thing null while closed */
export function useFreshDialog<Thing>(thing: Thing | null, onClose: () => void): FreshDialog<Thing> {
  const [serial, setSerial] = useState(0);
  const close = () => {
    onClose();
    setSerial(serial + 1);
  };
  return { shown: useLastValue(thing), serial, dialog: { isOpen: thing !== null, onClose: close } };
}
