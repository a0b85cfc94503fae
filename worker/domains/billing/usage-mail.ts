/** Composes the mail to owners and admins about the monthly allowance. */
import { nextMonthOf } from '#engine/usage/calendar';
import { GROW_PRICE } from '#engine/usage/grow-price';
import { MONTHLY_ALLOWANCES, type UsageLevel, WARNING_SHARE } from '#engine/usage/usage-level';
import { composeMail, type MailMessage } from '#worker/platform/mail-message';

const numbers = new Intl.NumberFormat('en-GB');
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });

/** @param monthAt start of the allowance's month */
export function usageMail(
  to: { readonly name: string; readonly email: string },
  organisation: { readonly id: string; readonly name: string },
  level: UsageLevel,
  monthAt: number,
  baseUrl: string,
): MailMessage {
  const allowance = numbers.format(MONTHLY_ALLOWANCES.build ?? 0);
  const renewal = days.format(nextMonthOf(monthAt));
  const { name } = organisation;
  const isNear = level === 'near';
  return composeMail({
    to: to.email,
    subject: isNear
      ? `${name} has used ${WARNING_SHARE * 100}% of this month’s API calls`
      : `${name} has used all of this month’s API calls`,
    paragraphs: isNear
      ? [
          `Hello ${to.name}, ${name} has used ${WARNING_SHARE * 100}% of the Build plan’s ${allowance} monthly API calls.`,
          `Public keys stop at their share of the allowance, ${WARNING_SHARE * 100}% by default. When all calls are used, requests with any key fail until ${renewal}, when the allowance renews. ${growOffer()}`,
        ]
      : [
          `Hello ${to.name}, ${name} has used all of the Build plan’s ${allowance} monthly API calls. Access checks and counter updates in every environment now fail with 429 usage-blocked.`,
          `The allowance renews on ${renewal} at midnight UTC. ${growOffer()} You can still edit features, plans and versions.`,
        ],
    action: { label: 'View Plan & Billing', url: `${baseUrl}/o/${organisation.id}/billing` },
  });
}

function growOffer(): string {
  const { monthlyMinor, packageMinor, packageCalls, includedCalls } = GROW_PRICE;
  return `The Grow plan has no monthly limit. It costs £${monthlyMinor / 100} a month with ${numbers.format(includedCalls)} API calls, and £${(packageMinor / 100).toFixed(2)} for each ${numbers.format(packageCalls)} more. Upgrading lifts the limit immediately.`;
}
