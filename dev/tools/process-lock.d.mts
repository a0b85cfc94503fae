export interface ProcessLock {
  readonly isHeld: true;
  /** Another process for which the lock stays held, also when this one has ended: a child that writes the same files. */
  include(pid: number): void;
  /** The lock is also released when all its processes have ended. */
  release(): void;
}

export interface LockedByOther {
  readonly isHeld: false;
  /** Its process, and what that wrote into the lock; empty while it is only trying, or has left children behind. */
  readonly holder: { readonly pid: number; readonly note: string };
}

/**
 * Answers at once if another process holds the lock. Waits up to ten seconds for others that try at the same time, and for the
 * children of one that was killed.
 *
 * @param folder where the lock lives; created if missing
 * @param name letters, digits and dashes
 * @param note what others may know of the holder; not empty
 */
export function takeLock(folder: string, name: string, note: string): Promise<ProcessLock | LockedByOther>;

/** @param onWait called once, if another process holds the lock */
export function waitForLock(
  folder: string,
  name: string,
  note: string,
  onWait?: () => void,
): Promise<ProcessLock>;
