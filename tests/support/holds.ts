// Holds usage as a customer's application does.
import { exports } from 'cloudflare:workers';
import type { PublicError } from '#contracts/public/errors';
import type { SettleHoldAnswer } from '#contracts/public/holds';
import { publicRequest } from './public-requests.ts';

type AnyAnswer = Omit<SettleHoldAnswer, 'hold'> & { readonly hold: SettleHoldAnswer['hold'] | null };

/** @param path after /api/v1/holds */
export async function hold(
  key: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: AnyAnswer & Omit<PublicError, 'status'> }> {
  const response = await exports.default.fetch(publicRequest(`holds${path}`, key, body, headers));
  return { status: response.status, body: await response.json() };
}
