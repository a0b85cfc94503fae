/**
 * The example that was chosen with what its checks returned, per organisation and browser, so that a reload shows it again. Its keys are
 * secrets and not kept: their ids are.
 */
import type { AppliedTemplate } from '#contracts/console/templates';
import type { AccessCheckAnswer } from '#contracts/public/access';

export type FeatureAnswer = AccessCheckAnswer['features'][string];

export interface CheckedTemplate extends AppliedTemplate {
  /** What the API answered, by the feature's slug. */
  readonly answers: Readonly<Record<string, FeatureAnswer>>;
}

const keyOf = (orgId: string) => `example:${orgId}`;

/** With empty secret keys. Null if nothing is kept. */
export function readTemplate(orgId: string): CheckedTemplate | null {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(orgId)) ?? 'null') as CheckedTemplate | null;
    return isTemplate(kept) ? kept : null;
  } catch {
    return null; // Storage is blocked or edited.
  }
}

const isTemplate = (kept: CheckedTemplate | null) =>
  Array.isArray(kept?.checks) && typeof kept.answers === 'object' && !!kept.environments?.[0]?.keyId;

export function keepTemplate(orgId: string, template: CheckedTemplate): void {
  const environments = template.environments.map((each) => ({ ...each, secretKey: '' }));
  try {
    localStorage.setItem(keyOf(orgId), JSON.stringify({ ...template, environments }));
  } catch {
    // Storage is blocked or full: a reload shows the choice.
  }
}

export function forgetTemplate(orgId: string): void {
  try {
    localStorage.removeItem(keyOf(orgId));
  } catch {
    // Storage is blocked: nothing was kept.
  }
}
