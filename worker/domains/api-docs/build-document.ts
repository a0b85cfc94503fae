/** Builds the OpenAPI 3.1 document of the public API, version 1. Pure. */
import { z } from 'zod';
import type { PublicEndpoint } from '#contracts/public/endpoint';
import { HTTP_STATUS } from '#contracts/public/error-types';
import { formatLimit } from '#contracts/public/format-limit';
import type {
  DocumentedExample,
  DocumentedOperation,
  DocumentedParameter,
  DocumentedResponse,
  OpenApiDocument,
  PathItem,
} from '#contracts/public/openapi';
import { type PublicCallId, publicCalls } from '#contracts/public/public-calls';
import { REFUSAL_TEXTS } from '#contracts/public/refusal-texts';
import { REFUSALS, type RefusalCode } from '#contracts/public/refusals';
import { RELEASE } from '#contracts/public/release';
import { WARNING_ADVICE } from '#contracts/public/warning-advice';
import { WARNINGS, type WarningCode } from '#contracts/public/warnings';
import { ACCESS_CHECK_EXAMPLES, ACCESS_CHECKS_EXAMPLES } from './access-check-examples.ts';
import { COUNTER_UPDATE_EXAMPLES, COUNTER_UPDATES_EXAMPLES } from './counter-update-examples.ts';
import { CUSTOMER_EXAMPLES, CUSTOMER_REFUSALS, WITHOUT_BODY } from './customer-examples.ts';
import { describeErrors } from './describe-errors.ts';
import { describeWebhooks } from './describe-webhooks.ts';
import type { Refusal, Situation } from './example-shapes.ts';
import { generateSchemas, idempotencyKeyParameter, refTo } from './generate-schemas.ts';
import {
  EXTEND_HOLD_EXAMPLES,
  EXTEND_HOLD_REFUSALS,
  HOLD_EXAMPLES,
  HOLD_REFUSALS,
  SETTLE_HOLD_EXAMPLES,
  SETTLE_HOLD_REFUSALS,
} from './hold-examples.ts';
import {
  EVALUATE_FLAG_EXAMPLES,
  EVALUATE_FLAG_REFUSALS,
  EVALUATE_FLAGS_EXAMPLES,
  EVALUATE_FLAGS_REFUSALS,
  ofrepRefusal,
} from './ofrep-examples.ts';
import { INTRODUCTION, KEY_TEXT, OPERATION_TEXTS, PATH_TEXTS, STATUS_TEXTS } from './page-texts.ts';
import {
  ACCESS_CHECK_REFUSALS,
  ACCESS_CHECKS_REFUSALS,
  COUNTER_UPDATE_REFUSALS,
  COUNTER_UPDATES_REFUSALS,
} from './refusal-examples.ts';
import { ETAG, headersOf, RETRY_PARTS_AFTER } from './response-headers.ts';
import { LIST_PLANS_EXAMPLES, OPEN_CHECKOUT, OPEN_PORTAL, PREVIEW_PURCHASE } from './sales-examples.ts';
import { shareParts } from './share-parts.ts';

/** @param serverUrl the API's origin */
export function buildDocument(serverUrl: string): OpenApiDocument {
  return shareParts({
    openapi: '3.1.1',
    info: {
      title: 'Tessera API',
      version: RELEASE,
      summary: 'Check what a customer can do, and count what they use.',
      description: INTRODUCTION,
      contact: { name: 'Tessera', url: serverUrl },
      license: { name: 'All rights reserved', url: serverUrl },
    },
    servers: [{ url: serverUrl, description: 'This deployment' }],
    security: [{ apiKey: [] }],
    tags: [
      { name: 'Access', description: 'Check what a subject can do.' },
      { name: 'Usage', description: 'Count what a customer uses.' },
      { name: 'OpenFeature', description: 'Read entitlements with OpenFeature’s own providers.' },
      { name: 'Plans', description: 'Show plans on a pricing page, and sell them.' },
      { name: 'Customers', description: 'Read, create and change customers.' },
      { name: 'Webhooks', description: 'Be told what happens.' },
    ],
    paths: paths(),
    webhooks: describeWebhooks(),
    components: {
      schemas: generateSchemas(),
      parameters: {},
      headers: {},
      responses: {},
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'tsr_…', description: KEY_TEXT },
      },
    },
    'x-errors': describeErrors(),
    'x-refusals': (Object.keys(REFUSALS) as RefusalCode[]).map((code) => ({
      code,
      errorType: REFUSALS[code],
      ...REFUSAL_TEXTS[code],
    })),
    'x-warnings': (Object.keys(WARNINGS) as WarningCode[]).map((code) => ({
      code,
      message: WARNINGS[code],
      advice: WARNING_ADVICE[code],
    })),
  });
}

