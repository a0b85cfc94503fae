/** Below the refusal of a sign-in for which too many passwords were tried: mails a link that gives this browser new attempts. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useNewAttemptsRequest } from './auth-calls.ts';
import { Notice } from './notice.tsx';
import { Problem } from './problem.tsx';
import { problemOfFailure } from './problem-of-failure.ts';
import type { HumanVerification } from './use-human-verification.ts';

export interface NewAttemptsOfferProps {
  readonly email: string;
  /** Of the form, which uses a new token for its next call. */
  readonly verification: HumanVerification;
}

export function NewAttemptsOffer({ email, verification }: NewAttemptsOfferProps) {
  const request = useNewAttemptsRequest();
  const [problem, setProblem] = useState<string | null>(null);
  const [isSent, setSent] = useState(false);
  const send = async () => {
    const captcha = await verification.takeToken();
    if (captcha === null) return;
    const { error } = await request.run({ email, captcha });
    verification.reset();
    setProblem(error && problemOfFailure(error));
    setSent(error === null);
  };
  if (isSent) {
    return (
      <Notice title="Check your email" isNeutral>
        {`If ${email} has an account, a link is on its way. Open it in this browser within 15 minutes to get ten new attempts.`}
      </Notice>
    );
  }
  return (
    <>
      <Problem>{problem}</Problem>
      <Button
        variant="default"
        loading={request.isPending}
        disabled={!verification.isSolved}
        onClick={() => void send()}
      >
        Email me a link to try again now
      </Button>
    </>
  );
}
