/** Development only: the mailbox, recovery of lost queue messages, a past for the demo, packages of the client, and becoming platform staff. A 404 elsewhere. */
import { inArray } from 'drizzle-orm';
import { Hono } from 'hono';
import { session, user } from '#worker/db/schema/auth';
import { keepSdkPackage } from '#worker/domains/sdk/keep-sdk-package';
import { readSessionToken } from '#worker/domains/sessions/read-session-token';
import { storedFormsOf } from '#worker/domains/sessions/session-token-hash';
import type { Env } from '#worker/env';
import { ApiError, notFound } from '#worker/http/api-error';
import type { AppEnv } from '#worker/http/mount';
import { ensureSameOrigin } from '#worker/http/same-origin';
import { readMailbox } from '#worker/platform/mail-mailbox';
import { resendOutbox } from '#worker/queue/outbox';
import { appendHistory } from './append-history.ts';
import { mailboxPage } from './mailbox-page.ts';

const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

export const developmentApp = new Hono<AppEnv & { Bindings: Env }>();

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
