/**
 * What an isolate remembers of environments, and how old it may be (DESIGN section 3). A snapshot confirmed less than
 * two seconds ago is used as it is; up to three seconds old, it is used and revalidated behind the answer; older, the
 * replica is asked first. So a revoked key or a deploy is in force within five seconds, also for the first request
 * after a pause. Where the replica cannot be reached, the old snapshot serves on: availability before freshness.
 */
import type { ApiKeyType } from '#contracts/api-keys';
import type { EnvironmentSnapshot } from '#contracts/snapshot';
import type { ArtifactContent } from '#engine/artifacts/artifact-content';
import { prepare } from '#engine/entitlements/prepare';
import type { PreparedArtifact } from '#engine/entitlements/prepared-artifact';
import { KnownTokens } from '#worker/domains/identity/remember-token';
import type { Place } from '#worker/http/place';

export const REVALIDATE_AFTER_MS = 2_000;
export const AWAIT_AFTER_MS = 3_000;
/** An answer from a snapshot not confirmed for so long says so in a warning. */
export const WARN_AFTER_MS = 60_000;
export const REFUSE_AFTER_MS = 24 * 3_600_000;
/** How long one request waits for a replica while it has an old snapshot to fall back on. */
const PATIENCE_MS = 1_000;
/** After a failure, how long nobody asks again. */
const PAUSE_AFTER_FAILURE_MS = 1_000;
const FORCED_REFRESH_PAUSE_MS = 1_000;
const MAX_ENVIRONMENTS = 256;
const MAX_UNKNOWN = 10_000;
const UNKNOWN_FOR_MS = 30_000;
const MAX_KNOWN_KEYS = 1_000;

export interface KeyRecord {
  readonly id: string;
  readonly type: ApiKeyType;
}

/** An environment as checks use it. Replaced as a whole by a newer snapshot. */
export interface LoadedEnvironment {
  readonly snapshot: EnvironmentSnapshot;
  /** Null where nothing is deployed. */
  readonly prepared: PreparedArtifact | null;
  readonly featureSlugs: readonly string[];
  readonly keyByHash: ReadonlyMap<string, KeyRecord>;
  /** Keys by the header that they came in, so that only the first use of each is hashed. Bounded. */
  readonly keyByHeader: Map<string, KeyRecord>;
  readonly knownTokens: KnownTokens;
  /** When a replica last said that this is the newest. */
  confirmedAt: number;
}

/** The outside, as the cache needs it. */
export interface SnapshotSource {
  /**
   * Asks the nearest replica that answers.
   * @returns null where there is no such environment
   * @throws where no replica answers
   */
  pull(
    environmentId: string,
    known: EnvironmentSnapshot | null,
    place: Place,
  ): Promise<EnvironmentSnapshot | 'unchanged' | null>;
  now(): number;
  wait(ms: number): Promise<void>;
}

interface Entry {
  loaded: LoadedEnvironment;
  failedAt: number;
  revalidatingSince: number;
  forcedAt: number;
}

export type WaitUntil = (work: Promise<unknown>) => void;

export class SnapshotCache {
  readonly #source: SnapshotSource;
  readonly #entries = new Map<string, Entry>();
  /** Environments that do not exist, and until when that is believed. */
  readonly #unknown = new Map<string, number>();

  constructor(source: SnapshotSource) {
    this.#source = source;
  }

  /** The environment, where it needs no waiting; undefined says: ask `get`. */
  fresh(environmentId: string, now: number): LoadedEnvironment | undefined {
    const loaded = this.#entries.get(environmentId)?.loaded;
    return loaded !== undefined && now - loaded.confirmedAt < REVALIDATE_AFTER_MS ? loaded : undefined;
  }

