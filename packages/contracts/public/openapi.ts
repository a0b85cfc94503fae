/**
 * The description of the public API that the Worker serves and the console's API page shows: the part of OpenAPI 3.1
 * (https://spec.openapis.org/oas/v3.1.1.html) that it uses, and our own fields, which begin with `x-`.
 */
import { z } from 'zod';
import type { ApiKeyType } from './api-key-type.ts';
import { open } from './endpoint.ts';
import type { ErrorType } from './error-types.ts';
import type { RefusalCode } from './refusals.ts';
import type { WarningCode } from './warnings.ts';

/** JSON Schema, draft 2020-12. */
export interface JsonSchema {
  $ref?: string;
  title?: string;
  description?: string;
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  examples?: unknown[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  dependentRequired?: Record<string, string[]>;
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  not?: JsonSchema;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
}

export interface DocumentedExample {
  summary: string;
  description?: string;
  /** Absent from requests without a body. */
  value?: unknown;
  /** For requests: the key type, path, query and headers sent with the body. Without a path: the operation's own. */
  'x-key'?: ApiKeyType;
  'x-path'?: string;
  'x-query'?: string;
  'x-headers'?: Record<string, string>;
}

export interface MediaType {
  schema: JsonSchema;
  examples: Record<string, DocumentedExample>;
}

export interface DocumentedHeader {
  description: string;
  required?: boolean;
  schema: JsonSchema;
}

export interface DocumentedParameter {
  name: string;
  in: 'query' | 'header' | 'path';
  required: boolean;
  description: string;
  schema: JsonSchema;
}

export interface DocumentedResponse {
  description: string;
  headers: Record<string, DocumentedHeader>;
  /** Absent from 304. */
  content?: { 'application/json': MediaType };
}

export interface DocumentedOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters: DocumentedParameter[];
  requestBody?: { required: boolean; description: string; content: { 'application/json': MediaType } };
  /** Requests of an operation without a body. */
  'x-examples'?: Record<string, DocumentedExample>;
  /** By HTTP status. A request's example and its answer of 200 have the same name. */
  responses: Record<string, DocumentedResponse>;
}

/** A request that a receiver answers. */
export interface DocumentedWebhook {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  /** It has no API key. */
  security: [];
  parameters: DocumentedParameter[];
  requestBody: { required: true; description: string; content: { 'application/json': MediaType } };
  responses: Record<string, { description: string }>;
}

/** The operations of a path. */
export type PathItem = Partial<Record<'get' | 'put' | 'post' | 'delete', DocumentedOperation>>;

export interface DocumentedError {
  errorType: ErrorType;
  status: number;
  meaning: string;
  /** What to do about it. */
  advice: string;
  isRetryable: boolean;
}

export interface DocumentedRefusal {
  code: RefusalCode;
  errorType: ErrorType;
  meaning: string;
  /** What to do about it. */
  advice: string;
}

export interface DocumentedWarning {
  code: WarningCode;
  message: string;
  advice: string;
}

export interface OpenApiDocument {
  openapi: '3.1.1';
  info: {
    title: string;
    version: string;
    summary: string;
    description: string;
    contact: { name: string; url: string };
    license: { name: string; url: string };
  };
  servers: { url: string; description: string }[];
  security: Record<string, string[]>[];
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem>;
  /** What is sent to addresses that members choose, by type. */
  webhooks: Record<string, { post: DocumentedWebhook }>;
  components: {
    schemas: Record<string, JsonSchema>;
    /** What several calls have in common; they refer to it. */
    parameters: Record<string, DocumentedParameter>;
    headers: Record<string, DocumentedHeader>;
    responses: Record<string, DocumentedResponse>;
    securitySchemes: Record<
      string,
      { type: 'http'; scheme: 'bearer'; bearerFormat: string; description: string }
    >;
  };
  'x-errors': DocumentedError[];
  /** What programs can tell apart within a type of error. */
  'x-refusals': DocumentedRefusal[];
  'x-warnings': DocumentedWarning[];
}

/** With the parameters, headers and responses that operations refer to in their places. References to schemas stay. */
export function resolveParts(document: OpenApiDocument): OpenApiDocument {
  const resolve = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(resolve);
    const [, kind, name] =
      /^#\/components\/(parameters|headers|responses)\/(.+)$/.exec((value as JsonSchema).$ref ?? '') ?? [];
    if (kind === undefined || name === undefined) {
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolve(each)]));
    }
    return resolve(document.components[kind as 'headers'][name]);
  };
  return { ...document, paths: resolve(document.paths) as OpenApiDocument['paths'] };
}

export const openApiEndpoints = {
  read: open.get('/api/v1/openapi.json', {
    summary: 'The description of the public API',
    answer: z.custom<OpenApiDocument>(),
  }),
} as const;
