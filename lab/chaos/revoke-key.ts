// A key that is revoked while publications miss a data location. The promise is in worker/domains/snapshots/README.md, "A revoked key stays
// revoked": after 30 s the key is refused there, or every answer warns that it may be old.

import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiKey, apiKeyEndpoints } from '#contracts/console/api-keys';
import type { AccessCheckAnswer } from '#contracts/public/access';
import type { ApiSession } from '../../dev/workspace/api-session.ts';
import { ApiCallError } from '../../dev/workspace/endpoint-caller.ts';
import { callAt } from './call-at.ts';
import type { ChaosServer } from './chaos-server.ts';
import type { ChaosWorkspace, Place } from './workspace.ts';

/** Isolates ask a replica again after so long. */
const STEP_MS = 3_000;
const PROMISE_MS = 30_000;
/** What is done behind an answer gets so long. */
const BREATHE_MS = 400;

export interface RevokedKeyRun {
  readonly server: ChaosServer;
  readonly session: ApiSession;
  readonly workspace: ChaosWorkspace;
  readonly letTimePass: (ms: number) => Promise<void>;
}

/** @param missed the place whose data location the publication does not reach @returns what is wrong */
export async function revokeKey(run: RevokedKeyRun, missed: Place): Promise<string[]> {
  const { session, workspace, server } = run;
  const { orgId, envId } = workspace;
  const body = { environmentId: envId, type: 'secret' } as const;
  const key = await repeat(() => session.call(apiKeyEndpoints.create, { params: { orgId }, body }));
  if (!(await isAcceptedSoon(run, key.value, missed))) return [`A new key is refused in ${missed.location}`];

  await server.setFaults({ unpublished: [missed.location] });
  await repeat(() => remove(session, orgId, key));
  for (let passed = 0; passed <= PROMISE_MS; passed += STEP_MS) {
    await check(run, key.value, missed);
    await sleep(BREATHE_MS);
    await run.letTimePass(STEP_MS);
  }
  const answer = await check(run, key.value, missed);
  await server.setFaults({ unpublished: [] });
  if (answer === 'refused' || answer.warnings.some(({ code }) => code === 'snapshot-stale')) return [];
  return [`A key that was revoked ${PROMISE_MS / 1_000} s ago is accepted in ${missed.location}`];
}

async function isAcceptedSoon(run: RevokedKeyRun, value: string, place: Place): Promise<boolean> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    if ((await check(run, value, place)) !== 'refused') return true;
    await sleep(BREATHE_MS);
  }
  return false;
}

async function check(
  { server, workspace }: RevokedKeyRun,
  secretKey: string,
  place: Place,
): Promise<AccessCheckAnswer | 'refused'> {
  return repeat(async () => {
    const response = await callAt({ baseUrl: server.url, secretKey, place }, 'access-checks', {});
    if (response.status === 401) return 'refused';
    if (!response.ok) throw new Error(`${workspace.envId}: a check answered ${response.status}`);
    return (await response.json()) as AccessCheckAnswer;
  });
}

async function remove(session: ApiSession, orgId: string, { id }: Pick<ApiKey, 'id'>): Promise<void> {
  try {
    await session.call(apiKeyEndpoints.remove, { params: { orgId, keyId: id } });
  } catch (error) {
    // The answer to an earlier attempt was lost.
    if (!(error instanceof ApiCallError && error.status === 404)) throw error;
  }
}

/** Earlier faults may still hold up a call. */
async function repeat<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 10) throw error;
      await sleep(500);
    }
  }
}
