// A change is committed as a whole, with its audit rows and messages, and is announced after the commit only.
import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { auditRows } from '#tests/support/stored-state';
import { openDatabase } from '#worker/db/database';
import { deadLetter, outbox } from '#worker/db/schema/operations';
import { type ChangeContext, change, type Publication } from '#worker/queue/change';

const db = openDatabase(env.DB);
let serial = 0;
let orgId = '';
let sent: unknown[] = [];
/** The ids of the rows at the moment of sending. */
let storedBefore: string[] = [];

const ctx = {
  db,
  now: 1,
  newId: (prefix) => `${prefix}_${orgId}_${++serial}`,
  env: {
    PUBLISH_QUEUE: {
      send: async (message: unknown) => {
        sent.push(message);
        storedBefore = await ids();
      },
    },
  } as unknown as ChangeContext['env'],
  waitUntil: (work) => works.push(work),
} satisfies ChangeContext;
let works: Promise<unknown>[] = [];

beforeEach(async () => {
  orgId = `org_change_${++serial}`;
  sent = [];
  works = [];
  await db.delete(deadLetter);
});

const scope = () => ({ orgId, actor: { userId: 'usr_1' } });
const row = (id: string) =>
  db.insert(deadLetter).values({ id, queue: 'some-queue', body: {}, attempts: 1, diedAt: 1 });
const message = () => ({ type: 'workspace.changed', outboxId: `out_${orgId}`, orgId }) as const;
const entry = { action: 'plan.created', targetId: 'a', detail: { some: 'detail' } } as const;

async function ids(): Promise<string[]> {
  const rows = await db.select({ id: deadLetter.id }).from(deadLetter).orderBy(deadLetter.id);
  return rows.map(({ id }) => id);
}

async function waiting(): Promise<unknown[]> {
  const rows = await db.select({ payload: outbox.payload }).from(outbox).where(eq(outbox.orgId, orgId));
  return rows.map(({ payload }) => payload);
}

/** Nothing was committed, and nothing sent. */
async function expectNothing(stored: readonly string[] = []): Promise<void> {
  await Promise.all(works);
  expect(await ids()).toEqual(stored);
  expect(await auditRows({ orgId })).toEqual([]);
  expect(await waiting()).toEqual([]);
  expect(sent).toEqual([]);
}

test('what is written is committed with its audit row and message, which is sent after the commit', async () => {
  const publication: Publication = { before: [row('0')], after: [row('z')], messages: [message()] };
  const { unmet, results } = await change(ctx, scope(), {
    when: { isEmpty: sql`(SELECT count(*) FROM ${deadLetter}) = 0` },
    write: [row('a').returning({ id: deadLetter.id }), row('b')],
    audit: entry,
    publish: [publication],
  });
  expect(unmet).toBeNull();
  expect(results?.[0]).toEqual([{ id: 'a' }]);
  expect(await auditRows({ orgId })).toMatchObject([{ action: 'plan.created', actorUserId: 'usr_1' }]);
  expect(await waiting()).toEqual([message()]);
  await Promise.all(works);
  expect(sent).toEqual([message()]);
  expect(storedBefore).toEqual(['0', 'a', 'b', 'z']);
});

test('nothing is committed or sent if a condition is unmet: its error is thrown, or its name returned', async () => {
  const wanted = { write: [row('a')], audit: entry, publish: [{ messages: [message()] }] };
  const met = sql`1 = 1`;
  const not = sql`1 = 2`;
  const thrown = change(ctx, scope(), {
    when: { met, not: [not, async () => new Error('Not now')] },
    ...wanted,
  });
  await expect(thrown).rejects.toThrow('Not now');
  expect(await change(ctx, scope(), { when: { met, not }, ...wanted })).toEqual({
    unmet: 'not',
    results: null,
  });
  await expectNothing();
});

test('a violated unique index throws the error that is named for it, and any other failure is thrown as it is', async () => {
  await row('taken');
  const wanted = { write: [row('a'), row('taken')], audit: entry, publish: [{ messages: [message()] }] };
  const unique = { 'dead_letter.id': () => new Error('Taken') };
  await expect(change(ctx, scope(), { unique, ...wanted })).rejects.toThrow('Taken');
  await expect(change(ctx, scope(), wanted)).rejects.not.toThrow('Taken');
  await expectNothing(['taken']);
});

test('an audit row can depend on what the last statement changed, and name another organisation', async () => {
  const remove = db.delete(deadLetter).where(eq(deadLetter.id, 'a'));
  const audit = { ...entry, onlyIf: sql`changes() > 0` };
  await change(ctx, scope(), { write: [remove], audit, publish: [] });
  expect(await auditRows({ orgId })).toEqual([]);
  await row('a');
  const other = `${orgId}_other`;
  await change(ctx, scope(), { write: [remove], audit: [audit, { ...entry, orgId: other }], publish: [] });
  expect(await auditRows({ orgId })).toHaveLength(1);
  expect(await auditRows({ orgId: other })).toHaveLength(1);
});

test('a publication is prepared again while what it depends on changes, and not for ever', async () => {
  let prepared = 0;
  const currentFrom = (attempt: number) => (): Publication => {
    prepared += 1;
    return { messages: [message()], isCurrent: sql`${prepared} >= ${attempt}` };
  };
  await expect(
    change(ctx, scope(), { write: [row('a')], audit: entry, publish: [currentFrom(100)] }),
  ).rejects.toThrow('changes faster');
  await expectNothing();
  prepared = 0;
  await change(ctx, scope(), { write: [row('a')], audit: entry, publish: [currentFrom(3)] });
  expect([prepared, await ids(), await waiting()]).toEqual([3, ['a'], [message()]]);
});

test('a publication that announces itself is waited for, and its messages are not sent as well', async () => {
  let announced = '';
  const announce = async () => {
    announced = (await ids()).join();
  };
  await change(ctx, scope(), {
    write: [row('a')],
    audit: null,
    publish: [{ messages: [message()], announce }],
  });
  expect([announced, await waiting(), works]).toEqual(['a', [message()], []]);
});
