/** /new-attempts?token=…: target of the link that gives a browser new sign-in attempts. Leads to the sign-in form. */
import { useEffect, useRef } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { takeNewAttempts } from '#web/domains/auth/auth-calls.ts';
import { problemOfFailure } from '#web/domains/auth/problem-of-failure.ts';
import { paths } from '#web/paths.ts';
import { toast } from '#web/toast.ts';
import { FullPageSpinner } from '#web/ui/loading/full-page-spinner.tsx';

const INCOMPLETE_LINK = 'This link is incomplete. Open the whole link from the email.';

export function NewAttemptsPage() {
  const token = useSearchParams()[0].get('token') ?? '';
  const navigate = useNavigate();
  const hasStarted = useRef(false);
  useEffect(() => {
    if (hasStarted.current) return;
    hasStarted.current = true;
    const run = async () => {
      const { data, error } = await takeNewAttempts(token);
      if (error !== null) {
        const description = token === '' ? INCOMPLETE_LINK : problemOfFailure(error);
        toast.error('Unable to get new attempts', { description });
        return navigate(paths.signIn, { replace: true });
      }
      toast.success('You can try to sign in ten more times');
      const query = new URLSearchParams({
        email: btoa(String.fromCharCode(...new TextEncoder().encode(data.email))),
      });
      return navigate(`${paths.signIn}?${query}`, { replace: true });
    };
    void run();
  }, [token, navigate]);
  return <FullPageSpinner />;
}
