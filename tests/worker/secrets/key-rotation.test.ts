// Rotation of ENCRYPTION_KEY: after the schedule has run, every stored secret opens with the new key alone.
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import type { ApiKey } from '#contracts/console/api-keys';
import { expectConsole } from '#tests/support/expect-console';
import { connectedTenant } from '#tests/support/stripe-integrations';
import { newTenant, type Tenant } from '#tests/support/tenants';
import { resealApiKeys } from '#worker/domains/api-keys/reseal-api-keys';
import { resealIntegrations } from '#worker/domains/integrations/stripe/integration/reseal-integrations';
import { openSecret, sealSecret } from '#worker/domains/integrations/stripe/integration/seal-secret';
import { workContext } from '#worker/http/make-work-context';
import worker from '#worker/index';
import { openEncryption, parseKeyring } from '#worker/platform/encryption';

const FORMER = env.ENCRYPTION_KEY ?? '';
const CURRENT = `k2:${new Uint8Array(32).fill(7).toBase64()}`;
const BOTH = `${CURRENT},${FORMER}`;
type Key = Awaited<ReturnType<Tenant['key']>>;

/** On a ten-minute mark. */
const DUE = Date.UTC(2026, 10, 24, 12, 10);

async function runSchedule(keys = BOTH, now = DUE): Promise<void> {
  const ctx = workContext({ ...env, ENCRYPTION_KEY: keys }, () => now);
  await Promise.all([resealApiKeys(ctx), resealIntegrations(ctx)]);
}

/** The Worker with the new key alone. Events are stored only: the queue's consumer has the former key. */
async function withCurrentKey(request: Request): Promise<Response> {
  const context = createExecutionContext();
  const STRIPE_QUEUE = { send: async () => undefined } as unknown as typeof env.STRIPE_QUEUE;
  const response = await worker.fetch(
    request as never,
    { ...env, STRIPE_QUEUE, ENCRYPTION_KEY: CURRENT },
    context,
  );
  await waitOnExecutionContext(context);
  return response;
}

async function keyIds(): Promise<Set<string | undefined>> {
  const { results } = await env.DB.prepare(
    `SELECT sealed_value AS sealed FROM api_key UNION ALL SELECT secret_key FROM stripe_integration UNION ALL
     SELECT webhook_secret FROM stripe_integration UNION ALL SELECT previous_webhook_secret FROM stripe_integration`,
  ).all<{ sealed: string | null }>();
  return new Set(results.flatMap(({ sealed }) => (sealed === null ? [] : [sealed.split('.')[0]])));
}

it('encrypts every secret with the new key, and keys are revealed and webhooks accepted without the former one', async () => {
  const connected = await connectedTenant();
  const { tenant, account, integration } = connected;
  const key = await tenant.key(await tenant.previewId());
  const owner = { orgId: tenant.orgId, id: integration.id };
  const previous = await sealSecret(
    { encryption: openEncryption(parseKeyring(FORMER)) },
    owner,
    'webhook-secret',
    'whsec_previous',
  );
  await env.DB.prepare('UPDATE stripe_integration SET previous_webhook_secret = ? WHERE id = ?')
    .bind(previous, integration.id)
    .run();

  await runSchedule(BOTH, DUE + 60_000);
  await runSchedule(CURRENT);
  expect(await keyIds()).not.toContain('k2');
  const logged = vi.spyOn(console, 'info');
  await runSchedule();
  expect(logged.mock.calls.map(([line]) => JSON.parse(line as string) as unknown)).toEqual(
    expect.arrayContaining(
      ['api_key.sealed_value', 'stripe_integration.webhook_secret'].map((column) =>
        expect.objectContaining({ message: 'secrets encrypted again', column, left: 0 }),
      ),
    ),
  );
  logged.mockRestore();
  expect(await keyIds()).toEqual(new Set(['k2']));

  const revealed = await withCurrentKey(
    new Request(`http://localhost:4001/api/orgs/${tenant.orgId}/api-keys/${key.id}`, {
      headers: { cookie: tenant.user.cookie },
    }),
  );
  expect(await revealed.json<ApiKey>()).toMatchObject({ value: key.value });

  await account.stripe.customers.create({ email: 'rotated@example.com' });
  const statuses: number[] = [];
  await account.deliver(async (request) => {
    const response = await withCurrentKey(request);
    statuses.push(response.status);
    return response;
  }, 'test');
  expect(statuses).toEqual([200]);
  const row = await env.DB.prepare('SELECT * FROM stripe_integration WHERE id = ?')
    .bind(integration.id)
    .first<{ secret_key: string; previous_webhook_secret: string }>();
  const settings = { encryption: openEncryption(parseKeyring(CURRENT)) };
  expect(await openSecret(settings, owner, 'secret-key', row?.secret_key ?? '')).toBe(account.keys.secretKey);
  expect(await openSecret(settings, owner, 'webhook-secret', row?.previous_webhook_secret ?? '')).toBe(
    'whsec_previous',
  );
});

it('skips and names a secret that no key opens, and encrypts the others', async () => {
  const tenant = await newTenant();
  const environmentId = await tenant.previewId();
  const keys = [
    await tenant.key(environmentId),
    await tenant.key(environmentId),
    await tenant.key(environmentId),
  ];
  const sealedOf = async ({ id }: { id: string }) =>
    (await env.DB.prepare('SELECT sealed_value FROM api_key WHERE id = ?')
      .bind(id)
      .first<string>('sealed_value')) ?? '';
  const [altered, lost, whole] = keys as [Key, Key, Key];
  const broken = `${(await sealedOf(altered)).slice(0, -4)}AAAA`;
  const unknown = (await sealedOf(lost)).replace(/^[^.]+/, 'k0');
  for (const [{ id }, sealed] of [
    [altered, broken],
    [lost, unknown],
  ] as const) {
    await env.DB.prepare('UPDATE api_key SET sealed_value = ? WHERE id = ?').bind(sealed, id).run();
  }
  expectConsole(
    'error',
    new RegExp(`stored secrets cannot be decrypted.*api_key\\.sealed_value.*${lost.id}`),
  );
  await runSchedule();
  expect(await sealedOf(altered)).toBe(broken);
  expect(await sealedOf(lost)).toBe(unknown);
  expect(await sealedOf(whole)).toMatch(/^k2\./);
  await env.DB.prepare('DELETE FROM api_key WHERE org_id = ?').bind(tenant.orgId).run();
});

it('leaves a secret that changes meanwhile as it is', async () => {
  const tenant = await newTenant();
  const { id } = await tenant.key(await tenant.previewId());
  const encrypt = crypto.subtle.encrypt.bind(crypto.subtle);
  const change = vi.spyOn(crypto.subtle, 'encrypt').mockImplementationOnce(async (...args) => {
    await env.DB.prepare("UPDATE api_key SET sealed_value = 'changed' WHERE id = ?").bind(id).run();
    return encrypt(...args);
  });
  await resealApiKeys(workContext({ ...env, ENCRYPTION_KEY: BOTH }, () => DUE));
  change.mockRestore();
  expect(
    await env.DB.prepare('SELECT sealed_value FROM api_key WHERE id = ?').bind(id).first('sealed_value'),
  ).toBe('changed');
});
