/**
 * The isolate's cache of environment snapshots. A snapshot confirmed less than two seconds ago is used directly. Up to
 * three seconds old, it is used and revalidated in the background. An older one is confirmed with the replica first. So
 * a deploy or a revoked key applies within five seconds, also to the first request after a pause. If the replica is not
 * reachable, the old snapshot is used: availability before freshness. See worker/domains/snapshots/README.md, "Snapshot freshness".
 */

import { limitsOf } from '#contracts/console/api-keys';
import type { EnvironmentSnapshot, SnapshotKey } from '#contracts/internal/snapshot';
import { withTexts } from '#contracts/internal/snapshot-texts';
import type { LoadableCode } from '#contracts/internal/workflow-run';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import type { Location } from '#contracts/public/locations';
import type { AccessEnvironment } from '#engine/access/access-environment';
import type { Place } from '#engine/access/place';
import type { ArtifactContent } from '#engine/artifacts/artifact-content';
import { BoundedCache } from '#engine/cache/bounded-cache';
import { bytesOfJson } from '#engine/cache/bytes-of-json';
import { AppliedFactsCache } from '#engine/entitlements/applied-facts-cache';
import { prepare } from '#engine/entitlements/prepare';
import { bytesOfArtifact } from '#engine/entitlements/weigh-artifact';
import { freshnessOf } from '#engine/freshness';
import { TokenBucket } from '#engine/outages/token-bucket';
import { VerifiedTokens } from '#worker/domains/identity/verified-tokens';
import type { Pulled } from './pull-snapshot.ts';

export const REVALIDATE_AFTER_MS = 2_000;
export const AWAIT_AFTER_MS = 3_000;
/** How long one request waits for a replica while it has an old snapshot to fall back on. */
const PATIENCE_MS = 1_000;
/** After a failure, or after PATIENCE_MS of silence, how long nobody asks again. */
const PAUSE_AFTER_FAILURE_MS = 1_000;
const FORCED_REFRESH_PAUSE_MS = 1_000;
/** Approximate memory of one generation of the cache; it contains at most twice as much. */
const MAX_BYTES = 16 * 1024 * 1024;
const BYTES_PER_ENVIRONMENT = 4_096;
const BYTES_PER_KEY = 256;
/** First lookups under way at once, and, per second, of environments that turn out not to exist. */
export const LOOKUP_BURST = 50;
export const LOOKUPS_PER_SECOND = 10;
/** A first lookup that has to wait looks again so often, and for so long. */
const LOOK_AGAIN_MS = 20;
const LOOKS = PATIENCE_MS / LOOK_AGAIN_MS;
const MAX_UNKNOWN = 10_000;
const UNKNOWN_FOR_MS = 30_000;
const MAX_KNOWN_KEYS = 1_000;

export interface KeyRecord {
  readonly id: string;
  readonly type: ApiKeyType;
  /** Calls a minute. */
  readonly rateLimit: number;
  /** Percent of the monthly allowance; null for secret keys. */
  readonly allowanceShare: number | null;
  readonly managesCustomers: boolean;
}

/** An environment as checks use it. Replaced as a whole by a newer snapshot. */
export interface LoadedEnvironment extends AccessEnvironment {
  /** Approximate memory of its version and the code of its workflows. */
  readonly contentBytes: number;
  readonly keyByHash: ReadonlyMap<string, KeyRecord>;
  /** Keys by the header that they came in, so that only the first use of each is hashed. Bounded. */
  readonly keyByHeader: BoundedCache<string, KeyRecord>;
  readonly verifiedTokens: VerifiedTokens;
  readonly appliedFacts: AppliedFactsCache;
  confirmedAt: number;
  isUnconfirmed: boolean;
}

/** The outside, as the cache needs it. */
export interface SnapshotSource {
  /**
   * Asks the nearest replica that answers, or D1 if there is no snapshot to use instead.
   * @param known null without a snapshot that may still be used
   * @param home where the first snapshot may be, besides the nearest location
   * @throws where nobody answers
   */
  pull(
    environmentId: string,
    known: EnvironmentSnapshot | null,
    place: Place,
    home?: Location,
  ): Promise<Pulled>;
  now(): number;
  wait(ms: number): Promise<void>;
}

/** Too many lookups of environments that do not exist. */
export class LookupLimitError extends Error {
  override readonly name = 'LookupLimitError';
}

