/** How far usage may exceed a limit: whether it fits, and what several plans allow. */
import type { Overage } from '#contracts/public/overage';
import { exactNumber, exactSum } from '../exact-number.ts';
import { type Issue, issue } from '../issue.ts';
import { checkCount, isRecord } from './limited-window.ts';

/** @param overage of a meter, whatever it is */
export function checkOverage(path: string, overage: unknown): Issue[] {
  if (overage === 'none' || overage === 'allow') return [];
  return isRecord(overage)
    ? checkCount(`${path}.upTo`, overage.upTo, Number.MAX_SAFE_INTEGER, 1)
    : issue(path, 'Must be none, allow or upTo');
}

/** What usage may exceed the limit by: 0 where it may not, infinity where by any amount. */
export function overageLimit(overage: Overage | 'none' | undefined): number {
  if (overage === undefined || overage === 'none') return 0;
  return overage === 'allow' ? Number.POSITIVE_INFINITY : overage.upTo;
}

/** In its one spelling, as a field of a meter. */
export function overageField(most: number): { overage?: Overage } {
  if (most === 0) return {};
  return { overage: most === Number.POSITIVE_INFINITY ? 'allow' : { upTo: most + 0 } };
}

export function timesOverage(overage: Overage | undefined, quantity: number): { overage?: Overage } {
  const most = overageLimit(overage);
  if (quantity === 0) return {};
  return overageField(Number.isFinite(most) ? exactNumber(most * quantity) : most);
}

/** Adds up as limits do; any amount of one is any amount. */
export function sumOverages(overages: readonly (Overage | undefined)[]): { overage?: Overage } {
  const most = overages.map(overageLimit);
  return overageField(most.includes(Number.POSITIVE_INFINITY) ? Number.POSITIVE_INFINITY : exactSum(most));
}
