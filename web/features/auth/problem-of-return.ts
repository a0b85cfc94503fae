/** What the sign-in page says to whoever comes back from GitHub or Google without a session. */

const messages = new Map([
  ['access_denied', 'Signing in was cancelled.'],
  [
    'account_not_linked',
    'This email address must be verified first: with the provider, and here if it already has an account.',
  ],
]);

/** @param code of the query parameter `error`; the texts are ours, whatever the address says */
export function problemOfReturn(code: string | null): string | null {
  if (code === null) return null;
  return messages.get(code) ?? 'Something went wrong, try again later.';
}
