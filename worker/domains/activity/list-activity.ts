/**
 * The audit log of an organisation in pages, newest first. Each filter reads an index in its own order, so a page reads about as many
 * rows as it shows.
 */
import { and, desc, eq, gte, lt, ne, type SQL } from 'drizzle-orm';
import {
  type Activity,
  type ActivityActor,
  type ActivityFilter,
  type ActivityNames,
  type activityEndpoints,
  activityKindSchema,
} from '#contracts/console/activity';
import type { AnswerOf } from '#contracts/public/endpoint';
import type { Db } from '#worker/db/database';
import { auditLog } from '#worker/db/schema/operations';
import { isAfterCursor, newestFirst, pageOf } from '#worker/http/newest-first';
import type { MemberScope } from '#worker/http/request-context';
import { nameActors, nameObjects } from './name-objects.ts';

const PAGE_SIZE = 50;

type AuditRow = typeof auditLog.$inferSelect;

export type ActivityReader = Pick<MemberScope, 'orgId' | 'mayReadCustomers'>;

/** Changes of customers are left out for who may not read customers. @throws {ApiError} invalid-request naming cursor */
export async function listActivity(
  db: Db,
  scope: ActivityReader,
  filter: ActivityFilter,
  cursor?: string,
  pageSize = PAGE_SIZE,
): Promise<AnswerOf<typeof activityEndpoints.list>> {
  const found = await readRows(db, scope, filter, cursor, pageSize + 1);
  const { items: rows, nextCursor } = pageOf(found, pageSize);
  const [names, actors] = await Promise.all([nameObjects(db, scope, rows), nameActors(db, scope, rows)]);
  return {
    items: rows.map((row) => asActivity(row, actors, names)),
    names,
    nextCursor,
  };
}

/** An object's history is read twice, with an index each: what was done to it, and to what belongs to it. */
async function readRows(
  db: Db,
  { orgId, mayReadCustomers }: ActivityReader,
  { target, kind, actor, from, to }: ActivityFilter,
  cursor: string | undefined,
  limit: number,
): Promise<AuditRow[]> {
  const { at, id } = auditLog;
  const wanted = [
    eq(auditLog.orgId, orgId),
    kind === undefined ? undefined : eq(auditLog.kind, kind),
    actor === undefined ? undefined : eq(auditLog.actorId, actor),
    from === undefined ? undefined : gte(at, from),
    to === undefined ? undefined : lt(at, to),
    mayReadCustomers ? undefined : ne(auditLog.kind, 'customer'),
    isAfterCursor(auditLog, cursor),
  ];
  const newest = (condition?: SQL) =>
    db
      .select()
      .from(auditLog)
      .where(and(...wanted, condition))
      .orderBy(desc(at), desc(id))
      .limit(limit);
  if (target === undefined) return newest();
  const found = await db.batch([
    newest(eq(auditLog.targetId, target)),
    newest(eq(auditLog.parentId, target)),
  ]);
  return found.flat().sort(newestFirst).slice(0, limit);
}

function asActivity(
  row: AuditRow,
  actors: ReadonlyMap<string, ActivityActor>,
  names: ActivityNames,
): Activity {
  const { id, at, action, targetId, detail } = row;
  return {
    id,
    at,
    action,
    targetId,
    detail: detail ?? {},
    kind: activityKindSchema.catch('organisation').parse(row.kind),
    actor: named(actorOf(row, actors), names),
  };
}

/** A key that had no name is called as the rows about it call it. */
function named(actor: ActivityActor, names: ActivityNames): ActivityActor {
  const isNameless = actor.kind === 'key' && !actor.name;
  return isNameless ? { ...actor, name: names[actor.id] ?? null } : actor;
}

export function actorOf(
  { actorId, actorKey, actorUserId }: AuditRow,
  actors: ReadonlyMap<string, ActivityActor>,
): ActivityActor {
  if (actorKey !== null) return { kind: 'key', id: actorKey.id, name: actorKey.name, email: null };
  if (actorUserId === null)
    return { kind: actorId === 'stripe' ? 'stripe' : 'service', id: actorId ?? '', name: null, email: null };
  return actors.get(actorUserId) ?? { kind: 'member', id: actorUserId, name: null, email: null };
}
