// Shared by the steps of the demo seed.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiSession } from './api-session.ts';

/** An organisation and a session that may change it. */
export interface Workspace {
  readonly session: ApiSession;
  readonly orgId: string;
}

/** @throws {Error} if no item matches */
export function getItem<T>(items: readonly T[], isMatch: (item: T) => boolean): T {
  const item = items.find(isMatch);
  if (item === undefined) throw new Error('Demo data is missing. It may have been changed during the seed.');
  return item;
}

/** @throws {Error} with `condition` after twenty seconds */
export async function waitUntil(condition: string, isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`The demo seed timed out waiting until ${condition}.`);
    await sleep(100);
  }
}
