// Waits for what a server does after it has answered.
import { setTimeout as sleep } from 'node:timers/promises';

/** @throws {Error} with `condition` after a minute: a busy machine is slow */
export async function waitUntil(condition: string, isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`Timed out waiting until ${condition}.`);
    await sleep(100);
  }
}
