/** What happens in a history, one after the other. Each is data and names others by number only, so that any can be left out. */
import type { Random } from '#lab/fixtures/seeded-random';
import type { MeterName, PlanName } from './shop.ts';

export type Operation = {
  /** Before it, milliseconds. */
  readonly after: number;
  /** In which location: its number, counted round. */
  readonly at: number;
} & Action;

export interface Update {
  readonly meter: MeterName;
  /** Negative: gives back. */
  readonly by: number;
  readonly enforce: boolean;
  /** The caller can repeat it. */
  readonly hasKey: boolean;
  /** How long ago it was used, milliseconds. */
  readonly ageMs: number;
  readonly entity: string | null;
  /** Under another name, which is a customer of its own until it is told whose it is. */
  readonly isAlias: boolean;
  /** The object dies before it has stored anything. */
  readonly crashes: boolean;
}

export type Action =
  | ({ readonly kind: 'update' } & Update)
  /** Which: of the updates with a key, counted round. Of the holds, one of the last. */
  | { readonly kind: 'repeat'; readonly which: number }
  /** Null: all of it. */
  | { readonly kind: 'give back'; readonly which: number; readonly by: number | null }
  | {
      readonly kind: 'hold';
      readonly meter: MeterName;
      readonly amount: number;
      readonly orLess: boolean;
      readonly lastsMs: number;
      readonly entity: string | null;
    }
  | { readonly kind: 'extend'; readonly which: number; readonly amount: number; readonly lastsMs: number }
  | {
      readonly kind: 'settle';
      readonly which: number;
      readonly amount: number;
      readonly onExcess: 'reject' | 'cap' | 'overflow';
    }
  /** The object's alarm: holds that are over are booked. */
  | { readonly kind: 'alarm' }
  | { readonly kind: 'restart' }
  | {
      readonly kind: 'grant';
      readonly meter: MeterName;
      readonly amount: number;
      readonly category: 'paid' | 'promotional';
      readonly priority: number;
      readonly startsInMs: number;
      /** Null: it has no end. */
      readonly lastsMs: number | null;
      readonly needsPlan: boolean;
      /** Whose calls alone draw from it; null: the customer's own. */
      readonly entity: string | null;
      /** It pays what was used above quota and grants, once. */
      readonly paysOverage: boolean;
    }
  | { readonly kind: 'change grant'; readonly which: number; readonly to: GrantChange }
  | { readonly kind: 'take back'; readonly which: number; readonly amount: number }
  | {
      readonly kind: 'subscribe';
      readonly plan: PlanName;
      readonly quantity: number;
      /** How long its trial is; null: it has none. */
      readonly trialMs: number | null;
    }
  | { readonly kind: 'cancel'; readonly plan: PlanName }
  /** A new billing period begins. */
  | { readonly kind: 'move anchor'; readonly plan: PlanName }
  | { readonly kind: 'quantity'; readonly plan: PlanName; readonly quantity: number }
  /** Sends another location what that has not acknowledged. */
  | { readonly kind: 'send'; readonly to: number }
  /** Whether another location has not been heard for a while. */
  | { readonly kind: 'silence'; readonly isSilent: boolean }
  /** Ended balances are not told to ledgers and isolates any more. */
  | { readonly kind: 'close' }
  /** What was sent arrives, or is lost; or the acknowledgement is. What stays arrives again. Which: of all that is under way. */
  | {
      readonly kind: 'deliver';
      readonly which: number;
      readonly isLost: boolean;
      readonly isAnswered: boolean;
      readonly stays: boolean;
    }
  /** The other name is the customer's from now on, with all that was counted under it until then. */
  | { readonly kind: 'link'; readonly updates: readonly Update[] }
  /** A location is disabled, or enabled. Which: of all there are. */
  | { readonly kind: 'location'; readonly which: number }
  /** A member gets a seat, or leaves it. */
  | { readonly kind: 'seat'; readonly entity: string; readonly isTaken: boolean }
  /** The clock jumps to about then. */
  | { readonly kind: 'jump'; readonly to: Jump; readonly offMs: number };

/** A month's end of the calendar or of the anchor, the end of a trial, a change of the clock in summer or winter, or the end of February. */
export type Jump = 'month' | 'anchor' | 'trial' | 'clock' | 'february';

export type GrantChange =
  | { readonly priority: number }
  /** Null: it has no end. */
  | { readonly endsInMs: number | null }
  | { readonly isFrozen: boolean };

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ENTITIES = ['user_7', 'user@8'];
const METERS: readonly MeterName[] = ['credits', 'credits', 'chat', 'calls'];
const SOLD: readonly PlanName[] = ['pro', 'pro', 'pack'];
const QUANTITIES: readonly PlanName[] = ['pro', 'pack', 'pack', 'pack'];
const JUMPS: readonly Jump[] = ['month', 'anchor', 'anchor', 'anchor', 'trial', 'clock', 'february'];
const LASTS = [SECOND, 2 * MINUTE, HOUR, HOUR, HOUR];

/** @param hasPeers there are other locations */
export function randomOperations(random: Random, count: number, hasPeers: boolean): Operation[] {
  const actions = Array.from({ length: count }, () =>
    hasPeers && random.next() < 0.4 ? someMessage(random) : someAction(random),
  );
  // Most customers have subscribed to something before they do anything else.
  for (const [index, plan] of (['pro', 'pack'] as const).entries())
    if (random.next() < 0.5) actions[index] = subscription(random, plan);
  return actions.map((action) => ({
    ...{ after: someTime(random), at: hasPeers ? random.below(3) : 0 },
    ...action,
  }));
}

