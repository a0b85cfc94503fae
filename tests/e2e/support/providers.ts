// GitHub and Google as the browser tests know them: two local servers with people who have accounts there, and the
// settings that lead a Tessera to them.
import { expect, type Page } from '@playwright/test';
import { createEmulator } from 'emulate';
import { findFreePort } from '../../../dev/tools/free-port.ts';

export type ProviderName = 'github' | 'google';

export interface ProviderPerson {
  name: string;
  email: string;
}

/** One person for each test, with an account at `provider`. */
export function peopleOf(provider: ProviderName) {
  const person = (login: string, name: string, isVerified = true) => ({
    login,
    name,
    email: `${login}.${provider}@people.example`,
    email_verified: isVerified,
  });
  return {
    newcomer: person('margaret', 'Margaret Hamilton'),
    decliner: person('bartleby', 'Bartleby Scrivener'),
    withPassword: person('katherine', 'Katherine Johnson'),
    withUnverifiedPassword: person('dorothy', 'Dorothy Vaughan'),
    forged: person('mallory', 'Mallory Forger'),
    waiting: person('vladimir', 'Vladimir Waiting'),
    /** Only Google can have addresses that it has not verified. */
    unverified: person('percy', 'Percy Unproven', provider === 'github'),
    /** Has the same address with both. */
    withBoth: { ...person('hedy', 'Hedy Lamarr'), email: 'hedy@people.example' },
  };
}

export interface Providers {
  /** Settings of a Tessera that signs in with them. */
  vars: Record<string, string>;
  close(): Promise<void>;
}

/** Starts both for the Tessera at `origin`. */
export async function startProviders(origin: string): Promise<Providers> {
  const client = (name: ProviderName) => ({
    client_id: `${name}-client`,
    client_secret: `${name}-secret`,
    name: 'Tessera',
    redirect_uris: [`${origin}/api/auth/callback/${name}`],
  });
  const users = (name: ProviderName) => Object.values(peopleOf(name));
  const github = await start('github', { users: users('github'), oauth_apps: [client('github')] });
  const google = await start('google', { users: users('google'), oauth_clients: [client('google')] });
  return {
    vars: {
      GITHUB_BASE_URL: github.url,
      GITHUB_CLIENT_ID: 'github-client',
      GITHUB_CLIENT_SECRET: 'github-secret',
      GOOGLE_BASE_URL: google.url,
      GOOGLE_CLIENT_ID: 'google-client',
      GOOGLE_CLIENT_SECRET: 'google-secret',
    },
    close: async () => {
      await Promise.all([github.close(), google.close()]);
    },
  };
}

async function start(service: ProviderName, seed: object) {
  const port = await findFreePort();
  const options = { port, hostname: '127.0.0.1', baseUrl: `http://127.0.0.1:${port}` };
  return createEmulator({ service, ...options, seed: { [service]: seed } });
}

/** From a page with the buttons to the provider's own page. */
export async function openProvider(page: Page, provider: ProviderName): Promise<void> {
  const label = { github: 'GitHub', google: 'Google' }[provider];
  await page.getByRole('button', { name: label }).click();
  await expect(page.getByText(`Sign in to ${label}`, { exact: true })).toBeVisible();
}

/** On the provider's own page: agrees to sign in to Tessera as that person. */
export async function agreeAs(page: Page, { email }: ProviderPerson): Promise<void> {
  await page.getByRole('button', { name: email }).click();
}

/** On the provider's own page: redirects back as the provider does when the user denies access (RFC 6749, section 4.1.2.1). */
export async function decline(page: Page): Promise<void> {
  const asked = new URL(page.url()).searchParams;
  const back = new URL(asked.get('redirect_uri') ?? '');
  back.searchParams.set('error', 'access_denied');
  back.searchParams.set('error_description', 'The user has denied your application access.');
  back.searchParams.set('state', asked.get('state') ?? '');
  await page.goto(back.href);
}