interface Entry {
  /** Without what the environment remembers. */
  bytes: number;
  /** In the cache, with what the environment has remembered since: changed only while the entry is not in it. */
  weight: number;
  /** The environment no longer exists. */
  isGone: boolean;
  loaded: LoadedEnvironment;
  failedAt: number;
  revalidatingSince: number;
  forcedAt: number;
  /** The refresh of `forcedAt` is under way, unless it was cancelled with its request. */
  isForcing: boolean;
}

export type WaitUntil = (work: Promise<unknown>) => void;

export class SnapshotCache {
  readonly #source: SnapshotSource;
  /** Evicts what was not used recently. */
  readonly #entries = new BoundedCache<string, Entry>(MAX_BYTES, (_, { weight }) => weight);
  /** Environment ids known not to exist, with expiry. */
  readonly #unknown = new BoundedCache<string, number>(MAX_UNKNOWN / 2);
  /** Environments whose first lookup is under way, and since when. One that was cancelled with its request stays. */
  readonly #lookedUp = new BoundedCache<string, number>(MAX_UNKNOWN / 2);
  /** See worker/domains/snapshots/README.md, "Snapshot freshness". */
  readonly #lookups = new TokenBucket(LOOKUP_BURST, LOOKUPS_PER_SECOND);

  constructor(source: SnapshotSource) {
    this.#source = source;
  }

  /** The environment, where it needs no waiting; undefined says: ask `get`. */
  fresh(environmentId: string, now: number): LoadedEnvironment | undefined {
    const loaded = this.#entries.get(environmentId)?.loaded;
    return loaded !== undefined && now - loaded.confirmedAt < REVALIDATE_AFTER_MS ? loaded : undefined;
  }

  /** Whether a snapshot is in memory, however old. */
  has(environmentId: string): boolean {
    return this.#entries.get(environmentId) !== undefined;
  }

