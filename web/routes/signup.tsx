/** /signup: creates an account, which the user confirms by email. */
import { Anchor, Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Link, Navigate, useNavigate } from 'react-router';
import { checkForm } from '#web/api/check-form.ts';
import { AuthCard } from '#web/domains/auth/auth-card.tsx';
import { HumanVerification } from '#web/domains/auth/human-verification.tsx';
import { useSignUp } from '#web/domains/auth/mutations.ts';
import { Problem } from '#web/domains/auth/problem.tsx';
import { PASSWORD_HINT, signUpSchema } from '#web/domains/auth/schemas.ts';
import { SocialButtons } from '#web/domains/auth/social-buttons.tsx';
import { useHumanVerification } from '#web/domains/auth/use-human-verification.ts';
import { paths } from '#web/paths.ts';
import { useSession } from '#web/session/session.ts';

export function SignUpPage() {
  const { sessionState } = useSession();
  const verification = useHumanVerification();
  const signUp = useSignUp();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({
    initialValues: { email: '', password: '', name: '' },
    validate: checkForm(signUpSchema),
  });

  const submit = form.onSubmit(async (values) => {
    setProblem(null);
    const captcha = await verification.takeToken();
    if (captcha === null) return;
    const { data, error } = await signUp.mutateAsync({ ...values, name: values.name.trim(), captcha });
    if (error !== null) {
      setProblem(error.message || 'Something went wrong, try again later.');
      verification.reset();
    } else if (data.user.emailVerified) navigate(paths.postSignIn);
    else navigate(paths.emailVerification, { state: { email: values.email } });
  });

  if (sessionState === 'authenticated' && !signUp.isPending)
    return <Navigate to={paths.postSignIn} replace />;

  const isBusy = signUp.isPending;
  return (
    <AuthCard
      title="Create your account"
      footer={
        <>
          Already have an account?{' '}
          <Anchor component={Link} to={paths.signIn}>
            Sign in
          </Anchor>
        </>
      }
    >
      <form onSubmit={submit} noValidate>
        <fieldset className="plain column shrink gap-16" disabled={isBusy}>
          <TextInput
            label="Email"
            type="email"
            autoComplete="email"
            required
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label="Password"
            description={form.errors.password ? undefined : PASSWORD_HINT}
            autoComplete="new-password"
            required
            {...form.getInputProps('password')}
          />
          <TextInput label="Name" autoComplete="name" required {...form.getInputProps('name')} />
          <HumanVerification verification={verification} />
          <Problem>{problem}</Problem>
          <Button type="submit" loading={isBusy} disabled={!verification.isSolved}>
            Continue
          </Button>
        </fieldset>
      </form>
      <SocialButtons isDisabled={isBusy} />
    </AuthCard>
  );
}
