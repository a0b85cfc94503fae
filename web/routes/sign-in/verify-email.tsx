/** /verify-email?token=…: target of the link in the verification email. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { AuthError } from '#web/api/auth-client.ts';
import { verifyEmail } from '#web/domains/auth/auth-calls.ts';
import { OtherAccount } from '#web/domains/auth/other-account.tsx';
import { problemOfFailure } from '#web/domains/auth/problem-of-failure.ts';
import { VerificationForm } from '#web/domains/auth/verification-form.tsx';
import { paths } from '#web/paths.ts';
import { useSession } from '#web/session/session.ts';
import { toast } from '#web/toast.ts';
import { FullPageSpinner } from '#web/ui/loading/full-page-spinner.tsx';

/** What the link needs before it verifies the email. */
interface Question {
  readonly code: 'PASSWORD_REQUIRED' | 'OTHER_ACCOUNT';
  readonly email: string;
}

function questionOf({ code, email }: AuthError): Question | null {
  if (code !== 'PASSWORD_REQUIRED' && code !== 'OTHER_ACCOUNT') return null;
  return { code, email: String(email) };
}

export function VerifyEmailPage() {
  const token = useSearchParams()[0].get('token') ?? '';
  const navigate = useNavigate();
  const { user, sessionState } = useSession();
  const [question, setQuestion] = useState<Question | null>(null);

  const leave = useCallback(
    (error: AuthError | null) => {
      if (error === null || error.code === 'disabled') {
        toast.success('Your email has been verified');
        return void navigate(error === null ? paths.postSignIn : paths.awaitingAdmission, { replace: true });
      }
      const isRefused = error.status >= 400 && error.status < 500 && error.status !== 429;
      toast.error('Unable to verify email', {
        description: isRefused
          ? 'The link has expired or was replaced by a newer one. Sign in or sign up to get a new one.'
          : problemOfFailure(error),
      });
      void navigate(paths.signIn, { replace: true });
    },
    [navigate],
  );
  const open = useCallback(async () => {
    setQuestion(null);
    const { error } = await verifyEmail(token);
    const asked = error && questionOf(error);
    if (asked) setQuestion(asked);
    else leave(error);
  }, [token, leave]);

  // The other account was signed out elsewhere: the question is answered.
  const isAnswered = question?.code === 'OTHER_ACCOUNT' && sessionState === 'unauthenticated';
  useEffect(() => {
    if (isAnswered) void open();
  }, [isAnswered, open]);

  const opened = useRef<string | null>(null);
  useEffect(() => {
    if (opened.current === token) return;
    opened.current = token;
    void open();
  }, [token, open]);

  /** A password that was refused, or could not be sent, stays in the form. */
  const onClaim = (error: AuthError | null): string | null => {
    const asked = error && questionOf(error);
    if (asked) setQuestion(asked);
    else if (error === null || error.status === 401 || error.code === 'disabled') leave(error);
    else return problemOfFailure(error);
    return null;
  };

  if (question?.code === 'PASSWORD_REQUIRED') {
    return <VerificationForm email={question.email} token={token} onOutcome={onClaim} />;
  }
  if (question?.code === 'OTHER_ACCOUNT' && user !== null) {
    return (
      <OtherAccount
        email={user.email}
        invited={question.email}
        onContinue={() => void navigate(paths.home, { replace: true })}
      />
    );
  }
  return <FullPageSpinner />;
}
