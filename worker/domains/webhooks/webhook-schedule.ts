/** What the schedule does for webhooks. */
import type { WorkContext } from '#worker/http/request-context';
import { everyMinutes, type Schedule } from '#worker/queue/schedule';
import { forgetDeliveries } from './deliveries.ts';
import { forgetToldCustomers } from './forget-told-customers.ts';
import { resealWebhooks } from './secrets.ts';
import { wakeDueWebhooks } from './wake-webhooks.ts';

export const WEBHOOK_SCHEDULE: Schedule<WorkContext> = {
  'wake-webhooks': wakeDueWebhooks,
  'forget-deliveries': everyMinutes(60, forgetDeliveries),
  'forget-told-customers': everyMinutes(24 * 60, forgetToldCustomers),
  'reseal-webhooks': resealWebhooks,
};
