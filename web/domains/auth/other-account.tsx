/** In place of the sign-in form: the link is for another email than the one that is signed in. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { authClient } from '#web/api/auth-client.ts';
import { selectOrganisation } from '#web/session/selected-organisation.ts';
import { arriveAtSignIn, endSession, leaveDeliberately } from '#web/session/session.ts';
import { AuthCard } from './auth-card.tsx';
import { Problem } from './problem.tsx';
import { problemOfFailure } from './problem-of-failure.ts';
import { useAuthCall } from './use-auth-call.ts';

export interface OtherAccountProps {
  /** Who is signed in. */
  readonly email: string;
  /** Whom the link is for. */
  readonly invited: string;
  /** Stays signed in. */
  readonly onContinue: () => void;
}

export function OtherAccount({ email, invited, onContinue }: OtherAccountProps) {
  const logOut = useAuthCall(() => leaveDeliberately(authClient.signOut));
  const [problem, setProblem] = useState<string | null>(null);
  const leave = async () => {
    const { error } = await logOut.run(undefined);
    if (error !== null) return setProblem(problemOfFailure(error));
    selectOrganisation(null);
    // Immediately, for the form: no guard of the console is on screen.
    endSession();
    arriveAtSignIn();
  };
  return (
    <AuthCard
      title="Already signed in"
      subtitle={`You’re signed in as ${email}. This link is for ${invited}. To use that email, log out first.`}
    >
      <Problem>{problem}</Problem>
      <Button loading={logOut.isPending} onClick={() => void leave()}>
        Log out
      </Button>
      <Button variant="default" disabled={logOut.isPending} onClick={onContinue}>
        Continue
      </Button>
    </AuthCard>
  );
}
