/** Composes the mail to owners and admins about a workflow that was disabled in an environment. */
import type { NoticeRecipient } from '#worker/domains/organisations/notice-recipient';
import { composeMail, type MailMessage } from '#worker/platform/mail-message';

const instants = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

export interface SwitchOff {
  readonly orgId: string;
  readonly environmentName: string;
  readonly workflowId: string;
  readonly workflowName: string;
  readonly disabledAt: number;
  /** Why the last run was stopped. */
  readonly reason: string;
}

export function switchOffMail(
  to: NoticeRecipient,
  { orgId, environmentName, workflowId, workflowName, disabledAt, reason }: SwitchOff,
  baseUrl: string,
): MailMessage {
  return composeMail({
    to: to.email,
    subject: `Workflow ${workflowName} is disabled in ${environmentName}`,
    paragraphs: [
      `Hello ${to.name}, Tessera disabled the workflow ${workflowName} of ${to.organisation.name} in ${environmentName} on ${instants.format(disabledAt)} UTC, because at least half of its runs were stopped. The reason for the last one: ${reason.replace(/\.$/, '')}.`,
      'Access checks continue without the workflow and return a warning. Tessera tries it again after an hour and disables it again if its runs are still stopped. You get at most one email a day about a workflow and environment.',
      'Fix the code and deploy a version with it. You can also enable the workflow yourself on its page.',
    ],
    action: { label: 'View workflow', url: `${baseUrl}/o/${orgId}/workflows/${workflowId}/manage` },
  });
}
