/**
 * Sends mail through Cloudflare's `send_email`. A failed email never rolls back the change it reports: it is logged,
 * and everyone who waits for one can request another. In development each message is also kept in the mailbox.
 */

import type { Log } from '#runtime/log';
import type { Env } from '#worker/env';
import type { Settings } from '#worker/settings';
import { keepInMailbox } from './mail-mailbox.ts';
import type { MailMessage } from './mail-message.ts';

/** @param now epoch milliseconds */
export async function sendMail(
  env: Env,
  settings: Settings,
  message: MailMessage,
  now: number,
  log: Log,
): Promise<void> {
  try {
    await deliverMail(env, settings, message, now);
  } catch (error) {
    log.error('a mail could not be sent', { subject: message.subject, error });
  }
}

/**
 * For mail that users cannot request again: the caller retries.
 * @param now epoch milliseconds
 * @throws what the sending fails with
 */
export async function deliverMail(
  env: Env,
  settings: Settings,
  message: MailMessage,
  now: number,
): Promise<void> {
  if (settings.isDevelopment) await keepInMailbox(env.ARTIFACTS, message, now);
  const { to, subject, text, html } = message;
  try {
    await env.EMAIL.send({ from: senderOf(settings.mailFrom), to, subject, text, html });
  } catch (error) {
    // Locally nothing is delivered anyway: the mailbox has it.
    if (!settings.isDevelopment) throw error;
  }
}

/** `Name <address>`, or an address alone. */
function senderOf(text: string): string | EmailAddress {
  const [, name, email] = /^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/.exec(text) ?? [];
  return name && email ? { name, email } : (email ?? text.trim());
}