/** Parameters of a path are written {name}. */
function paths(): Record<string, PathItem> {
  const items: Record<string, PathItem> = {};
  for (const id of Object.keys(publicCalls) as PublicCallId[]) {
    const call: PublicEndpoint = publicCalls[id];
    const path = call.path.replace(/:(\w+)/g, '{$1}');
    const method = call.method.toLowerCase() as Lowercase<PublicEndpoint['method']>;
    items[path] = { ...items[path], [method]: operation(id, call, DOCUMENTATION[id]) };
  }
  return items;
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

const ANSWERED: DocumentedParameter = {
  name: 'Tessera-Answered',
  in: 'header',
  required: false,
  description:
    'How many answers your client has given from its caches since its last call. Metrics shows them beside the calls; they are free. A whole number up to 1,000,000; anything else is ignored.',
  schema: { type: 'string', pattern: '^[0-9]+$' },
};

const IF_NONE_MATCH: DocumentedParameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The ETag of an earlier response. If the values are still the same, the response is a 304.',
  schema: { type: 'string' },
};

function queryOf({ query }: { readonly query: z.ZodObject }): DocumentedParameter[] {
  return Object.entries(query.shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !(schema instanceof z.ZodOptional),
    description: (schema as z.ZodType).description ?? '',
    schema: name === 'ended' ? { type: 'string', enum: ['1'] } : { type: 'string' },
  }));
}

const CUSTOMER_QUERIES: Partial<Record<PublicCallId, DocumentedParameter[]>> = {
  listBalances: queryOf(publicCalls.listBalances),
  listEntities: queryOf(publicCalls.listEntities),
  readLedger: queryOf(publicCalls.readLedger),
};

const PREVIEW_QUERY: DocumentedParameter[] = Object.entries(publicCalls.previewPurchase.query.shape).map(
  ([name, schema]) => ({
    ...{ name, in: 'query', required: name === 'price', description: schema.description ?? '' },
    schema: { type: name === 'price' ? 'string' : 'integer' },
  }),
);

/** What a record does not say of its call. */
interface Documentation {
  readonly tag: string;
  /** Names of the request and response schemas; null: there is no body. */
  readonly schemas: readonly [string | null, string];
  readonly parameters: DocumentedParameter[];
  readonly situations: Readonly<Record<string, Situation<unknown, unknown>>>;
  readonly refusals: Readonly<Record<string, Refusal>>;
  /** Whether the client may have the answer already. */
  readonly isTagged?: true;
  /** Whether a success may have parts to send again later. */
  readonly isPaced?: true;
}

function customerCall(
  id: keyof typeof CUSTOMER_EXAMPLES,
  request: string | null,
  answer = 'CustomerChangeAnswer',
): Documentation {
  const { [id]: query } = CUSTOMER_QUERIES;
  const isKeyed = query === undefined && id !== 'readCustomer' && id !== 'changeCustomers';
  return {
    tag: 'Customers',
    schemas: [request, answer],
    parameters: isKeyed ? [idempotencyKey()] : (query ?? []),
    situations: CUSTOMER_EXAMPLES[id],
    refusals: CUSTOMER_REFUSALS[id],
  };
}

