/** GET /api/v1/plans: the public plans of the deployed version, with what they cost. An isolate reads prices from D1 once a minute at most. */
import type { PlansAnswer } from '#contracts/public/sales';
import { isKnownTag } from '#engine/access/entity-tag';
import { publicPlans } from '#engine/access/public-plans';
import { BoundedCache } from '#engine/cache/bounded-cache';
import { MINUTE_MS } from '#engine/durations';
import { CALL_MS } from '#engine/outages/budget';
import { inTime, SilentError } from '#engine/outages/in-time';
import { systemClock } from '#runtime/clock';
import { sha256Hex } from '#runtime/hash';
import type { PublicAnswer, PublicCall } from '#worker/domains/access/calls/public-call';
import { Refusal, retryAfter } from '#worker/http/api-error';
import { workContext } from '#worker/http/make-work-context';
import { pricesShown, readStoredPrices, type StoredPrice } from './stored-prices.ts';

interface Listed {
  readonly artifactId: string;
  readonly readAt: number;
  /** The answer's fields from `version` on, JSON. */
  readonly text: string;
  readonly etag: string;
}

/** UTF-16 units of one generation. */
const MAX_UNITS = 4_000_000;
const cache = new BoundedCache<string, Listed>(MAX_UNITS, (_, { text }) => text.length);

/** While D1 cannot be read, what was listed of the version before. @throws {ApiError} unavailable */
export async function listPlans(call: PublicCall): Promise<PublicAnswer> {
  const { request, requestId, startedAt: now } = call;
  const { snapshot, prepared } = call.authenticated.loaded;
  const { environmentId, artifact } = snapshot;
  const artifactId = artifact === null || prepared === null ? '' : artifact.id;
  const known = cache.get(environmentId);
  const isSame = known?.artifactId === artifactId;
  let listed = known;
  if (listed === undefined || !isSame || now - listed.readAt >= MINUTE_MS) {
    try {
      listed = await list(call, artifactId);
      cache.set(environmentId, listed);
    } catch (error) {
      if (known === undefined || !isSame) throw error instanceof SilentError ? silent() : error;
      listed = known;
    }
  }
  const { text, etag } = listed;
  return {
    text: `{"status":"success","requestId":${JSON.stringify(requestId)},${text.slice(1)}`,
    ...{ outcome: null, recordedBody: null, ledgerMs: 0, etag },
    status: isKnownTag(request, etag) ? 304 : undefined,
  };
}

async function list({ env, authenticated, startedAt }: PublicCall, artifactId: string): Promise<Listed> {
  const { snapshot, prepared } = authenticated.loaded;
  const { orgId, artifact, environmentType } = snapshot;
  const plans = prepared?.plans.flatMap(({ plan }) => (plan.isPublic ? plan.products : [])) ?? [];
  const { db } = workContext(env, () => startedAt);
  const prices: StoredPrice[] = await inTime(systemClock, CALL_MS, 'D1', readStoredPrices(db, orgId, plans));
  const isLive = environmentType === 'live';
  const answer: Omit<PlansAnswer, 'status' | 'requestId'> = {
    version: artifact === null ? null : { artifactId: artifact.id, number: artifact.number },
    plans:
      prepared === null ? [] : publicPlans(prepared, (products) => pricesShown(prices, products, isLive)),
  };
  const text = JSON.stringify(answer);
  const etag = `W/"${(await sha256Hex(text)).slice(0, 32)}"`;
  return { artifactId, readAt: startedAt, text, etag };
}

function silent(): Refusal {
  const message = 'The database did not answer in time. Try again in a moment.';
  return new Refusal('unavailable', 'database-silent', message, retryAfter(1));
}
