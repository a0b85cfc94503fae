/**
 * Creates an organisation in one batch: the organisation, the caller as its owner, its preview environment, the audit row,
 * and the message that publishes the empty workspace to the preview.
 */
import { and, count, eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { createOrganisationSchema, Organisation } from '#contracts/console/organisations';
import { PERMISSIONS } from '#contracts/console/permissions';
import { LOCATIONS } from '#contracts/public/locations';
import { nearestLocation } from '#engine/regions/nearest-location';
import { slugFrom } from '#engine/slugs/slug';
import { isUniqueViolation } from '#worker/db/database';
import { environment } from '#worker/db/schema/environments';
import { member, organization } from '#worker/db/schema/organisations';
import { workspaceOf } from '#worker/domains/publishing/publications';
import { ApiError, notFound } from '#worker/http/api-error';
import type { Caller, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { toOrganisation } from './organisation-store.ts';

/** A limit against abuse, checked before the write: concurrent calls may exceed it by a few. */
const MAX_OWNED_ORGANISATIONS = 20;

/** @throws {ApiError} forbidden at the limit */
export async function createOrganisation(
  ctx: RequestContext,
  caller: Caller,
  body: z.output<typeof createOrganisationSchema>,
): Promise<Organisation> {
  await ensureBelowLimit(ctx, caller);
  const orgId = ctx.newId('org');
  const ownSlug = `${slugFrom(body.name)}-${orgId.slice(-8)}`.replace(/^-+/, '');
  const requestedSlug = slugFrom(body.slug ?? '').replace(/^-+|-+$/g, '');
  if (requestedSlug === '') return insertOrganisation(ctx, caller, body, orgId, ownSlug);
  try {
    return await insertOrganisation(ctx, caller, body, orgId, requestedSlug);
  } catch (error) {
    if (!isUniqueViolation(error, 'organization.slug')) throw error;
    return insertOrganisation(ctx, caller, body, orgId, ownSlug);
  }
}

async function ensureBelowLimit(ctx: RequestContext, caller: Caller): Promise<void> {
  const [owned] = await ctx.db
    .select({ number: count() })
    .from(member)
    .where(and(eq(member.userId, caller.userId), eq(member.role, 'owner')));
  if ((owned?.number ?? 0) < MAX_OWNED_ORGANISATIONS) return;
  throw new ApiError('forbidden', `You can own at most ${MAX_OWNED_ORGANISATIONS} organisations`);
}

async function insertOrganisation(
  ctx: RequestContext,
  caller: Caller,
  { name, logo }: z.output<typeof createOrganisationSchema>,
  orgId: string,
  slug: string,
): Promise<Organisation> {
  const { db, now } = ctx;
  const nearest = nearestLocation(ctx.place, LOCATIONS) ?? 'weur';
  const scope = { orgId, actor: caller };
  const { results } = await change(ctx, scope, {
    write: [
      db
        .insert(organization)
        .values({
          id: orgId,
          name,
          slug,
          logo: logo ?? null,
          createdAt: new Date(now),
          updatedAt: now,
          dataLocations: [nearest],
        })
        .returning(),
      db.insert(member).values({
        id: ctx.newId('mem'),
        organizationId: orgId,
        userId: caller.userId,
        role: 'owner',
        createdAt: new Date(now),
      }),
      db.insert(environment).values({
        id: ctx.newId('env'),
        orgId,
        name: 'Preview',
        type: 'preview',
        ledgerShards: ctx.settings.ledgerShards,
        createdAt: now,
        updatedAt: now,
      }),
    ],
    audit: { action: 'organisation.created', targetId: orgId },
    publish: [workspaceOf(scope)],
  });
  const [[row]] = results;
  if (row === undefined) throw notFound('The organisation');
  return toOrganisation(row, PERMISSIONS.owner);
}