const DOCUMENTATION: { readonly [Id in PublicCallId]: Documentation } = {
  checkAccess: {
    tag: 'Access',
    schemas: ['AccessCheckRequest', 'AccessCheckAnswer'],
    parameters: [EXPLAIN, idempotencyKey(), ANSWERED],
    situations: ACCESS_CHECK_EXAMPLES,
    refusals: ACCESS_CHECK_REFUSALS,
  },
  checkAccessOfMany: {
    tag: 'Access',
    schemas: ['AccessChecksRequest', 'AccessChecksAnswer'],
    parameters: [EXPLAIN, ANSWERED],
    situations: ACCESS_CHECKS_EXAMPLES,
    refusals: ACCESS_CHECKS_REFUSALS,
  },
  updateCounter: {
    tag: 'Usage',
    schemas: ['CounterUpdateRequest', 'CounterUpdateAnswer'],
    parameters: [idempotencyKey(), ANSWERED],
    situations: COUNTER_UPDATE_EXAMPLES,
    refusals: COUNTER_UPDATE_REFUSALS,
  },
  updateCounters: {
    tag: 'Usage',
    schemas: ['CounterUpdatesRequest', 'CounterUpdatesAnswer'],
    parameters: [ANSWERED],
    situations: COUNTER_UPDATES_EXAMPLES,
    refusals: COUNTER_UPDATES_REFUSALS,
  },
  openHold: {
    tag: 'Usage',
    schemas: ['HoldRequest', 'HoldAnswer'],
    parameters: [idempotencyKey()],
    situations: HOLD_EXAMPLES,
    refusals: HOLD_REFUSALS,
  },
  extendHold: {
    tag: 'Usage',
    schemas: ['ExtendHoldRequest', 'ExtendHoldAnswer'],
    parameters: [idempotencyKey()],
    situations: EXTEND_HOLD_EXAMPLES,
    refusals: EXTEND_HOLD_REFUSALS,
  },
  settleHold: {
    tag: 'Usage',
    schemas: ['SettleHoldRequest', 'SettleHoldAnswer'],
    parameters: [],
    situations: SETTLE_HOLD_EXAMPLES,
    refusals: SETTLE_HOLD_REFUSALS,
  },
  evaluateFlags: {
    tag: 'OpenFeature',
    schemas: ['OfrepRequest', 'OfrepEvaluations'],
    parameters: [IF_NONE_MATCH, ANSWERED],
    situations: EVALUATE_FLAGS_EXAMPLES,
    refusals: EVALUATE_FLAGS_REFUSALS,
    isTagged: true,
  },
  evaluateFlag: {
    tag: 'OpenFeature',
    schemas: ['OfrepRequest', 'OfrepEvaluation'],
    parameters: [ANSWERED],
    situations: EVALUATE_FLAG_EXAMPLES,
    refusals: EVALUATE_FLAG_REFUSALS,
  },
  listPlans: {
    tag: 'Plans',
    schemas: [null, 'PlansAnswer'],
    parameters: [IF_NONE_MATCH],
    situations: LIST_PLANS_EXAMPLES,
    refusals: WITHOUT_BODY,
    isTagged: true,
  },
  openCheckout: {
    tag: 'Plans',
    schemas: ['CheckoutRequest', 'PageAnswer'],
    parameters: [idempotencyKey()],
    ...OPEN_CHECKOUT,
  },
  previewPurchase: {
    tag: 'Plans',
    schemas: [null, 'PreviewAnswer'],
    parameters: PREVIEW_QUERY,
    ...PREVIEW_PURCHASE,
  },
  openPortal: {
    tag: 'Plans',
    schemas: ['PortalRequest', 'PageAnswer'],
    parameters: [idempotencyKey()],
    ...OPEN_PORTAL,
  },
  readCustomer: customerCall('readCustomer', null, 'CustomerAnswer'),
  saveCustomer: customerCall('saveCustomer', 'SaveCustomerRequest'),
  grantPlan: customerCall('grantPlan', 'SetGrantRequest'),
  revokePlan: customerCall('revokePlan', null),
  setOverride: customerCall('setOverride', 'SetOverrideRequest'),
  removeOverride: customerCall('removeOverride', null),
  listBalances: customerCall('listBalances', null, 'BalancesAnswer'),
  listEntities: customerCall('listEntities', null, 'EntitiesAnswer'),
  deleteEntity: customerCall('deleteEntity', null),
  readLedger: customerCall('readLedger', null, 'LedgerAnswer'),
  setBalance: customerCall('setBalance', 'SetBalanceRequest'),
  takeBackBalance: customerCall('takeBackBalance', 'TakeBackRequest'),
  correctMeter: customerCall('correctMeter', 'MeterCorrectionRequest'),
  changeCustomers: {
    ...customerCall('changeCustomers', 'ChangeCustomersRequest', 'ChangeCustomersAnswer'),
    isPaced: true,
  },
};

