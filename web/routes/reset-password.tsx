/** /reset-password?token=…: sets a new password. Redirects if the token is missing. */
import { Anchor, Button, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router';
import { checkForm } from '#web/api/check-form.ts';
import { AuthCard } from '#web/domains/auth/auth-card.tsx';
import { useResetPassword } from '#web/domains/auth/mutations.ts';
import { Problem } from '#web/domains/auth/problem.tsx';
import { problemOfFailure } from '#web/domains/auth/problem-of-failure.ts';
import { PASSWORD_HINT, resetPasswordSchema } from '#web/domains/auth/schemas.ts';
import { paths } from '#web/paths.ts';

export function ResetPasswordPage() {
  const token = useSearchParams()[0].get('token');
  const reset = useResetPassword();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({
    initialValues: { newPassword: '', confirmPassword: '' },
    validate: checkForm(resetPasswordSchema),
  });
  if (token === null || token === '') return <Navigate to={paths.signIn} replace />;

  const { newPassword, confirmPassword } = form.values;
  const isMatching = newPassword === confirmPassword;
  const submit = form.onSubmit(async () => {
    if (!isMatching) return;
    setProblem(null);
    const { error } = await reset.mutateAsync({ newPassword, token });
    if (error === null) navigate(paths.signIn, { state: { hasChangedPassword: true } });
    else setProblem(problemOfFailure(error));
  });
  return (
    <AuthCard
      title="Choose a new password"
      footer={
        <>
          Link expired?{' '}
          <Anchor component={Link} to={paths.forgotPassword}>
            Send a new one
          </Anchor>
        </>
      }
    >
      <form onSubmit={submit} noValidate>
        <fieldset className="plain column shrink gap-16" disabled={reset.isPending}>
          <PasswordInput
            label="New password"
            description={form.errors.newPassword ? undefined : PASSWORD_HINT}
            autoComplete="new-password"
            autoFocus
            required
            {...form.getInputProps('newPassword')}
          />
          <PasswordInput
            label="Confirm password"
            autoComplete="new-password"
            required
            {...form.getInputProps('confirmPassword')}
            error={confirmPassword !== '' && !isMatching ? 'The passwords do not match.' : undefined}
          />
          <Problem>{problem}</Problem>
          <Button type="submit" loading={reset.isPending} disabled={newPassword === '' || !isMatching}>
            Set new password
          </Button>
        </fieldset>
      </form>
    </AuthCard>
  );
}