function someMessage({ next, below }: Random): Action {
  const dice = next();
  if (dice < 0.07) return { kind: 'silence', isSilent: next() < 0.6 };
  if (dice < 0.1) return { kind: 'location', which: below(3) };
  if (dice < 0.5) return { kind: 'send', to: below(3) };
  return {
    ...{ kind: 'deliver', which: below(1000), isLost: next() < 0.15 },
    ...{ isAnswered: next() < 0.85, stays: next() < 0.2 },
  };
}

function someTime({ next, below }: Random): number {
  const dice = next();
  if (dice < 0.55) return 1 + below(2 * SECOND);
  if (dice < 0.75) return below(3 * MINUTE);
  if (dice < 0.9) return below(3 * HOUR);
  return dice < 0.97 ? below(3 * DAY) : below(50 * DAY);
}

function someAction(random: Random): Action {
  const { next, below, pick } = random;
  const entity = () => someEntity(random);
  const which = below(1000);
  const dice = next();
  if (dice < 0.33) return { kind: 'update', ...someUpdate(random) };
  if (dice < 0.36) return { kind: 'repeat', which };
  if (dice < 0.43) return { kind: 'give back', which, by: next() < 0.5 ? null : -1 - below(5) };
  if (dice < 0.51)
    return {
      ...{ kind: 'hold', meter: pick(METERS), amount: 1 + below(12), orLess: next() < 0.4 },
      ...{ lastsMs: pick(LASTS), entity: entity() },
    };
  if (dice < 0.59) return { kind: 'extend', which, amount: below(5), lastsMs: pick(LASTS) };
  if (dice < 0.66)
    return {
      ...{ kind: 'settle', which, amount: below(14) },
      onExcess: pick(['overflow', 'overflow', 'cap', 'reject']),
    };
  if (dice < 0.67) return { kind: 'alarm' };
  if (dice < 0.68) return { kind: 'close' };
  if (dice < 0.7) return { kind: 'restart' };
  if (dice < 0.77) return someGrant(random);
  if (dice < 0.815) return { kind: 'change grant', which, to: someChange(random) };
  if (dice < 0.84) return { kind: 'take back', which, amount: 1 + below(20) };
  if (dice < 0.86) return { kind: 'link', updates: [1, 2, 3].map(() => asAlias(random)) };
  if (dice < 0.885) return subscription(random, pick(SOLD));
  if (dice < 0.9) return { kind: 'cancel', plan: pick(SOLD) };
  if (dice < 0.92) return { kind: 'move anchor', plan: pick(SOLD) };
  if (dice < 0.95) return { kind: 'quantity', plan: pick(QUANTITIES), quantity: 1 + below(4) };
  if (dice < 0.97) return { kind: 'seat', entity: pick(ENTITIES), isTaken: next() < 0.7 };
  return { kind: 'jump', to: pick(JUMPS), offMs: below(3 * MINUTE) - MINUTE };
}

function subscription({ next, below, pick }: Random, plan: PlanName): Action {
  return {
    ...{ kind: 'subscribe', plan, quantity: 1 + below(4) },
    trialMs: next() < 0.4 ? below(pick([HOUR, 3 * DAY, 40 * DAY])) : null,
  };
}

function someUpdate(random: Random): Update {
  const { next, below, pick } = random;
  return {
    ...{ meter: pick(METERS), by: someBy(random), enforce: next() < 0.55, hasKey: next() < 0.5 },
    ...{ ageMs: next() < 0.12 ? below(DAY) : 0, entity: someEntity(random) },
    ...{ isAlias: next() < 0.03, crashes: next() < 0.04 },
  };
}

function asAlias(random: Random): Update {
  return { ...someUpdate(random), isAlias: true, ageMs: 0, crashes: false };
}

function someEntity({ next, pick }: Random): string | null {
  return next() < 0.4 ? pick(ENTITIES) : null;
}

function someBy({ next, below }: Random): number {
  if (next() < 0.18) return -1 - below(8);
  return next() < 0.1 ? 10 + below(60) : below(9);
}

function someGrant({ next, below, pick }: Random): Action {
  return {
    ...{ kind: 'grant', meter: pick(METERS), amount: below(30) },
    category: next() < 0.5 ? 'paid' : 'promotional',
    priority: pick([0, 39, 40, 40, 50, 50, 50, 100]),
    startsInMs: next() < 0.15 ? below(2 * DAY) : 0,
    lastsMs: next() < 0.4 ? null : 1 + below(pick([HOUR, 5 * DAY, 40 * DAY])),
    ...{ needsPlan: next() < 0.2, paysOverage: next() < 0.3 },
    entity: next() < 0.35 ? pick(ENTITIES) : null,
  };
}

function someChange({ next, below, pick }: Random): GrantChange {
  const dice = next();
  if (dice < 0.4) return { isFrozen: next() < 0.6 };
  if (dice < 0.7) return { priority: pick([0, 40, 50, 100]) };
  return { endsInMs: next() < 0.3 ? null : below(10 * DAY) };
}
