/**
 * How a use case changes something: one batch commits what it writes, its audit rows and the messages that publish it, and what
 * was committed is announced. Nothing is committed unless every condition is true at that moment.
 */
import { and, SQL, sql } from 'drizzle-orm';
import type { BatchResponse } from 'drizzle-orm/batch';
import type { OutboxMessage } from '#runtime/messages';
import { type Queues, sendMessage } from '#runtime/send-message';
import { type AuditContext, type AuditEntry, type AuditScope, auditRow } from '#worker/db/audit';
import { tryCommit } from '#worker/db/commit-if';
import { isUniqueViolation, type Statement } from '#worker/db/database';
import { outboxRestart } from './outbox.ts';

/** A request or work context satisfies this. */
export interface ChangeContext extends AuditContext {
  readonly env: Queues;
  readonly waitUntil: (work: Promise<unknown>) => void;
}

type MakeError = () => Error | Promise<Error>;
/** With an error, which is thrown if it is unmet; without one, the caller gets its name. */
type Condition = SQL | readonly [SQL, MakeError];
type Conditions = Readonly<Record<string, Condition>>;

/** How others learn of a change. */
export interface Publication {
  /** Committed before the change. */
  readonly before?: readonly Statement[];
  /** Committed after it, in the order of the publications. */
  readonly after?: readonly Statement[];
  /** Each is stored in the outbox with the change, in place of an earlier one with its id, and sent after the commit. */
  readonly messages?: readonly OutboxMessage[];
  /** Condition: what the publication was prepared from has not changed. Otherwise it is prepared again. */
  readonly isCurrent?: SQL;
  /** Awaited after the commit, instead of sending the messages. */
  readonly announce?: () => Promise<void>;
}

/** A publication that depends on rows is prepared for each attempt. */
export type Publish = Publication | ((ctx: ChangeContext) => Publication | Promise<Publication>);

export interface Change<When extends Conditions, Write extends readonly Statement[]> {
  /** Evaluated in this order; names contain letters only. */
  readonly when?: When;
  /** Errors for values that exist already, by the unique index that they violate: `table.column`. */
  readonly unique?: Readonly<Record<string, MakeError>>;
  readonly write: Write;
  /** Null: nothing that the audit log names. */
  readonly audit: AuditEntry | readonly AuditEntry[] | null;
  /** Empty: what is written is read from the database only. */
  readonly publish: readonly Publish[];
}

type Unmet<When extends Conditions> = {
  [Name in keyof When]: When[Name] extends SQL ? Name : never;
}[keyof When];
type Refused<Name> = Name extends unknown ? { readonly unmet: Name; readonly results: null } : never;

/** `results` are those of `write`, in order. If a condition is unmet, nothing was committed. */
export type Changed<When extends Conditions, Write extends readonly Statement[]> =
  | { readonly unmet: null; readonly results: BatchResponse<Write> }
  | Refused<Unmet<When>>;

/** What a publication depends on changes rarely; before each of these attempts it does not. */
const MAX_TRIES = 5;

/**
 * @param scope its receipt is committed as well: where one exists already, the whole change is undone
 * @throws the error of an unmet condition or violated index; any other failure of the database or of an announcement */
export async function change<
  const When extends Conditions = Record<never, never>,
  const Write extends readonly Statement[] = readonly Statement[],
>(ctx: ChangeContext, scope: AuditScope, wanted: Change<When, Write>): Promise<Changed<When, Write>> {
  const { when = {} as When, unique = {}, write, audit, publish } = wanted;
  const entries = audit === null ? [] : [audit].flat();
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const publications = await Promise.all(
      publish.map((each) => (typeof each === 'function' ? each(ctx) : each)),
    );
    const before = publications.flatMap((each) => each.before ?? []);
    const { unmet, results } = await tryCommit(ctx.db, conditionsOf(when, publications), [
      ...before,
      ...write,
      ...entries.map((entry) => auditRow(ctx, scope, entry)),
      ...(scope.receipt ?? []),
      ...publications.flatMap(({ messages = [], after = [] }) => [
        ...messages.map((message) => outboxRestart(ctx.db, message, ctx.now)),
        ...after,
      ]),
    ]).catch((error: unknown) => raise(error, unique));
    if (unmet === null) {
      for (const publication of publications) await announce(ctx, publication);
      const own = results.slice(before.length, before.length + write.length);
      return { unmet: null, results: own as unknown as BatchResponse<Write> };
    }
    const condition = when[unmet];
    if (Array.isArray(condition)) throw await (condition as [SQL, MakeError])[1]();
    if (condition !== undefined) return { unmet, results: null } as Changed<When, Write>;
  }
  throw new Error('What the change is published to changes faster than it can be published');
}

function conditionsOf(when: Conditions, publications: readonly Publication[]): Record<string, SQL> {
  const own = Object.entries(when).map(([name, condition]) => [
    name,
    condition instanceof SQL ? condition : condition[0],
  ]);
  const current = publications.flatMap(({ isCurrent }) => isCurrent ?? []);
  const all = current.length === 0 ? {} : { publicationsAreCurrent: and(...current) ?? sql`TRUE` };
  return { ...Object.fromEntries(own), ...all };
}

async function raise(error: unknown, unique: Readonly<Record<string, MakeError>>): Promise<never> {
  const [, makeError] = Object.entries(unique).find(([index]) => isUniqueViolation(error, index)) ?? [];
  throw makeError === undefined ? error : await makeError();
}

async function announce(ctx: ChangeContext, { messages = [], announce: push }: Publication): Promise<void> {
  if (push !== undefined) return push();
  for (const message of messages) ctx.waitUntil(sendMessage(ctx.env, message));
}
