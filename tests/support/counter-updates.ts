// Counts usage as a customer's application does.
import { exports } from 'cloudflare:workers';
import type { PublicError } from '#contracts/public/errors';
import type { CounterUpdateAnswer } from '#contracts/public/metering';

export async function update(
  key: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: CounterUpdateAnswer & Omit<PublicError, 'status'> }> {
  const response = await exports.default.fetch(
    new Request('http://localhost:4001/api/v1/counter-updates', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }),
  );
  return { status: response.status, body: await response.json() };
}
