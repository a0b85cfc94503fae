import { env, exports } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventStreamStub } from '#objects/stubs';
import { check } from '#tests/support/access-checks';
import { newTenant, publishAll, type Tenant } from '#tests/support/tenants';
import { eventIdOf } from '#worker/domains/access/calls/record-call';
import { CallerGone } from '#worker/http/api-error';
import { readText } from '#worker/http/read-json';

const TEXT = new TextEncoder().encode('{"name":');

const closing = () =>
  new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(TEXT),
    pull: (controller) => controller.error(new Error('the connection closed')),
  });

/** A body of 100 bytes whose connection closes after the first ones. */
function unfinished(): ReadableStream {
  const { readable, writable } = new FixedLengthStream(100);
  void closing()
    .pipeTo(writable)
    .catch(() => undefined);
  return readable;
}

describe('a caller who hangs up before the body is complete', () => {
  let tenant: Tenant;
  let key: string;
  const info = vi.spyOn(console, 'info');

  beforeAll(async () => {
    tenant = await newTenant();
    key = (await tenant.key(await tenant.previewId())).value;
    await publishAll(tenant);
  });

  afterEach(() => info.mockClear());

  const send = (path: string, headers: Record<string, string>) =>
    exports.default.fetch(
      new Request(`http://localhost:4001${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: unfinished(),
      }),
    );

  it.each([
    ['an access check', 'access-checks'],
    ['a counter update', 'counter-updates'],
  ])('of %s leaves no event and no error, only a line of level info', async (_what, path) => {
    const response = await send(`/api/v1/${path}`, { authorization: `Bearer ${key}` });
    const requestId = response.headers.get('x-request-id') ?? '';
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'body-incomplete' });
    const lines = info.mock.calls.map(([line]) => JSON.parse(String(line)) as object);
    expect(lines).toContainEqual({ level: 'info', message: 'a caller hung up', requestId });

    const later = await check(key);
    const stream = await eventStreamStub(env, tenant.orgId, undefined);
    await expect.poll(() => stream.get(eventIdOf(later.requestId))).not.toBeNull();
    expect(await stream.get(eventIdOf(requestId))).toBeNull();
  });

  it('is told apart whether or not the length was announced', async () => {
    for (const headers of ['', '100'].map(
      (length) => new Headers(length ? { 'content-length': length } : {}),
    )) {
      const request = new Request('http://localhost:4001', { method: 'POST', headers, body: closing() });
      await expect(readText(request, 1_000)).rejects.toBeInstanceOf(CallerGone);
    }
  });

  it('of the console is no error either', async () => {
    const response = await send('/api/auth/sign-in/email', { origin: 'http://localhost:4001' });
    expect(response.status).toBe(400);
    expect(info.mock.calls.flat().join()).toContain('a caller hung up');
  });

  it('of a Stripe webhook is no error either', async () => {
    const headers = { 'stripe-signature': 't=1,v1=00' };
    const response = await send('/api/webhooks/stripe/int_none', headers);
    expect(response.status).toBe(400);
    expect(info.mock.calls.flat().join()).toContain('a caller hung up');
  });
});
