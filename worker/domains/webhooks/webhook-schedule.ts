/** What the schedule does for webhooks. */
import type { WorkContext } from '#worker/http/request-context';
import { everyMinutes, type Schedule } from '#worker/queue/schedule';
import { forgetDeliveries } from './deliveries.ts';
import { resealWebhooks } from './secrets.ts';
import { wakeDueWebhooks } from './wake-webhooks.ts';

export const WEBHOOK_SCHEDULE: Schedule<WorkContext> = {
  'wake-webhooks': wakeDueWebhooks,
  'forget-deliveries': everyMinutes(60, forgetDeliveries),
  'reseal-webhooks': resealWebhooks,
};
