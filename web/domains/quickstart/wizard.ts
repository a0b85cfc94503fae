/** What the quick start's page decides beyond the steps: which can be opened, and what leaving stores. The dashboard does not load it. */
import type { QuickstartStatus } from '#contracts/console/organisations';
import type { QuickstartStep, StepId } from './steps.ts';

/** Until Stripe is connected, only the first and the current step can be opened. */
export function canOpen(steps: readonly QuickstartStep[], id: StepId, current: StepId): boolean {
  const isConnected = steps.some((step) => step.id === 'create-stripe' && step.status === 'done');
  return id === 'create-stripe' || id === current || isConnected;
}

/**
 * The status to store when the user skips or finishes. Null keeps the stored one: finished is final, and a skip does not undo a
 * dismissal.
 */
export function statusOnLeaving(
  stored: QuickstartStatus | null,
  wanted: QuickstartStatus,
): QuickstartStatus | null {
  return stored === 'finished' || (stored === 'dismissed' && wanted === 'paused') ? null : wanted;
}

/** The step of a URL parameter. Null if there is no such step. */
export function stepOf(steps: readonly QuickstartStep[], text: string | null): QuickstartStep | null {
  return steps.find(({ id }) => id === text) ?? null;
}
