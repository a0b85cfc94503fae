/** Error message of the sign-in page after a failed sign-in with GitHub or Google. */

const messages = new Map([
  ['access_denied', 'Signing in was cancelled.'],
  [
    'account_not_linked',
    'Verify your email with GitHub or Google first. If you already have a Tessera account, sign in with your password.',
  ],
]);

/** @param code value of the query parameter `error`. Only known codes select a message; URL text is never shown. */
export function problemOfReturn(code: string | null): string | null {
  if (code === null) return null;
  return messages.get(code) ?? 'Something went wrong, try again later.';
}
