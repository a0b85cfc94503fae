/** What each template consists of. No two share a slug, so that an organisation can have all of them. */
import type { z } from 'zod';
import type { createFeatureSchema, createPropertySchema } from '#contracts/console/features';
import type { createPlanSchema } from '#contracts/console/plans';
import type { TemplateId } from '#contracts/console/templates';
import type { MeterableValue, PropertyValue } from '#contracts/public/values';

export interface TemplateFeature extends z.output<typeof createFeatureSchema> {
  readonly properties: readonly TemplateProperty[];
}

interface TemplateProperty extends Omit<z.output<typeof createPropertySchema>, 'costs'> {
  /** Of a meter of a feature before it. */
  readonly costs?: MeterPath & { readonly per: number };
}

/** A feature's slug and a property's key. */
interface MeterPath {
  readonly feature: string;
  readonly property: string;
}

export interface TemplatePlan extends z.output<typeof createPlanSchema> {
  /** By feature slug and property key; a feature that is listed is on. */
  readonly values: Readonly<Record<string, Readonly<Record<string, PropertyValue>>>>;
}

export interface Template {
  readonly features: readonly TemplateFeature[];
  /** The example customer has the first. */
  readonly plans: readonly [TemplatePlan, ...TemplatePlan[]];
  /** Slugs of features, by the example customer's verdict. */
  readonly allowed: string;
  readonly notInPlan: string;
  /** The limit that the example customer has used up. */
  readonly atLimit: MeterPath & { readonly used: number };
  /** What it has used beside it. */
  readonly used?: MeterPath & { readonly used: number };
  /** What it has bought. */
  readonly bought?: MeterPath & { readonly name: string; readonly amount: number };
}

const number = (name: string, propertyKey: string): TemplateProperty => ({
  name,
  propertyKey,
  type: 'number',
  value: 0,
  conflictResolution: 'higher',
});

const meter = (name: string, propertyKey: string, costs?: TemplateProperty['costs']): TemplateProperty => ({
  name,
  propertyKey,
  type: 'meterable',
  value: { state: 'off' },
  conflictResolution: 'higher',
  ...(costs && { costs }),
});

const CREDITS: MeterPath = { feature: 'ai-calls', property: 'credits' };
const credits = (per: number) => ({ ...CREDITS, per });

/** Limited by what pays for it alone. */
const PAID: MeterableValue = { state: 'on' };

const total = (limit: number): MeterableValue => ({
  state: 'metered',
  meter: { limit, periodType: 'lifetime', uniqueResourceIds: false },
});

/** In a calendar month, which is what "a month" means to a newcomer. */
const monthly = (limit: number): MeterableValue => ({
  state: 'metered',
  meter: { limit, periodType: 'rolling', periodCount: 1, periodLength: 'month', uniqueResourceIds: false },
});

/** In a month of the customer's own billing: the quota comes with what was paid. */
const everyBillingMonth = (limit: number): MeterableValue => ({
  state: 'metered',
  meter: { limit, periodType: 'billing', periodCount: 1, periodLength: 'month', uniqueResourceIds: false },
});

export const TEMPLATES: Readonly<Record<TemplateId, Template>> = {
  seats: {
    features: [
      { name: 'Seats', slug: 'seats', properties: [meter('Members', 'members')] },
      { name: 'Audit log', slug: 'audit-log', properties: [number('Days kept', 'days')] },
      { name: 'Single sign-on', slug: 'sso', properties: [] },
    ],
    plans: [
      { name: 'Team', slug: 'team', values: { seats: { members: total(3) }, 'audit-log': { days: 30 } } },
      {
        name: 'Business',
        slug: 'business',
        values: { seats: { members: total(25) }, 'audit-log': { days: 365 }, sso: {} },
      },
    ],
    allowed: 'audit-log',
    notInPlan: 'sso',
    atLimit: { feature: 'seats', property: 'members', used: 3 },
  },
  'api-limits': {
    features: [
      { name: 'API', slug: 'api', properties: [meter('Requests', 'requests')] },
      { name: 'Webhooks', slug: 'webhooks', properties: [number('Endpoints', 'endpoints')] },
      { name: 'Priority support', slug: 'priority-support', properties: [] },
    ],
    plans: [
      {
        name: 'Starter',
        slug: 'starter',
        values: { api: { requests: monthly(1_000) }, webhooks: { endpoints: 2 } },
      },
      {
        name: 'Scale',
        slug: 'scale',
        values: { api: { requests: monthly(100_000) }, webhooks: { endpoints: 20 }, 'priority-support': {} },
      },
    ],
    allowed: 'webhooks',
    notInPlan: 'priority-support',
    atLimit: { feature: 'api', property: 'requests', used: 1_000 },
  },
  'ai-tokens': {
    features: [
      { name: 'Assistant', slug: 'assistant', properties: [meter('Tokens', 'tokens')] },
      { name: 'Chat history', slug: 'chat-history', properties: [number('Days kept', 'days')] },
      { name: 'Fine-tuning', slug: 'fine-tuning', properties: [] },
    ],
    plans: [
      {
        name: 'Hobby',
        slug: 'hobby',
        values: { assistant: { tokens: monthly(100_000) }, 'chat-history': { days: 7 } },
      },
      {
        name: 'Pro',
        slug: 'pro',
        values: {
          assistant: { tokens: monthly(2_000_000) },
          'chat-history': { days: 90 },
          'fine-tuning': {},
        },
      },
    ],
    allowed: 'chat-history',
    notInPlan: 'fine-tuning',
    atLimit: { feature: 'assistant', property: 'tokens', used: 100_000 },
  },
  'ai-credits': {
    features: [
      { name: 'AI calls', slug: 'ai-calls', properties: [meter('Credits', 'credits')] },
      { name: 'Chat', slug: 'chat', properties: [meter('Tokens', 'tokens', credits(0.1))] },
      { name: 'Images', slug: 'images', properties: [meter('Generations', 'generations', credits(4))] },
      { name: 'Video', slug: 'video', properties: [meter('Seconds', 'seconds', credits(20))] },
    ],
    plans: [
      {
        name: 'AI Free',
        slug: 'ai-free',
        values: {
          'ai-calls': { credits: everyBillingMonth(100) },
          chat: { tokens: PAID },
          images: { generations: everyBillingMonth(25) },
        },
      },
      {
        name: 'AI Pro',
        slug: 'ai-pro',
        values: {
          'ai-calls': { credits: everyBillingMonth(5_000) },
          chat: { tokens: PAID },
          images: { generations: PAID },
          video: { seconds: PAID },
        },
      },
    ],
    allowed: 'chat',
    notInPlan: 'video',
    atLimit: { feature: 'images', property: 'generations', used: 25 },
    used: { ...CREDITS, used: 140 },
    bought: { ...CREDITS, name: 'example-500-credits', amount: 500 },
  },
};
