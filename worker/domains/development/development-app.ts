/**
 * Tools of a development server: the mailbox, recovery of lost queue messages, a past for the demo, packages of the client, and becoming
 * platform staff. Bundled by worker/development.ts only, and refused there too unless the settings are those of development.
 */
import { inArray } from 'drizzle-orm';
import { Hono } from 'hono';
import { log } from '#runtime/log';
import { session, user } from '#worker/db/schema/auth';
import { keepSdkPackage } from '#worker/domains/sdk/keep-sdk-package';
import { readSessionToken } from '#worker/domains/sessions/read-session-token';
import { storedFormsOf } from '#worker/domains/sessions/session-token-hash';
import type { Env } from '#worker/env';
import { ApiError, notFound } from '#worker/http/api-error';
import { requestContext } from '#worker/http/make-request-context';
import type { AppEnv } from '#worker/http/mount';
import { errorResponse } from '#worker/http/respond';
import { ensureSameOrigin } from '#worker/http/same-origin';
import { securityHeaders } from '#worker/http/security-headers';
import { readMailbox } from '#worker/platform/mail-mailbox';
import { resendOutbox } from '#worker/queue/outbox';
import { appendHistory } from './append-history.ts';
import { mailboxPage } from './mailbox-page.ts';

const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

export const developmentApp = new Hono<AppEnv & { Bindings: Env }>().basePath('/dev');

developmentApp.use(securityHeaders);
developmentApp.use(requestContext);
developmentApp.use(async (c, next) => {
  if (!c.get('ctx').settings.isDevelopment) throw notFound('The requested resource');
  await next();
});

developmentApp.get('/mailbox', async (c) => {
  const mails = await readMailbox(c.env.ARTIFACTS, c.req.query('to'));
  if (c.req.header('accept')?.includes('application/json')) return c.json(mails);
  return c.html(mailboxPage(mails), 200, { 'content-security-policy': PAGE_POLICY });
});

/** Local queues live in memory: after a crash of the server, sends the messages in the outbox again immediately. */
developmentApp.post('/recover', async (c) => {
  return c.json({ sent: await resendOutbox(c.get('ctx'), 'all') });
});

/** Appends events with past times. */
developmentApp.post('/history', ensureSameOrigin, async (c) => {
  await appendHistory(c.get('ctx'));
  return c.body(null, 204);
});

/** Keeps a package of the client, unless one of that version is there already. Answers whether what is kept has the same bytes. */
developmentApp.put('/sdk/:file', async (c) => {
  const bytes = await c.req.arrayBuffer();
  return c.json({ isKept: await keepSdkPackage(c.env.ARTIFACTS, c.req.param('file'), bytes) });
});

/** Makes the signed-in user platform staff. */
developmentApp.post('/staff', ensureSameOrigin, async (c) => {
  const ctx = c.get('ctx');
  const token = await readSessionToken(ctx.request, ctx.settings);
  if (token === null) throw new ApiError('unauthenticated', 'Please sign in');
  const caller = ctx.db
    .select({ id: session.userId })
    .from(session)
    .where(inArray(session.token, await storedFormsOf(token)));
  await ctx.db.update(user).set({ sudo: true }).where(inArray(user.id, caller));
  return c.body(null, 204);
});

developmentApp.notFound(() => {
  throw notFound('The requested resource');
});
developmentApp.onError((error, c) => errorResponse(error, c.get('ctx')?.requestId ?? 'unknown', log));
