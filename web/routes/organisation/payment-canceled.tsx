/** /o/{orgId}/payment-canceled: Stripe's redirect target after a cancelled checkout. */
import { useEffect } from 'react';
import { Navigate, useParams } from 'react-router';
import { paths } from '#web/paths.ts';
import { toast } from '#web/toast.ts';

export function PaymentCanceledPage() {
  const { orgId = '' } = useParams();
  useEffect(() => {
    toast.message('Payment Cancelled', {
      id: 'payment-canceled',
      description: 'Click Upgrade Plan if you change your mind!',
    });
  }, []);
  return <Navigate to={paths.billing(orgId)} replace />;
}
