/** Conditions of `change` for an edit of a row, with their errors. */
import type { SQL } from 'drizzle-orm';
import { lastActor } from '#worker/db/audit';
import { type EditedTable, isCurrentRow, rowExists } from '#worker/db/commit-if';
import { changedMeanwhile, notFound } from './api-error.ts';
import type { RequestContext, Scope } from './request-context.ts';

export interface EditedRow {
  /** Subject of the errors: 'The plan'. */
  readonly what: string;
  readonly table: EditedTable;
  readonly id: string;
  /** The state that was edited; undefined: every state is accepted. */
  readonly updatedAt: number | undefined;
  /** Of rows that exist, such as not being deleted. */
  readonly further?: SQL | undefined;
  /** What a conflict shows. */
  readonly readCurrent: () => Promise<unknown>;
}

/** The row exists (`not-found`), and nobody has changed it since it was read (`conflict`, with its state and who did). */
export function isAsEdited({ db }: RequestContext, { orgId }: Scope, row: EditedRow) {
  const { what, table, id, updatedAt, further, readCurrent } = row;
  return {
    exists: [rowExists(table, orgId, id, further), () => notFound(what)],
    isFresh: [
      isCurrentRow(table, orgId, id, updatedAt, further),
      async () => changedMeanwhile(what, await readCurrent(), await lastActor(db, orgId, id)),
    ],
  } as const;
}
