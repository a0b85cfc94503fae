/**
 * Verifies an email with a password, in another browser than the one that signed up. Somebody else may have signed up with
 * this email, so the password that is entered here replaces theirs.
 */
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { AuthError } from '#web/api/auth-client.ts';
import { Fields } from '#web/ui/inputs/fields.tsx';
import { useFields } from '#web/ui/inputs/use-fields.ts';
import { useClaimEmail } from './auth-calls.ts';
import { AuthCard } from './auth-card.tsx';
import { checkPassword, PASSWORD_HINT } from './check-fields.ts';
import { Problem } from './problem.tsx';

export interface VerificationFormProps {
  readonly email: string;
  /** Of the link. */
  readonly token: string;
  /** Called with the outcome. @returns the problem to show, null if the page has changed */
  readonly onOutcome: (error: AuthError | null) => string | null;
}

export function VerificationForm({ email, token, onOutcome }: VerificationFormProps) {
  const claim = useClaimEmail();
  const [problem, setProblem] = useState<string | null>(null);
  const form = useFields({ password: '' }, checkPassword);
  const submit = form.onSubmit(async ({ password }) => {
    setProblem(null);
    setProblem(onOutcome((await claim.run({ token, password })).error));
  });
  return (
    <AuthCard
      title="Verify your email"
      subtitle="You opened this link in a different browser from the one used to sign up. Enter the password you chose there, or choose a new one."
      footer="Didn’t sign up for Tessera? Close this page."
    >
      <form onSubmit={submit} noValidate>
        <Fields isDisabled={claim.isPending}>
          <TextInput label="Email" type="email" autoComplete="username" value={email} readOnly />
          <PasswordInput
            label="Password"
            description={form.errors.password ? undefined : PASSWORD_HINT}
            autoComplete="new-password"
            autoFocus
            required
            {...form.propsOf('password')}
          />
          <Problem>{problem}</Problem>
          <Button type="submit" loading={claim.isPending}>
            Verify email
          </Button>
        </Fields>
      </form>
    </AuthCard>
  );
}
