/** /signin: e-mail and password behind human verification, or a social account. */
import { Anchor, Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import { checkForm } from '../api/check-form.ts';
import classes from '../features/auth/auth.module.css';
import { AuthCard } from '../features/auth/auth-card.tsx';
import { HumanVerification } from '../features/auth/human-verification.tsx';
import { useSignIn } from '../features/auth/mutations.ts';
import { Notice } from '../features/auth/notice.tsx';
import { Problem } from '../features/auth/problem.tsx';
import { problemOfReturn } from '../features/auth/problem-of-return.ts';
import { emailOfQuery, emailOfState } from '../features/auth/read-email.ts';
import { signInSchema } from '../features/auth/schemas.ts';
import { SocialButtons } from '../features/auth/social-buttons.tsx';
import { useHumanVerification } from '../features/auth/use-human-verification.ts';
import { paths } from '../paths.ts';
import { safeReturnPath } from '../session/return-url.ts';
import { selectOrganisation } from '../session/selected-organisation.ts';
import { endSession, useSession } from '../session/session.ts';

/** What the page before says of itself in the router's state, beside `email`. */
interface SignInState {
  readonly hasLoggedOut?: boolean;
  readonly hasChangedPassword?: boolean;
}

export function SignInPage() {
  const [query] = useSearchParams();
  const { state } = useLocation();
  const { sessionState } = useSession();
  const target = safeReturnPath(query.get('returnUrl'), window.location.origin) ?? paths.postSignIn;

  const verification = useHumanVerification();
  const signIn = useSignIn();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [problem, setProblem] = useState(() => problemOfReturn(query.get('error')));
  const form = useForm({
    initialValues: { email: emailOfState(state) ?? emailOfQuery(query.get('email')) ?? '', password: '' },
    validate: checkForm(signInSchema),
  });

  const submit = form.onSubmit(async (values) => {
    setProblem(null);
    const captcha = await verification.takeToken();
    if (captcha === null) return;
    const { error } = await signIn.mutateAsync({ ...values, captcha });
    if (error === null) {
      selectOrganisation(null);
      navigate(target);
      return;
    }
    if (error.status === 403) {
      const page = error.code === 'disabled' ? paths.awaitingAdmission : paths.emailVerification;
      navigate(page, { state: { email: values.email } });
      return;
    }
    endSession(client);
    setProblem('Invalid credentials.');
    verification.reset();
  });

  const { hasLoggedOut, hasChangedPassword } = (state ?? {}) as SignInState;
  if (sessionState === 'authenticated' && !hasLoggedOut && !signIn.isPending)
    return <Navigate to={target} replace />;

  const isBusy = signIn.isPending;
  return (
    <AuthCard
      title="Sign in to Tessera"
      footer={
        <>
          New to Tessera?{' '}
          <Anchor component={Link} to={paths.signUp}>
            Sign up
          </Anchor>
        </>
      }
    >
      {hasChangedPassword && problem === null && (
        <Notice title="Password changed">Sign in with your new password.</Notice>
      )}
      <form onSubmit={submit} noValidate>
        <fieldset className={classes.form} disabled={isBusy}>
          <TextInput
            label="Email"
            type="email"
            autoComplete="username"
            required
            {...form.getInputProps('email')}
          />
          <div>
            <PasswordInput
              label="Password"
              autoComplete="current-password"
              required
              {...form.getInputProps('password')}
            />
            <Anchor
              component={Link}
              to={paths.forgotPassword}
              className={classes.forgot}
              mt={6}
              display="inline-block"
            >
              Forgot password?
            </Anchor>
          </div>
          <HumanVerification verification={verification} />
          <Problem>{problem}</Problem>
          <Button type="submit" loading={isBusy} disabled={!verification.isSolved}>
            Sign in
          </Button>
        </fieldset>
      </form>
      <SocialButtons isDisabled={isBusy} />
    </AuthCard>
  );
}
