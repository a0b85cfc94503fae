/** /email-verified: where the server sends a browser whose address it has just verified itself. */
import { useEffect } from 'react';
import { Navigate } from 'react-router';
import { toast } from 'sonner';
import { paths } from '../paths.ts';

export function EmailVerifiedPage() {
  useEffect(() => {
    toast.success('Your email has been verified', { id: 'email-verified' });
  }, []);
  return <Navigate to={paths.postSignIn} replace />;
}
