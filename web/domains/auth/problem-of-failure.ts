/** The message of a form after a failed call of the authentication service. */
import type { AuthError } from '#web/api/auth-client.ts';

const UNREACHABLE = 'The server could not be reached. Check your connection and try again.';
const UNKNOWN = 'Something went wrong, try again later.';
const TOO_MANY = 'Too many attempts. Please try again later.';
const NOT_HUMAN = 'Human verification failed, please try again later.';

/** Whether human verification refused the call, which says nothing about the account. */
export const isVerificationFailure = ({ code }: Pick<AuthError, 'code'>): boolean =>
  code === 'VERIFICATION_FAILED' || code === 'MISSING_RESPONSE';

/** The server's message where it has one for the user: about the form, or that it is too busy. */
export function problemOfFailure({ status, code, message }: AuthError): string {
  if (status === 0) return UNREACHABLE;
  if (code === 'VERIFICATION_FAILED') return NOT_HUMAN;
  if (status === 429) return message || TOO_MANY;
  return ((status < 500 || status === 503) && message) || UNKNOWN;
}

/** As `problemOfFailure`, but every refusal of the form itself reads the same, so that no message reveals an account. */
export function problemOfSignIn(error: AuthError): string {
  const isRefused = error.status >= 400 && error.status < 500 && error.status !== 429;
  return isRefused && !isVerificationFailure(error) ? 'Invalid credentials.' : problemOfFailure(error);
}
