// Accounts for the browser tests: created, verified and signed in through the API, and the mail that they receive.
import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { CAPTCHA_HEADER, DEVELOPMENT_CAPTCHA_TOKEN } from '#contracts/console/auth';
import type { Workspace } from '../../../dev/workspace/build-workspace.ts';
import { callerOf } from '../../../dev/workspace/endpoint-caller.ts';
import { serverUrl } from './chosen-server.ts';

export const PASSWORD = 'correct-horse-battery';

export interface Person {
  name: string;
  email: string;
}

/** The address is unique, also across runs against the same data. */
export function newPerson(name: string): Person {
  return { name, email: `${name.toLowerCase().replaceAll(' ', '.')}.${crypto.randomUUID()}@people.example` };
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Calls the server under test with the cookies of `request` and the Origin that the console sends. */
async function send(
  request: APIRequestContext,
  method: string,
  path: string,
  data?: unknown,
): Promise<Response> {
  const headers = { origin: serverUrl(), [CAPTCHA_HEADER]: DEVELOPMENT_CAPTCHA_TOKEN };
  const response = await request.fetch(path, { method, headers, ...(data !== undefined && { data }) });
  const text = await response.text();
  return new Response(text === '' ? null : text, { status: response.status() });
}

/** As the user of `request`. */
export async function callApi<T>(
  request: APIRequestContext,
  method: Method,
  path: string,
  body?: object,
): Promise<T> {
  const response = await send(request, method, path, body);
  const text = await response.text();
  expect(response.ok, `${method} ${path} answered ${response.status}: ${text}`).toBe(true);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** An organisation, as the user of `request` builds it (dev/workspace). */
export function workspaceOf(request: APIRequestContext, orgId: string): Workspace {
  return { orgId, session: callerOf((method, path, body) => send(request, method, path, body)) };
}

/** Waits for a mail to `email` with that subject; returns path and query of the first link in the newest one. */
export async function linkFromMail(
  request: APIRequestContext,
  email: string,
  subject: RegExp,
): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(async () => {
      const response = await request.get('/dev/mailbox', {
        params: { to: email },
        headers: { accept: 'application/json' },
      });
      const mails: { subject: string; links: string[] }[] = await response.json();
      link = mails.find((mail) => subject.test(mail.subject))?.links[0];
      return link;
    })
    .toBeTruthy();
  const { pathname, search } = new URL(link!);
  return pathname + search;
}

/** Signs up and leaves the address unverified. */
export async function signUp(request: APIRequestContext, { name, email }: Person): Promise<void> {
  await callApi(request, 'POST', '/api/auth/sign-up/email', { name, email, password: PASSWORD });
}

/** Creates an account and verifies its address, which signs it in instead of anybody else; `request` keeps the session cookie. */
export async function join(request: APIRequestContext, person: Person): Promise<void> {
  await signUp(request, person);
  const link = await linkFromMail(request, person.email, /verify/i);
  await callApi(request, 'POST', '/api/auth/sign-out', {});
  await callApi(request, 'GET', `/api/auth${link}`);
}

/** Returns the organisation's id. */
export async function createOrganisation(request: APIRequestContext, name: string): Promise<string> {
  const { id } = await callApi<{ id: string }>(request, 'POST', '/api/auth/organization/create', {
    name,
    environments: [],
  });
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

/** Fills in and submits the form of /signin. */
export async function signInOnPage(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
