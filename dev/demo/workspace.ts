// What every step of the demo's seed works on.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiSession } from '../api-session.ts';

/** One organisation, and the session that may change it. */
export interface Workspace {
  readonly session: ApiSession;
  readonly orgId: string;
}

/** @throws {Error} when there is none. */
export function found<T>(items: readonly T[], isIt: (item: T) => boolean): T {
  const item = items.find(isIt);
  if (item === undefined)
    throw new Error('The demo lacks something that it refers to: was it changed meanwhile?');
  return item;
}

/** @throws {Error} saying what was waited for, after twenty seconds. */
export async function waitUntil(words: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`The demo waited in vain: ${words}.`);
    await sleep(100);
  }
}
