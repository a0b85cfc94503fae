// Signs in to the demo of a running server, for what measures its pages.
import type { Browser, Cookie } from '@playwright/test';
import { CAPTCHA_HEADER, DEVELOPMENT_CAPTCHA_TOKEN } from '#contracts/console/auth';
import { identifierSegment } from '#engine/identity/identifier-segment';
import { demoAccount } from './demo-account.ts';

export interface DemoSession {
  readonly cookies: Cookie[];
  /** What stands in paths for `:orgId`, `:planId` and `:customer`. */
  readonly places: Readonly<Record<string, string>>;
}

/** @throws {Error} if the demo is not there yet */
export async function signInToDemo(browser: Browser, url: string): Promise<DemoSession> {
  const context = await browser.newContext({ baseURL: url });
  const headers = { origin: url, [CAPTCHA_HEADER]: DEVELOPMENT_CAPTCHA_TOKEN };
  const { email, password } = demoAccount;
  const data = { email, password };
  const answer = await context.request.post('/api/auth/sign-in/email', { headers, data });
  if (!answer.ok()) throw new Error(`Could not sign in: ${answer.status()} ${await answer.text()}`);
  const get = async (path: string) => (await context.request.get(path)).json();
  const [organisation] = await get('/api/user/orgs');
  const [plan] = await get(`/api/orgs/${organisation.id}/plans`);
  const [customer] = (await get(`/api/orgs/${organisation.id}/customers`)).items;
  const cookies = await context.cookies();
  await context.close();
  return {
    cookies,
    places: {
      ':orgId': organisation.id,
      ':planId': plan.planId,
      ':customer': identifierSegment(customer.identifier),
    },
  };
}
