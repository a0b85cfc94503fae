/**
 * A part that opens on request: a dialog, a side sheet, the command palette. If its code cannot be loaded a toast says so, the rest of the
 * page stays, and the next request tries again.
 */
import type { ReactNode } from 'react';
import { toast } from '#web/toast.ts';
import { LoadedApart, type LoadedApartProps, useOptionalCode } from './loaded-apart.tsx';
import { useLatch } from './use-latch.ts';

export interface OptionalPartProps<Props> extends LoadedApartProps<Props> {
  /** Once it was needed it stays rendered, so that it can close itself. */
  readonly isNeeded?: boolean;
  /** Shown meanwhile. */
  readonly loading?: ReactNode;
  /** Its code could not be loaded: withdraws the request. */
  readonly onFailure: () => void;
}

/** What a dialog that opens on request needs of its opener. */
export const whileOpen = (isOpen: boolean, onClose: () => void) => ({
  props: { isOpen, onClose },
  isNeeded: isOpen,
  onFailure: onClose,
});

export function OptionalPart<Props extends object>({
  code,
  props,
  isNeeded = true,
  loading = null,
  onFailure,
}: OptionalPartProps<Props>) {
  const wasNeeded = useLatch(isNeeded);
  const isLoaded = useOptionalCode(code, isNeeded, () => {
    toast.error('This part of the console could not be loaded', {
      id: 'missing-code',
      description:
        'Check your connection and try again. If it fails again, save your work and reload the page.',
    });
    onFailure();
  });
  if (!isLoaded) return isNeeded ? loading : null;
  return wasNeeded ? <LoadedApart code={code} props={props} /> : null;
}
