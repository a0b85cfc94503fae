/**
 * Puts values in place of what the plans say: what feature-behaviour workflows answered (DESIGN 4.5) and what was set
 * for one customer by hand. A value that does not fit its property is left out and reported.
 */

import type { PropertyValue } from '#contracts/values';
import { checkValue } from '../values/check-value.ts';
import type { Issue } from '../values/issue.ts';
import { normaliseValue } from '../values/normalise-value.ts';
import { choiceOf } from './choice.ts';
import type { AppliedOverride, Resolution } from './resolution.ts';

export interface ValueOverride {
  readonly propertyId: string;
  /** Of unknown origin. */
  readonly value: unknown;
  /** Who says so, for explaining: 'override', or the workflow's name. */
  readonly source: string;
}

export interface OverrideResult {
  resolution: Resolution;
  refused: { override: ValueOverride; issues: Issue[] }[];
}

/** Later overrides of a property win. The result is not remembered; the resolution given stays as it is. */
export function overrideValues(resolution: Resolution, overrides: readonly ValueOverride[]): OverrideResult {
  const refused: OverrideResult['refused'] = [];
  const choices = [...resolution.choices];
  const applied = new Map<number, AppliedOverride>(resolution.overrides);
  for (const override of overrides) {
    const target = resolution.prepared.propertyById.get(override.propertyId);
    const issues =
      target === undefined
        ? [{ path: '', message: 'Unknown property' }]
        : checkValue(target.property, override.value);
    if (target === undefined || issues.length > 0) {
      refused.push({ override, issues });
      continue;
    }
    const value = normaliseValue(override.value as PropertyValue);
    choices[target.index] = choiceOf(value);
    applied.set(target.index, { value, source: override.source });
  }
  if (refused.length === overrides.length) return { resolution, refused };
  const made = { whole: null, features: new Map(), idle: null };
  return { resolution: { ...resolution, choices, overrides: applied, made }, refused };
}
