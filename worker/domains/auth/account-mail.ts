/** Composes the mails about a user's account. Links lead to the console's own pages. */
import { composeMail, type MailMessage } from '#worker/platform/mail-message';
import { nameInMail } from '#worker/platform/name-in-mail';

export interface Recipient {
  readonly name: string;
  readonly email: string;
}

export function verificationMail(to: Recipient, baseUrl: string, token: string): MailMessage {
  return composeMail({
    to: to.email,
    subject: 'Verify your email',
    paragraphs: [
      `${greeting(to)}, confirm your email to finish setting up your Tessera account.`,
      'The link expires in 24 hours. If you didn’t sign up for Tessera, you can ignore this email.',
    ],
    action: { label: 'Verify email', url: pageUrl(baseUrl, '/verify-email', token) },
  });
}

export function resetMail(to: Recipient, baseUrl: string, token: string): MailMessage {
  return composeMail({
    to: to.email,
    subject: 'Reset your password',
    paragraphs: [
      `${greeting(to)}, we received a request to reset the password of your Tessera account.`,
      'The link works once and expires in one hour. If you didn’t request this, you can ignore this email. Your password stays the same.',
    ],
    action: { label: 'Choose a new password', url: pageUrl(baseUrl, '/reset-password', token) },
  });
}

export function newAttemptsMail(to: Recipient, baseUrl: string, token: string): MailMessage {
  return composeMail({
    to: to.email,
    subject: 'Get new sign-in attempts',
    paragraphs: [
      `${greeting(to)}, too many wrong passwords were tried for your Tessera account. Open this link in the browser where you were signing in to get ten new attempts there.`,
      'The link works once and expires in 15 minutes. It signs nobody in. If you didn’t request it, you can ignore this email.',
    ],
    action: { label: 'Get new attempts', url: pageUrl(baseUrl, '/new-attempts', token) },
  });
}

/** Sign-up answers the same for a known address as for a new one; only its owner learns the difference. */
export function existingAccountMail(to: Recipient, baseUrl: string): MailMessage {
  return composeMail({
    to: to.email,
    subject: 'You already have a Tessera account',
    paragraphs: [
      `${greeting(to)}, someone tried to sign up for Tessera with this email, but it already has an account. Sign in instead.`,
      'If you forgot your password, choose “Forgot password?” on the sign-in page. If this wasn’t you, you can ignore this email.',
    ],
    action: { label: 'Sign in', url: `${baseUrl}/signin` },
  });
}

/** The link ends an account, so it leads to a page that asks once more. */
export function deletionMail(to: Recipient, baseUrl: string, token: string): MailMessage {
  return composeMail({
    to: to.email,
    subject: 'Confirm the deletion of your Tessera account',
    paragraphs: [
      `${greeting(to)}, we received a request to delete your Tessera account. This cannot be undone.`,
      'The link works once, expires in one hour, and requires that you are signed in. If you didn’t request this, sign out of other devices on your account page.',
    ],
    action: { label: 'Delete my account', url: pageUrl(baseUrl, '/account', token) },
  });
}

/** Anyone can sign up with somebody else's address and any name. */
function greeting({ name }: Recipient): string {
  const shown = nameInMail(name);
  return shown === null ? 'Hello' : `Hello ${shown}`;
}

function pageUrl(baseUrl: string, path: string, token: string): string {
  return `${baseUrl}${path}?token=${encodeURIComponent(token)}`;
}
