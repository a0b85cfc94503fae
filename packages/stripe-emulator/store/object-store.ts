// Stores the objects of all accounts, with Stripe's cursor pagination: newest first.
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Kind, Records } from './records.ts';

/** Indexed attributes of an object, besides its id. */
export interface Attributes {
  /** The parent's id: a subscription's customer, a price's product. */
  parent?: string | null;
  /** A natural key: a customer's email, a price's lookup key, an event's type. */
  key?: string | null;
  status?: string | null;
  /** When the clock must process it, in Unix seconds. */
  due?: number | null;
}

export interface CreatedRange {
  gt?: number;
  gte?: number;
  lt?: number;
  lte?: number;
}

export interface PageQuery {
  limit: number;
  startingAfter?: string;
  endingBefore?: string;
  created?: CreatedRange;
  parent?: string;
  /** Matches any of these. */
  keys?: readonly string[];
  /** Matches any of these patterns; * is a wildcard. */
  keyPatterns?: readonly string[];
  statuses?: readonly string[];
  ids?: readonly string[];
  /** Further conditions: a JSON path and its value; null also matches an absent one. */
  fields?: readonly (readonly [path: string, value: string | number | null])[];
  /** One of the record's `items` has this value in this field. */
  items?: { field: string; value: string };
}

export interface Page<Item> {
  items: Item[];
  hasMore: boolean;
}

interface Row {
  record: string;
}

const comparisons = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

