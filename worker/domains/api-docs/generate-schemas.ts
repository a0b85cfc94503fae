/**
 * Generates the OpenAPI document's schemas from the zod schemas that validate requests and responses, with the
 * descriptions that they carry. Rules that zod checks in code are added as JSON Schema.
 */

import { z } from 'zod';
import {
  accessCheckAnswerSchema,
  accessCheckRequestSchema,
  accessCheckResultSchema,
  accessChecksAnswerSchema,
  accessChecksRequestSchema,
  batchedCheckSchema,
  explanationSchema,
  propertyAnswerSchema,
} from '#contracts/public/access';
import { balanceLineSchema, drawSchema } from '#contracts/public/balance-lines';
import { balanceSchema } from '#contracts/public/balances';
import { MAX_CONTEXT_ENTRIES } from '#contracts/public/check-context';
import { costSchema } from '#contracts/public/costs';
import { ledgerAnswerSchema, ledgerLineSchema } from '#contracts/public/customer-ledger';
import {
  balancesAnswerSchema,
  changeAnswerSchema,
  changeCustomersAnswerSchema,
  changeCustomersSchema,
  changeErrorSchema,
  customerAnswerSchema,
  customerChangeSchema,
  meterCorrectionSchema,
  saveCustomerSchema,
  setBalanceSchema,
  setGrantSchema,
  setOverrideSchema,
  stripeSourceSchema,
  takeBackSchema,
} from '#contracts/public/customers';
import { entitiesAnswerSchema, entityMeterSchema, entitySchema } from '#contracts/public/entities';
import { issueSchema, publicErrorSchema } from '#contracts/public/errors';
import {
  extendHoldAnswerSchema,
  extendHoldSchema,
  holdAnswerSchema,
  holdRequestSchema,
  holdSchema,
  settleHoldAnswerSchema,
  settleHoldSchema,
} from '#contracts/public/holds';
import {
  consumeSchema,
  countedCostSchema,
  counterUpdateAnswerSchema,
  counterUpdateRequestSchema,
  counterUpdateResultSchema,
  counterUpdatesAnswerSchema,
  counterUpdatesRequestSchema,
  meterAnswerSchema,
} from '#contracts/public/metering';
import {
  ofrepErrorSchema,
  ofrepEvaluationSchema,
  ofrepEvaluationsSchema,
  ofrepFlagSchema,
  ofrepMeterSchema,
  ofrepRequestSchema,
} from '#contracts/public/ofrep';
import type { JsonSchema } from '#contracts/public/openapi';
import { REFUSALS } from '#contracts/public/refusals';
import {
  checkoutSchema,
  pageAnswerSchema,
  planPriceSchema,
  plansAnswerSchema,
  portalSchema,
  previewAnswerSchema,
  publicPlanSchema,
} from '#contracts/public/sales';
import { opaqueSchema, warningSchema } from '#contracts/public/subjects';
import { propertyValueSchema } from '#contracts/public/values';
import { WARNINGS } from '#contracts/public/warnings';
import {
  deployedEventSchema,
  entitlementsChangedEventSchema,
  testEventSchema,
} from '#contracts/public/webhooks';
import { fieldsAt } from './fields-at.ts';
import { nameUnionMembers } from './name-union-members.ts';

/** A request schema, before defaults. Unknown fields are refused. */
const REQUESTS: Readonly<Record<string, z.ZodType>> = {
  AccessCheckRequest: accessCheckRequestSchema,
  AccessChecksRequest: accessChecksRequestSchema,
  BatchedCheck: batchedCheckSchema,
  Consume: consumeSchema,
  CounterUpdateRequest: counterUpdateRequestSchema,
  CounterUpdatesRequest: counterUpdatesRequestSchema,
  HoldRequest: holdRequestSchema,
  ExtendHoldRequest: extendHoldSchema,
  SettleHoldRequest: settleHoldSchema,
  CheckoutRequest: checkoutSchema,
  PortalRequest: portalSchema,
  SaveCustomerRequest: saveCustomerSchema,
  StripeSource: stripeSourceSchema,
  SetGrantRequest: setGrantSchema,
  SetOverrideRequest: setOverrideSchema,
  SetBalanceRequest: setBalanceSchema,
  TakeBackRequest: takeBackSchema,
  MeterCorrectionRequest: meterCorrectionSchema,
  ChangeCustomersRequest: changeCustomersSchema,
  CustomerChange: customerChangeSchema,
  ConfiguredValue: propertyValueSchema,
  OfrepRequest: ofrepRequestSchema,
};

