/** A notice that Stripe is down, slow or rejects the key. Renders nothing while the connection works. */
import type { StripeIntegration } from '#contracts/console/stripe';
import { Age } from '#web/ui/age.tsx';
import { Notice } from '#web/ui/notice.tsx';

export function ConnectionErrorNotice({ trouble }: Pick<StripeIntegration, 'trouble'>) {
  if (trouble === null) return null;
  return (
    <Notice role="note" title="Trouble with Stripe">
      {trouble.message} What was read from Stripe before is kept, and access checks go on with it. Last seen{' '}
      <Age at={trouble.at} />.
    </Notice>
  );
}
