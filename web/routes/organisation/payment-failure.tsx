/** /payment-failure and /o/{orgId}/payment-failure: shown when a checkout could not be confirmed. */
import { Button, Stack } from '@mantine/core';
import { IconCreditCardOff } from '@tabler/icons-react';
import { Link, useLocation, useParams } from 'react-router';
import { AuthCard } from '#web/domains/auth/auth-card.tsx';
import { paths } from '#web/paths.ts';
import { CopyId } from '#web/ui/copy/copy-id.tsx';

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
      subtitle="Stripe has not confirmed the payment yet, or could not be reached. If you paid, the plan changes automatically once Stripe confirms it, usually within a minute. You will not be charged twice."
      footer={
        sessionId === undefined ? (
          'If the plan does not change, please contact support.'
        ) : (
          <Stack gap={8} align="center" maw={400}>
            If the plan does not change, please contact support and quote the checkout:
            <CopyId value={sessionId} label="checkout ID" />
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
