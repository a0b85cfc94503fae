/** /forgot-password: requests an email with a password reset link. Starts with the email that was typed on /signin. */
import { Anchor, Button, TextInput } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useState } from 'react';
import { ownPageOf } from '#contracts/console/own-page';
import { useForgetPassword } from '#web/domains/auth/auth-calls.ts';
import { AuthCard } from '#web/domains/auth/auth-card.tsx';
import { checkForgottenPassword } from '#web/domains/auth/check-fields.ts';
import { HumanVerification } from '#web/domains/auth/human-verification.tsx';
import { Problem } from '#web/domains/auth/problem.tsx';
import { emailOfState } from '#web/domains/auth/read-email.ts';
import { useHumanVerification } from '#web/domains/auth/use-human-verification.ts';
import { paths } from '#web/paths.ts';
import { rememberReturnUrl, returnSearch } from '#web/session/return-url.ts';
import { Fields } from '#web/ui/inputs/fields.tsx';
import { useFields } from '#web/ui/inputs/use-fields.ts';
import { SiteLink, useSiteLocation, useSiteQuery } from '#web/ui/page/site-history.tsx';

export function ForgotPasswordPage() {
  const verification = useHumanVerification();
  const forget = useForgetPassword();
  const [problem, setProblem] = useState<string | null>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { state } = useSiteLocation();
  const query = useSiteQuery();
  const form = useFields({ email: emailOfState(state) ?? '' }, checkForgottenPassword);
  const returnUrl = ownPageOf(query.get('returnUrl') ?? '');
  const search = returnSearch(returnUrl);
  const back = (
    <Anchor component={SiteLink} to={paths.signIn + search} state={{ email: sentTo ?? form.values.email }}>
      Back to sign in
    </Anchor>
  );

  const submit = form.onSubmit(async ({ email }) => {
    setProblem(null);
    const captcha = await verification.takeToken();
    if (captcha === null) return;
    const { error } = await forget.run({ email, captcha });
    if (error === null) {
      rememberReturnUrl(returnUrl);
      setSentTo(email);
    } else {
      setProblem('Something went wrong, try again later.');
      verification.reset();
    }
  });

  if (sentTo !== null) {
    return (
      <AuthCard
        icon={IconMail}
        title="Reset link sent"
        subtitle={`If ${sentTo} has an account, a link to choose a new password is on its way.`}
        footer={back}
      />
    );
  }
  return (
    <AuthCard
      title="Forgot your password?"
      subtitle="Enter your email to get a link that lets you choose a new one."
      footer={back}
    >
      <form onSubmit={submit} noValidate>
        <Fields isDisabled={forget.isPending}>
          <TextInput
            label="Email"
            type="email"
            autoComplete="username"
            autoFocus
            required
            {...form.propsOf('email')}
          />
          <HumanVerification verification={verification} />
          <Problem>{problem}</Problem>
          <Button type="submit" loading={forget.isPending} disabled={!verification.isSolved}>
            Send reset link
          </Button>
        </Fields>
      </form>
    </AuthCard>
  );
}
