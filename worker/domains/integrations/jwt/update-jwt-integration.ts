/** Updates a JWT integration, including its public key. Only fields that were sent and that differ are changed. */
import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { JwtIntegration, updateJwtIntegrationSchema } from '#contracts/console/integrations';
import { lastActor } from '#worker/db/audit';
import { isCurrentRow, nextUpdatedAt, rowExists } from '#worker/db/commit-if';
import { jwtIntegration } from '#worker/db/schema/integrations';
import { everyEnvironmentOf } from '#worker/domains/publishing/publications';
import { ensureIsMember } from '#worker/domains/sessions/ensure-is-member';
import { changedMeanwhile, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { readGivenKeys } from './given-keys.ts';
import {
  anonymize,
  asJwtIntegration,
  getJwtIntegration,
  getJwtIntegrationRow,
  type JwtIntegrationRow,
} from './jwt-integration-store.ts';

type Edit = Partial<
  Pick<
    JwtIntegrationRow,
    | 'name'
    | 'description'
    | 'claimKey'
    | 'claimIndex'
    | 'audience'
    | 'issuer'
    | 'acceptsUnverifiedEmails'
    | 'publicKeys'
    | 'keyAddress'
  >
>;

/** Shown in the console only, so a change is not published to replicas. */
const CONSOLE_ONLY: ReadonlySet<string> = new Set(['name', 'description'] satisfies (keyof Edit)[]);

/**
 * Idempotent: repeating an applied change succeeds, also with the earlier `updatedAt`.
 * @throws {ApiError} not-found; invalid-request naming publicKey; forbidden for platform staff who change which tokens are
 * accepted; conflict with the current state after a concurrent edit
 */
export async function updateJwtIntegration(
  ctx: RequestContext,
  scope: MemberScope,
  id: string,
  body: z.output<typeof updateJwtIntegrationSchema>,
): Promise<JwtIntegration> {
  const { db } = ctx;
  const { orgId } = scope;
  const current = await getJwtIntegrationRow(db, scope, id);
  const given = body.publicKey === undefined ? undefined : await readGivenKeys(ctx, body.publicKey);
  const edit = changesOf(current, {
    ...body,
    audience: body.aud,
    issuer: body.iss,
    publicKeys: given?.publicKeys,
    keyAddress: given?.keyAddress,
  });
  const changed = Object.keys(edit);
  if (changed.length === 0) return asJwtIntegration(current);
  const isConsoleOnly = changed.every((name) => CONSOLE_ONLY.has(name));
  if (!isConsoleOnly) ensureIsMember(scope, 'change which tokens are accepted');

  await change(ctx, scope, {
    when: {
      exists: [rowExists(jwtIntegration, orgId, id), () => notFound('The integration')],
      isFresh: [
        isCurrentRow(jwtIntegration, orgId, id, body.updatedAt),
        async () => {
          const now = await getJwtIntegration(db, scope, id);
          return changedMeanwhile('The integration', now, await lastActor(db, orgId, id));
        },
      ],
    },
    write: [
      db
        .update(jwtIntegration)
        .set({ ...edit, ...given, updatedAt: nextUpdatedAt(jwtIntegration, ctx.now) })
        .where(and(eq(jwtIntegration.id, id), eq(jwtIntegration.orgId, orgId))),
    ],
    audit: {
      action: 'jwt-integration.updated',
      targetId: id,
      detail: {
        changed,
        ...(edit.publicKeys === undefined
          ? {}
          : { publicKey: { from: anonymize(current.publicKeys), to: anonymize(edit.publicKeys) } }),
      },
    },
    publish: isConsoleOnly ? [] : [everyEnvironmentOf(scope)],
  });
  return getJwtIntegration(db, scope, id);
}

/** The sent fields that differ from the row. */
function changesOf(
  current: JwtIntegrationRow,
  sent: { readonly [Name in keyof Edit]: Edit[Name] | undefined },
): Edit {
  const names = [
    'name',
    'description',
    'claimKey',
    'claimIndex',
    'audience',
    'issuer',
    'acceptsUnverifiedEmails',
    'publicKeys',
    'keyAddress',
  ] as const;
  const isChanged = (name: (typeof names)[number]) =>
    sent[name] !== undefined && JSON.stringify(sent[name]) !== JSON.stringify(current[name]);
  return Object.fromEntries(names.filter(isChanged).map((name) => [name, sent[name]]));
}
