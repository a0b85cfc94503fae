/**
 * Creates an organisation in one batch: the organisation, the caller as its owner, its environments, the audit rows, and the
 * messages that publish the empty workspace to the preview, and the other environments with nothing deployed.
 */
import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { createOrganisationSchema, Organisation } from '#contracts/console/organisations';
import { PERMISSIONS } from '#contracts/console/permissions';
import { LOCATIONS } from '#contracts/public/locations';
import { nearestLocation } from '#engine/regions/nearest-location';
import { slugFrom } from '#engine/slugs/slug';
import { isUniqueViolation } from '#worker/db/database';
import { environment } from '#worker/db/schema/environments';
import { member, organization } from '#worker/db/schema/organisations';
import { environmentsOf, workspaceOf } from '#worker/domains/publishing/publications';
import { ApiError, notFound } from '#worker/http/api-error';
import type { Caller, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { toOrganisation } from './organisation-store.ts';

/** A limit against abuse, checked before the write: concurrent calls may exceed it by a few. */
const MAX_OWNED_ORGANISATIONS = 20;

/** Beside Preview, so that a first version can be deployed. */
const ENVIRONMENTS = [
  { name: 'Production', type: 'live' },
  { name: 'Test', type: 'test' },
] as const;

/** @throws {ApiError} forbidden at the limit */
export async function createOrganisation(
  ctx: RequestContext,
  caller: Caller,
  body: z.output<typeof createOrganisationSchema>,
): Promise<Organisation> {
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

async function insertOrganisation(
  ctx: RequestContext,
  caller: Caller,
  { name, logo, environments = [...ENVIRONMENTS] }: z.output<typeof createOrganisationSchema>,
  orgId: string,
  slug: string,
): Promise<Organisation> {
  const { db, now } = ctx;
  const nearest = nearestLocation(ctx.place, LOCATIONS) ?? 'weur';
  const scope = { orgId, actor: caller };
  // A millisecond apart: environments are listed in this order.
  const rows = [{ name: 'Preview', type: 'preview' } as const, ...environments].map((each, index) => ({
    ...each,
    id: ctx.newId('env'),
    orgId,
    ledgerShards: ctx.settings.ledgerShards,
    createdAt: now + index,
    updatedAt: now + index,
  }));
  const deployable = rows.slice(1);
  const owned = sql`(SELECT count(*) FROM ${member} WHERE ${and(eq(member.userId, caller.userId), eq(member.role, 'owner'))})`;
  const tooMany = `You can own at most ${MAX_OWNED_ORGANISATIONS} organisations`;
  const { results } = await change(ctx, scope, {
    when: {
      isBelowLimit: [sql`${owned} < ${MAX_OWNED_ORGANISATIONS}`, () => new ApiError('forbidden', tooMany)],
    },
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
          limitOrder: 'rate',
        })
        .returning(),
      db.insert(member).values({
        id: ctx.newId('mem'),
        organizationId: orgId,
        userId: caller.userId,
        role: 'owner',
        createdAt: new Date(now),
      }),
      db.insert(environment).values(rows),
    ],
    audit: [
      { action: 'organisation.created', targetId: orgId },
      ...deployable.map(({ id, name, type }) => ({
        action: 'environment.created' as const,
        targetId: id,
        detail: { name, type },
      })),
    ],
    publish: [workspaceOf(scope), environmentsOf(scope, ...deployable.map(({ id }) => id))],
  });
  const [[row]] = results;
  if (row === undefined) throw notFound('The organisation');
  return toOrganisation(row, PERMISSIONS.owner);
}
