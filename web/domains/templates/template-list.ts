/** The templates as a choice. */
import type { TemplateId } from '#contracts/console/templates';

export interface TemplateChoice {
  readonly id: TemplateId;
  readonly title: string;
  readonly description: string;
}

export const TEMPLATE_CHOICES: readonly TemplateChoice[] = [
  {
    id: 'seats',
    title: 'Seats',
    description: 'Team includes 3 seats and 30 days of audit log. Single sign-on needs Business.',
  },
  {
    id: 'api-limits',
    title: 'API limits',
    description: 'Starter includes 1,000 requests a month and 2 webhooks. Priority support needs Scale.',
  },
  {
    id: 'ai-tokens',
    title: 'AI tokens',
    description: 'Hobby includes 100,000 tokens a month and 7 days of history. Fine-tuning needs Pro.',
  },
  {
    id: 'ai-credits',
    title: 'AI credits',
    description: 'AI Free includes 100 credits every billing month, for chat and images. Video needs AI Pro.',
  },
];
