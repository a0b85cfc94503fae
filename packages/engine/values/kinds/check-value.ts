/**
 * Validates a value against its property. The console calls it before sending, the Worker before storing, and the engine
 * before it applies a workflow's result or an override.
 */
import type { NumberBounds, PropertyType } from '#contracts/public/values';
import type { Issue } from '../issue.ts';
import { kindOf } from './kinds.ts';

export interface ValueDefinition {
  readonly type: PropertyType;
  /** Of types that have bounds. Absent or null means no bounds. */
  readonly bounds?: NumberBounds | null | undefined;
}

/** @returns the issues of `value`, which may be anything; empty if it is valid */
export function checkValue({ type, bounds = null }: ValueDefinition, value: unknown): Issue[] {
  return kindOf(type).check(value, bounds);
}
