/** /payment-success?session_id=…: Stripe's redirect target after a payment. */
import { Loader } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Navigate, useNavigate, useSearchParams } from 'react-router';
import { AuthCard } from '#web/domains/auth/auth-card.tsx';
import { useFulfilCheckout } from '#web/domains/billing/mutations.ts';
import { paths } from '#web/paths.ts';
import { toast } from '#web/toast.ts';
import { fireConfetti } from '#web/ui/fire-confetti.ts';

export function PaymentSuccessPage() {
  const sessionId = useSearchParams()[0].get('session_id');
  if (!sessionId) return <Navigate to={paths.home} replace />;
  return <Fulfilment sessionId={sessionId} />;
}

function Fulfilment({ sessionId }: { sessionId: string }) {
  const { mutateAsync: fulfil } = useFulfilCheckout();
  const navigate = useNavigate();
  const hasStarted = useRef(false);
  useEffect(() => {
    if (hasStarted.current) return;
    hasStarted.current = true;
    const fail = (orgId: string | null) =>
      navigate(paths.paymentFailure, { replace: true, state: { sessionId, orgId } });
    const run = async () => {
      try {
        const { success, orgId } = await fulfil(sessionId);
        if (!success || orgId === null) {
          toast.error('Payment Fulfillment Failure', { description: 'Please contact support' });
          return fail(orgId);
        }
        toast.success('Payment Process Successfully', { description: 'Thanks!' });
        void fireConfetti();
        return navigate(paths.billing(orgId), { replace: true });
      } catch {
        return fail(null);
      }
    };
    void run();
  }, [sessionId, fulfil, navigate]);
  return (
    <AuthCard title="Confirming your payment" subtitle="This takes a moment. Please keep this page open.">
      <div role="status" aria-label="Loading">
        <Loader size="sm" />
      </div>
    </AuthCard>
  );
}