  /**
   * @returns null where there is no such environment
   * @throws where there is no snapshot, or only one past REFUSE_AFTER_MS, and no replica answers
   */
  async get(environmentId: string, place: Place, waitUntil: WaitUntil): Promise<LoadedEnvironment | null> {
    const now = this.#source.now();
    const entry = this.#entries.get(environmentId);
    if (entry === undefined) return this.#loadFirst(environmentId, place, now);

    const age = now - entry.loaded.confirmedAt;
    if (age < REVALIDATE_AFTER_MS) return entry.loaded;
    const isPausing = now - entry.failedAt < PAUSE_AFTER_FAILURE_MS;
    if (age < AWAIT_AFTER_MS) {
      const isUnderWay = now - entry.revalidatingSince < PATIENCE_MS;
      if (!isUnderWay && !isPausing) {
        entry.revalidatingSince = now;
        waitUntil(this.#refresh(environmentId, entry, place).catch(() => undefined));
      }
      return entry.loaded;
    }
    if (!isPausing) await this.#refreshPatiently(environmentId, entry, place, waitUntil);
    return this.#current(environmentId, entry);
  }

  /** Asks the replica now, at most once a second: for a key that is too new for the snapshot. */
  async getNewer(
    environmentId: string,
    place: Place,
    waitUntil: WaitUntil,
  ): Promise<LoadedEnvironment | null> {
    const now = this.#source.now();
    const entry = this.#entries.get(environmentId);
    if (entry === undefined || now - entry.forcedAt < FORCED_REFRESH_PAUSE_MS) return entry?.loaded ?? null;
    entry.forcedAt = now;
    await this.#refreshPatiently(environmentId, entry, place, waitUntil);
    return this.#current(environmentId, entry);
  }

  async #loadFirst(environmentId: string, place: Place, now: number): Promise<LoadedEnvironment | null> {
    if ((this.#unknown.get(environmentId) ?? 0) > now) return null;
    const pulled = await this.#source.pull(environmentId, null, place);
    if (pulled === null || pulled === 'unchanged') {
      if (this.#unknown.size >= MAX_UNKNOWN) this.#unknown.clear();
      this.#unknown.set(environmentId, now + UNKNOWN_FOR_MS);
      return null;
    }
    const meanwhile = this.#entries.get(environmentId);
    if (meanwhile !== undefined && meanwhile.loaded.snapshot.generation >= pulled.generation)
      return meanwhile.loaded;
    const loaded = load(pulled, null, now);
    this.#entries.set(environmentId, { loaded, failedAt: 0, revalidatingSince: 0, forcedAt: 0 });
    this.#evict();
    return loaded;
  }

  #current(environmentId: string, entry: Entry): LoadedEnvironment | null {
    if (!this.#entries.has(environmentId)) return null;
    if (this.#source.now() - entry.loaded.confirmedAt > REFUSE_AFTER_MS) {
      throw new Error('No data location answers, and what is remembered is too old');
    }
    return entry.loaded;
  }

  async #refreshPatiently(
    environmentId: string,
    entry: Entry,
    place: Place,
    waitUntil: WaitUntil,
  ): Promise<void> {
    const refreshed = this.#refresh(environmentId, entry, place).catch(() => undefined);
    waitUntil(refreshed);
    await Promise.race([refreshed, this.#source.wait(PATIENCE_MS)]);
  }

  async #refresh(environmentId: string, entry: Entry, place: Place): Promise<void> {
    const askedAt = this.#source.now();
    const known = entry.loaded.snapshot;
    try {
      const pulled = await this.#source.pull(environmentId, known, place);
      if (pulled === null) this.#entries.delete(environmentId);
      else if (pulled === 'unchanged') entry.loaded.confirmedAt = Math.max(entry.loaded.confirmedAt, askedAt);
      else if (pulled.generation > entry.loaded.snapshot.generation)
        entry.loaded = load(pulled, entry.loaded, askedAt);
    } catch (error) {
      entry.failedAt = this.#source.now();
      throw error;
    } finally {
      entry.revalidatingSince = 0;
    }
  }

  /** The first in a Map is the one that was loaded longest ago. */
  #evict(): void {
    if (this.#entries.size <= MAX_ENVIRONMENTS) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}

/** Remembers the header, so that its key need not be hashed again. */
export function rememberKey(loaded: LoadedEnvironment, authorization: string, record: KeyRecord): void {
  if (loaded.keyByHeader.size >= MAX_KNOWN_KEYS) loaded.keyByHeader.clear();
  loaded.keyByHeader.set(authorization, record);
}

/** An artifact under the same hash is the same, so what was prepared of it is taken over. */
function load(
  snapshot: EnvironmentSnapshot,
  previous: LoadedEnvironment | null,
  confirmedAt: number,
): LoadedEnvironment {
  const { artifact } = snapshot;
  const isSameArtifact = artifact !== null && artifact.hash === previous?.snapshot.artifact?.hash;
  const prepared = isSameArtifact
    ? previous.prepared
    : artifact === null
      ? null
      : prepare(JSON.parse(artifact.content) as ArtifactContent);
  return {
    // The text is of no more use once it is prepared.
    snapshot: artifact === null ? snapshot : { ...snapshot, artifact: { ...artifact, content: '' } },
    prepared,
    featureSlugs: prepared === null ? [] : prepared.features.map(({ slug }) => slug),
    keyByHash: new Map(snapshot.keys.map(({ hash, id, type }) => [hash, { id, type }])),
    keyByHeader: new Map(),
    knownTokens: new KnownTokens(),
    confirmedAt,
  };
}
