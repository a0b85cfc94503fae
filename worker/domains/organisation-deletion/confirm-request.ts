/**
 * A deletion is confirmed like that of an account: with the caller's password or a mailed link, never with the session alone.
 * The link's token works once, for one owner and one organisation.
 */
import { and, eq, gt } from 'drizzle-orm';
import { HOUR_MS } from '#engine/durations';
import { sha256Hex } from '#runtime/hash';
import { takeAttempt } from '#worker/db/attempt-limit';
import { commit } from '#worker/db/database';
import { verification } from '#worker/db/schema/auth';
import { ensurePassword } from '#worker/domains/auth/ensure-password';
import { readOrganisationName } from '#worker/domains/organisations/reads';
import { invalidField, rateLimited } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { sendMail } from '#worker/platform/mail';
import { deletionLinkMail } from './deletion-mail.ts';
import { ensureOwner } from './ensure-owner.ts';

const LINKS = { max: 5, windowMs: HOUR_MS };

/** @throws {ApiError} invalid-request naming the field, rate-limited, unavailable */
export async function confirmRequest(
  ctx: RequestContext,
  scope: MemberScope,
  { password, token }: { readonly password?: string | undefined; readonly token?: string | undefined },
): Promise<void> {
  if (token !== undefined) return takeToken(ctx, scope, token);
  await ensurePassword(ctx, scope.actor, password ?? '');
}

/** A new link replaces the previous one. @throws {ApiError} forbidden unless the caller is an owner; rate-limited */
export async function mailDeletionLink(ctx: RequestContext, scope: MemberScope): Promise<void> {
  ensureOwner(scope);
  const { db, env, settings, now, log } = ctx;
  const { orgId, actor } = scope;
  const waitS = await takeAttempt(db, `organisation-deletion-mail/${actor.userId}`, LINKS, now);
  if (waitS !== null) throw rateLimited('Too many links were sent. Please try again later.', waitS);
  const organisationName = await readOrganisationName(db, scope);
  const token = crypto.randomUUID();
  const identifier = identifierOf(scope);
  const at = new Date(now);
  await commit(db, [
    db.delete(verification).where(eq(verification.identifier, identifier)),
    db.insert(verification).values({
      id: ctx.newId('ver'),
      identifier,
      value: await sha256Hex(token),
      expiresAt: new Date(now + HOUR_MS),
      createdAt: at,
      updatedAt: at,
    }),
  ]);
  const mail = deletionLinkMail(actor, { id: orgId, name: organisationName }, settings.baseUrl, token);
  await sendMail(env, settings, mail, now, log);
}

async function takeToken(ctx: RequestContext, scope: MemberScope, token: string): Promise<void> {
  const taken = await ctx.db
    .delete(verification)
    .where(
      and(
        eq(verification.identifier, identifierOf(scope)),
        eq(verification.value, await sha256Hex(token)),
        gt(verification.expiresAt, new Date(ctx.now)),
      ),
    )
    .returning({ id: verification.id });
  if (taken.length === 0)
    throw invalidField('token', 'The link is invalid or has expired. Request a new one.');
}

function identifierOf({ orgId, actor }: MemberScope): string {
  return `delete-organisation:${orgId}:${actor.userId}`;
}
