/**
 * Invites somebody by email. An open invitation to the same address is replaced in the same batch, so that there is never
 * more than one. The invited person sees it in the console after signing in with that address, mailed or not.
 */

import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Invitation, inviteMemberSchema } from '#contracts/console/team';
import { HOUR_MS } from '#engine/durations';
import { sha256Hex } from '#runtime/hash';
import { returnAttempt, takeAttempt } from '#worker/db/attempt-limit';
import { isOpenInvitation } from '#worker/db/open-invitation';
import { user } from '#worker/db/schema/auth';
import { invitation, member } from '#worker/db/schema/organisations';
import { duplicate, rateLimited } from '#worker/http/api-error';
import type { MemberScope, RequestContext, Scope } from '#worker/http/request-context';
import { sendMail } from '#worker/platform/mail';
import { composeMail } from '#worker/platform/mail-message';
import { nameInMail } from '#worker/platform/name-in-mail';
import { change } from '#worker/queue/change';
import { readOrganisationName } from './reads.ts';
import {
  ensureMayManageOwners,
  mayManageOwners,
  onlyOwners,
  requireTeamEditor,
} from './require-team-editor.ts';
import { findMember, type InvitationRow, toInvitation } from './team-store.ts';

const VALID_FOR_DAYS = 7;
/** An organisation's invitations, and those to one address. */
const PER_ORGANISATION = { max: 50, windowMs: HOUR_MS };
const PER_RECIPIENT = { max: 6, windowMs: HOUR_MS };
/** Each invitation mails a stranger: mails to one address from all organisations. */
const MAILS_PER_RECIPIENT = { max: 6, windowMs: HOUR_MS };

/** @throws {ApiError} not-found, forbidden, conflict for a member's address (without resend also an invited one), rate-limited */
export async function inviteMember(
  ctx: RequestContext,
  body: z.output<typeof inviteMemberSchema>,
): Promise<Invitation> {
  const scope = await requireTeamEditor(ctx, body);
  const { actor } = scope;
  if (body.role === 'owner') ensureMayManageOwners(scope);
  const [existing, organisationName] = await Promise.all([
    findMember(ctx.db, scope, body.email),
    readOrganisationName(ctx.db, scope),
  ]);
  const isMember = () => duplicate('email', `${body.email} is already a member`);
  const isInvitedAlready = () => duplicate('email', `${body.email} is already invited`);
  if (existing !== null) throw isMember();

  const isOpen = and(
    eq(invitation.organizationId, scope.orgId),
    eq(invitation.email, body.email),
    isOpenInvitation(ctx.now),
  );
  const isOwners = and(isOpen, eq(invitation.role, 'owner'));
  if (body.resend === false && (await isInvited(ctx, isOpen))) throw isInvitedAlready();

  const row: InvitationRow = {
    id: ctx.newId('inv'),
    organizationId: scope.orgId,
    email: body.email,
    role: body.role,
    status: 'pending',
    expiresAt: new Date(ctx.now + VALID_FOR_DAYS * 24 * HOUR_MS),
    createdAt: new Date(ctx.now),
    inviterId: actor.userId,
  };
  if (await isInvited(ctx, isOwners)) ensureMayManageOwners(scope);
  await takeInvitation(ctx, scope, body.email);
  const theirs = sql`${member} m JOIN ${user} u ON u.id = m.user_id WHERE m.organization_id = ${scope.orgId}`;
  const isNot = (condition: SQL | undefined) =>
    sql`NOT EXISTS (SELECT 1 FROM ${invitation} WHERE ${condition})`;
  await change(ctx, scope, {
    // Again, for what was committed since it was read.
    when: {
      isNoMember: [sql`NOT EXISTS (SELECT 1 FROM ${theirs} AND u.email = ${body.email})`, isMember],
      isNotInvited: [body.resend === false ? isNot(isOpen) : sql`TRUE`, isInvitedAlready],
      mayReplace: [mayManageOwners(scope) ? sql`TRUE` : isNot(isOwners), onlyOwners],
    },
    write: [
      ctx.db.update(invitation).set({ status: 'canceled' }).where(isOpen),
      ctx.db.insert(invitation).values(row),
    ],
    audit: {
      action: 'invitation.created',
      targetId: row.id,
      detail: { email: body.email, role: body.role },
    },
    publish: [],
  });

  await mailInvitation(ctx, scope, row, organisationName);
  return toInvitation(row);
}

/**
 * Others can use up an address's mails, but keep nobody from inviting it. The caller gets the same response without a mail, which
 * would tell what other organisations do.
 */
async function mailInvitation(
  ctx: RequestContext,
  { actor }: MemberScope,
  { id, email }: Pick<InvitationRow, 'id' | 'email'>,
  organisationName: string,
): Promise<void> {
  const mails = `invitation-mail/${await sha256Hex(email)}`;
  if ((await takeAttempt(ctx.db, mails, MAILS_PER_RECIPIENT, ctx.now)) !== null) return;
  const name = nameInMail(organisationName);
  const inviter = nameInMail(actor.name) === null ? actor.email : `${actor.name} (${actor.email})`;
  // The pages for sign-in and sign-up say what the invitation is for, and start with this address. Sign-in leads on if it is the session's own,
  // and otherwise offers to log out.
  const prefilled = new URLSearchParams({ email: toBase64(email), invitation: id });
  const mail = composeMail({
    to: email,
    subject: `Join ${name ?? 'an organisation'} on Tessera`,
    paragraphs: [
      `${inviter} invites you to join ${name === null ? 'an organisation' : `the organisation ${name}`} on Tessera.`,
      `Sign in or sign up with this email to accept. The invitation expires in ${VALID_FOR_DAYS} days.`,
      'If you don’t know the sender, you can ignore this email.',
    ],
    action: { label: 'Open Tessera', url: `${ctx.settings.baseUrl}/signin?${prefilled}` },
  });
  await sendMail(ctx.env, ctx.settings, mail, ctx.now, ctx.log);
}

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

async function isInvited(ctx: RequestContext, isOpen: SQL | undefined): Promise<boolean> {
  const [open] = await ctx.db.select({ id: invitation.id }).from(invitation).where(isOpen).limit(1);
  return open !== undefined;
}

/**
 * Counted apart from the invitations, which can be cleared. Only the organisation's own count.
 * @throws {ApiError} rate-limited
 */
async function takeInvitation({ db, now }: RequestContext, { orgId }: Scope, email: string): Promise<void> {
  const ofOrganisation = `invitation/${orgId}`;
  const organisationWaitS = await takeAttempt(db, ofOrganisation, PER_ORGANISATION, now);
  if (organisationWaitS !== null) throw rateLimited(tooMany('from this organisation'), organisationWaitS);
  const ofRecipient = `invitation/${orgId}/${await sha256Hex(email)}`;
  const recipientWaitS = await takeAttempt(db, ofRecipient, PER_RECIPIENT, now);
  if (recipientWaitS === null) return;
  await returnAttempt(db, ofOrganisation);
  throw rateLimited(tooMany(`to ${email}`), recipientWaitS);
}

const tooMany = (which: string) => `Too many invitations ${which} within an hour. Please try again later.`;
