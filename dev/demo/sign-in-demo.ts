// Signs in as the demo user or another account of a local server. Signs up first if the account does not exist, and verifies
// the email through the development mailbox.
import { type ApiSession, openApiSession, readAnswer } from '../api-session.ts';
import { demoAccount } from './demo-account.ts';

interface Mail {
  links: string[];
}

export interface Account {
  readonly email: string;
  readonly password: string;
  readonly name: string;
}

/** @throws {Error} if the demo user exists with another password, or a call fails */
export const signInDemo = (baseUrl: string): Promise<ApiSession> => signInAs(baseUrl, demoAccount);

/** @throws {Error} if the account exists with another password, or a call fails */
export async function signInAs(baseUrl: string, { email, password, name }: Account): Promise<ApiSession> {
  const session = openApiSession(baseUrl);
  const signIn = () => session.send('POST', '/api/auth/sign-in/email', { email, password });
  const first = await signIn();
  if (first.ok) return session;

  await readAnswer(await session.send('POST', '/api/auth/sign-up/email', { name, email, password }), 'POST');
  await verifyAddress(session, email);
  await readAnswer(await signIn(), 'POST');
  return session;
}

/** Follows the newest verification link sent to the email. */
async function verifyAddress(session: ApiSession, email: string): Promise<void> {
  const mailbox = `/dev/mailbox?to=${encodeURIComponent(email)}`;
  const mails = await readAnswer<Mail[]>(await session.send('GET', mailbox), 'GET');
  const links = mails.flatMap((mail) => mail.links);
  const token = links.map((link) => new URL(link).searchParams.get('token')).find((found) => found !== null);
  if (!token)
    throw new Error(
      `No message with a verification link has come to ${email}: the account may exist already.`,
    );
  const response = await session.send('GET', `/api/auth/verify-email?token=${encodeURIComponent(token)}`);
  if (response.status >= 400) throw new Error(`The address could not be verified: ${await response.text()}`);
}
