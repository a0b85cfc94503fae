/** Composes the mails about the deletion of an organisation. */
import { DELETION_DELAY_DAYS } from '#contracts/console/organisation-deletion';
import type { DeletionNoticeDue } from '#runtime/messages';
import { composeMail, type MailMessage } from '#worker/platform/mail-message';

const instants = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The link leads to the settings page, which asks for the organisation's name. */
export function deletionLinkMail(
  to: { readonly name: string; readonly email: string },
  { id, name }: Named,
  baseUrl: string,
  token: string,
): MailMessage {
  return composeMail({
    to: to.email,
    subject: `Confirm the deletion of ${name}`,
    paragraphs: [
      `Hello ${to.name}, we received a request to delete the organisation ${name} on Tessera. Open the link to confirm. It works once, expires in one hour, and requires that you are signed in.`,
      `${name} will be deleted ${DELETION_DELAY_DAYS} days after you confirm. Until then, owners can cancel.`,
      'If you didn’t request this, sign out of other devices on your account page.',
    ],
    action: {
      label: `Delete ${name}`,
      url: `${settingsUrl(baseUrl, id)}?token=${encodeURIComponent(token)}`,
    },
  });
}

export function deletionNoticeMail(message: DeletionNoticeDue, baseUrl: string): MailMessage {
  const { to, orgId, organisationName: name, by, dueAt } = message;
  const hello = `Hello ${to.name},`;
  switch (message.notice) {
    case 'deletion-scheduled': {
      const due = `${instants.format(dueAt)} UTC`;
      return composeMail({
        to: to.email,
        subject: `${name} will be deleted on ${due}`,
        paragraphs: [
          `${hello} ${by} scheduled the deletion of the organisation ${name}. On ${due}, its API keys stop working and all its data is deleted. After that, it cannot be undone.`,
          'Until then everything keeps working, and any owner can cancel the deletion in Settings.',
        ],
        action: { label: 'Open settings', url: settingsUrl(baseUrl, orgId) },
      });
    }
    case 'deletion-cancelled':
      return composeMail({
        to: to.email,
        subject: `${name} will not be deleted`,
        paragraphs: [
          `${hello} ${by} cancelled the deletion of the organisation ${name}. Nothing has changed.`,
        ],
        action: { label: 'Open settings', url: settingsUrl(baseUrl, orgId) },
      });
    case 'deleted':
      return composeMail({
        to: to.email,
        subject: `${name} has been deleted`,
        paragraphs: [
          `${hello} the organisation ${name} has been deleted, as requested by one of its owners. Its API keys no longer work. Its data is being erased, which can take a few hours.`,
          'If it had a Grow subscription, Stripe sends a final invoice.',
        ],
      });
  }
}

function settingsUrl(baseUrl: string, orgId: string): string {
  return `${baseUrl}/o/${orgId}/settings`;
}
