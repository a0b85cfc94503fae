/** /forgot-password: asks for a link to choose a new password. */
import { Anchor, Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconMail } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { checkForm } from '../api/check-form.ts';
import classes from '../features/auth/auth.module.css';
import { AuthCard } from '../features/auth/auth-card.tsx';
import { HumanVerification } from '../features/auth/human-verification.tsx';
import { useForgetPassword } from '../features/auth/mutations.ts';
import { Problem } from '../features/auth/problem.tsx';
import { forgotPasswordSchema } from '../features/auth/schemas.ts';
import { useHumanVerification } from '../features/auth/use-human-verification.ts';
import { paths } from '../paths.ts';

const back = (
  <Anchor component={Link} to={paths.signIn}>
    Back to sign in
  </Anchor>
);

export function ForgotPasswordPage() {
  const verification = useHumanVerification();
  const forget = useForgetPassword();
  const [problem, setProblem] = useState<string | null>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({ initialValues: { email: '' }, validate: checkForm(forgotPasswordSchema) });

  const submit = form.onSubmit(async ({ email }) => {
    setProblem(null);
    const captcha = await verification.takeToken();
    if (captcha === null) return;
    const { error } = await forget.mutateAsync({ email, captcha });
    if (error === null) setSentTo(email);
    else {
      setProblem('Something went wrong, try again later.');
      verification.reset();
    }
  });

  if (sentTo !== null) {
    return (
      <AuthCard
        icon={IconMail}
        title="Reset link sent"
        subtitle={`If ${sentTo} has an account, a link to choose a new password is on its way there.`}
        footer={back}
      />
    );
  }
  return (
    <AuthCard
      title="Forgot your password?"
      subtitle="Enter your email address and we will send you a link to choose a new one."
      footer={back}
    >
      <form onSubmit={submit} noValidate>
        <fieldset className={classes.form} disabled={forget.isPending}>
          <TextInput
            label="Email"
            type="email"
            autoComplete="username"
            required
            {...form.getInputProps('email')}
          />
          <HumanVerification verification={verification} />
          <Problem>{problem}</Problem>
          <Button type="submit" loading={forget.isPending} disabled={!verification.isSolved}>
            Send reset link
          </Button>
        </fieldset>
      </form>
    </AuthCard>
  );
}