function operation(
  id: PublicCallId,
  { path, summary, body, limits, protocol }: PublicEndpoint,
  { tag, schemas, parameters, situations, refusals, isTagged, isPaced }: Documentation,
): DocumentedOperation {
  const [request, answer] = schemas;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: OPERATION_TEXTS[id],
    parameters: [...pathParameters(path), ...parameters],
    ...(body === undefined || request === null
      ? { 'x-examples': mapValues(situations, requestExample) }
      : {
          requestBody: {
            required: !body.safeParse({}).success,
            description: `JSON, sent as application/json. At most ${limits.bytes / 1024} KiB, 32 levels deep and ${formatLimit(limits.values)} values.`,
            content: {
              'application/json': { schema: refTo(request), examples: mapValues(situations, requestExample) },
            },
          },
        }),
    responses: {
      '200': {
        description: STATUS_TEXTS.get(200) ?? '',
        headers: {
          ...headersOf(200),
          ...(isTagged && { ETag: ETAG }),
          ...(isPaced && { 'Retry-After': RETRY_PARTS_AFTER }),
        },
        content: {
          'application/json': {
            schema: refTo(answer),
            examples: mapValues(situations, ({ summary, answer: value }) => ({ summary, value })),
          },
        },
      },
      ...(isTagged && {
        '304': { description: STATUS_TEXTS.get(304) ?? '', headers: { ...headersOf(200), ETag: ETAG } },
      }),
      ...refusalResponses(refusals, protocol === undefined ? undefined : path),
    },
  };
}

function pathParameters(path: string): DocumentedParameter[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: PATH_TEXTS[name] ?? '',
    schema: { type: 'string' },
  }));
}

function requestExample(situation: Situation<unknown, unknown>): DocumentedExample {
  const { summary, description, request, key, path, query, headers } = situation;
  return {
    summary,
    description,
    ...(request === undefined ? {} : { value: request }),
    'x-key': key,
    ...(path === undefined ? {} : { 'x-path': path }),
    ...(query === undefined ? {} : { 'x-query': query }),
    ...(headers === undefined ? {} : { 'x-headers': { ...headers } }),
  };
}

/** One response per status. @param ofrep the path of a call that answers errors as OFREP does */
function refusalResponses(
  refusals: Readonly<Record<string, Refusal>>,
  ofrep: string | undefined,
): Record<string, DocumentedResponse> {
  const names = Object.keys(refusals);
  const statusOf = (name: string) => HTTP_STATUS[refusals[name]?.answer.errorType ?? 'server-error'];
  const statuses = [...new Set(names.map(statusOf))].sort((one, other) => one - other);
  return Object.fromEntries(
    statuses.map((status) => {
      const own = Object.fromEntries(Object.entries(refusals).filter(([name]) => statusOf(name) === status));
      const response: DocumentedResponse = {
        description: STATUS_TEXTS.get(status) ?? '',
        // An unknown flag is the answer of an evaluation.
        headers: headersOf(ofrep !== undefined && status === 404 ? 200 : status),
        content: {
          'application/json': {
            schema: refTo(ofrep === undefined ? 'CallError' : 'OfrepError'),
            examples: mapValues(own, (each) => ({
              summary: each.summary,
              value: ofrep === undefined ? each.answer : ofrepRefusal(each, ofrep),
            })),
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
