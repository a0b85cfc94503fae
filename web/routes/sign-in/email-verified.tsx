/** /email-verified: redirect target after the server has verified an email. */
import { useEffect } from 'react';
import { Navigate } from 'react-router';
import { paths } from '#web/paths.ts';
import { toast } from '#web/toast.ts';

export function EmailVerifiedPage() {
  useEffect(() => {
    toast.success('Your email has been verified', { id: 'email-verified' });
  }, []);
  return <Navigate to={paths.postSignIn} replace />;
}
