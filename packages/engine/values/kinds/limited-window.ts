/** A limit and its window, as of a customer's meter and of each entity's. */
import type { PerEntity } from '#contracts/public/values';
import { formatNumber } from '../../text/format-number.ts';
import { type Issue, issue } from '../issue.ts';

const MAX_PERIOD_COUNT = 1000;
/** Of billing windows: a year. */
export const MAX_BILLING_MONTHS = 12;

/** @param path of what has the window, before its fields in the issues */
export function checkWindow(path: string, value: Readonly<Record<string, unknown>>): Issue[] {
  const issues = checkCount(`${path}.limit`, value.limit, Number.MAX_SAFE_INTEGER);
  const { periodType, periodCount, periodLength } = value;
  const isBilling = periodType === 'billing';
  if (!isBilling && periodType !== 'fixed' && periodType !== 'rolling' && periodType !== 'lifetime') {
    issues.push({ path: `${path}.periodType`, message: 'Must be fixed, rolling, billing or lifetime' });
  }
  if (periodCount !== undefined) {
    const most = isBilling ? MAX_BILLING_MONTHS : MAX_PERIOD_COUNT;
    issues.push(...checkCount(`${path}.periodCount`, periodCount, most));
  }
  if (periodLength === undefined ? periodType !== 'lifetime' : !isPeriodLength(periodLength)) {
    issues.push({ path: `${path}.periodLength`, message: 'Please select a meter length' });
  } else if (isBilling && periodLength !== 'month') {
    issues.push({ path: `${path}.periodLength`, message: 'Must be month' });
  }
  return issues;
}

export function checkCount(path: string, value: unknown, most: number, least = 0): Issue[] {
  if (typeof value !== 'number' || !Number.isFinite(value)) return issue(path, 'Must be a number');
  if (!Number.isInteger(value)) return issue(path, 'Must be a whole number');
  if (value < least) return issue(path, `Must be greater than or equal to ${least}`);
  return value <= most ? [] : issue(path, `Must be less than or equal to ${formatNumber(most)}`);
}

function isPeriodLength(value: unknown): boolean {
  return value === 'hour' || value === 'day' || value === 'month';
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A lifetime has no period. A missing or zero period count is 1. Unknown fields are removed. */
export function normaliseWindow({ limit, periodType, periodCount, periodLength }: PerEntity): PerEntity {
  if (periodType === 'lifetime') return { limit: limit + 0, periodType };
  return { limit: limit + 0, periodType, periodCount: periodCount || 1, periodLength };
}

/** Equal for windows in which limits add up. */
export function spanKey({ periodType, periodCount, periodLength }: Omit<PerEntity, 'limit'>): string {
  return periodType === 'lifetime'
    ? periodType
    : `${periodType}:${periodCount || 1}:${periodLength ?? 'month'}`;
}
