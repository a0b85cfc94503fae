// The demo user, for the seed, the browser tests and the screenshots.
import type { ApiSession } from '../workspace/api-session.ts';
import { signInAs } from '../workspace/sign-in.ts';

export const demoAccount = {
  email: 'demo@tessera.example',
  password: 'tessera-demo',
  name: 'Dana Demo',
  organisation: 'Acme Analytics',
} as const;

/** @throws {SignInRefusedError} @throws {Error} if a call fails */
export const signInDemo = (baseUrl: string): Promise<ApiSession> => signInAs(baseUrl, demoAccount);
