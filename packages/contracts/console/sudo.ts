/** Console API of the sudo area: organisations and users across tenants, and dead letters. */
import { z } from 'zod';
import { sudo } from '../public/endpoint.ts';
import { instantSchema, nameSchema, optionalTextSchema } from '../public/text.ts';
import { billingPlanSchema } from './organisations.ts';

/** Maximum characters of a search text. */
export const MAX_SUDO_SEARCH = 30;
/** Maximum rows of a search. There are no further pages; refine the search instead. */
export const SUDO_SEARCH_ROWS = 100;

const searchSchema = z.strictObject({
  /** Part of a name, an id or an email address; empty: the newest. */
  search: z.string().trim().max(MAX_SUDO_SEARCH, `Must be at most ${MAX_SUDO_SEARCH} characters`).default(''),
});

export const sudoOrganisationSchema = z.object({
  id: z.string(),
  name: z.string(),
  planDisplayName: z.string(),
  /** `blockReason` is one word, such as `usage`. */
  block: z.object({ isBlocked: z.boolean(), blockReason: z.string().nullable() }),
});
export type SudoOrganisation = z.infer<typeof sudoOrganisationSchema>;

export const sudoOrganisationSummarySchema = sudoOrganisationSchema.extend({
  plan: billingPlanSchema,
  activeStripeCustomerId: z.string().nullable(),
  activeStripeSubscriptionId: z.string().nullable(),
  updatedAt: instantSchema,
});
export type SudoOrganisationSummary = z.infer<typeof sudoOrganisationSummarySchema>;

/** Empty text is null, too. */
const stripeIdSchema = optionalTextSchema(200);

export const updateSudoOrganisationSchema = z
  .strictObject({
    plan: billingPlanSchema,
    activeStripeCustomerId: stripeIdSchema,
    activeStripeSubscriptionId: stripeIdSchema,
    /** Optimistic lock: the `updatedAt` that was edited. */
    updatedAt: instantSchema,
  })
  .partial();

export const sudoUserSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  enabled: z.boolean(),
  sudo: z.boolean(),
  memberOrganisations: z.array(z.object({ id: z.string(), name: z.string() })),
  createdAt: instantSchema,
  updatedAt: instantSchema,
});
export type SudoUser = z.infer<typeof sudoUserSchema>;

export const updateSudoUserSchema = z
  .strictObject({
    name: nameSchema,
    email: z
      .email('Enter a full email, for example ada@example.com')
      .max(254, 'Must be at most 254 characters'),
    emailVerified: z.boolean(),
    enabled: z.boolean(),
    /** Optimistic lock: the `updatedAt` that was edited. */
    updatedAt: instantSchema,
  })
  .partial();

/** A queue message that failed all its attempts. */
export const deadLetterSchema = z.object({
  id: z.string(),
  queue: z.string(),
  /** The message's id. */
  type: z.string(),
  orgId: z.string().nullable(),
  /** The message without its events. */
  body: z.unknown(),
  attempts: z.int(),
  diedAt: instantSchema,
});
export type DeadLetter = z.infer<typeof deadLetterSchema>;

/** Maintenance actions on an organisation; each has its own path. */
export const SUDO_ACTIONS = {
  'clear-usage-blocks': 'Lift the usage block for the rest of the month',
  'billable-usage-publish': 'Count the usage up to this hour and report it to Stripe',
  'preview-environment-publish': 'Build the workspace and publish it to the preview environment',
  'environment-variants-update': 'Publish every environment to each of its regions again',
  'rebuild-log-index': 'Build event search and metrics again from the stored events',
  'publish-stripe-lookups':
    'Create what is missing for Grow in Tessera’s Stripe account: product, meter, prices and billing portal',
} as const;
export type SudoAction = keyof typeof SUDO_ACTIONS;

/** The response describes the result. */
const action = <const Name extends SudoAction>(name: Name) =>
  sudo.post(`/api/sudo/orgs/:orgId/${name}`, {
    summary: SUDO_ACTIONS[name],
    changes: ['everything'],
    answer: z.object({ message: z.string() }),
  });

export const sudoEndpoints = {
  searchOrganisations: sudo.get('/api/sudo/orgs/search', {
    summary: 'Find organisations by name or ID',
    reads: 'sudo-organisations',
    query: searchSchema,
    answer: z.array(sudoOrganisationSchema),
  }),
  getOrganisation: sudo.get('/api/sudo/orgs/:orgId/summary', {
    summary: 'Read the internal fields of an organisation',
    reads: 'sudo-organisations',
    answer: sudoOrganisationSummarySchema,
  }),
  updateOrganisation: sudo.put('/api/sudo/orgs/:orgId', {
    summary: 'Change the internal fields of an organisation',
    changes: ['everything'],
    body: updateSudoOrganisationSchema,
    answer: sudoOrganisationSummarySchema,
  }),
  clearUsageBlocks: action('clear-usage-blocks'),
  publishBillableUsage: action('billable-usage-publish'),
  publishPreview: action('preview-environment-publish'),
  updateEnvironmentVariants: action('environment-variants-update'),
  rebuildLogIndex: action('rebuild-log-index'),
  publishStripeLookups: action('publish-stripe-lookups'),
  followRestoredDatabase: sudo.post('/api/sudo/database-restored', {
    summary: 'Make every region follow the database after it was restored to an earlier time',
    changes: ['everything'],
    answer: z.object({ message: z.string() }),
  }),
  searchUsers: sudo.get('/api/sudo/users/search', {
    summary: 'Find users by name, ID or email',
    reads: 'sudo-users',
    query: searchSchema,
    answer: z.array(sudoUserSchema),
  }),
  getUser: sudo.get('/api/sudo/users/:userId', {
    summary: 'Read a user',
    reads: 'sudo-users',
    answer: sudoUserSchema,
  }),
  updateUser: sudo.put('/api/sudo/users/:userId', {
    summary: 'Change a user',
    changes: ['sudo-users', 'team'],
    body: updateSudoUserSchema,
    answer: sudoUserSchema,
  }),
  listDeadLetters: sudo.get('/api/sudo/dead-letters', {
    summary: 'List undelivered queue messages, newest first',
    reads: 'dead-letters',
    query: z.strictObject({ cursor: z.string().max(100).optional() }),
    answer: z.object({
      items: z.array(deadLetterSchema),
      nextCursor: z.string().nullable(),
      total: z.int(),
      /** Every queue with such messages, the one with most first. */
      queues: z.array(z.object({ queue: z.string(), total: z.int() })),
    }),
  }),
  retryDeadLetters: sudo.post('/api/sudo/dead-letters/retry', {
    summary: "Retry a queue's oldest undelivered messages; repeat while some remain",
    changes: ['dead-letters'],
    body: z.strictObject({ queue: z.string().min(1).max(100) }),
    answer: z.object({
      retried: z.int(),
      /** Messages of the queue that are still undelivered. */
      remaining: z.int(),
    }),
  }),
  retryDeadLetter: sudo.post('/api/sudo/dead-letters/:deadLetterId/retry', {
    summary: 'Retry an undelivered message',
    changes: ['dead-letters'],
  }),
  discardDeadLetter: sudo.remove('/api/sudo/dead-letters/:deadLetterId', {
    summary: 'Discard an undelivered message',
    changes: ['dead-letters'],
  }),
} as const;
