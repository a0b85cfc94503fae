/** /o/:orgId/payment-canceled: where Stripe sends the browser that turned back from a checkout. */
import { useEffect } from 'react';
import { Navigate, useParams } from 'react-router';
import { toast } from 'sonner';
import { paths } from '../paths.ts';

export function PaymentCanceledPage() {
  const { orgId = '' } = useParams();
  useEffect(() => {
    toast('Payment Cancelled', {
      id: 'payment-canceled',
      description: 'Click Upgrade Plan if you change your mind!',
    });
  }, []);
  return <Navigate to={paths.billing(orgId)} replace />;
}
