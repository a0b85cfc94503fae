// What the clients of a run were told, per customer. An update whose answer never came may have counted: totals are ranges.

import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export interface Range {
  min: number;
  max: number;
}

export interface CustomerHistory {
  readonly identifier: string;
  /** Every identifier that means this customer: a Stripe customer's id and email. */
  readonly names: readonly string[];
  /** Plans that nobody takes from the customer. */
  readonly lastingPlans: readonly string[];
  readonly total: Range;
  readonly monthly: Range;
  readonly capped: Range;
  /** In all periods. */
  readonly allowance: Range;
  /** Of which the plans have a small quota, and the customer balances. */
  readonly credits: Range;
  readonly messages: Range;
  /** What the messages cost. */
  readonly wallet: Range;
  /** Of updates of messages that were not given back. */
  readonly messageKeys: { readonly idempotencyKey: string; readonly by: number }[];
  readonly rolling: Rolling;
  /** Of `total`, what each of the customer's members has used. */
  readonly members: Map<string, Range>;
  /** By their ids. */
  readonly balances: Map<string, GivenBalance>;
  /** Whether each resource is counted, from the last response; unknown once a response is missing. */
  readonly resources: Map<string, 'held' | 'free' | 'unknown'>;
  /** Whether the plan that is granted by API is the customer's. */
  granted: 'held' | 'free' | 'unknown';
  /** The override of `licences` that was made by API. */
  licences: number | null | 'unknown';
  /** Request ids of updates that were counted now, not replayed. */
  readonly counted: string[];
  /** Updates of `capped` that were refused. */
  readonly refused: { readonly requestId: string; readonly by: number }[];
}

/** Of the meter that rolls over. */
export interface Rolling {
  /** In this month. */
  now: Range;
  /** In the month before; null: no month has passed. */
  before: Range | null;
  /** What answers said was drawn from what had rolled over; all of an update without an answer. */
  drawn: number;
}

export interface GivenBalance {
  readonly amount: number;
  readonly takenBack: Range;
  /** False: the answer was lost, or has not come yet. */
  isGiven: boolean;
}

export interface Pair {
  /** The created customer, with what was counted under the names of both. */
  readonly customer: CustomerHistory;
  /** cus_… */
  stripeId: string;
  /** Its Stripe customer is deleted and created again: the IDs that it had. Null: it stays, and calls count under its ID, too. */
  readonly formerIds: string[] | null;
  /** What the last call or person said of the two; unknown: the answer was lost. */
  said: 'one' | 'two' | 'unknown';
}

export function newCustomerHistory(
  names: readonly string[],
  lastingPlans: readonly string[],
): CustomerHistory {
  const [identifier = ''] = names;
  return {
    identifier,
    names,
    lastingPlans,
    total: { min: 0, max: 0 },
    monthly: { min: 0, max: 0 },
    capped: { min: 0, max: 0 },
    allowance: { min: 0, max: 0 },
    credits: { min: 0, max: 0 },
    messages: { min: 0, max: 0 },
    wallet: { min: 0, max: 0 },
    messageKeys: [],
    rolling: { now: { min: 0, max: 0 }, before: null, drawn: 0 },
    members: new Map(),
    balances: new Map(),
    resources: new Map(),
    granted: 'free',
    licences: null,
    counted: [],
    refused: [],
  };
}

export class History {
  operations = 0;
  /** Updates that were given up without an answer. */
  unknown = 0;
  checks = 0;
  /** One-time payments in Stripe, once they are compared. */
  payments = 0;
  /** Customers with something that rolled over, once they are compared. */
  rolledOver = 0;
  readonly #customers: CustomerHistory[] = [];
  /** Customers that become one and two again. */
  readonly pairs: Pair[] = [];
  /** Broken promises seen while the run went on. */
  readonly differences: string[] = [];
  readonly #folder: string;

  /** @param folder for what happened, one operation or disturbance in each line */
  constructor(folder: string) {
    this.#folder = folder;
    this.discard();
    mkdirSync(folder, { recursive: true });
  }

  note(what: Readonly<Record<string, unknown>>): void {
    const line = JSON.stringify({ at: new Date().toISOString(), ...what });
    appendFileSync(join(this.#folder, 'history.jsonl'), `${line}\n`);
  }

  discard(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  add(names: readonly string[], lastingPlans: readonly string[]): void {
    this.#customers.push(newCustomerHistory(names, lastingPlans));
  }

  all(): readonly CustomerHistory[] {
    return this.#customers;
  }

  /** A new month: what was counted before is in no current window. */
  startMonth(): void {
    for (const { monthly, rolling } of this.#customers) {
      monthly.min = 0;
      monthly.max = 0;
      rolling.before = rolling.now;
      rolling.now = { min: 0, max: 0 };
      rolling.drawn = 0;
    }
  }
}
