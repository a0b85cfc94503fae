/** Composes the mail to owners and admins about a change of their organisation's subscription. */
import type { BillingNotice } from '#contracts/console/organisations';
import { MONTHLY_ALLOWANCES } from '#engine/usage/usage-level';
import type { NoticeRecipient } from '#worker/domains/organisations/notice-recipient';
import { composeMail, type MailMessage } from '#worker/platform/mail-message';

const limit = new Intl.NumberFormat('en-GB').format(MONTHLY_ALLOWANCES.build ?? 0);
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });

/** @param notice the state and its instant, as stored. @param graceUntil the end of the current grace period; null: there is none */
export function billingMail(
  to: NoticeRecipient,
  notice: string,
  graceUntil: number | null,
  baseUrl: string,
): MailMessage {
  const { id, name } = to.organisation;
  const [kind, at] = notice.split(':') as [BillingNotice['kind'], string];
  const { subject, opening, rest } = textsOf(kind, name, days.format(Number(at)), allowanceText(graceUntil));
  return composeMail({
    to: to.email,
    subject,
    paragraphs: [`Hello ${to.name}, ${opening}`, ...rest],
    action: { label: 'View Plan & Billing', url: `${baseUrl}/o/${id}/billing` },
  });
}

interface Texts {
  readonly subject: string;
  readonly opening: string;
  readonly rest: readonly string[];
}

function textsOf(kind: BillingNotice['kind'], name: string, until: string, allowance: string): Texts {
  switch (kind) {
    case 'past-due':
      return {
        subject: `The last payment for ${name} failed`,
        opening: `the last payment for ${name}’s Grow plan failed. Grow stays active until ${until} while Stripe tries again.`,
        rest: ['Check the card in the billing portal, which you can open from Plan & Billing.'],
      };
    case 'past-due-ends':
      return {
        subject: `Grow ends for ${name} on ${until} unless you pay the open invoice`,
        opening: `the last payment for ${name}’s Grow plan failed and is still due. ${name} moves to Build on ${until} unless the invoice is paid.`,
        rest: ['Pay the open invoice in the billing portal, which you can open from Plan & Billing.'],
      };
    case 'cancelled-ends':
      return {
        subject: `Grow ends for ${name} on ${until}`,
        opening: `the Grow subscription of ${name} is cancelled and ends on ${until}. ${name} then moves to Build.`,
        rest: ['You can keep Grow in the billing portal until then. Open it from Plan & Billing.'],
      };
    case 'on-hold':
      return {
        subject: `Grow is on hold for ${name}: an invoice is unpaid`,
        opening: `${name} is on Build because an invoice for Grow is unpaid. ${allowance}`,
        rest: ['Pay the open invoice in the billing portal to resume Grow.'],
      };
    case 'paused':
      return {
        subject: `The Grow subscription of ${name} is paused`,
        opening: `${name} is on Build because its Grow subscription is paused. ${allowance}`,
        rest: ['To resume Grow, open the billing portal from Plan & Billing, or contact support.'],
      };
    case 'on-build':
      return {
        subject: `${name} is on the Build plan`,
        opening: `Grow has ended for ${name}, which is now on Build. ${allowance}`,
        rest: ['To return to Grow, upgrade on Plan & Billing.'],
      };
  }
}

function allowanceText(graceUntil: number | null): string {
  return graceUntil === null
    ? `Build includes ${limit} API calls a month. When they are used, API calls fail with 429 usage-blocked until the next month.`
    : `Build’s limit of ${limit} API calls a month applies from ${days.format(graceUntil)}. Until then, no API call fails because of it.`;
}
