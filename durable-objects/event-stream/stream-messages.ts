/** Queue messages about what appended events have caused. Sent after the commit; what fails is sent again. */

import type { Sightings } from '#contracts/internal/seen-customers';
import { log } from '#runtime/log';
import type { CustomersSeen } from '#runtime/messages';
import { bytesOf, MAX_MESSAGE_BYTES, sendMessage } from '#runtime/send-message';
import type { ObjectEnv } from '../stubs.ts';
import type { KillRates } from './kill-rates.ts';
import type { Settings } from './settings.ts';
import type { UsageLevels } from './usage-levels.ts';

export interface MessageSources {
  readonly settings: Settings;
  readonly levels: UsageLevels;
  readonly killRates: KillRates;
}

export class StreamMessages {
  readonly #env: ObjectEnv;
  readonly #sources: MessageSources;

  constructor(env: ObjectEnv, sources: MessageSources) {
    this.#env = env;
    this.#sources = sources;
  }

  /**
   * Queues a message for each due usage level.
   * @param setAlarm sets the alarm that repeats it; called before the first await, so that it commits together with the levels
   */
  async sendDueLevels(now: number, setAlarm: () => Promise<void>): Promise<void> {
    const { settings, levels } = this.#sources;
    const orgId = settings.get('org_id');
    const due = levels.takeDue(now);
    if (orgId === undefined || due.length === 0) return;
    const isAlarmSet = setAlarm();
    try {
      for (const passed of due)
        await sendMessage(this.#env, { type: 'usage.level-passed', orgId, ...passed });
    } catch (error) {
      log.error('a usage level could not be queued', { orgId, error });
    }
    await isAlarmSet;
  }

  /** Queues a message for each workflow of whose runs too many were killed. The next kill repeats what failed. */
  async sendKills(): Promise<void> {
    const { settings, killRates } = this.#sources;
    const orgId = settings.get('org_id');
    if (orgId === undefined) return;
    try {
      for (const rate of killRates.takeReached()) {
        await sendMessage(this.#env, { type: 'workflow.killed-repeatedly', orgId, ...rate });
      }
    } catch (error) {
      log.error('the kills of a workflow could not be queued', { orgId, error });
    }
  }

  /**
   * Queues the customers seen since the last report. A message that is too large for the queue is logged and skipped, because
   * another attempt would fail as well.
   * @throws if the queue does not accept messages for now
   */
  async sendSightings(sightings: Sightings, resolutionMs: number): Promise<void> {
    const orgId = this.#sources.settings.get('org_id');
    if (orgId === undefined) return;
    const message: CustomersSeen = { type: 'customers.seen', orgId, ...sightings, resolutionMs };
    const bytes = bytesOf(message);
    if (bytes <= MAX_MESSAGE_BYTES) await sendMessage(this.#env, message);
    else log.error('seen customers are too many for one message', { orgId, bytes });
  }
}
