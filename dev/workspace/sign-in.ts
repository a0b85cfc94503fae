// Signs in to a local server. Signs up first if the account does not exist, and verifies the email through the development mailbox.
import { type ApiSession, openApiSession } from './api-session.ts';
import { readAnswer } from './endpoint-caller.ts';

interface Mail {
  links: string[];
}

export interface Account {
  readonly email: string;
  readonly password: string;
  readonly name: string;
}

/** The account exists, and cannot be signed in to: its password was changed, or it awaits admission, or too many were tried. */
export class SignInRefusedError extends Error {
  override readonly name = 'SignInRefusedError';
}

/** @throws {SignInRefusedError} @throws {Error} if a call fails */
export async function signInAs(baseUrl: string, { email, password, name }: Account): Promise<ApiSession> {
  const session = openApiSession(baseUrl);
  const signIn = () => session.send('POST', '/api/auth/sign-in/email', { email, password });
  let answer = await signIn();
  if (answer.status === 401) {
    // The same answer for a new address as for one that has an account.
    await readAnswer(
      await session.send('POST', '/api/auth/sign-up/email', { name, email, password }),
      'POST',
    );
    answer = await signIn();
  }
  let refusal = await refusalOf(answer);
  if (refusal?.code === 'EMAIL_NOT_VERIFIED') {
    await verifyAddress(session, email, password);
    refusal = await refusalOf(await signIn());
  }
  if (refusal === null) return session;
  throw new SignInRefusedError(
    answer.status === 401 ? `The password of ${email} was changed.` : `${email}: ${refusal.message}`,
  );
}

/** Null if the sign-in succeeded. @throws {Error} on a failure of the server */
async function refusalOf(answer: Response): Promise<{ code?: string; message?: string } | null> {
  if (answer.ok) return null;
  if (answer.status >= 500) throw new Error(`The sign-in answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** Submits the form of the newest verification link sent to the email. Whoever signed up, the account then has this password. */
async function verifyAddress(session: ApiSession, email: string, password: string): Promise<void> {
  const mailbox = `/dev/mailbox?to=${encodeURIComponent(email)}`;
  const mails = await readAnswer<Mail[]>(await session.send('GET', mailbox), 'GET');
  const links = mails.flatMap((mail) => mail.links).map((link) => new URL(link));
  const token = links.find(({ pathname }) => pathname === '/verify-email')?.searchParams.get('token');
  if (!token) throw new Error(`No message with a verification link has come to ${email}.`);
  const response = await session.send('POST', '/api/auth/verify-email', { token, password });
  if (response.status >= 400) throw new Error(`The address could not be verified: ${await response.text()}`);
}
