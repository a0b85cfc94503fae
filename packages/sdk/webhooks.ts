/**
 * What Tessera tells your server: signed requests by Standard Webhooks 1.0. An event is sent at least once and in any order. Everything
 * public of this entry is declared here.
 */
import { readSigned, signedRequest } from './core/read-webhook.ts';

interface Happened<Type extends string, Data> {
  /** The same each time that the event is sent. */
  readonly id: string;
  readonly type: Type;
  readonly at: Date;
  /** The state afterwards. */
  readonly data: Data;
}

interface ToldEnvironment {
  readonly id: string;
  readonly name: string;
  readonly type: 'live' | 'test';
}

/** A meter is `on`, `off`, or has a limit. */
export type ToldValue =
  | boolean
  | number
  | string
  | {
      readonly limit: number;
      readonly periodType: string;
      readonly periodCount?: number;
      readonly periodLength?: 'hour' | 'day' | 'month';
    };

/** A newer server may send other types: ignore those that you do not know. */
export type WebhookEvent =
  | Happened<
      'customer.entitlements_changed',
      {
        readonly environment: ToldEnvironment;
        /** Rises with each change of the customer: what arrives with a lower one than you have seen is outdated. */
        readonly sequence: number;
        readonly customer: {
          readonly id: string;
          /** Your own ids of the customer, from metadata. */
          readonly userIds: readonly string[];
        };
        readonly cause: 'subscription' | 'grant' | 'override' | 'balance' | 'expiry' | 'other';
        /** Slugs of the plans that apply now. */
        readonly plans: readonly string[];
        /** Features (`exports`) and properties (`exports.formats`) that are on now and were not. */
        readonly gained: readonly string[];
        readonly lost: readonly string[];
        /** Every property whose value changed, by its path. */
        readonly values: { readonly [path: string]: { readonly from: ToldValue; readonly to: ToldValue } };
      }
    >
  | Happened<
      'environment.deployed',
      {
        readonly environment: ToldEnvironment;
        /** Number of the version that is in force now. */
        readonly version: number;
        readonly previousVersion: number | null;
        readonly note: string | null;
        readonly isRollback: boolean;
      }
    >
  | Happened<'webhook.test', { readonly message: string }>;

/**
 * Reads an event, and makes sure that Tessera sent it within the last five minutes. The body must not have been read or parsed.
 * @param secrets `whsec_…` of the webhook; during a rotation, both
 * @throws {TesseraError} unauthenticated with the code `invalid-signature`: answer with 401; invalid-request without a secret
 */
export function readWebhook(request: Request, secrets: readonly string[]): Promise<WebhookEvent> {
  return readSigned(request, secrets) as Promise<WebhookEvent>;
}

/** `type` and `data`, and what a test is about. */
export type SentEvent = WebhookEvent extends infer Event
  ? Event extends WebhookEvent
    ? Pick<Event, 'type' | 'data'> & { readonly id?: string; readonly at?: Date }
    : never
  : never;

/** For tests of what receives webhooks: the request that Tessera would send. @param secret `whsec_…`, the receiver's */
export function webhookRequest(
  event: SentEvent,
  secret: string,
  url: string = 'https://app.example/webhooks',
): Promise<Request> {
  return signedRequest({ id: 'evt_test', at: new Date(), ...event }, secret, url);
}
