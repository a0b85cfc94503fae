/** A signed request: its event, unless somebody else sent it or it is old. */
import { isSignedWebhook, signWebhook, WEBHOOK_HEADERS } from '#contracts/public/webhook-signature';
import { RaisedError } from './error.ts';

interface SignedEvent {
  readonly id: string;
  readonly at: Date;
  readonly type: string;
  readonly data: unknown;
}

/** A request that is replayed later is refused. The sender's clock and ours may differ by as much. */
const TOLERANCE_S = 300;

export async function readSigned(request: Request, secrets: readonly string[]): Promise<SignedEvent> {
  const [id, time, signatures] = [
    WEBHOOK_HEADERS.id,
    WEBHOOK_HEADERS.timestamp,
    WEBHOOK_HEADERS.signature,
  ].map((name) => request.headers.get(name) ?? '') as [string, string, string];
  if (!secrets.some(Boolean)) throw new RaisedError('invalid-request', 'No secret of the webhook was given');
  const body = await request.text();
  const timestamp = Number(time);
  if (!(Math.abs(Date.now() / 1000 - timestamp) <= TOLERANCE_S))
    throw refused('is not from the last five minutes');
  if (!(await isSignedWebhook(secrets, { id, timestamp, body }, signatures))) {
    throw refused('is not signed with a secret of the webhook');
  }
  const { timestamp: at, ...event } = JSON.parse(body);
  return { ...event, at: new Date(at) };
}

const refused = (why: string) =>
  new RaisedError('unauthenticated', `The request ${why}`, { code: 'invalid-signature' });

/** As Tessera sends it, now. */
export async function signedRequest(
  { id, at, ...event }: SignedEvent,
  secret: string,
  url: string,
): Promise<Request> {
  const timestamp = Math.floor(Date.now() / 1000);
  const body = JSON.stringify({ id, ...event, timestamp: at.toISOString() });
  return new Request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [WEBHOOK_HEADERS.id]: id,
      [WEBHOOK_HEADERS.timestamp]: `${timestamp}`,
      [WEBHOOK_HEADERS.signature]: await signWebhook([secret], { id, timestamp, body }),
    },
    body,
  });
}
