// A receiver takes what Tessera signed within the last five minutes, and nothing else.
import { Webhook } from 'standardwebhooks';
import { afterEach, expect, test, vi } from 'vitest';
import { readWebhook, webhookRequest } from '#sdk/webhooks';

afterEach(() => void vi.useRealTimers());

const SECRET = `whsec_${btoa('a secret of thirty-two bytes, yes')}`;
const OTHER = `whsec_${btoa('another one of thirty-two bytes.')}`;
const event = { type: 'webhook.test', data: { message: 'Is this here?' } } as const;
const refused = { name: 'TesseraError', type: 'unauthenticated', code: 'invalid-signature' };

test('an event is read with each of its secrets', async () => {
  const at = new Date('2026-11-28T15:00:00Z');
  for (const secrets of [[SECRET], [OTHER, SECRET]]) {
    const request = await webhookRequest({ ...event, id: 'evt_1', at }, SECRET);
    expect(await readWebhook(request, secrets)).toEqual({ ...event, id: 'evt_1', at });
  }
});

test('a request for a test is one by Standard Webhooks', async () => {
  const request = await webhookRequest(event, SECRET);
  const sent = new Webhook(SECRET).verify(await request.text(), Object.fromEntries(request.headers));
  expect(sent).toMatchObject(event);
});

test('what Standard Webhooks signs with two secrets is read with either', async () => {
  const body = JSON.stringify({ id: 'evt_2', ...event, timestamp: '2026-11-28T15:00:00.000Z' });
  const now = new Date();
  const signatures = [SECRET, OTHER].map((secret) => new Webhook(secret).sign('evt_2', now, body));
  for (const secret of [SECRET, OTHER]) {
    const headers = {
      'webhook-id': 'evt_2',
      'webhook-timestamp': `${Math.floor(now.getTime() / 1000)}`,
      'webhook-signature': `v1a,unknown ${signatures.join(' ')}`,
    };
    const request = new Request('https://app.example/', { method: 'POST', headers, body });
    expect(await readWebhook(request, [secret])).toMatchObject({ id: 'evt_2', ...event });
  }
});

test.each<[string, (request: Request) => Request | Promise<Request>]>([
  ['another secret', () => webhookRequest(event, OTHER)],
  ['another body', (request) => new Request(request, { body: '{}' })],
  ['another id', (request) => withHeader(request, 'webhook-id', 'evt_2')],
  [
    'another time',
    (request) => withHeader(request, 'webhook-timestamp', `${Math.floor(Date.now() / 1000) - 1}`),
  ],
  ['no signature', (request) => withHeader(request, 'webhook-signature', '')],
  ['a signature that is no base64', (request) => withHeader(request, 'webhook-signature', 'v1,%%%')],
  ['no time', (request) => withHeader(request, 'webhook-timestamp', '')],
  ['a time that is none', (request) => withHeader(request, 'webhook-timestamp', 'yesterday')],
])('a request with %s is refused', async (_, change) => {
  const request = await change(await webhookRequest(event, SECRET));
  await expect(readWebhook(request, [SECRET])).rejects.toMatchObject(refused);
});

test('without a secret nothing is read, and the error says so', async () => {
  for (const secrets of [[], [''], [undefined as unknown as string]]) {
    await expect(readWebhook(await webhookRequest(event, SECRET), secrets)).rejects.toMatchObject({
      type: 'invalid-request',
      message: 'No secret of the webhook was given',
    });
  }
});

test('with a secret that is none every request is refused', async () => {
  for (const secret of ['whsec_', 'whsec_%%%'])
    await expect(readWebhook(await webhookRequest(event, SECRET), [secret])).rejects.toMatchObject(refused);
});

test.each([-6, 6])('a request is refused %d minutes later', async (minutes) => {
  const request = await webhookRequest(event, SECRET);
  vi.useFakeTimers({ now: Date.now() + minutes * 60_000, toFake: ['Date'] });
  await expect(readWebhook(request, [SECRET])).rejects.toMatchObject(refused);
});

function withHeader(request: Request, name: string, value: string): Request {
  const changed = new Request(request);
  changed.headers.set(name, value);
  return changed;
}
