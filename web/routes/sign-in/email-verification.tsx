/** /email-verification: asks the user to click the link in the verification email, and can resend it. */
import { Anchor, Stack, Text } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useState } from 'react';
import { useResendVerification } from '#web/domains/auth/auth-calls.ts';
import { AuthCard } from '#web/domains/auth/auth-card.tsx';
import { useFrontendConfig } from '#web/domains/auth/frontend-config.ts';
import { HumanVerification } from '#web/domains/auth/human-verification.tsx';
import { Problem } from '#web/domains/auth/problem.tsx';
import { problemOfFailure } from '#web/domains/auth/problem-of-failure.ts';
import { emailOfState } from '#web/domains/auth/read-email.ts';
import { useHumanVerification } from '#web/domains/auth/use-human-verification.ts';
import { paths } from '#web/paths.ts';
import { useSession } from '#web/session/session.ts';
import { ActionButton } from '#web/ui/dialogs/action-button.tsx';
import { SiteLink, SiteRedirect, useSiteLocation } from '#web/ui/page/site-history.tsx';

export function EmailVerificationPage() {
  const { user } = useSession();
  const email = emailOfState(useSiteLocation().state);
  const verification = useHumanVerification();
  const resend = useResendVerification();
  const isLocal = useFrontendConfig().config?.environment === 'development';
  const [problem, setProblem] = useState<string | null>(null);
  const [isResent, setResent] = useState(false);
  if (user !== null) return <SiteRedirect to={paths.postSignIn} />;
  if (email === null) return <SiteRedirect to={paths.signIn} />;

  const send = async () => {
    const captcha = await verification.takeToken();
    if (captcha === null) return;
    const { error } = await resend.run({ email, captcha });
    setProblem(error && problemOfFailure(error));
    setResent(error === null);
    if (error !== null) verification.reset();
  };
  return (
    <AuthCard
      icon={IconMail}
      title="Verify your email"
      subtitle={
        <>
          A verification email was sent to <strong>{email}</strong>. Open the link in it to continue.
        </>
      }
      footer={
        <Anchor component={SiteLink} to={paths.signIn}>
          Sign in as a different user
        </Anchor>
      }
    >
      <Stack gap={16} miw={0} className="plain">
        <ActionButton
          variant="default"
          disabled={isResent || !verification.isSolved}
          loading={resend.isPending}
          onClick={() => void send()}
        >
          {isResent ? 'Verification email resent' : 'Resend verification email'}
        </ActionButton>
        {!isResent && <HumanVerification verification={verification} />}
        <Problem>{problem}</Problem>
        {isLocal && (
          <Text c="dimmed" size="sm">
            Local servers send no email. Find the message in the{' '}
            <Anchor href="/dev/mailbox" underline="always">
              development mailbox
            </Anchor>
            .
          </Text>
        )}
      </Stack>
    </AuthCard>
  );
}