export class ObjectStore {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  insert<K extends Kind>(scope: string, kind: K, record: Records[K], attributes: Attributes = {}): void {
    const { parent = null, key = null, status = null, due = null } = attributes;
    this.#prepare(
      `INSERT INTO objects (scope, kind, id, created, parent, key, status, due, record)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(scope, kind, record.id, record.created, parent, key, status, due, JSON.stringify(record));
  }

  /** Replaces the record and all its attributes. */
  update<K extends Kind>(scope: string, kind: K, record: Records[K], attributes: Attributes = {}): void {
    const { parent = null, key = null, status = null, due = null } = attributes;
    this.#prepare(
      `UPDATE objects SET parent = ?, key = ?, status = ?, due = ?, record = ?
       WHERE scope = ? AND kind = ? AND id = ?`,
    ).run(parent, key, status, due, JSON.stringify(record), scope, kind, record.id);
  }

  remove(scope: string, kind: Kind, id: string): void {
    this.#prepare('DELETE FROM objects WHERE scope = ? AND kind = ? AND id = ?').run(scope, kind, id);
  }

  find<K extends Kind>(scope: string, kind: K, id: string): Records[K] | undefined {
    const row = this.#prepare('SELECT record FROM objects WHERE scope = ? AND kind = ? AND id = ?').get(
      scope,
      kind,
      id,
    );
    return row === undefined ? undefined : parse<K>(row as unknown as Row);
  }

  /** Null if the cursor is not a listable object. */
  page<K extends Kind>(scope: string, kind: K, query: PageQuery): Page<Records[K]> | null {
    const isBackwards = query.endingBefore !== undefined;
    const cursorId = query.endingBefore ?? query.startingAfter;
    const { conditions, values } = conditionsOf(scope, kind, query);
    if (cursorId !== undefined) {
      const cursor = this.#prepare(
        `SELECT created, seq FROM objects WHERE scope = ? AND kind = ? AND id = ?
           AND (kind <> 'customer' OR status IS NULL)`,
      ).get(scope, kind, cursorId) as { created: number; seq: number } | undefined;
      if (cursor === undefined) return null;
      conditions.push(`(created, seq) ${isBackwards ? '>' : '<'} (?, ?)`);
      values.push(cursor.created, cursor.seq);
    }
    const order = isBackwards ? 'ASC' : 'DESC';
    const rows = this.#prepare(
      `SELECT record FROM objects WHERE ${conditions.join(' AND ')} ORDER BY created ${order}, seq ${order} LIMIT ?`,
    ).all(...values, query.limit + 1) as unknown as Row[];
    const items = rows.slice(0, query.limit).map((row) => parse<K>(row));
    return { items: isBackwards ? items.reverse() : items, hasMore: rows.length > query.limit };
  }

  /** All matches, newest first; for short lists. */
  all<K extends Kind>(scope: string, kind: K, query: Omit<PageQuery, 'limit'> = {}): Records[K][] {
    return this.page(scope, kind, { ...query, limit: 100_000 })?.items ?? [];
  }

  count(scope: string, kind: Kind, query: Omit<PageQuery, 'limit'> = {}): number {
    const { conditions, values } = conditionsOf(scope, kind, query);
    const row = this.#prepare(`SELECT count(*) AS n FROM objects WHERE ${conditions.join(' AND ')}`).get(
      ...values,
    );
    return (row as { n: number }).n;
  }

  /** Objects of all accounts that are due; a schedule comes before the subscription that renews at the same time. */
  due(now: number, limit: number): { scope: string; kind: Kind; id: string }[] {
    return this.#prepare(
      'SELECT scope, kind, id FROM objects WHERE due <= ? ORDER BY due, kind DESC LIMIT ?',
    ).all(now, limit) as unknown as { scope: string; kind: Kind; id: string }[];
  }

  /** Customers with the text in email, name or id, newest first. */
  searchCustomers(scope: string, text: string, limit: number, offset: number): Records['customer'][] {
    const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
    const rows = this.#prepare(
      `SELECT record FROM objects WHERE scope = ? AND kind = 'customer' AND status IS NULL
         AND (? = '%%' OR id LIKE ? ESCAPE '\\' OR key LIKE ? ESCAPE '\\'
           OR json_extract(record, '$.name') LIKE ? ESCAPE '\\')
       ORDER BY created DESC, seq DESC LIMIT ? OFFSET ?`,
    ).all(scope, pattern, pattern, pattern, pattern, limit, offset) as unknown as Row[];
    return rows.map((row) => parse<'customer'>(row));
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

function parse<K extends Kind>(row: Row): Records[K] {
  return JSON.parse(row.record) as Records[K];
}

function conditionsOf(scope: string, kind: Kind, query: Omit<PageQuery, 'limit'>) {
  const conditions = ['scope = ?', 'kind = ?'];
  const values: (string | number)[] = [scope, kind];
  const add = (condition: string, ...added: readonly (string | number)[]) => {
    conditions.push(condition);
    values.push(...added);
  };
  const addAny = (column: string, wanted: readonly string[] | undefined) => {
    if (wanted) add(`${column} IN (${wanted.map(() => '?').join(', ')})`, ...wanted);
  };
  if (query.parent !== undefined) add('parent = ?', query.parent);
  addAny('key', query.keys);
  addAny('status', query.statuses);
  addAny('id', query.ids);
  if (query.keyPatterns) {
    add(`(${query.keyPatterns.map(() => 'key GLOB ?').join(' OR ')})`, ...query.keyPatterns);
  }
  for (const [path, value] of query.fields ?? []) {
    if (value === null) add('json_extract(record, ?) IS NULL', path);
    else add('json_extract(record, ?) = ?', path, value);
  }
  if (query.items) {
    const { field, value } = query.items;
    add(
      "EXISTS (SELECT 1 FROM json_each(record, '$.items') WHERE json_extract(value, ?) = ?)",
      `$.${field}`,
      value,
    );
  }
  for (const [name, sign] of Object.entries(comparisons)) {
    const bound = query.created?.[name as keyof typeof comparisons];
    if (bound !== undefined) add(`created ${sign} ?`, bound);
  }
  // A deleted customer can be retrieved, but lists omit it.
  if (kind === 'customer') conditions.push('status IS NULL');
  return { conditions, values };
}
