// People for the browser tests: accounts that are made, verified and signed in through the API, and the mail they get.
import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { CAPTCHA_HEADER, DEVELOPMENT_CAPTCHA_TOKEN } from '#contracts/auth';

export const PASSWORD = 'correct-horse-battery';

export interface Person {
  name: string;
  email: string;
}

/** Nobody else's address, whatever ran before against the same data. */
export function newPerson(name: string): Person {
  return { name, email: `${name.toLowerCase().replaceAll(' ', '.')}.${crypto.randomUUID()}@people.example` };
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Calls the API with the cookies of `request`, as the console's page would. */
export async function callApi<T>(
  request: APIRequestContext,
  method: Method,
  path: string,
  body?: object,
): Promise<T> {
  const { origin } = new URL((await request.get('/')).url());
  const response = await request.fetch(path, {
    method,
    headers: { origin, [CAPTCHA_HEADER]: DEVELOPMENT_CAPTCHA_TOKEN },
    ...(body !== undefined && { data: body }),
  });
  const text = await response.text();
  expect(response.ok(), `${method} ${path} answered ${response.status()}: ${text}`).toBe(true);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** The path, with its query, that the newest mail to `email` with that subject links to. Waits for the mail. */
export async function linkFromMail(
  request: APIRequestContext,
  email: string,
  subject: RegExp,
): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(async () => {
      const response = await request.get('/dev/mailbox', { headers: { accept: 'application/json' } });
      const mails: { to: string; subject: string; links: string[] }[] = await response.json();
      link = mails.find((mail) => mail.to === email && subject.test(mail.subject))?.links[0];
      return link;
    })
    .toBeTruthy();
  const { pathname, search } = new URL(link!);
  return pathname + search;
}

/** Signs up without confirming the address. */
export async function signUp(request: APIRequestContext, { name, email }: Person): Promise<void> {
  await callApi(request, 'POST', '/api/auth/sign-up/email', { name, email, password: PASSWORD });
}

/** A person with a confirmed address, signed in with the cookies of `request`. */
export async function join(request: APIRequestContext, person: Person): Promise<void> {
  await signUp(request, person);
  const link = await linkFromMail(request, person.email, /verify/i);
  await callApi(request, 'GET', `/api/auth${link}`);
  await callApi(request, 'POST', '/api/auth/sign-in/email', { email: person.email, password: PASSWORD });
}

/** Answers the id. */
export async function createOrganisation(request: APIRequestContext, name: string): Promise<string> {
  const { id } = await callApi<{ id: string }>(request, 'POST', '/api/auth/organization/create', { name });
  return id;
}

export async function invite(
  request: APIRequestContext,
  organizationId: string,
  email: string,
): Promise<void> {
  await callApi(request, 'POST', '/api/auth/organization/invite-member', {
    email,
    role: 'member',
    resend: true,
    organizationId,
  });
}

/** Fills /signin in and sends it. */
export async function signInOnPage(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
