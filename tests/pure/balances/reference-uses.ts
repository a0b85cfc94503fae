/** What should be: what was used, of what, and by what it is held. */
import type { Location } from '#contracts/public/locations';
import { least, sum } from './reference-amounts.ts';
import type { Decided } from './reference-answers.ts';
import type { Deed } from './reference-knowledge.ts';
import type { Value } from './reference-plans.ts';
import type { MeterName } from './shop.ts';

/** An amount in a minute. */
export interface Use {
  readonly since: Deed;
  /** Set once its hold is settled: then other uses say what is left of it. */
  until: Deed | null;
  /** The customer's own: null. */
  readonly entity: string | null;
  readonly meter: MeterName;
  /** Start of the minute. */
  readonly at: number;
  /** A grant's id; null: the quota. */
  readonly of: string | null;
  readonly amount: bigint;
  /** What holds it, as long as that is open. */
  readonly hold: ReferenceHold | null;
}

export type Counted = Omit<Use, 'since' | 'until'>;

export interface ReferenceHold {
  readonly name: string;
  readonly meter: MeterName;
  readonly entity: string | null;
  /** Where it was changed last. */
  by: Location;
  /** What each one costs, as when it was made; null: nothing. */
  readonly costs: bigint | null;
  amount: bigint;
  /** As each call has said it. */
  readonly ends: { readonly since: Deed; readonly expiresAt: number }[];
  settled: { readonly amount: bigint; readonly answer: Decided } | null;
}

/** On one account, of one meter. */
export interface Part {
  readonly entity: string | null;
  readonly meter: MeterName;
  readonly value: Value;
  /** Of each one. */
  readonly thousandths: bigint;
  readonly enforce: boolean;
  /** Who calls: its grants are sources of the customer's part. Null: the customer itself. */
  readonly caller: string | null;
  /** Of a customer's part: what it also counts on the caller's account. */
  readonly limit: Part | null;
}

export interface Plan {
  readonly amount: bigint;
  /** By source, in order. */
  readonly taken: readonly (readonly [of: string | null, amount: bigint])[];
  readonly overage: bigint;
}

export function usesOf(
  { entity, meter }: Part,
  { taken }: Plan,
  at: number,
  hold: ReferenceHold | null,
): Counted[] {
  return taken.flatMap(([of, amount]) => (amount === 0n ? [] : [{ entity, meter, at, of, amount, hold }]));
}

/** Of what a hold took, the first of it. */
export function firstOf(uses: readonly Use[], amount: bigint): Counted[] {
  let rest = amount;
  return uses.flatMap((use) => {
    const part = least(rest, use.amount);
    rest -= part;
    return part === 0n ? [] : [{ ...use, amount: part }];
  });
}

export function given({ back }: { readonly back: readonly Counted[] }): bigint {
  return -sum(back.map((use) => use.amount));
}

/** Rounded up; of what is given back, down. */
export function scaled(amount: bigint, thousandths: bigint): bigint {
  const product = amount * thousandths;
  return product > 0n ? (product + 999n) / 1000n : product / 1000n;
}

export function drawsOf(uses: readonly Counted[]): Record<string, bigint> {
  const draws: Record<string, bigint> = {};
  for (const { of, amount } of uses) if (of !== null) draws[of] = (draws[of] ?? 0n) + amount;
  return draws;
}
