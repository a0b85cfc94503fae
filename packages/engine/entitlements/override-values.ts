/**
 * Replaces plan values with those of feature-behaviour workflows and of a customer's manual overrides. A value that
 * does not fit its property is skipped and reported.
 */

import type { PropertyValue } from '#contracts/public/values';
import { type Issue, issue } from '../values/issue.ts';
import { checkValue } from '../values/kinds/check-value.ts';
import { kindOf } from '../values/kinds/kinds.ts';
import { choiceOf } from './choice.ts';
import { type AppliedOverride, nothingMade, type Resolution } from './resolution.ts';
import { switchMeters } from './switched-meters.ts';
import { zonedValue } from './zoned-values.ts';

export interface ValueOverride {
  readonly propertyId: string;
  /** Not validated yet. */
  readonly value: unknown;
  /** For explanations: OVERRIDE, or a workflowSource. */
  readonly source: string;
}

export interface OverrideResult {
  resolution: Resolution;
  refused: { override: ValueOverride; issues: Issue[] }[];
}

/** As overrides, what workflows set limits no entities and says no costs. */
function checkOwn(value: unknown): Issue[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('perEntity' in value) return issue('perEntity', 'Only plans limit each entity');
  return 'costs' in value ? issue('costs', 'Only plans say what each one costs') : [];
}

/** The source of a manual override. */
export const OVERRIDE = 'override';

/** The source of a workflow's values. @param workflow its name */
export function workflowSource(workflow: string): string {
  return `workflow ${workflow}`;
}

/** Later overrides of a property win. The result is not cached, and the given resolution is not changed. */
export function overrideValues(resolution: Resolution, overrides: readonly ValueOverride[]): OverrideResult {
  const refused: OverrideResult['refused'] = [];
  const configured = [...resolution.configured];
  const applied = new Map<number, AppliedOverride>(resolution.overrides);
  for (const override of overrides) {
    const target = resolution.prepared.propertyById.get(override.propertyId);
    const issues =
      target === undefined
        ? [{ path: '', message: 'Unknown property' }]
        : [...checkValue(target.property, override.value), ...checkOwn(override.value)];
    if (target === undefined || issues.length > 0) {
      refused.push({ override, issues });
      continue;
    }
    const given = kindOf(target.property.type).normalise(override.value as PropertyValue);
    const value = zonedValue(given, resolution.prepared.content.zone);
    configured[target.index] = choiceOf(value);
    applied.set(target.index, { value, source: override.source });
  }
  if (refused.length === overrides.length) return { resolution, refused };
  const choices = switchMeters(resolution.prepared, configured);
  return {
    resolution: { ...resolution, configured, choices, overrides: applied, made: nothingMade() },
    refused,
  };
}
