/** The pages before sign-in, by path. They load without the console, which loads while the first field is filled in. */
import type { ComponentType } from 'react';
import { paths, signInPageOf } from '#web/paths.ts';
import { AwaitingAdmissionPage } from '#web/routes/awaiting-admission.tsx';
import { EmailVerificationPage } from '#web/routes/email-verification.tsx';
import { ForgotPasswordPage } from '#web/routes/forgot-password.tsx';
import { ResetPasswordPage } from '#web/routes/reset-password.tsx';
import { SignInPage } from '#web/routes/signin.tsx';
import { SignUpPage } from '#web/routes/signup.tsx';
import { CentredLayout } from '#web/shell/centred-layout.tsx';
import { useHistoryButtons, useSiteLocation } from '#web/ui/site-history.tsx';

const pages = new Map<string, ComponentType>([
  [paths.signIn, SignInPage],
  [paths.signUp, SignUpPage],
  [paths.forgotPassword, ForgotPasswordPage],
  [paths.resetPassword, ResetPasswordPage],
  [paths.emailVerification, EmailVerificationPage],
  [paths.awaitingAdmission, AwaitingAdmissionPage],
]);

export interface SignInPagesProps {
  /** Called once somebody types. */
  readonly onTyping: () => void;
}

export function SignInPages({ onTyping }: SignInPagesProps) {
  const { pathname } = useSiteLocation();
  useHistoryButtons();
  const path = signInPageOf(pathname) ?? paths.signIn;
  const Page = pages.get(path) ?? SignInPage;
  return (
    <div onInput={onTyping}>
      <CentredLayout>
        <Page key={path} />
      </CentredLayout>
    </div>
  );
}
