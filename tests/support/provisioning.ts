// Calls of the public API about customers, with a key that manages them.
import { exports } from 'cloudflare:workers';
import { type CustomerTenant, customerTenant } from './customers.ts';
import { publishAll } from './tenants.ts';

export interface Made {
  readonly status: 'success' | 'error';
  readonly requestId: string;
  readonly customer: string;
  readonly changed: boolean;
  readonly replayed: boolean;
  readonly ignored?: readonly string[];
  readonly errorType?: string;
  readonly code?: string;
  readonly message?: string;
  readonly issues?: readonly { readonly path: string; readonly message: string }[];
}

export interface Called<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** @param path below /api/v1/customers */
export async function callCustomers<Body = Made>(
  key: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Called<Body>> {
  const request = new Request(`http://localhost:4001/api/v1/customers${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const response = await exports.default.fetch(request);
  return { status: response.status, headers: response.headers, body: await response.json<Body>() };
}

export interface Provisioner extends CustomerTenant {
  /** Of the preview environment. */
  readonly managing: { readonly id: string; readonly value: string };
  manage<Body = Made>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Called<Body>>;
}

export async function provisioner(): Promise<Provisioner> {
  const own = await customerTenant();
  const managing = await own.tenant.make<{ id: string; value: string }>('POST', '/api-keys', {
    environmentId: own.previewId,
    type: 'secret',
    name: 'Billing server',
    managesCustomers: true,
  });
  await publishAll(own.tenant);
  return { ...own, managing, manage: (...call) => callCustomers(managing.value, ...call) };
}
