/** What should be answered. */
import { sum } from './reference-amounts.ts';
import type { Value } from './reference-plans.ts';
import { type Counted, drawsOf, type Part, type Plan, type ReferenceHold } from './reference-uses.ts';
import type { MeterName } from './shop.ts';

interface PartAnswer {
  readonly entity: string | null;
  readonly meter: MeterName;
  readonly applied: bigint;
  readonly draws: Readonly<Record<string, bigint>>;
  readonly lost: bigint;
}

export interface Decided {
  readonly accepted: boolean;
  readonly replayed: boolean;
  /** The first is the update's own. */
  readonly parts: readonly PartAnswer[];
  readonly hold?: { readonly amount: bigint; readonly expiresAt: number; readonly released?: bigint };
}

/** How an operation ends. 'skip': it is not tried, because its answer depends on how old usage is stored. */
export type Outcome = Decided | 'conflict' | 'nothing-to-give-back' | 'hold-settled' | 'hold-over' | 'skip';

export interface MeterLine {
  readonly of: string | null;
  readonly amount: bigint;
  readonly used: bigint;
  readonly held: bigint;
  readonly remaining: bigint;
  readonly endsAt: number | null;
}

export interface MeterState {
  readonly state: Value['state'];
  readonly limit: bigint;
  readonly used: bigint;
  readonly held: bigint;
  readonly remaining: bigint;
  readonly overage: bigint;
  /** Null: any amount is allowed. */
  readonly overageLimit: number | null;
  readonly resetsAt: number | null;
  readonly lines: readonly MeterLine[];
  /** Null: entities have no limit. */
  readonly entity:
    | (Pick<MeterState, 'limit' | 'used' | 'held' | 'remaining' | 'resetsAt'> & { readonly hasSeat: boolean })
    | null;
}

export function answerOf(parts: readonly Part[], plans: readonly Plan[], accepted: boolean): Decided {
  return {
    ...{ accepted, replayed: false },
    parts: parts.map(({ entity, meter }, index) => {
      const { amount, taken } = plans[index]!;
      const draws = Object.fromEntries(
        taken.flatMap(([of, each]) => (of === null || each === 0n ? [] : [[of, each]])),
      );
      return { entity, meter, applied: accepted ? amount : 0n, draws: accepted ? draws : {}, lost: 0n };
    }),
  };
}

export function nothing({ meter }: Pick<ReferenceHold, 'meter'>): PartAnswer {
  return { entity: null, meter, applied: 0n, draws: {}, lost: 0n };
}

export function backAnswer(
  entity: string | null,
  meter: MeterName,
  back: readonly Counted[],
  lost: bigint,
): PartAnswer {
  return { entity, meter, applied: sum(back.map((use) => use.amount)), draws: drawsOf(back), lost };
}
