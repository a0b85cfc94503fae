/** /payment-failure and /o/{orgId}/payment-failure: shown when a checkout could not be confirmed. */
import { Button, Stack } from '@mantine/core';
import { IconCreditCardOff } from '@tabler/icons-react';
import { Link, useLocation, useParams } from 'react-router';
import { AuthCard } from '#web/domains/auth/auth-card.tsx';
import { paths } from '#web/paths.ts';
import { CopyId } from '#web/ui/copy-id.tsx';

/** Router state from the previous page. */
interface CheckoutState {
  readonly sessionId?: string;
  readonly orgId?: string | null;
}

export function PaymentFailurePage() {
  const known = (useLocation().state ?? {}) as CheckoutState;
  const orgId = useParams().orgId ?? known.orgId ?? null;
  const { sessionId } = known;
  return (
    <AuthCard
      icon={IconCreditCardOff}
      title="Your payment is not confirmed"
      subtitle="Stripe has not told us that the checkout was paid, or could not be asked. If you did pay, nothing is lost: the plan changes by itself as soon as Stripe tells us, usually within a minute. You will not be charged twice."
      footer={
        sessionId === undefined ? (
          'If this does not settle by itself, please contact support.'
        ) : (
          <Stack gap={8} align="center" maw={400}>
            If this does not settle by itself, please contact support and quote the checkout:
            <CopyId value={sessionId} label="checkout id" />
          </Stack>
        )
      }
    >
      <Stack gap={8}>
        {sessionId !== undefined && (
          <Button
            component={Link}
            to={`${paths.paymentSuccess}?session_id=${encodeURIComponent(sessionId)}`}
            replace
          >
            Check again
          </Button>
        )}
        <Button
          component={Link}
          variant={sessionId === undefined ? 'filled' : 'default'}
          to={orgId === null ? paths.home : paths.billing(orgId)}
        >
          {orgId === null ? 'Take me home' : 'Back to Plan & Billing'}
        </Button>
      </Stack>
    </AuthCard>
  );
}
