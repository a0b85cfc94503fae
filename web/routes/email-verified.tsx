/** /email-verified: redirect target after the server has verified an email. */
import { useEffect } from 'react';
import { Navigate } from 'react-router';
import { toast } from 'sonner';
import { paths } from '#web/paths.ts';

export function EmailVerifiedPage() {
  useEffect(() => {
    toast.success('Your email has been verified', { id: 'email-verified' });
  }, []);
  return <Navigate to={paths.postSignIn} replace />;
}
