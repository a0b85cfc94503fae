/** One attempt to send an event to an address. */

import { signWebhook, WEBHOOK_HEADERS } from '#contracts/public/webhook-signature';

/** Standard Webhooks asks receivers to answer within 15 s. */
const TIMEOUT_MS = 15_000;
const KEPT_BYTES = 1_024;

export interface Attempt {
  readonly isDelivered: boolean;
  /** Null: there was no answer. */
  readonly status: number | null;
  readonly tookMs: number;
  /** The first kilobyte of the answer. */
  readonly answer: string | null;
  /** For people; null: it was delivered. */
  readonly problem: string | null;
}

interface Signed {
  readonly url: string;
  readonly secrets: readonly string[];
  readonly event: { readonly eventId: string; readonly body: string };
}

/** Never throws: what goes wrong is the address's. @param clock epoch milliseconds */
export async function attemptDelivery(
  { url, secrets, event }: Signed,
  clock: () => number,
): Promise<Attempt> {
  const startedAt = clock();
  const timestamp = Math.floor(startedAt / 1000);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const signature = await signWebhook(secrets, { id: event.eventId, timestamp, body: event.body });
    const response = await fetch(url, {
      method: 'POST',
      // It could lead into another network, and would turn the call into another one.
      redirect: 'manual',
      signal,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Tessera-Webhooks/1.0',
        [WEBHOOK_HEADERS.id]: event.eventId,
        [WEBHOOK_HEADERS.timestamp]: String(timestamp),
        [WEBHOOK_HEADERS.signature]: signature,
      },
      body: event.body,
    });
    const { status, ok: isDelivered } = response;
    // An answer whose text does not come is an answer.
    const answer = await readStart(response).catch(() => null);
    const problem = isDelivered ? null : problemOf(status);
    return { isDelivered, status, tookMs: clock() - startedAt, answer, problem };
  } catch {
    const problem = signal.aborted ? 'No answer within 15 seconds' : 'The address could not be reached';
    return { isDelivered: false, status: null, tookMs: clock() - startedAt, answer: null, problem };
  }
}

function problemOf(status: number): string {
  return status >= 300 && status < 400
    ? `Answered with ${status}. Redirects are not followed.`
    : `Answered with ${status}. A status from 200 to 299 confirms the event.`;
}

/** The rest is not read, however long it is. */
async function readStart({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk.subarray(0, KEPT_BYTES - bytes), { stream: true });
    bytes += chunk.byteLength;
    if (bytes >= KEPT_BYTES) break;
  }
  return text;
}
