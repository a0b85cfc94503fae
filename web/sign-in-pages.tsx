/** The pages before sign-in. They load without the console, which loads while the first field is filled in. */
import type { ComponentType } from 'react';
import { type SignInPageName, signInPageAt } from '#web/paths.ts';
import { AwaitingAdmissionPage } from '#web/routes/sign-in/awaiting-admission.tsx';
import { EmailVerificationPage } from '#web/routes/sign-in/email-verification.tsx';
import { ForgotPasswordPage } from '#web/routes/sign-in/forgot-password.tsx';
import { ResetPasswordPage } from '#web/routes/sign-in/reset-password.tsx';
import { SignInPage } from '#web/routes/sign-in/signin.tsx';
import { SignUpPage } from '#web/routes/sign-in/signup.tsx';
import { CentredLayout } from '#web/shell/centred-layout.tsx';
import { useHistoryButtons, useSiteLocation } from '#web/ui/page/site-history.tsx';

const pages: Readonly<Record<SignInPageName, ComponentType>> = {
  signIn: SignInPage,
  signUp: SignUpPage,
  forgotPassword: ForgotPasswordPage,
  resetPassword: ResetPasswordPage,
  emailVerification: EmailVerificationPage,
  awaitingAdmission: AwaitingAdmissionPage,
};

export interface SignInPagesProps {
  /** Called once somebody types. */
  readonly onTyping: () => void;
}

export function SignInPages({ onTyping }: SignInPagesProps) {
  const { pathname } = useSiteLocation();
  useHistoryButtons();
  const name = signInPageAt(pathname) ?? 'signIn';
  const Page = pages[name];
  return (
    <div onInput={onTyping}>
      <CentredLayout>
        <Page key={name} />
      </CentredLayout>
    </div>
  );
}
