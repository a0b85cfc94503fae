'use server';

import { currentCustomer } from '../lib/customer';
import { tessera } from '../lib/tessera';

export async function exportReport(): Promise<string | null> {
  const user = await currentCustomer();
  if (user === null) return null;
  const { allowed } = await tessera.consume('data-exports.exports', { on: { user }, fallback: 'deny' });
  return allowed ? 'month,total\n2026-01,42' : null;
}
