/**
 * Generates the OpenAPI document's schemas from the zod schemas that validate requests and responses, with the
 * descriptions of field-texts.ts. Rules that zod checks in code are added as JSON Schema.
 */
import { z } from 'zod';
import {
  accessCheckAnswerSchema,
  accessCheckRequestSchema,
  explanationSchema,
  MAX_CONTEXT_ENTRIES,
  propertyAnswerSchema,
} from '#contracts/public/access';
import {
  changeAnswerSchema,
  changeCustomersAnswerSchema,
  changeCustomersSchema,
  customerAnswerSchema,
  customerChangeSchema,
  meterCorrectionSchema,
  saveCustomerSchema,
  setGrantSchema,
  setOverrideSchema,
} from '#contracts/public/customers';
import { issueSchema, publicErrorSchema } from '#contracts/public/errors';
import {
  consumeSchema,
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
import { opaqueSchema, warningSchema } from '#contracts/public/subjects';
import { propertyValueSchema } from '#contracts/public/values';
import { describeField, fieldsAt } from './describe-field.ts';
import { FIELD_TEXTS, SCHEMA_TEXTS } from './field-texts.ts';

/** A request schema, before defaults. Unknown fields are refused. */
const REQUESTS: Readonly<Record<string, z.ZodType>> = {
  AccessCheckRequest: accessCheckRequestSchema,
  Consume: consumeSchema,
  CounterUpdateRequest: counterUpdateRequestSchema,
  CounterUpdatesRequest: counterUpdatesRequestSchema,
  SaveCustomerRequest: saveCustomerSchema,
  SetGrantRequest: setGrantSchema,
  SetOverrideRequest: setOverrideSchema,
  MeterCorrectionRequest: meterCorrectionSchema,
  ChangeCustomersRequest: changeCustomersSchema,
  CustomerChange: customerChangeSchema,
  ConfiguredValue: propertyValueSchema,
  OfrepRequest: ofrepRequestSchema,
};

/** A response schema. Responses may gain fields, so unknown fields are allowed. */
const ANSWERS: Readonly<Record<string, z.ZodType>> = {
  AccessCheckAnswer: accessCheckAnswerSchema,
  CounterUpdateAnswer: counterUpdateAnswerSchema,
  CounterUpdatesAnswer: counterUpdatesAnswerSchema,
  CounterUpdateResult: counterUpdateResultSchema,
  CustomerAnswer: customerAnswerSchema,
  CustomerChangeAnswer: changeAnswerSchema,
  ChangeCustomersAnswer: changeCustomersAnswerSchema,
  PropertyAnswer: propertyAnswerSchema,
  Meter: meterAnswerSchema,
  Explanation: explanationSchema,
  Warning: warningSchema,
  Error: publicErrorSchema,
  Issue: issueSchema,
  OfrepEvaluations: ofrepEvaluationsSchema,
  OfrepFlag: ofrepFlagSchema,
  OfrepEvaluation: ofrepEvaluationSchema,
  OfrepMeter: ofrepMeterSchema,
  OfrepError: ofrepErrorSchema,
};

export const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** Schemas by name. Each schema and each field has a description. */
export function generateSchemas(): Record<string, JsonSchema> {
  const schemas = { ...generate(REQUESTS, 'input'), ...generate(ANSWERS, 'output') };
  stateRules(schemas);
  for (const [name, text] of Object.entries(SCHEMA_TEXTS)) describeField(schemas, name, text);
  for (const [path, text] of Object.entries(FIELD_TEXTS)) describeField(schemas, path, text);
  return schemas;
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
  rule('AccessCheckRequest', { not: { required: ['userIdentifier', 'userJwt'] } });
  rule('Consume', { not: { required: ['by', 'resourceId'] } });
  rule('CounterUpdateRequest', {
    oneOf: [{ required: ['userIdentifier'] }, { required: ['userJwt'] }],
    not: { required: ['by', 'resourceId'] },
    dependentRequired: { release: ['resourceId'] },
  });
  for (const place of fieldsAt(schemas, 'AccessCheckRequest.context')) {
    place.maxProperties = MAX_CONTEXT_ENTRIES;
  }
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
