/**
 * Balances over a range: what was given and what has ended by their rows, what was drawn by the roll-ups of calls. The ledgers alone know what was
 * left of a balance at its end, so the whole amount is said.
 */
import { and, count, desc, eq, gte, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import {
  CREDIT_SOURCES,
  type CreditFigure,
  type CreditMetrics,
  type CreditSource,
  MAX_CREDIT_BALANCES,
} from '#contracts/console/credit-metrics';
import type { MetricsCriteria } from '#contracts/console/event-metrics';
import { readDrawnKey } from '#engine/events/drawn-from-balances';
import { compareText } from '#engine/text/compare-text';
import type { Db } from '#worker/db/database';
import { customerBalance } from '#worker/db/schema/customers';
import { environment } from '#worker/db/schema/environments';
import { feature, featureProperty } from '#worker/db/schema/features';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { openEventStream } from './open-event-stream.ts';

const HAS_END = sql`ends_at < 9000000000000000`;

/** Of a meter and a source. */
type Amounts = Pick<CreditFigure, 'given' | 'drawn' | 'ended'>;

class Figures {
  readonly #byMeter = new Map<string, CreditFigure>();

  add(meter: Pick<CreditFigure, 'feature' | 'property' | 'source'>, added: Partial<Amounts>): void {
    const key = JSON.stringify([meter.feature, meter.property, meter.source]);
    const { given = 0, drawn = 0, ended = 0 } = added;
    const known = this.#byMeter.get(key) ?? { ...meter, given: 0, drawn: 0, ended: 0 };
    this.#byMeter.set(key, {
      ...known,
      given: known.given + given,
      drawn: known.drawn + drawn,
      ended: known.ended + ended,
    });
  }

  list(): CreditFigure[] {
    const nameOf = ({ feature: of, property }: CreditFigure) => `${of} ${property}`;
    return [...this.#byMeter.values()]
      .filter(({ given, drawn, ended }) => given !== 0 || drawn !== 0 || ended !== 0)
      .sort(
        (one, other) =>
          compareText(nameOf(one), nameOf(other)) ||
          CREDIT_SOURCES.indexOf(one.source) - CREDIT_SOURCES.indexOf(other.source),
      );
  }
}

export async function readCredits(
  ctx: Pick<RequestContext, 'db' | 'env' | 'now'>,
  scope: Scope,
  criteria: MetricsCriteria,
): Promise<CreditMetrics> {
  const { db, now } = ctx;
  const { orgId } = scope;
  const where = await placeOf(db, orgId, criteria.environment ?? null);
  const [any] = await db.select({ id: customerBalance.id }).from(customerBalance).where(where).limit(1);
  if (any === undefined) return { hasBalances: false, drawnFrom: null, isComplete: true, figures: [] };
  const stream = await openEventStream(ctx, scope);
  const { from, drawnFrom, drawn } = await stream.drawnFromBalances(criteria, now);
  const ids = drawn.map(({ key }) => readDrawnKey(key).from).filter((each) => each.startsWith('bal_'));
  const [given, ended, kinds] = await Promise.all([
    sumsOf(db, where, customerBalance.createdAt, { from, to: now + 1 }),
    sumsOf(db, where, customerBalance.endsAt, { from, to: now + 1 }),
    kindsOf(db, orgId, ids),
  ]);
  const names = await namesOf(db, orgId, [...given, ...ended]);
  const figures = new Figures();
  for (const { propertyId, kind, amount } of given)
    figures.add({ ...nameOf(names, propertyId), source: kind }, { given: amount });
  for (const { propertyId, kind, amount } of ended)
    figures.add({ ...nameOf(names, propertyId), source: kind }, { ended: amount });
  for (const { key, amount } of drawn) {
    const { from: source, ...meter } = readDrawnKey(key);
    figures.add({ ...meter, source: kinds.get(source) ?? sourceOf(source) }, { drawn: amount });
  }
  const most = Math.max(...[given, ended].map((rows) => rows.reduce((sum, { rows: each }) => sum + each, 0)));
  return { hasBalances: true, drawnFrom, isComplete: most < MAX_CREDIT_BALANCES, figures: figures.list() };
}

const sourceOf = (text: string): CreditSource => (text === 'api' || text === 'rollover' ? text : 'other');

/** Those of an environment, with those of all. What was paid in test mode does not count in live ones. */
async function placeOf(db: Db, orgId: string, environmentId: string | null): Promise<SQL | undefined> {
  const isOwn = eq(customerBalance.orgId, orgId);
  if (environmentId === null) return isOwn;
  const [found] = await db
    .select({ type: environment.type })
    .from(environment)
    .where(and(eq(environment.id, environmentId), eq(environment.orgId, orgId)));
  return and(
    isOwn,
    or(eq(customerBalance.environmentId, environmentId), isNull(customerBalance.environmentId)),
    found?.type === 'live' ? sql`${customerBalance.livemode} IS NOT 0` : undefined,
  );
}

interface Sum {
  readonly propertyId: string;
  readonly kind: CreditSource;
  readonly amount: number;
  readonly rows: number;
}

/** Of the newest ones in a range, by an instant that an index has. */
async function sumsOf(
  db: Db,
  where: SQL | undefined,
  at: typeof customerBalance.createdAt | typeof customerBalance.endsAt,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Sum[]> {
  const { propertyId, amount, takenBack, source } = customerBalance;
  const newest = db
    .select({
      propertyId,
      kind: sql<CreditSource>`${source} ->> 'kind'`.as('kind'),
      amount: sql<number>`${amount} - ${takenBack}`.as('amount'),
    })
    .from(customerBalance)
    // The last condition is the index's own.
    .where(and(where, gte(at, from), lt(at, to), at === customerBalance.endsAt ? HAS_END : undefined))
    .orderBy(desc(at))
    .limit(MAX_CREDIT_BALANCES)
    .as('newest');
  return db
    .select({
      propertyId: newest.propertyId,
      kind: newest.kind,
      amount: sql<number>`sum(${newest.amount})`,
      rows: count(),
    })
    .from(newest)
    .groupBy(newest.propertyId, sql`${newest.kind}`);
}

async function kindsOf(db: Db, orgId: string, ids: readonly string[]): Promise<Map<string, CreditSource>> {
  if (ids.length === 0) return new Map();
  const { id, source } = customerBalance;
  const rows = await db
    .select({ id, kind: sql<CreditSource>`${source} ->> 'kind'` })
    .from(customerBalance)
    .where(
      and(
        eq(customerBalance.orgId, orgId),
        sql`${id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
      ),
    );
  return new Map(rows.map((row) => [row.id, row.kind]));
}

type Names = ReadonlyMap<string, Pick<CreditFigure, 'feature' | 'property'>>;

async function namesOf(db: Db, orgId: string, sums: readonly Sum[]): Promise<Names> {
  const ids = [...new Set(sums.map(({ propertyId }) => propertyId))];
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: featureProperty.id, feature: feature.slug, property: featureProperty.propertyKey })
    .from(featureProperty)
    .innerJoin(feature, eq(feature.id, featureProperty.featureId))
    .where(
      and(
        eq(feature.orgId, orgId),
        sql`${featureProperty.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
      ),
    );
  return new Map(rows.map(({ id, ...name }) => [id, name]));
}

function nameOf(names: Names, propertyId: string): Pick<CreditFigure, 'feature' | 'property'> {
  return names.get(propertyId) ?? { feature: null, property: null };
}
