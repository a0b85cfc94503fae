/** Changes a JWT integration, its public key included: only what was sent, and only if it differs. */
import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { JwtIntegration, updateJwtIntegrationSchema } from '#contracts/integrations';
import { auditRow } from '#worker/db/audit';
import { commitIf, nextUpdatedAt, rowStands } from '#worker/db/commit-if';
import { jwtIntegration } from '#worker/db/schema/integrations';
import { commitForReplicas } from '#worker/domains/artifacts/commit-for-replicas';
import { changedMeanwhile, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import {
  anonymize,
  asJwtIntegration,
  getJwtIntegration,
  getJwtIntegrationRow,
  type JwtIntegrationRow,
} from './jwt-integration-store.ts';
import { readPublicKeys } from './read-public-keys.ts';

type Edit = Partial<
  Pick<
    JwtIntegrationRow,
    'name' | 'description' | 'claimKey' | 'claimIndex' | 'audience' | 'issuer' | 'publicKeys'
  >
>;

/** What the console alone shows: replicas need not know of it. */
const CONSOLE_ONLY: ReadonlySet<string> = new Set(['name', 'description'] satisfies (keyof Edit)[]);

/**
 * Repeating a change that stands already is harmless, also with the `updatedAt` of before.
 * @throws {ApiError} not-found; invalid-request naming publicKey; conflict with what stands where somebody else's edit
 * came between
 */
export async function updateJwtIntegration(
  ctx: RequestContext,
  scope: MemberScope,
  userId: string,
  id: string,
  body: z.output<typeof updateJwtIntegrationSchema>,
): Promise<JwtIntegration> {
  const { db } = ctx;
  const { orgId } = scope;
  const standing = await getJwtIntegrationRow(db, scope, id);
  const edit = changesOf(standing, {
    ...body,
    audience: body.aud,
    issuer: body.iss,
    publicKeys: body.publicKey === undefined ? undefined : await readPublicKeys(body.publicKey),
  });
  const changed = Object.keys(edit);
  if (changed.length === 0) return asJwtIntegration(standing);

  const conditions = {
    exists: rowStands(jwtIntegration, orgId, id),
    isFresh: rowStands(jwtIntegration, orgId, id, body.updatedAt),
  };
  const statements = [
    db
      .update(jwtIntegration)
      .set({ ...edit, updatedAt: nextUpdatedAt(jwtIntegration, ctx.now) })
      .where(and(eq(jwtIntegration.id, id), eq(jwtIntegration.orgId, orgId))),
    auditRow(ctx, {
      orgId,
      actorUserId: userId,
      action: 'jwt-integration.updated',
      targetId: id,
      detail: {
        changed,
        ...(edit.publicKeys === undefined
          ? {}
          : { publicKey: { from: anonymize(standing.publicKeys), to: anonymize(edit.publicKeys) } }),
      },
    }),
  ];
  const unmet = changed.every((name) => CONSOLE_ONLY.has(name))
    ? await commitIf(db, conditions, statements)
    : await commitForReplicas(ctx, scope, conditions, statements);
  if (unmet === 'exists') throw notFound('The integration');
  if (unmet === 'isFresh') throw changedMeanwhile('The integration', await getJwtIntegration(db, scope, id));
  return getJwtIntegration(db, scope, id);
}

/** Of what was sent, what is different. */
function changesOf(
  standing: JwtIntegrationRow,
  sent: { readonly [Name in keyof Edit]: Edit[Name] | undefined },
): Edit {
  const names = [
    'name',
    'description',
    'claimKey',
    'claimIndex',
    'audience',
    'issuer',
    'publicKeys',
  ] as const;
  const isChanged = (name: (typeof names)[number]) =>
    sent[name] !== undefined && JSON.stringify(sent[name]) !== JSON.stringify(standing[name]);
  return Object.fromEntries(names.filter(isChanged).map((name) => [name, sent[name]]));
}
