/** The API keys of an environment. */
import { z } from 'zod';
import { apiKeyTypeSchema } from '../public/api-key-type.ts';
import { member } from '../public/endpoint.ts';
import { idSchema, instantSchema, optionalNameSchema } from '../public/text.ts';

/** Maximum number of keys of one type in one environment. */
export const MAX_KEYS_PER_TYPE = 5;

/** Calls a minute that a key can be limited to, in each Cloudflare location. Public keys: for each client network. */
export const RATE_LIMITS = [60, 600, 6_000, 60_000, 600_000] as const;
export type RateLimit = (typeof RATE_LIMITS)[number];
export const DEFAULT_RATE_LIMITS = { public: 600, secret: 600_000 } as const satisfies Record<
  string,
  RateLimit
>;

/**
 * Percent of the monthly allowance after which a public key is refused. The rest is reserved for secret keys, which are
 * refused last, at the whole allowance.
 */
export const ALLOWANCE_SHARES = [20, 40, 60, 80, 100] as const;
export type AllowanceShare = (typeof ALLOWANCE_SHARES)[number];
export const DEFAULT_ALLOWANCE_SHARE = 80 satisfies AllowanceShare;

/** A key's name is for people; empty text removes it. */
export const keyNameSchema = optionalNameSchema(60);

const rateLimitSchema = z.literal(RATE_LIMITS);
const allowanceShareSchema = z.literal(ALLOWANCE_SHARES);

/** A key as the author of a change, with its name at that time: a revoked key has no row. */
export const actingKeySchema = z.object({ id: z.string(), name: z.string() });
export type ActingKey = z.infer<typeof actingKeySchema>;

export const apiKeySchema = z.object({
  id: z.string(),
  /** Null: without a name. */
  name: z.string().nullable(),
  type: apiKeyTypeSchema,
  environmentId: z.string(),
  maskedValue: z.string(),
  /** Calls a minute. */
  rateLimit: rateLimitSchema,
  /** Null for secret keys. */
  allowanceShare: allowanceShareSchema.nullable(),
  /** Whether the key may change customers. Set when a secret key is created, and final. */
  managesCustomers: z.boolean(),
  createdAt: instantSchema,
  createdByUserId: z.string().nullable(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

export type KeyLimits = Pick<ApiKey, 'rateLimit' | 'allowanceShare'>;

/** A key's limits, with the defaults of its type where nothing is set. */
export function limitsOf(key: {
  readonly type: ApiKey['type'];
  readonly rateLimit: RateLimit | null;
  readonly allowanceShare: AllowanceShare | null;
}): KeyLimits {
  return {
    rateLimit: key.rateLimit ?? DEFAULT_RATE_LIMITS[key.type],
    allowanceShare: key.type === 'public' ? (key.allowanceShare ?? DEFAULT_ALLOWANCE_SHARE) : null,
  };
}

export const apiKeyEndpoints = {
  list: member.get('/api/orgs/:orgId/environments/:environmentId/api-keys', {
    summary: "List an environment's keys, masked",
    reads: 'api-keys',
    answer: z.object({ keys: z.array(apiKeySchema), publicRemaining: z.int(), secretRemaining: z.int() }),
  }),
  /** From the event stream, so up to an hour late. A key that is not listed has no recorded use. */
  uses: member.get('/api/orgs/:orgId/environments/:environmentId/api-key-uses', {
    summary: "List when an environment's keys were last used",
    reads: 'api-keys',
    answer: z.object({
      uses: z.array(z.object({ keyId: z.string(), lastUsedAt: instantSchema })),
    }),
  }),
  create: member.post('/api/orgs/:orgId/api-keys', {
    summary: 'Create a key',
    changes: ['api-keys'],
    body: z.strictObject({
      environmentId: idSchema,
      type: apiKeyTypeSchema,
      name: keyNameSchema.optional(),
      rateLimit: rateLimitSchema.optional(),
      allowanceShare: allowanceShareSchema.optional(),
      managesCustomers: z.boolean().optional(),
    }),
    answer: apiKeySchema.extend({ value: z.string() }),
    status: 201,
  }),
  reveal: member.get('/api/orgs/:orgId/api-keys/:keyId', {
    summary: 'Read a key in full (audited)',
    reads: 'api-keys',
    answer: apiKeySchema.extend({ value: z.string() }),
  }),
  update: member.put('/api/orgs/:orgId/api-keys/:keyId', {
    summary: "Change a key's name and limits",
    changes: ['api-keys'],
    body: z
      .strictObject({
        name: keyNameSchema.optional(),
        rateLimit: rateLimitSchema.optional(),
        allowanceShare: allowanceShareSchema.optional(),
      })
      .refine((body) => Object.keys(body).length > 0, 'Send at least one field'),
    answer: apiKeySchema,
  }),
  remove: member.remove('/api/orgs/:orgId/api-keys/:keyId', {
    summary: 'Revoke a key',
    changes: ['api-keys'],
  }),
} as const;
