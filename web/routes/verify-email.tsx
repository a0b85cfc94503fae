/** /verify-email?token=…: target of the link in the verification email. */
import { useEffect, useRef } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { verifyEmail } from '#web/domains/auth/auth-calls.ts';
import { problemOfFailure } from '#web/domains/auth/problem-of-failure.ts';
import { paths } from '#web/paths.ts';
import { toast } from '#web/toast.ts';
import { FullPageSpinner } from '#web/ui/full-page-spinner.tsx';

export function VerifyEmailPage() {
  const token = useSearchParams()[0].get('token') ?? '';
  const navigate = useNavigate();
  const hasStarted = useRef(false);
  useEffect(() => {
    if (hasStarted.current) return;
    hasStarted.current = true;
    const run = async () => {
      const { error } = await verifyEmail(token);
      if (error !== null && error.code !== 'disabled') {
        const isRefused = error.status >= 400 && error.status < 500 && error.status !== 429;
        toast.error('Unable to verify email', {
          description: isRefused
            ? 'The link may have expired. Sign in to get a new one.'
            : problemOfFailure(error),
        });
        return navigate(paths.signIn, { replace: true });
      }
      toast.success('Your email has been verified');
      return navigate(error === null ? paths.postSignIn : paths.awaitingAdmission, { replace: true });
    };
    void run();
  }, [token, navigate]);
  return <FullPageSpinner />;
}
