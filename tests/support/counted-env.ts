// The Worker's bindings, with every call to D1, queues and objects counted, and D1 cut off on demand.
import { env } from 'cloudflare:workers';
import type { Env } from '#worker/env';

export interface Counts {
  d1: number;
  queues: number;
  /** Calls of environment replicas: what a check may wait for. */
  replicas: number;
  ledgers: number;
  /** Appends to event streams, which happen behind the answer. */
  streams: number;
}

export interface CountedEnv {
  readonly env: Env;
  readonly counts: Counts;
  /** From now on every use of D1 throws. */
  cutOffD1(): void;
  /** From now on every call of a ledger throws this. */
  failLedgers(error: Error): void;
  /** From now on no environment replica can be reached. */
  cutOffReplicas(): void;
}

export function countedEnv(): CountedEnv {
  const counts: Counts = { d1: 0, queues: 0, replicas: 0, ledgers: 0, streams: 0 };
  const cutOff = new Map<keyof Counts, Error>();
  const counting = <T extends object>(target: T, kind: keyof Counts): T =>
    new Proxy(target, {
      get(object, name) {
        const member = Reflect.get(object, name) as unknown;
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => {
          counts[kind] += 1;
          const failure = cutOff.get(kind);
          if (failure !== undefined) throw failure;
          return Reflect.apply(member, object, args) as unknown;
        };
      },
    });
  return {
    counts,
    cutOffD1() {
      cutOff.set('d1', new Error('Cut off: d1'));
    },
    failLedgers(error) {
      cutOff.set('ledgers', error);
    },
    cutOffReplicas() {
      cutOff.set('replicas', new Error('Cut off: replicas'));
    },
    env: {
      ...env,
      DB: counting(env.DB, 'd1'),
      PUBLISH_QUEUE: counting(env.PUBLISH_QUEUE, 'queues'),
      EVENTS_QUEUE: counting(env.EVENTS_QUEUE, 'queues'),
      STRIPE_QUEUE: counting(env.STRIPE_QUEUE, 'queues'),
      STRIPE_CATCH_UP_QUEUE: counting(env.STRIPE_CATCH_UP_QUEUE, 'queues'),
      BILLING_QUEUE: counting(env.BILLING_QUEUE, 'queues'),
      SYNC_QUEUE: counting(env.SYNC_QUEUE, 'queues'),
      SIGHTINGS_QUEUE: counting(env.SIGHTINGS_QUEUE, 'queues'),
      SCHEDULE_QUEUE: counting(env.SCHEDULE_QUEUE, 'queues'),
      FACTS_QUEUE: counting(env.FACTS_QUEUE, 'queues'),
      WEBHOOK_QUEUE: counting(env.WEBHOOK_QUEUE, 'queues'),
      ENVIRONMENT_REPLICA: counting(env.ENVIRONMENT_REPLICA, 'replicas'),
      LEDGER: counting(env.LEDGER, 'ledgers'),
      EVENT_STREAM: counting(env.EVENT_STREAM, 'streams'),
    },
  };
}
