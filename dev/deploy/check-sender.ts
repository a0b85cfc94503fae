// The platform refuses mail of a sender that its binding does not list, each when it is sent: so MAIL_FROM is compared with the list first.
import type { Deployment } from './deployment.ts';

/**
 * @param mailFrom an address, or `Name <address>`; by default that of [vars], if it is there
 * @returns what is wrong, in one sentence; null if nothing is
 */
export function senderProblem(
  deployment: Pick<Deployment, 'allowedSenders' | 'mailFrom'>,
  mailFrom: unknown = deployment.mailFrom,
): string | null {
  const { allowedSenders } = deployment;
  if (typeof mailFrom !== 'string' || allowedSenders === undefined) return null;
  const address = (/<([^<>]*)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom).trim().toLowerCase();
  if (allowedSenders.some((each) => each.toLowerCase() === address)) return null;
  return `MAIL_FROM sends as ${address}, which is not in allowed_sender_addresses of wrangler.toml: add it there.`;
}