  /**
   * @param home the home location as far as the caller knows
   * @returns null where there is no such environment
   * @throws where there is no snapshot, or only one of more than a day ago, and nobody answers
   * @throws {LookupLimitError} where there is no snapshot, and too many environments turned out not to exist
   */
  async get(
    environmentId: string,
    place: Place,
    waitUntil: WaitUntil,
    home?: Location,
  ): Promise<LoadedEnvironment | null> {
    const now = this.#source.now();
    const entry = this.#entries.get(environmentId);
    if (entry === undefined) return this.#loadFirst(environmentId, place, waitUntil, home);

    const age = now - entry.loaded.confirmedAt;
    if (age < REVALIDATE_AFTER_MS) return entry.loaded;
    const isPausing = now - entry.failedAt < PAUSE_AFTER_FAILURE_MS;
    if (age < AWAIT_AFTER_MS) {
      const isUnderWay = now - entry.revalidatingSince < PATIENCE_MS;
      if (!isUnderWay && !isPausing) {
        entry.revalidatingSince = now;
        waitUntil(this.#refreshPatiently(environmentId, entry, place, waitUntil));
      }
      return entry.loaded;
    }
    if (!isPausing) await this.#refreshPatiently(environmentId, entry, place, waitUntil);
    return this.#current(entry);
  }

  /**
   * The environment as a replica knows it now, for what is too new for the snapshot. Replicas are asked at most once a second for it,
   * so a call may wait for its turn, or for what another call asks after this one began, as in #loadFirst: two seconds at most.
   * @param isEnough what was asked before satisfies the call as well
   */
  async getNewer(
    environmentId: string,
    place: Place,
    waitUntil: WaitUntil,
    isEnough: (loaded: LoadedEnvironment) => boolean = () => false,
  ): Promise<LoadedEnvironment | null> {
    const startedAt = this.#source.now();
    const entry = this.#entries.get(environmentId);
    if (entry === undefined) return null;
    for (;;) {
      const forcedMs = this.#source.now() - entry.forcedAt;
      const isUnderWay = entry.isForcing && forcedMs < PATIENCE_MS;
      const isAsked = entry.forcedAt >= startedAt && !isUnderWay;
      if (isAsked || entry.isGone || isEnough(entry.loaded)) return this.#current(entry);
      if (!isUnderWay && forcedMs >= FORCED_REFRESH_PAUSE_MS) break;
      await this.#source.wait(isUnderWay ? LOOK_AGAIN_MS : FORCED_REFRESH_PAUSE_MS - forcedMs);
    }
    entry.forcedAt = this.#source.now();
    entry.isForcing = true;
    await this.#refreshPatiently(environmentId, entry, place, waitUntil);
    entry.isForcing = false;
    return this.#current(entry);
  }

  /**
   * One call looks an environment up, and the others wait for what it finds. They do not await it: the platform ties its work to the
   * request that started it, and cancels it with that request.
   */
  async #loadFirst(...wanted: Parameters<SnapshotCache['get']>): Promise<LoadedEnvironment | null> {
    const [environmentId] = wanted;
    const startedAt = this.#source.now();
    for (let looks = 0; ; looks++) {
      const now = this.#source.now();
      const entry = this.#entries.get(environmentId);
      if (entry !== undefined) return entry.loaded;
      if ((this.#unknown.get(environmentId) ?? 0) > now) return null;
      const since = this.#lookedUp.get(environmentId);
      const isLate = looks >= LOOKS || now - startedAt >= PATIENCE_MS;
      const isOwnTurn = isLate || since === undefined || now - since >= PATIENCE_MS;
      if (isOwnTurn && this.#lookups.take(now)) return this.#lookUp(now, ...wanted);
      if (isLate && since !== undefined) throw new Error('The environment is still being looked up');
      if (isLate) throw new LookupLimitError('Too many unknown environments');
      await this.#source.wait(LOOK_AGAIN_MS);
    }
  }

  async #lookUp(
    now: number,
    ...[environmentId, place, waitUntil, home]: Parameters<SnapshotCache['get']>
  ): Promise<LoadedEnvironment | null> {
    this.#lookedUp.set(environmentId, now);
    let isUnknown = false;
    try {
      const {
        newest: pulled,
        isUnconfirmed,
        askHome,
      } = await this.#source.pull(environmentId, null, place, home);
      if (pulled === 'unchanged' || isGone(pulled)) {
        isUnknown = true;
        this.#unknown.set(environmentId, now + UNKNOWN_FOR_MS);
        return null;
      }
      const meanwhile = this.#entries.get(environmentId);
      if (meanwhile !== undefined && meanwhile.loaded.snapshot.generation >= pulled.generation)
        return meanwhile.loaded;
      const loaded = load(pulled, null, now, isUnconfirmed);
      const bytes = bytesOf(loaded);
      const times = { failedAt: 0, revalidatingSince: 0, forcedAt: 0, isForcing: false };
      const entry = { bytes, weight: bytes, isGone: false, loaded, ...times };
      this.#entries.set(environmentId, entry);
      if (askHome) waitUntil(this.#followHome(environmentId, entry, askHome));
      return loaded;
    } finally {
      this.#lookedUp.delete(environmentId);
      // Only made-up environments use the tokens up.
      if (!isUnknown) this.#lookups.giveBack();
    }
  }

  /** Behind the answer. Only a call with a key that the snapshot does not have waits for it, as for any refresh. */
  async #followHome(environmentId: string, entry: Entry, askHome: () => Promise<Pulled>): Promise<void> {
    const startedAt = this.#source.now();
    entry.forcedAt = startedAt;
    entry.isForcing = true;
    await this.#refresh(environmentId, entry, askHome).catch(() => undefined);
    if (entry.forcedAt !== startedAt) return;
    entry.isForcing = false;
    entry.forcedAt = 0;
  }

  #current(entry: Entry): LoadedEnvironment | null {
    if (entry.isGone) return null;
    if (this.#isLost(entry)) {
      throw new Error('No data location answers, and what is remembered is too old');
    }
    return entry.loaded;
  }

  #isLost({ loaded }: Entry): boolean {
    return freshnessOf('configuration', loaded.confirmedAt, this.#source.now()) === 'lost';
  }

  async #refreshPatiently(
    environmentId: string,
    entry: Entry,
    place: Place,
    waitUntil: WaitUntil,
  ): Promise<void> {
    const known = this.#isLost(entry) ? null : entry.loaded.snapshot;
    const pull = () => this.#source.pull(environmentId, known, place);
    const refreshed = this.#refresh(environmentId, entry, pull).catch(() => undefined);
    const isOver = refreshed.then(() => true);
    waitUntil(refreshed);
    const isInTime = await Promise.race([isOver, this.#source.wait(PATIENCE_MS)]);
    if (isInTime !== true) entry.failedAt = this.#source.now();
  }

  async #refresh(environmentId: string, entry: Entry, pull: () => Promise<Pulled>): Promise<void> {
    const askedAt = this.#source.now();
    // Texts that this one has are left out of what is pulled.
    const asked = entry.loaded;
    try {
      const { newest: pulled, isUnconfirmed } = await pull();
      entry.failedAt = 0;
      const { loaded } = entry;
      const { generation } = loaded.snapshot;
      if (isGone(pulled)) {
        entry.isGone = true;
        this.#entries.delete(environmentId);
      } else if (pulled === 'unchanged' || pulled.generation === generation) {
        // The fallback to D1 returns a snapshot of the same generation instead of 'unchanged'.
        if (askedAt < loaded.confirmedAt) return;
        loaded.confirmedAt = askedAt;
        loaded.isUnconfirmed = isUnconfirmed;
        this.#reweigh(environmentId, entry);
      } else if (pulled.generation > generation) {
        entry.loaded = load(pulled, asked, askedAt, isUnconfirmed);
        entry.bytes = bytesOf(entry.loaded);
        this.#reweigh(environmentId, entry);
      }
    } catch (error) {
      entry.failedAt = this.#source.now();
      throw error;
    } finally {
      entry.revalidatingSince = 0;
    }
  }

  /** What the environment remembers grows. An entry that was evicted meanwhile stays out: its successor may be newer. */
  #reweigh(environmentId: string, entry: Entry): void {
    if (this.#entries.get(environmentId) !== entry) return;
    this.#entries.delete(environmentId);
    const { prepared, appliedFacts, verifiedTokens } = entry.loaded;
    const remembered = (prepared?.resolutions.weight ?? 0) + appliedFacts.weight + verifiedTokens.weight;
    entry.weight = entry.bytes + remembered;
    this.#entries.set(environmentId, entry);
  }
}

/** Deletion is final: nobody needs to be asked about the environment again and again. */
function isGone(pulled: Pulled['newest']): pulled is null {
  return pulled === null || (pulled !== 'unchanged' && pulled.isDeleted === true);
}

/** Approximate memory, without what the environment remembers. */
export function bytesOf({ snapshot, contentBytes }: LoadedEnvironment): number {
  const { keys } = snapshot;
  return BYTES_PER_ENVIRONMENT + contentBytes + bytesOfJson(snapshot) + keys.length * BYTES_PER_KEY;
}

/** Snapshots of older versions have no limits. */
function recordOf({ id, type, rateLimit, allowanceShare, managesCustomers = false }: SnapshotKey): KeyRecord {
  const defaults = limitsOf({ type, rateLimit: null, allowanceShare: null });
  return {
    id,
    type,
    rateLimit: rateLimit ?? defaults.rateLimit,
    allowanceShare: allowanceShare === undefined ? defaults.allowanceShare : allowanceShare,
    managesCustomers: managesCustomers && type === 'secret',
  };
}

type Artifact = NonNullable<EnvironmentSnapshot['artifact']>;

/** An artifact under the same hash is the same, so what was prepared of it is taken over. */
export function load(
  snapshot: EnvironmentSnapshot,
  previous: LoadedEnvironment | null,
  confirmedAt: number,
  isUnconfirmed = false,
): LoadedEnvironment {
  const { artifact } = snapshot;
  const isSameArtifact = artifact !== null && artifact.hash === previous?.snapshot.artifact?.hash;
  const prepared = isSameArtifact
    ? previous.prepared
    : artifact === null
      ? null
      : prepare(JSON.parse(artifact.content) as ArtifactContent);
  const workflowCode = workflowCodeOf(artifact, previous);
  return {
    // The texts are of no more use once they are prepared.
    snapshot: withTexts(snapshot, () => ''),
    prepared,
    workflowCode,
    contentBytes:
      previous?.prepared === prepared && previous.workflowCode === workflowCode
        ? previous.contentBytes
        : (prepared === null ? 0 : bytesOfArtifact(prepared)) + bytesOfJson(workflowCode),
    featureSlugs: prepared === null ? [] : prepared.features.map(({ slug }) => slug),
    keyByHash: new Map(snapshot.keys.map((key) => [key.hash, recordOf(key)])),
    keyByHeader: new BoundedCache(MAX_KNOWN_KEYS / 2),
    verifiedTokens: new VerifiedTokens(),
    appliedFacts: new AppliedFactsCache(),
    confirmedAt,
    isUnconfirmed,
  };
}

function workflowCodeOf(artifact: Artifact | null, previous: LoadedEnvironment | null): LoadableCode | null {
  const { hash, text } = artifact?.workflowCode ?? {};
  if (text === undefined) return null;
  const isSame = hash === previous?.snapshot.artifact?.workflowCode?.hash;
  return isSame && previous ? previous.workflowCode : (JSON.parse(text) as LoadableCode);
}
