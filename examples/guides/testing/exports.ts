import type { Tessera } from 'tessera-sdk';

/** Your code takes the client as an argument, so that a test can pass its own. */
export async function exportReport(tessera: Tessera, user: string): Promise<string> {
  const { allowed } = await tessera.consume('data-exports.exports', { on: { user }, fallback: 'allow' });
  if (!allowed) throw new Error('No exports left this month');
  return 'month,total\n2026-01,42';
}
