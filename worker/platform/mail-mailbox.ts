/**
 * The development mailbox: every mail that was sent, newest first. It is kept in R2 so that it is the same for every
 * isolate and outlives a restart; only development writes and reads it.
 */
import { newId } from '#runtime/ids';
import type { MailMessage } from './mail-message.ts';

export interface KeptMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly links: readonly string[];
  /** Epoch milliseconds. */
  readonly at: number;
}

const PREFIX = 'development/mail/';
/** R2 lists by name, ascending: counting down from here puts the newest first. */
const LAST_INSTANT = 9_999_999_999_999;
const SHOWN = 100;

/** @param now epoch milliseconds */
export async function keepInMailbox(bucket: R2Bucket, message: MailMessage, now: number): Promise<void> {
  const { to, subject, text } = message;
  const mail: KeptMail = { to, subject, text, links: linksIn(text), at: now };
  const order = String(LAST_INSTANT - now).padStart(13, '0');
  await bucket.put(`${PREFIX}${order}-${newId('id', now)}`, JSON.stringify(mail), { customMetadata: { to } });
}

/** The newest hundred; with `to` those among them that went to this email, read without the others. */
export async function readMailbox(bucket: R2Bucket, to?: string): Promise<KeptMail[]> {
  const { objects } = await bucket.list({ prefix: PREFIX, limit: SHOWN, include: ['customMetadata'] });
  const wanted = objects.filter(({ customMetadata }) => to === undefined || customMetadata?.to === to);
  const mails = await Promise.all(
    wanted.map(async ({ key }) => {
      const object = await bucket.get(key);
      return object === null ? [] : [await object.json<KeptMail>()];
    }),
  );
  return mails.flat();
}

function linksIn(text: string): string[] {
  return [...text.matchAll(/https?:\/\/[^\s<>"]+/g)].map(([link]) => link);
}
