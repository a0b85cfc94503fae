// Sends due deliveries, and retries with growing pauses until the endpoint responds with 2xx.
import type { Emulator } from '../core/emulator.ts';
import { composeDelivery } from './compose-delivery.ts';
import type { Delivery, DeliveryAttempt } from './delivery-store.ts';
import { retryPauseMs } from './retry-schedule.ts';

const answerTimeoutMs = 10_000;
const batchSize = 20;
const pollMs = 50;

/** Starts sending. @returns a function that stops it after pending attempts finish */
export function sendDeliveries(emulator: Emulator): () => Promise<void> {
  const underway = new Map<string, Promise<void>>();
  const timer = setInterval(() => {
    const due = emulator.deliveries.due(emulator.now(), batchSize + underway.size);
    for (const delivery of due) {
      if (underway.has(delivery.id) || underway.size >= batchSize) continue;
      const sending = attempt(emulator, delivery).finally(() => underway.delete(delivery.id));
      underway.set(delivery.id, sending);
    }
  }, pollMs);
  return async () => {
    clearInterval(timer);
    await Promise.all(underway.values());
  };
}

async function attempt(emulator: Emulator, delivery: Delivery): Promise<void> {
  const request = composeDelivery(emulator, delivery);
  const at = emulator.now();
  if (request === null) {
    const error = 'The endpoint is gone or disabled.';
    emulator.deliveries.update({
      ...delivery,
      status: 'failed',
      dueAt: null,
      attempts: [...delivery.attempts, { at, status: null, error }],
    });
    return;
  }
  const outcome = await post(request.url, request.headers, request.body);
  recordAttempt(emulator, delivery, { at, ...outcome });
}

/** Records the result of an attempt and schedules the next one, if any. */
export function recordAttempt(emulator: Emulator, delivery: Delivery, attempted: DeliveryAttempt): Delivery {
  const attempts = [...delivery.attempts, attempted];
  const { status } = attempted;
  const isDelivered = status !== null && status >= 200 && status < 300;
  const delayMs = isDelivered
    ? undefined
    : retryPauseMs(delivery.livemode, attempts.length, emulator.retrySpeed);
  const isAutomatic = emulator.accounts.find(delivery.accountId)?.sendsWebhooks ?? false;
  const changed: Delivery = {
    ...delivery,
    attempts,
    status: isDelivered ? 'delivered' : delayMs === undefined ? 'failed' : 'pending',
    dueAt: delayMs === undefined || !isAutomatic ? null : emulator.now() + delayMs,
  };
  emulator.deliveries.update(changed);
  return changed;
}

/** A redirect is not a delivery: Stripe does not follow redirects either. */
async function post(
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<Omit<DeliveryAttempt, 'at'>> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    await response.arrayBuffer();
    return { status: response.status };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { status: null, error: cause instanceof Error ? cause.message || cause.name : String(cause) };
  }
}
