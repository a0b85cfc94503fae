/**
 * Converts JSON Schema to rows for reading: one per field, with type, bounds and nested fields. Resolves references,
 * and merges the variants of a union into one list.
 */
import type { JsonSchema } from './openapi.ts';

export type Schemas = Readonly<Record<string, JsonSchema>>;

export interface FieldRow {
  /** `{key}` represents the names in an object with free keys. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** '1 to 200 characters'. */
  readonly bounds: string | null;
  /** The allowed values, if they are few. */
  readonly values: readonly string[];
  /** The variants that have the field, if not all do: 'metered'. */
  readonly forms: readonly string[];
  readonly fields: readonly FieldRow[];
}

/** The fields of an object, or of all its variants. */
export function fieldRows(schema: JsonSchema, schemas: Schemas): FieldRow[] {
  const objects = objectsOf(schema, schemas);
  const names = [...new Set(objects.flatMap(({ schema: { properties } }) => Object.keys(properties ?? {})))];
  const rows = names.map((name) => {
    const having = objects.filter(({ schema: { properties = {} } }) => Object.hasOwn(properties, name));
    const rivals = objects.filter(({ group }) => having.some((one) => one.group === group));
    const forms = having.length === rivals.length ? [] : having.flatMap(({ form }) => form ?? []);
    const places = having.map(({ schema: { properties = {} } }) => properties[name] as JsonSchema);
    const isRequired = having.every(({ schema: { required } }) => required?.includes(name) ?? false);
    return rowOf(name, places, isRequired, forms, schemas);
  });
  const values = objects.flatMap(({ schema: { additionalProperties } }) =>
    typeof additionalProperties === 'object' ? [additionalProperties] : [],
  );
  return values.length === 0 ? rows : [...rows, rowOf('{key}', values, false, [], schemas)];
}

function rowOf(
  name: string,
  places: readonly JsonSchema[],
  isRequired: boolean,
  forms: readonly string[],
  schemas: Schemas,
): FieldRow {
  const described = places.find(({ description }) => description !== undefined);
  const resolved = places.map((place) => resolve(place, schemas));
  const description = described?.description ?? resolved[0]?.description ?? '';
  return {
    name,
    isRequired,
    description,
    forms,
    type: [...new Set(places.map((place) => typeLabel(place, schemas)))].join(' or '),
    bounds: resolved.map(boundsLabel).find((words) => words !== null) ?? null,
    values: [...new Set(resolved.flatMap((place) => valuesOf(place, schemas)))],
    fields: places.length === 1 && places[0] !== undefined ? fieldRows(places[0], schemas) : [],
  };
}

interface ObjectForm {
  readonly schema: JsonSchema;
  /** Variants of the same union share a group; parts of an intersection do not. */
  readonly group: number;
  /** The variant's discriminator: the constant value of its first field. */
  readonly form: string | undefined;
}

function objectsOf(schema: JsonSchema, schemas: Schemas, group = { next: 0 }): ObjectForm[] {
  const { properties, additionalProperties, items, anyOf, oneOf, allOf } = resolve(schema, schemas);
  if (properties !== undefined || typeof additionalProperties === 'object') {
    const constant = Object.values(properties ?? {}).find((field) => field.const !== undefined)?.const;
    const form = constant === undefined ? undefined : String(constant);
    return [{ schema: resolve(schema, schemas), group: group.next++, form }];
  }
  if (items !== undefined) return objectsOf(items, schemas, group);
  if (allOf !== undefined) return allOf.flatMap((part) => objectsOf(part, schemas, group));
  const own = group.next++;
  return (anyOf ?? oneOf ?? []).flatMap((form) =>
    objectsOf(form, schemas, group).map((each) => ({ ...each, group: own })),
  );
}

export function resolve(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (schemas[name] ?? {});
}

/** 'string', 'integer or null', 'string[]'. */
export function typeLabel(schema: JsonSchema, schemas: Schemas): string {
  const { type, items, anyOf, oneOf, allOf } = resolve(schema, schemas);
  const forms = anyOf ?? oneOf;
  if (forms !== undefined) {
    const words = forms.map((form) => typeLabel(form, schemas)).flatMap((each) => each.split(' or '));
    return [...new Set(words)].join(' or ');
  }
  if (allOf !== undefined) return 'object';
  if (type === 'array') {
    const words = items === undefined ? 'any' : typeLabel(items, schemas);
    return words.includes(' or ') ? `(${words})[]` : `${words}[]`;
  }
  return (Array.isArray(type) ? type : [type ?? 'any']).join(' or ');
}

function boundsLabel(schema: JsonSchema): string | null {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = schema;
  return (
    rangeWords(minLength, maxLength, ' characters') ??
    rangeWords(minimum, maximum, '') ??
    rangeWords(minItems, maxItems, ' entries')
  );
}

function rangeWords(least: number | undefined, most: number | undefined, unit: string): string | null {
  if (least !== undefined && most !== undefined) return `${short(least)} to ${short(most)}${unit}`;
  if (most !== undefined) return `at most ${short(most)}${unit}`;
  return least === undefined || (least === 1 && unit !== '') ? null : `at least ${short(least)}${unit}`;
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** 1000000000000 as 10¹². */
function short(value: number): string {
  const zeros = /^(-?)1(0{4,})$/.exec(String(value));
  if (zeros === null) return String(value).replace('-', '\u2212');
  const digits = [...String(zeros[2]?.length)].map((digit) => SUPERSCRIPTS[Number(digit)]).join('');
  return `${zeros[1] === '' ? '' : '\u2212'}10${digits}`;
}

function valuesOf(schema: JsonSchema, schemas: Schemas): string[] {
  const { const: constant, enum: choices, anyOf = [] } = resolve(schema, schemas);
  const own = constant === undefined ? (choices ?? []) : [constant];
  // Beside any text the values are no choice.
  const isOpen = anyOf.some(
    ({ type, enum: some, const: one }) => type === 'string' && !some && one === undefined,
  );
  const inner = isOpen ? [] : anyOf.filter(({ properties }) => properties === undefined);
  return [
    ...own.filter((value) => typeof value === 'string').map(String),
    ...inner.flatMap((form) => valuesOf(form, schemas)),
  ];
}
