/** /signup: creates an account, which the user confirms by email. */
import { Anchor, Button, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ownPageOf } from '#contracts/console/own-page';
import { useSignUp } from '#web/domains/auth/auth-calls.ts';
import { AuthCard } from '#web/domains/auth/auth-card.tsx';
import { checkSignUp, PASSWORD_HINT } from '#web/domains/auth/check-fields.ts';
import { GuidesLink } from '#web/domains/auth/guides-link.tsx';
import { HumanVerification } from '#web/domains/auth/human-verification.tsx';
import { Problem } from '#web/domains/auth/problem.tsx';
import { problemOfFailure } from '#web/domains/auth/problem-of-failure.ts';
import { emailOfQuery, emailOfState } from '#web/domains/auth/read-email.ts';
import { SocialButtons } from '#web/domains/auth/social-buttons.tsx';
import { useHumanVerification } from '#web/domains/auth/use-human-verification.ts';
import { paths } from '#web/paths.ts';
import { pageAfterSignIn, rememberReturnUrl, returnSearch } from '#web/session/return-url.ts';
import { isEnding, useSession } from '#web/session/session.ts';
import { Fields } from '#web/ui/inputs/fields.tsx';
import { useFields } from '#web/ui/inputs/use-fields.ts';
import {
  navigateSite,
  SiteLink,
  SiteRedirect,
  useSiteLocation,
  useSiteQuery,
} from '#web/ui/page/site-history.tsx';

export function SignUpPage() {
  const { sessionState } = useSession();
  const query = useSiteQuery();
  const { state } = useSiteLocation();
  const returnUrl = ownPageOf(query.get('returnUrl') ?? '');
  const target = pageAfterSignIn(returnUrl);
  const verification = useHumanVerification();
  const signUp = useSignUp();
  const [problem, setProblem] = useState<string | null>(null);
  const form = useFields(
    {
      email: emailOfState(state) ?? emailOfQuery(query.get('email')) ?? '',
      password: '',
      name: '',
    },
    checkSignUp,
  );

  const submit = form.onSubmit(async (values) => {
    setProblem(null);
    const captcha = await verification.takeToken();
    if (captcha === null) return;
    const { data, error } = await signUp.run({ ...values, name: values.name.trim(), captcha });
    if (error !== null) {
      setProblem(problemOfFailure(error));
      verification.reset();
    } else if (data.user.emailVerified) navigateSite(target);
    else {
      rememberReturnUrl(returnUrl);
      navigateSite(paths.emailVerification, { state: { email: values.email } });
    }
  });

  if (sessionState === 'authenticated' && !isEnding() && !signUp.isPending)
    return <SiteRedirect to={target} />;

  const isBusy = signUp.isPending;
  return (
    <AuthCard
      title="Create your account"
      footer={
        <>
          Already have an account?{' '}
          <Anchor
            component={SiteLink}
            to={paths.signIn + returnSearch(returnUrl)}
            state={{ email: form.values.email }}
          >
            Sign in
          </Anchor>
          <GuidesLink />
        </>
      }
    >
      <form onSubmit={submit} noValidate>
        <Fields isDisabled={isBusy}>
          <TextInput
            label="Email"
            type="email"
            autoComplete="email"
            autoFocus={!form.values.email}
            required
            {...form.propsOf('email')}
          />
          <PasswordInput
            label="Password"
            description={form.errors.password ? undefined : PASSWORD_HINT}
            autoComplete="new-password"
            autoFocus={!!form.values.email}
            required
            {...form.propsOf('password')}
          />
          <TextInput label="Name" autoComplete="name" required {...form.propsOf('name')} />
          <HumanVerification verification={verification} />
          <Problem>{problem}</Problem>
          <Button type="submit" loading={isBusy} disabled={!verification.isSolved}>
            Continue
          </Button>
        </Fields>
      </form>
      <SocialButtons isDisabled={isBusy} onStart={() => rememberReturnUrl(returnUrl)} />
    </AuthCard>
  );
}
