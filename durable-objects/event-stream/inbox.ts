/**
 * Groups that are stored, but in no chunk yet. An append of a few events would write a chunk, its index entries and every figure for
 * them alone; here it changes one row. The groups are folded, all in one transaction, into chunks and figures once there are enough of
 * them, before anybody reads, and by the alarm. Memory has them too, so that a repeated group is recognised.
 */
import type { EventGroup } from '#contracts/internal/event-batch';
import { figuresOf, type HashedGroup } from './hashed-group.ts';
import type { TextStore } from './text-store.ts';

/** UTF-16 units. SQLite writes the row anew with each append. */
const MAX_LENGTH = 60_000;

/** As a line of the row: the features texts are in the text store already. */
interface HeldGroup {
  readonly group: Omit<EventGroup, 'texts'>;
  readonly hashes: readonly string[];
}

interface Held {
  readonly groups: HashedGroup[];
  /** Ids of groups and of events. */
  readonly ids: Set<string>;
  length: number;
  count: number;
}

export class Inbox {
  readonly #sql: SqlStorage;
  readonly #texts: TextStore;
  /** Null: not read yet. */
  #memory: Held | null = null;

  constructor(sql: SqlStorage, texts: TextStore) {
    this.#sql = sql;
    this.#texts = texts;
  }

  get isEmpty(): boolean {
    return this.#held.groups.length === 0;
  }

  /** Events. */
  get count(): number {
    return this.#held.count;
  }

  /** @param id of a group, or of an event that several groups may contain */
  has(id: string): boolean {
    return this.#held.ids.has(id);
  }

  hasRoomFor(groups: readonly HashedGroup[]): boolean {
    const added = groups.reduce((sum, { group }) => sum + lengthOf(group), 0);
    return this.#held.length + added <= MAX_LENGTH;
  }

  /** Runs inside a transaction. @throws if a group is malformed: it would fail all others later */
  add(groups: readonly HashedGroup[]): void {
    const held = this.#held;
    let lines = '';
    for (const each of groups) {
      figuresOf(each);
      const { group, texts } = each;
      for (const text of texts) this.#texts.retain(text, group.toAt);
      const { texts: _, ...rest } = group;
      lines += `${JSON.stringify({ group: rest, hashes: texts.map(({ hash }) => hash) } satisfies HeldGroup)}\n`;
    }
    this.#sql.exec(
      'INSERT INTO inbox (id, body) VALUES (1, ?) ON CONFLICT DO UPDATE SET body = body || excluded.body',
      lines,
    );
    for (const each of groups) keep(held, each);
  }

  /** Empties the inbox, inside the transaction that stores its groups elsewhere. */
  take(): readonly HashedGroup[] {
    const { groups } = this.#held;
    if (groups.length > 0) this.#sql.exec('DELETE FROM inbox');
    this.#memory = nothing();
    return groups;
  }

  /** Call after a rollback. */
  invalidate(): void {
    this.#memory = null;
  }

  get #held(): Held {
    if (this.#memory !== null) return this.#memory;
    const held = nothing();
    for (const { body } of this.#sql.exec<{ body: string }>('SELECT body FROM inbox').toArray()) {
      for (const line of body.split('\n')) if (line !== '') keep(held, this.#read(line));
    }
    this.#memory = held;
    return held;
  }

  #read(line: string): HashedGroup {
    const { group, hashes } = JSON.parse(line) as HeldGroup;
    const texts = hashes.map((hash) => this.#texts.stored(hash));
    return { group: { ...group, texts: texts.map(({ text }) => text) }, texts, figures: null };
  }
}

function nothing(): Held {
  return { groups: [], ids: new Set(), length: 0, count: 0 };
}

function keep(held: Held, hashed: HashedGroup): void {
  const { group } = hashed;
  held.groups.push(hashed);
  if (group.id !== undefined) held.ids.add(group.id);
  for (const id of JSON.parse(group.ids) as string[]) held.ids.add(id);
  held.length += lengthOf(group);
  held.count += group.count;
}

function lengthOf({ lines, shapes, terms, ids }: EventGroup): number {
  return lines.length + shapes.length + terms.length + ids.length;
}
