/** Calls of the authentication pages. The pages show errors inline, so no toast appears. */
import { useMutation } from '@tanstack/react-query';
import { authClient, type SocialProvider } from '#web/api/auth-client.ts';

const meta = { isErrorShown: true };

/** A call that requires a human verification token. */
interface Verified {
  readonly captcha: string;
}

export const useSignIn = () =>
  useMutation({
    meta,
    mutationFn: ({ captcha, ...body }: { email: string; password: string } & Verified) =>
      authClient.signInEmail(body, captcha),
  });

export const useSignUp = () =>
  useMutation({
    meta,
    mutationFn: ({ captcha, ...body }: { email: string; password: string; name: string } & Verified) =>
      authClient.signUpEmail(body, captcha),
  });

export const useSocialSignIn = () =>
  useMutation({ meta, mutationFn: (provider: SocialProvider) => authClient.signInSocial(provider) });

export const useForgetPassword = () =>
  useMutation({
    meta,
    mutationFn: ({ email, captcha }: { email: string } & Verified) =>
      authClient.forgetPassword(email, captcha),
  });

export const useResetPassword = () =>
  useMutation({
    meta,
    mutationFn: (body: { newPassword: string; token: string }) => authClient.resetPassword(body),
  });

export const useResendVerification = () =>
  useMutation({
    meta,
    mutationFn: ({ email, captcha }: { email: string } & Verified) =>
      authClient.sendVerificationEmail(email, captcha),
  });

export const useVerifyEmail = () =>
  useMutation({ meta, mutationFn: (token: string) => authClient.verifyEmail(token) });
