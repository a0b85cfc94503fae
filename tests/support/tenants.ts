// A tenant to test with: an account with an organisation of its own, and short calls to its API.
import { createMessageBatch } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { DeploymentStatus } from '#contracts/console/artifacts';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import { LOCATIONS, type Location } from '#contracts/public/locations';
import type { QueueMessage } from '#runtime/messages';
import worker from '#worker/index';
import type { Workspace } from '../../dev/workspace/build-workspace.ts';
import { callerOf } from '../../dev/workspace/endpoint-caller.ts';
import { newOrganisation, type SignedIn, signedIn } from './accounts.ts';

export interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

export interface Tenant extends Workspace {
  readonly user: SignedIn;
  /** `path` below /api/orgs/:orgId. */
  call<T = never>(method: string, path: string, body?: unknown): Promise<Answer<T>>;
  /** As `call`; throws where the answer is not 2xx. */
  make<T = { id: string }>(method: string, path: string, body?: unknown): Promise<T>;
  /** ID of the preview environment. */
  previewId(): Promise<string>;
  key(environmentId: string, type?: ApiKeyType): Promise<{ id: string; value: string }>;
}

export async function newTenant(): Promise<Tenant> {
  const user = await signedIn();
  const { orgId } = await newOrganisation(user);
  return tenantOf(user, orgId);
}

export function tenantOf(user: SignedIn, orgId: string): Tenant {
  const call: Tenant['call'] = async (method, path, body) => {
    const response = await user.fetch(`/api/orgs/${orgId}${path}`, {
      method,
      ...(body === undefined ? {} : { json: body }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as never };
  };
  const make: Tenant['make'] = async (method, path, body) => {
    const answer = await call(method, path, body);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return {
    user,
    orgId,
    session: callerOf((method, path, json) => user.fetch(path, { method, json })),
    call,
    make,
    async previewId() {
      const status = await make<DeploymentStatus>('GET', '/deployments?previewOnly=true');
      const [preview] = status.environments;
      if (preview === undefined) throw new Error('The organisation has no preview environment');
      return preview.environmentId;
    },
    key: (environmentId, type = 'secret') => make('POST', '/api-keys', { environmentId, type }),
  };
}

/** Enables these data locations, and no others. */
export async function enableLocations(tenant: Tenant, ...enabled: readonly Location[]): Promise<void> {
  const locations = Object.fromEntries(LOCATIONS.map((each) => [each, enabled.includes(each)]));
  await tenant.make('PUT', '/data-locations', { locations });
}

/** Delivers these messages to the Worker as one batch. */
export async function deliver(queue: string, messages: readonly QueueMessage[]): Promise<void> {
  const batch = createMessageBatch<QueueMessage>(
    queue,
    messages.map((body, index) => ({ id: `${index}`, timestamp: new Date(), attempts: 1, body })),
  );
  await worker.queue(batch, env);
}

export async function outboxMessages(orgId: string): Promise<QueueMessage[]> {
  const { results } = await env.DB.prepare('SELECT payload FROM outbox WHERE org_id = ? ORDER BY id')
    .bind(orgId)
    .all<{ payload: string }>();
  return results.map(({ payload }) => JSON.parse(payload) as QueueMessage);
}

/** Works off everything that the organisation has to publish. */
export async function publishAll({ orgId }: Pick<Tenant, 'orgId'>): Promise<void> {
  for (let round = 0; round < 10; round++) {
    const messages = await outboxMessages(orgId);
    if (messages.length === 0) return;
    await deliver('tessera-publish', messages);
  }
  throw new Error('The outbox does not become empty');
}
