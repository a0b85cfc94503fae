/** Builds the OpenAPI 3.1 document of the public API, version 1. Pure. */
import type { z } from 'zod';
import type { PublicEndpoint } from '#contracts/public/endpoint';
import { type ErrorType, HTTP_STATUS } from '#contracts/public/errors';
import { formatLimit } from '#contracts/public/format-limit';
import type {
  DocumentedExample,
  DocumentedOperation,
  DocumentedParameter,
  DocumentedResponse,
  OpenApiDocument,
} from '#contracts/public/openapi';
import { type PublicCallId, publicCalls } from '#contracts/public/public-calls';
import { WARNINGS, type WarningCode } from '#contracts/public/warnings';
import { ACCESS_CHECK_EXAMPLES } from './access-check-examples.ts';
import { COUNTER_UPDATE_EXAMPLES } from './counter-update-examples.ts';
import { describeErrors } from './describe-errors.ts';
import type { Refusal, Situation } from './example-shapes.ts';
import { generateSchemas, idempotencyKeyParameter, refTo } from './generate-schemas.ts';
import { INTRODUCTION, KEY_TEXT, OPERATION_TEXTS, STATUS_TEXTS } from './page-texts.ts';
import { ACCESS_CHECK_REFUSALS, COUNTER_UPDATE_REFUSALS } from './refusal-examples.ts';
import { headersOf } from './response-headers.ts';

/** @param serverUrl the API's origin */
export function buildDocument(serverUrl: string): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Tessera API',
      version: '1',
      summary: 'Check what a customer can do, and count what they use.',
      description: INTRODUCTION,
    },
    servers: [{ url: serverUrl, description: 'This deployment' }],
    security: [{ apiKey: [] }],
    tags: [
      { name: 'Access', description: 'Check what a subject can do.' },
      { name: 'Usage', description: 'Count what a customer uses.' },
    ],
    paths: Object.fromEntries(
      (Object.keys(publicCalls) as PublicCallId[]).map((id) => [
        publicCalls[id].path,
        { post: operation(id, publicCalls[id], DOCUMENTATION[id]) },
      ]),
    ),
    components: {
      schemas: generateSchemas(),
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'tsr_…', description: KEY_TEXT },
      },
    },
    'x-errors': describeErrors(),
    'x-warnings': (Object.keys(WARNINGS) as WarningCode[]).map((code) => ({ code, ...WARNINGS[code] })),
  };
}

const EXPLAIN: DocumentedParameter = {
  name: 'explain',
  in: 'query',
  required: false,
  description:
    'Set to 1 or true with a secret key to include which plan or override set each property, and why.',
  schema: { type: 'string', enum: ['1', 'true'] },
};

function idempotencyKey(): DocumentedParameter {
  return {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Equivalent to the idempotencyKey field. If you send both, they must be equal.',
    schema: idempotencyKeyParameter(),
  };
}

/** What a record does not say of its call. */
interface Documentation {
  readonly tag: string;
  /** Names of the request and response schemas. */
  readonly schemas: readonly [string, string];
  readonly parameters: DocumentedParameter[];
  readonly situations: Readonly<Record<string, Situation<unknown, unknown>>>;
  readonly refusals: Readonly<Record<string, Refusal>>;
}

const DOCUMENTATION: { readonly [Id in PublicCallId]: Documentation } = {
  checkAccess: {
    tag: 'Access',
    schemas: ['AccessCheckRequest', 'AccessCheckAnswer'],
    parameters: [EXPLAIN, idempotencyKey()],
    situations: ACCESS_CHECK_EXAMPLES,
    refusals: ACCESS_CHECK_REFUSALS,
  },
  updateCounter: {
    tag: 'Usage',
    schemas: ['CounterUpdateRequest', 'CounterUpdateAnswer'],
    parameters: [idempotencyKey()],
    situations: COUNTER_UPDATE_EXAMPLES,
    refusals: COUNTER_UPDATE_REFUSALS,
  },
};

type DocumentedCall = PublicEndpoint & { readonly method: 'POST'; readonly body: z.ZodType };

function operation(
  id: PublicCallId,
  { summary, body, limits }: DocumentedCall,
  { tag, schemas, parameters, situations, refusals }: Documentation,
): DocumentedOperation {
  const [request, answer] = schemas;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: OPERATION_TEXTS[id],
    parameters,
    requestBody: {
      required: !body.safeParse({}).success,
      description: `JSON, sent as application/json. At most ${limits.bytes / 1024} KiB, 32 levels deep and ${formatLimit(limits.values)} values.`,
      content: {
        'application/json': { schema: refTo(request), examples: mapValues(situations, requestExample) },
      },
    },
    responses: {
      '200': {
        description: STATUS_TEXTS.get(200) ?? '',
        headers: headersOf(200),
        content: {
          'application/json': {
            schema: refTo(answer),
            examples: mapValues(situations, ({ summary, answer: value }) => ({ summary, value })),
          },
        },
      },
      ...refusalResponses(refusals),
    },
  };
}

function requestExample(situation: Situation<unknown, unknown>): DocumentedExample {
  const { summary, description, request, key, query, headers } = situation;
  return {
    summary,
    description,
    value: request,
    'x-key': key,
    ...(query === undefined ? {} : { 'x-query': query }),
    ...(headers === undefined ? {} : { 'x-headers': { ...headers } }),
  };
}

/** One response per status, with its possible error types. */
function refusalResponses(refusals: Readonly<Record<string, Refusal>>): Record<string, DocumentedResponse> {
  const names = Object.keys(refusals);
  const statusOf = (name: string) => HTTP_STATUS[refusals[name]?.answer.errorType ?? 'server-error'];
  const statuses = [...new Set(names.map(statusOf))].sort((one, other) => one - other);
  return Object.fromEntries(
    statuses.map((status) => {
      const own = Object.fromEntries(Object.entries(refusals).filter(([name]) => statusOf(name) === status));
      const errorTypes = (Object.keys(HTTP_STATUS) as ErrorType[]).filter(
        (errorType) => HTTP_STATUS[errorType] === status,
      );
      const response: DocumentedResponse = {
        description: STATUS_TEXTS.get(status) ?? '',
        headers: headersOf(status),
        content: {
          'application/json': {
            schema: { ...refTo('Error'), properties: { errorType: { enum: errorTypes } } },
            examples: mapValues(own, ({ summary, answer }) => ({ summary, value: answer })),
          },
        },
      };
      return [String(status), response];
    }),
  );
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
