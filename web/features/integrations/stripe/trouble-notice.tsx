/** That Stripe is down, slow or refuses us, where one looks at the integration; nothing where all is well. */
import type { StripeIntegration } from '#contracts/stripe';
import { Age } from '../../../ui/age.tsx';
import { Notice } from './notice.tsx';

export function TroubleNotice({ trouble }: Pick<StripeIntegration, 'trouble'>) {
  if (trouble === null) return null;
  return (
    <Notice title="Trouble with Stripe">
      {trouble.message} What was read from Stripe before is kept, and access checks go on with it. Last seen{' '}
      <Age at={trouble.at} />.
    </Notice>
  );
}