/** A response schema. Responses may gain fields, so unknown fields are allowed. */
const ANSWERS: Readonly<Record<string, z.ZodType>> = {
  AccessCheckAnswer: accessCheckAnswerSchema,
  AccessChecksAnswer: accessChecksAnswerSchema,
  AccessCheckResult: accessCheckResultSchema,
  CounterUpdateAnswer: counterUpdateAnswerSchema,
  CounterUpdatesAnswer: counterUpdatesAnswerSchema,
  CounterUpdateResult: counterUpdateResultSchema,
  HoldAnswer: holdAnswerSchema,
  ExtendHoldAnswer: extendHoldAnswerSchema,
  SettleHoldAnswer: settleHoldAnswerSchema,
  Hold: holdSchema,
  PlansAnswer: plansAnswerSchema,
  PageAnswer: pageAnswerSchema,
  PreviewAnswer: previewAnswerSchema,
  PublicPlan: publicPlanSchema,
  PlanPrice: planPriceSchema,
  CustomerAnswer: customerAnswerSchema,
  CustomerChangeAnswer: changeAnswerSchema,
  ChangeCustomersAnswer: changeCustomersAnswerSchema,
  ChangeError: changeErrorSchema,
  BalancesAnswer: balancesAnswerSchema,
  EntitiesAnswer: entitiesAnswerSchema,
  Entity: entitySchema,
  EntityMeter: entityMeterSchema,
  LedgerAnswer: ledgerAnswerSchema,
  LedgerLine: ledgerLineSchema,
  Balance: balanceSchema,
  BalanceLine: balanceLineSchema,
  Draw: drawSchema,
  Cost: costSchema,
  CountedCost: countedCostSchema,
  PropertyAnswer: propertyAnswerSchema,
  Meter: meterAnswerSchema,
  Explanation: explanationSchema,
  Warning: warningSchema,
  CallError: publicErrorSchema,
  Issue: issueSchema,
  OfrepEvaluations: ofrepEvaluationsSchema,
  OfrepFlag: ofrepFlagSchema,
  OfrepEvaluation: ofrepEvaluationSchema,
  OfrepMeter: ofrepMeterSchema,
  OfrepError: ofrepErrorSchema,
  DeployedEvent: deployedEventSchema,
  EntitlementsChangedEvent: entitlementsChangedEventSchema,
  TestEvent: testEventSchema,
};

export const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** Schemas by name. Each schema and each field has a description. */
export function generateSchemas(): Record<string, JsonSchema> {
  const schemas = { ...generate(REQUESTS, 'input'), ...generate(ANSWERS, 'output') };
  for (const place of fieldsAt(schemas, 'AccessCheckAnswer.consumed')) distribute(schemas, place);
  stateRules(schemas);
  describeLast(schemas);
  nameUnionMembers(schemas);
  return schemas;
}

/** What rules add comes before the description, as a reader expects it. */
function describeLast(schema: object): void {
  for (const inner of Object.values(schema))
    if (typeof inner === 'object' && inner !== null) describeLast(inner);
  if (!('description' in schema) || typeof schema.description !== 'string') return;
  const { description } = schema;
  Reflect.deleteProperty(schema, 'description');
  Object.assign(schema, { description });
}

/** An object and a union of objects are a union of both together: many tools do not look for one inside the other. */
function distribute(schemas: Record<string, JsonSchema>, place: JsonSchema): void {
  const [base = {}, union = {}] = place.allOf ?? [];
  const { oneOf = [] } = resolved(schemas, union);
  delete place.allOf;
  place.oneOf = oneOf.map((member) => ({
    ...member,
    properties: { ...member.properties, ...base.properties },
    required: [...(member.required ?? []), ...(base.required ?? [])],
  }));
}

