/**
 * The warnings of successful responses of the public API. The engine and the API documentation both read this table. A code
 * never changes its meaning; its message may. warning-advice.ts says what to do about each.
 */
import { CALL_WARNINGS, filledIn } from './call-warnings.ts';

/** In the response. `{slug}` is replaced with the requested slug. */
export const WARNINGS = {
  ...CALL_WARNINGS,
  'nothing-deployed': 'Nothing is deployed to this environment yet',
  'snapshot-stale': 'The environment could not be refreshed, so this response may be outdated',
  'usage-unknown': 'The customer’s usage could not be read, so meters are returned as unused',
  'usage-stale': 'The customer’s usage could not be read, so meters show the last known usage',
  'customer-facts-unknown':
    'The customer’s subscriptions, grants and overrides could not be read, so some may be missing',
  'customer-facts-stale':
    'The customer’s subscriptions, grants and overrides could not be confirmed, so recent changes may be missing',
  'customer-not-found': 'No connected Stripe account has a customer with this ID in the environment’s mode',
  'customer-in-other-mode':
    'The customer exists in Stripe’s test mode only, and this environment uses live mode, so their subscriptions do not count',
  'email-ambiguous':
    'Several customers have this email. All of their plans apply. Usage counts for the email’s owner, or for the email itself if it has no owner.',
  'email-belongs-to-stripe-customer':
    'A Stripe customer has this email. Its plans do not apply until you say that both are one customer.',
  'user-id-ambiguous':
    'Several customers have this user ID. All of their plans apply. Usage counts for the user ID itself.',
  'override-left-out': 'The customer’s override of {slug} does not fit the deployed version and was ignored',
  'workflow-failed': 'The workflow {slug} failed and was skipped',
  'workflow-stopped': 'The workflow {slug} exceeded a limit or could not start in time, and was skipped',
  'workflow-result-ignored': 'Part of a workflow’s result was ignored: {slug}',
  'workflow-disabled':
    'The workflow {slug} is disabled in this environment because at least half of its runs were stopped',
  'workflows-unavailable': 'Workflows could not run and were skipped',
} as const satisfies Record<string, string>;

export type WarningCode = keyof typeof WARNINGS;

/** @param slug what the message is about, if it contains one: the feature's slug, or text of a caller or a program, which is escaped */
export function warningOf(code: WarningCode, slug = ''): { code: WarningCode; message: string } {
  return { code, message: filledIn(WARNINGS[code], slug) };
}
