/** Calls of the authentication pages. They never throw: the pages show errors inline. */
import { authClient, type SocialProvider } from '#web/api/auth-client.ts';
import { useAuthCall } from './use-auth-call.ts';

/** A call that requires a human verification token. */
interface Verified {
  readonly captcha: string;
}

export const useSignIn = () =>
  useAuthCall(({ captcha, ...body }: { email: string; password: string } & Verified) =>
    authClient.signInEmail(body, captcha),
  );

export const useSignUp = () =>
  useAuthCall(({ captcha, ...body }: { email: string; password: string; name: string } & Verified) =>
    authClient.signUpEmail(body, captcha),
  );

export const useSocialSignIn = () =>
  useAuthCall((provider: SocialProvider) => authClient.signInSocial(provider));

export const useForgetPassword = () =>
  useAuthCall(({ email, captcha }: { email: string } & Verified) =>
    authClient.forgetPassword(email, captcha),
  );

export const useResetPassword = () =>
  useAuthCall((body: { newPassword: string; token: string }) => authClient.resetPassword(body));

export const useNewAttemptsRequest = () =>
  useAuthCall(({ email, captcha }: { email: string } & Verified) =>
    authClient.requestNewAttempts(email, captcha),
  );

export const takeNewAttempts = (token: string) => authClient.useNewAttempts(token);

export const useClaimEmail = () =>
  useAuthCall((body: { token: string; password: string }) => authClient.claimEmail(body));

export const verifyEmail = (token: string) => authClient.verifyEmail(token);

export const useResendVerification = () =>
  useAuthCall(({ email, captcha }: { email: string } & Verified) =>
    authClient.sendVerificationEmail(email, captcha),
  );
