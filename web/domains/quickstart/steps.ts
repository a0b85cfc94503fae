/**
 * The quick start's steps, their status, and the current one. Everything is derived from what the organisation has, so
 * that users continue where they left, in any tab.
 */
import { eventWait } from '#web/values/event-wait.ts';

export type StepId =
  | 'create-stripe'
  | 'manual-webhook-stripe'
  | 'sync-account'
  | 'webhook-wait'
  | 'jwt'
  | 'api';

/** `in-progress-done`: what the step is for has happened, and more of it is running. */
export type StepStatus = 'not-started' | 'in-progress' | 'in-progress-done' | 'done' | 'skipped';

export interface QuickstartStep {
  readonly id: StepId;
  readonly title: string;
  readonly isOptional: boolean;
  /** Part of the step above it, and not counted. */
  readonly isSubStep: boolean;
  readonly status: StepStatus;
}

export interface QuickstartFacts {
  /** Null without a Stripe integration. */
  readonly stripe: {
    readonly hasWebhook: boolean;
    readonly initialSyncSkipped: boolean;
    readonly quickstartWaitForEventSkipped: boolean;
    readonly firstEventAt: number | null;
    /** The last job of each type. */
    readonly syncJobs: readonly { readonly status: 'running' | 'finished' | 'failed' }[];
  } | null;
  readonly hasJwtIntegration: boolean;
  readonly isJwtSkipped: boolean;
  /** Whether there were calls or events, of any type and in any month. */
  readonly hasUsage: boolean;
  readonly isFinished: boolean;
}

/** Sub-steps are not counted. */
export const STEP_COUNT = 5;

export function quickstartSteps(facts: QuickstartFacts): readonly QuickstartStep[] {
  const { stripe } = facts;
  const required = { isOptional: false, isSubStep: false };
  const optional = { isOptional: true, isSubStep: false };
  return [
    {
      id: 'create-stripe',
      title: '1. Connect to Stripe',
      ...required,
      status: stripe === null ? 'not-started' : 'done',
    },
    {
      id: 'manual-webhook-stripe',
      title: 'Create webhook',
      isOptional: false,
      isSubStep: true,
      status: stripe?.hasWebhook ? 'done' : 'not-started',
    },
    {
      id: 'sync-account',
      title: '2. Sync your Stripe account',
      ...optional,
      status: stripe === null ? 'not-started' : syncStatus(stripe),
    },
    {
      id: 'webhook-wait',
      title: '3. Trigger an event in Stripe',
      ...optional,
      status: eventWait(stripe, facts.hasUsage),
    },
    { id: 'jwt', title: '4. Configure JWT', ...optional, status: jwtStatus(facts) },
    {
      id: 'api',
      title: '5. Call our API',
      ...required,
      status: facts.isFinished ? 'done' : 'not-started',
    },
  ];
}

function syncStatus({ syncJobs, initialSyncSkipped }: NonNullable<QuickstartFacts['stripe']>): StepStatus {
  const isRunning = syncJobs.some(({ status }) => status === 'running');
  if (syncJobs.some(({ status }) => status === 'finished')) return isRunning ? 'in-progress-done' : 'done';
  if (isRunning) return 'in-progress';
  return initialSyncSkipped ? 'skipped' : 'not-started';
}

function jwtStatus({ hasJwtIntegration, isJwtSkipped }: QuickstartFacts): StepStatus {
  if (hasJwtIntegration) return 'done';
  return isJwtSkipped ? 'skipped' : 'not-started';
}

const isOpen = ({ status }: QuickstartStep) => status === 'not-started' || status === 'in-progress';

/** Done or skipped. */
export const isComplete = (step: QuickstartStep): boolean => !isOpen(step);

/** How many of the STEP_COUNT steps are complete. */
export const completedCount = (steps: readonly QuickstartStep[]): number =>
  steps.filter((step) => !step.isSubStep && isComplete(step)).length;

/**
 * The first step that is not started or in progress, otherwise the last.
 * @param isWaitingForSync false once the user goes on while a sync runs
 */
export function currentStep(steps: readonly QuickstartStep[], isWaitingForSync = true): StepId {
  return steps.find((step) => isOpen(step) && (isWaitingForSync || step.id !== 'sync-account'))?.id ?? 'api';
}
