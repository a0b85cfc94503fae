/**
 * Validates a value against its property. The console calls it before sending, the Worker before storing, and the engine
 * before it applies a workflow's result or an override.
 */
import type { NumberBounds, PropertyType } from '#contracts/public/values';
import { formatNumber } from '../text/format-number.ts';
import type { Issue } from './issue.ts';

export const MAX_STRING_LENGTH = 2000;
export const MAX_METER_PERIOD_COUNT = 1000;
const MAX_NUMBER = '9,007,199,254,740,991';

export interface ValueDefinition {
  readonly type: PropertyType;
  /** Set for number properties. Absent or null means no bounds. */
  readonly bounds?: NumberBounds | null | undefined;
}

/** @returns the issues of `value`, which may be anything; empty if it is valid */
export function checkValue(definition: ValueDefinition, value: unknown): Issue[] {
  switch (definition.type) {
    case 'number':
      return checkNumber(value, definition.bounds ?? null);
    case 'boolean':
      return typeof value === 'boolean' ? [] : issue('', 'Must be true or false');
    case 'string':
      return checkString(value);
    case 'meterable':
      return checkMeterable(value);
  }
}

function checkNumber(value: unknown, bounds: NumberBounds | null): Issue[] {
  if (typeof value !== 'number' || !Number.isFinite(value)) return issue('', 'Must be a number');
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return issue('', `Must be between -${MAX_NUMBER} and ${MAX_NUMBER}`);
  if (bounds === null) return [];
  if (!bounds.allowDecimal && !Number.isInteger(value)) return issue('', 'Must be a whole number');
  if (bounds.min !== undefined && value < bounds.min) {
    return issue('', `Must be greater than or equal to ${formatNumber(bounds.min)}`);
  }
  if (bounds.max !== undefined && value > bounds.max) {
    return issue('', `Must be less than or equal to ${formatNumber(bounds.max)}`);
  }
  return [];
}

function checkString(value: unknown): Issue[] {
  if (typeof value !== 'string') return issue('', 'Must be text');
  return value.length <= MAX_STRING_LENGTH
    ? []
    : issue('', `Must be at most ${formatNumber(MAX_STRING_LENGTH)} characters`);
}

function checkMeterable(value: unknown): Issue[] {
  if (!isRecord(value)) return issue('', 'Must be on, off or metered');
  if (value.state === 'on' || value.state === 'off') {
    return value.meter === undefined ? [] : issue('meter', 'Only a metered value has a meter');
  }
  if (value.state !== 'metered') return issue('state', 'Must be on, off or metered');
  return isRecord(value.meter) ? checkMeter(value.meter) : issue('meter', 'A metered value needs a meter');
}

function checkMeter(meter: Record<string, unknown>): Issue[] {
  const issues = checkCount('meter.limit', meter.limit, Number.MAX_SAFE_INTEGER);
  const { periodType, periodCount, periodLength } = meter;
  if (periodType !== 'fixed' && periodType !== 'rolling' && periodType !== 'lifetime') {
    issues.push({ path: 'meter.periodType', message: 'Must be fixed, rolling or lifetime' });
  }
  if (periodCount !== undefined) {
    issues.push(...checkCount('meter.periodCount', periodCount, MAX_METER_PERIOD_COUNT));
  }
  if (periodLength === undefined ? periodType !== 'lifetime' : !isPeriodLength(periodLength)) {
    issues.push({ path: 'meter.periodLength', message: 'Please select a meter length' });
  }
  if (typeof meter.uniqueResourceIds !== 'boolean') {
    issues.push({ path: 'meter.uniqueResourceIds', message: 'Must be true or false' });
  }
  return issues;
}

function checkCount(path: string, value: unknown, most: number): Issue[] {
  if (typeof value !== 'number' || !Number.isFinite(value)) return issue(path, 'Must be a number');
  if (!Number.isInteger(value)) return issue(path, 'Must be a whole number');
  if (value < 0) return issue(path, 'Must be greater than or equal to 0');
  return value <= most ? [] : issue(path, `Must be less than or equal to ${formatNumber(most)}`);
}

function isPeriodLength(value: unknown): boolean {
  return value === 'hour' || value === 'day' || value === 'month';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function issue(path: string, message: string): Issue[] {
  return [{ path, message }];
}
