/** What support can do in the organisation, and until when. */
import type { SupportAccess } from '#contracts/console/support-access';
import { formatInstant } from '#web/ui/format.ts';

export function accessState({
  grant,
  needsConsentToRead,
}: Pick<SupportAccess, 'grant' | 'needsConsentToRead'>): string {
  if (grant === null && needsConsentToRead)
    return 'Support can view but not change this organisation, without its customers and events.';
  return grant === null
    ? 'Support can view but not change this organisation.'
    : `Support can make changes until ${formatInstant(grant.expiresAt)}.`;
}
