// Counts usage as a customer's application does.

import { exports } from 'cloudflare:workers';
import type { PublicError } from '#contracts/public/errors';
import type { CounterUpdateAnswer } from '#contracts/public/metering';
import { publicRequest } from './public-requests.ts';

export async function update(
  key: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: CounterUpdateAnswer & Omit<PublicError, 'status'> }> {
  const response = await exports.default.fetch(publicRequest('counter-updates', key, body, headers));
  return { status: response.status, body: await response.json() };
}