function resolved(schemas: Record<string, JsonSchema>, schema: JsonSchema): JsonSchema {
  return schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
}

export function idempotencyKeyParameter(): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(opaqueSchema) as JsonSchema & { $schema?: string };
  return schema;
}

function generate(
  schemas: Readonly<Record<string, z.ZodType>>,
  io: 'input' | 'output',
): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const generated = z.toJSONSchema(registry, {
    io,
    uri: (id) => refTo(id).$ref ?? '',
    override: ({ jsonSchema }) => {
      // Instants and counts need more than 32 bits, which is what many languages take otherwise.
      if (jsonSchema.type === 'integer') jsonSchema.format = 'int64';
      // Some generators do not know `const`.
      if (jsonSchema.const !== undefined) jsonSchema.enum = [jsonSchema.const];
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.type === 'object' && jsonSchema.additionalProperties !== false)
        delete jsonSchema.propertyNames;
      if (io === 'output' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
    },
  });
  return Object.fromEntries(
    Object.entries(generated.schemas).map(([id, { $schema, $id, ...schema }]) => [id, schema as JsonSchema]),
  );
}

/** Rules between fields, which zod checks in code (contracts/public/access.ts, contracts/public/metering.ts). */
function stateRules(schemas: Record<string, JsonSchema>): void {
  const rule = (name: string, added: JsonSchema) => Object.assign(schemas[name] ?? {}, added);
  // In `not`, which generators of types skip: they would make a type of each alternative.
  const both = (...fields: string[]): JsonSchema => ({
    properties: Object.fromEntries(fields.map((field) => [field, {}])),
    required: fields,
  });
  const neither = (...fields: string[]): JsonSchema => ({
    properties: Object.fromEntries(fields.map((field) => [field, { not: {} }])),
  });
  const subjects = ['userIdentifier', 'userJwt'];
  rule('AccessCheckRequest', { not: both(...subjects) });
  rule('BatchedCheck', { not: both(...subjects) });
  const times = both('occurredAt', 'ageMs');
  rule('Consume', { not: { anyOf: [both('by', 'resourceId'), times] } });
  rule('HoldRequest', { not: { anyOf: [neither(...subjects), both(...subjects)] } });
  rule('CounterUpdateRequest', {
    not: { anyOf: [neither(...subjects), both(...subjects), both('by', 'resourceId'), times] },
    dependentRequired: { release: ['resourceId'] },
  });
  const openEnum = (name: string, description: string, values: object, ...fields: string[]) => {
    for (const place of fields.flatMap((field) => fieldsAt(schemas, field))) {
      delete place.type;
      Object.assign(place, refTo(name));
    }
    const anyOf = [{ type: 'string', enum: Object.keys(values) }, { type: 'string' }];
    schemas[name] = { anyOf, description };
  };
  openEnum(
    'WarningCode',
    'Machine-readable. A code never changes its meaning. New codes may be added, so take any text; x-warnings explains those of this version.',
    WARNINGS,
    'Warning.code',
  );
  openEnum(
    'RefusalCode',
    'Machine-readable. A code never changes its meaning and always has the same errorType. New codes may be added, so take any text; x-refusals explains those of this version.',
    REFUSALS,
    'CallError.code',
    'ChangeError.code',
  );
  for (const field of ['AccessCheckRequest.context', 'BatchedCheck.context']) {
    for (const place of fieldsAt(schemas, field)) place.maxProperties = MAX_CONTEXT_ENTRIES;
  }
  for (const place of fieldsAt(schemas, 'AccessChecksRequest.checks')) place.items = refTo('BatchedCheck');
  for (const place of fieldsAt(schemas, 'CounterUpdatesRequest.updates')) {
    place.items = refTo('CounterUpdateRequest');
  }
  for (const field of [
    'Explanation.value',
    'Explanation.candidates.value',
    'CustomerAnswer.overrides.value',
  ]) {
    for (const place of fieldsAt(schemas, field)) Object.assign(place, refTo('ConfiguredValue'));
  }
}
