import { tessera } from './tessera';

/** Counts work that is already done, whatever the limit. Returns at once. */
export function recordExports(user: string, by: number, finishedAt: Date): void {
  tessera.count('data-exports.exports', { on: { user }, by, at: finishedAt });
}

/** At the end of a script, a job or a test. Resolves once everything is counted. */
export async function finish(): Promise<void> {
  await tessera.flush();
}
