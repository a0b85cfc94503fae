/** /reset-password?token=…: sets a new password. Redirects if the token is missing. */
import { Anchor, Button, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { useResetPassword } from '#web/domains/auth/auth-calls.ts';
import { AuthCard } from '#web/domains/auth/auth-card.tsx';
import { checkNewPassword, PASSWORD_HINT } from '#web/domains/auth/check-fields.ts';
import { Problem } from '#web/domains/auth/problem.tsx';
import { problemOfFailure } from '#web/domains/auth/problem-of-failure.ts';
import { paths } from '#web/paths.ts';
import { Fields } from '#web/ui/inputs/fields.tsx';
import { useFields } from '#web/ui/inputs/use-fields.ts';
import { navigateSite, SiteLink, SiteRedirect, useSiteQuery } from '#web/ui/page/site-history.tsx';

export function ResetPasswordPage() {
  const token = useSiteQuery().get('token');
  const reset = useResetPassword();
  const [problem, setProblem] = useState<string | null>(null);
  const form = useFields({ newPassword: '', confirmPassword: '' }, checkNewPassword);
  if (token === null || token === '') return <SiteRedirect to={paths.signIn} />;

  const { newPassword, confirmPassword } = form.values;
  const isMatching = newPassword === confirmPassword;
  const submit = form.onSubmit(async () => {
    if (!isMatching) return;
    setProblem(null);
    const { error } = await reset.run({ newPassword, token });
    if (error === null) navigateSite(paths.signIn, { state: { hasChangedPassword: true } });
    else setProblem(problemOfFailure(error));
  });
  return (
    <AuthCard
      title="Choose a new password"
      footer={
        <>
          Link expired?{' '}
          <Anchor component={SiteLink} to={paths.forgotPassword}>
            Send a new one
          </Anchor>
        </>
      }
    >
      <form onSubmit={submit} noValidate>
        <Fields isDisabled={reset.isPending}>
          <PasswordInput
            label="New password"
            description={form.errors.newPassword ? undefined : PASSWORD_HINT}
            autoComplete="new-password"
            autoFocus
            required
            {...form.propsOf('newPassword')}
          />
          <PasswordInput
            label="Confirm password"
            autoComplete="new-password"
            required
            {...form.propsOf('confirmPassword')}
            error={confirmPassword !== '' && !isMatching ? 'The passwords do not match.' : undefined}
          />
          <Problem>{problem}</Problem>
          <Button type="submit" loading={reset.isPending} disabled={newPassword === '' || !isMatching}>
            Set new password
          </Button>
        </Fields>
      </form>
    </AuthCard>
  );
}
