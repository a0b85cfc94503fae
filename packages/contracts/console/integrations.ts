/**
 * Console API of JWT integrations: issuers of the tokens that identify an organisation's customers. See
 * worker/domains/identity/README.md, "Identity".
 */
import { z } from 'zod';
import { member } from '../public/endpoint.ts';
import { formatLimit } from '../public/format-limit.ts';
import { descriptionSchema, instantSchema, nameSchema } from '../public/text.ts';

/** How a claim's value identifies the customer. */
export const claimIndexSchema = z.enum(['email', 'stripe_customer_id']);
export type ClaimIndex = z.infer<typeof claimIndexSchema>;

export const DEFAULT_CLAIM_INDEX: ClaimIndex = 'stripe_customer_id';
/** Per organisation. */
export const MAX_JWT_INTEGRATIONS = 10;
/** Per integration; a key rotation needs two or three. Each key may be tried for a token without a key id. */
export const MAX_KEYS_PER_INTEGRATION = 10;
const MAX_PUBLIC_KEY_LENGTH = 100_000;

const isPlain = (text: string) => !/[\p{Cc}\p{Surrogate}]/u.test(text);

/** A claim's path; dots separate nested claims. */
export const claimKeySchema = z
  .string()
  .trim()
  .min(1, 'Must not be empty')
  .max(100, 'Must be at most 100 characters')
  .refine(isPlain, 'Must not contain control characters');

/** Empty: null. */
const optionalSchema = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest, `Must be at most ${longest} characters`)
    .refine(isPlain, 'Must not contain control characters')
    .transform((text) => (text === '' ? null : text))
    .nullable();

/** Required values of the claims aud and iss; empty: any value. */
const expectedClaimSchema = optionalSchema(500);
/** As a claim key; empty: none. */
const entityClaimKeySchema = optionalSchema(100);

/** A public key in PEM form, a JWK or JWKS as JSON, or the address of a JWKS. The Worker validates the content. */
const publicKeySchema = (minimum: number) =>
  z
    .string()
    .trim()
    .min(minimum, `Must be at least ${minimum} characters`)
    .max(MAX_PUBLIC_KEY_LENGTH, `Must be at most ${formatLimit(MAX_PUBLIC_KEY_LENGTH)} characters`);

export const jwtIntegrationSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  claimKey: z.string(),
  claimIndex: claimIndexSchema,
  /** The claim that names one of the customer’s entities; null: none does. */
  entityClaimKey: z.string().nullable().default(null),
  aud: z.string().nullable(),
  iss: z.string().nullable(),
  /** With `email`: whether a token whose claim email_verified is false identifies the customer. */
  acceptsUnverifiedEmails: z.boolean(),
  /** Identifies a key: type, size and the start of its SHA-256. */
  anonymizedPublicKey: z.string(),
  /** Every accepted key, with its id in the issuer's key set. */
  publicKeys: z.array(z.object({ kid: z.string().nullable(), anonymized: z.string() })),
  /** Where the issuer publishes its keys (JWKS); null: they were pasted. */
  keyAddress: z.string().nullable().default(null),
  /** When the address last returned a key set. The last set is used meanwhile. */
  keysFetchedAt: instantSchema.nullable().default(null),
  /** Why the address returned no key set when it was last called; null: it did. */
  keysProblem: z.string().nullable().default(null),
  /** Created by the quick-start guide. */
  quickStart: z.boolean(),
  createdAt: instantSchema,
  updatedAt: instantSchema,
});
export type JwtIntegration = z.infer<typeof jwtIntegrationSchema>;

export const createJwtIntegrationSchema = z.strictObject({
  name: nameSchema,
  description: descriptionSchema.optional(),
  publicKey: publicKeySchema(5),
  claimKey: claimKeySchema,
  claimIndex: claimIndexSchema.default(DEFAULT_CLAIM_INDEX),
  entityClaimKey: entityClaimKeySchema.optional(),
  aud: expectedClaimSchema.optional(),
  iss: expectedClaimSchema.optional(),
  acceptsUnverifiedEmails: z.boolean().default(false),
  quickStart: z.boolean().optional(),
});

export const updateJwtIntegrationSchema = z
  .strictObject({
    name: nameSchema,
    description: descriptionSchema,
    publicKey: publicKeySchema(3),
    claimKey: claimKeySchema,
    claimIndex: claimIndexSchema,
    entityClaimKey: entityClaimKeySchema,
    aud: expectedClaimSchema,
    iss: expectedClaimSchema,
    acceptsUnverifiedEmails: z.boolean(),
    updatedAt: instantSchema,
  })
  .partial();
const jwt = '/api/orgs/:orgId/integrations/jwt';

export const jwtIntegrationEndpoints = {
  list: member.get(jwt, {
    summary: 'List JWT integrations',
    reads: 'jwt-integrations',
    answer: z.array(jwtIntegrationSchema),
  }),
  create: member.post(jwt, {
    summary: 'Add a JWT integration',
    changes: ['jwt-integrations'],
    body: createJwtIntegrationSchema,
    answer: jwtIntegrationSchema,
    status: 201,
  }),
  get: member.get(`${jwt}/:integrationId`, {
    summary: 'Read a JWT integration',
    reads: 'jwt-integrations',
    answer: jwtIntegrationSchema,
  }),
  update: member.put(`${jwt}/:integrationId`, {
    summary: 'Change a JWT integration, or its public key',
    changes: ['jwt-integrations'],
    body: updateJwtIntegrationSchema,
    answer: jwtIntegrationSchema,
  }),
  remove: member.remove(`${jwt}/:integrationId`, {
    summary: 'Delete a JWT integration',
    changes: ['jwt-integrations'],
  }),
} as const;
