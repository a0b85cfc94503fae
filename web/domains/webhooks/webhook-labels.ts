/** Webhooks in words: their state, what they were chosen for, and what each event tells. */
import type { Delivery, DeliveryState, DisabledBecause, Webhook } from '#contracts/console/webhooks';
import type { ChosenWebhookType, WebhookEvent } from '#contracts/public/webhooks';
import { counted, formatLatency } from '#web/ui/format.ts';
import type { Tone } from '#web/ui/labels/status-label.tsx';

/** When each event is sent. The compiler asks for those of a new one. */
export const EVENT_TEXTS: Readonly<Record<ChosenWebhookType, string>> = {
  'customer.entitlements_changed': 'What a customer can do changed: gained, lost and changed values.',
  'environment.deployed': 'A version was deployed to an environment, or rolled back.',
};
export const EVENT_TYPES = Object.keys(EVENT_TEXTS) as ChosenWebhookType[];

export interface NamedEnvironment {
  readonly id: string;
  readonly name: string;
}

export function webhookState({ isEnabled, failingSince }: Webhook): {
  readonly tone: Tone;
  readonly label: string;
} {
  if (!isEnabled) return { tone: 'quiet', label: 'Disabled' };
  return failingSince === null ? { tone: 'good', label: 'Enabled' } : { tone: 'bad', label: 'Failing' };
}

export const DISABLED_REASONS: Readonly<Record<DisabledBecause, string>> = {
  member: 'Disabled by a member',
  gone: 'The address answered 410 Gone',
  failing: 'Nothing was delivered for five days',
};

/** 'All environments', 'Production, Staging', '4 environments'. @param environments undefined while they load */
export function environmentsLabel(
  ids: readonly string[] | null,
  environments: readonly NamedEnvironment[] | undefined,
): string {
  if (ids === null) return 'All environments';
  if (ids.length > 2 || environments === undefined) return counted(ids.length, 'environment');
  const names = new Map(environments.map(({ id, name }) => [id, name]));
  return ids.map((id) => names.get(id) ?? 'Deleted environment').join(', ');
}

/** Its name when the event happened; empty: it is of none. */
export function environmentOf({ body }: Delivery): string {
  const { data } = JSON.parse(body) as WebhookEvent;
  return 'environment' in data ? data.environment.name : '';
}

/** 'All events', 'environment.deployed', '3 events'. */
export function typesLabel(types: readonly string[] | null): string {
  if (types === null) return 'All events';
  return types.length > 2 ? counted(types.length, 'event') : types.join(', ');
}

export const STATE_LABELS: Readonly<Record<DeliveryState, string>> = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  failed: 'Failed',
};
const TONES: Readonly<Record<DeliveryState, Tone>> = { waiting: 'waiting', delivered: 'good', failed: 'bad' };

export function deliveryState({ state, attempts }: Delivery): {
  readonly tone: Tone;
  readonly label: string;
} {
  return {
    tone: TONES[state],
    label: state === 'waiting' && attempts > 0 ? 'Retrying' : STATE_LABELS[state],
  };
}

/** '200 in 34 ms'; null before the first attempt. */
export function answerLabel({ lastAt, status, tookMs }: Delivery): string | null {
  if (lastAt === null) return null;
  const took = tookMs === null ? '' : ` in ${formatLatency(tookMs)}`;
  return `${status ?? 'No answer'}${took}`;
}
