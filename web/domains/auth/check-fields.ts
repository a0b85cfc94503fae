/**
 * Validation of the authentication forms, without zod: these pages load before everything else. A test compares the rules with the
 * schemas of the calls. Each check returns one message per invalid field, in the form library's format.
 */
import { EMAIL_PATTERN, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '#contracts/console/auth';
import { problemOfName } from '#contracts/public/text';

export const PASSWORD_HINT = 'Minimum 8 characters.';

type Problems = Record<string, string>;

const listed = (problems: Record<string, string | null>): Problems =>
  Object.fromEntries(
    Object.entries(problems).filter((entry): entry is [string, string] => entry[1] !== null),
  );

function problemOfEmail(email: string): string | null {
  if (email === '') return 'Required';
  return EMAIL_PATTERN.test(email) ? null : 'Enter an email like ada@example.com';
}

function problemOfNewPassword(password: string): string | null {
  if (password === '') return 'Required';
  if (password.length < MIN_PASSWORD_LENGTH) return PASSWORD_HINT;
  return password.length > MAX_PASSWORD_LENGTH ? `Must be at most ${MAX_PASSWORD_LENGTH} characters` : null;
}

export const checkSignIn = ({ email, password }: { email: string; password: string }): Problems =>
  listed({ email: problemOfEmail(email), password: password === '' ? 'Required' : null });

export const checkSignUp = (values: { email: string; password: string; name: string }): Problems =>
  listed({
    email: problemOfEmail(values.email),
    password: problemOfNewPassword(values.password),
    name: values.name === '' ? 'Required' : problemOfName(values.name),
  });

export const checkForgottenPassword = ({ email }: { email: string }): Problems =>
  listed({ email: problemOfEmail(email) });

export const checkPassword = ({ password }: { password: string }): Problems =>
  listed({ password: problemOfNewPassword(password) });

export const checkNewPassword = ({ newPassword }: { newPassword: string }): Problems =>
  listed({ newPassword: problemOfNewPassword(newPassword) });
