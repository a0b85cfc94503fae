// The conformance suite against the Worker in this process, with an organisation that is blocked.
import { env, exports } from 'cloudflare:workers';
import { afterAll, vi } from 'vitest';
import { createCreditsWorkspace } from '#lab/fixtures/create-documented-workspace';
import { clockDifference } from '#objects/ledger/bound-time';
import { describeConformance } from '#tests/conformance/suite/describe-conformance';
import { send } from '#tests/support/access-checks';
import { documentedWorkspace } from '#tests/support/documented-workspace';
import { newTenant, publishAll } from '#tests/support/tenants';
import { newWorkspace } from '#tests/support/workspaces';

/** A key of an organisation over its allowance. */
async function newBlockedKey(): Promise<string> {
  const tenant = await newTenant();
  const { value } = await tenant.key(await tenant.previewId());
  await env.DB.batch([
    env.DB.prepare(
      "UPDATE organization SET block_reason = 'The monthly allowance is reached' WHERE id = ?",
    ).bind(tenant.orgId),
    env.DB.prepare('UPDATE environment SET generation = generation + 1 WHERE org_id = ?').bind(tenant.orgId),
  ]);
  await newWorkspace(tenant);
  await publishAll(tenant);
  if ((await send(value)).status !== 429) throw new Error('The organisation is not blocked');
  return value;
}

async function newCreditsKey(): Promise<string> {
  const tenant = await newTenant();
  const key = await createCreditsWorkspace(tenant, await tenant.previewId());
  await publishAll(tenant);
  return key;
}

const { ms } = clockDifference;
/** @param to null: back to the present */
function moveClock(to: number | null): void {
  vi.useRealTimers();
  clockDifference.ms = to === null ? ms : Number.POSITIVE_INFINITY;
  if (to !== null) vi.useFakeTimers({ toFake: ['Date'], now: to });
}
afterAll(() => moveClock(null));

describeConformance(async () => {
  const { keys, signer } = await documentedWorkspace();
  return {
    secretKey: keys.secret,
    publicKey: keys.public,
    blockedKey: await newBlockedKey(),
    creditsKey: await newCreditsKey(),
    moveClock,
    sign: signer.sign,
    fetch: (path, init) => exports.default.fetch(new Request(`http://localhost:4001${path}`, init)),
  };
});
