/** Finds the field of a generated schema by its path, such as AccessCheckAnswer.version.number. */
import type { JsonSchema } from '#contracts/public/openapi';

/** In a path, `*` means the values of an object with free keys. Lists and alternatives are transparent. */
export function fieldsAt(schemas: Readonly<Record<string, JsonSchema>>, path: string): JsonSchema[] {
  const [name = '', ...fields] = path.split('.');
  const root = schemas[name];
  if (root === undefined) return [];
  return fields.reduce<JsonSchema[]>(
    (places, field) => places.flatMap(formsOf).flatMap((place) => fieldOf(place, field)),
    [root],
  );
}

function fieldOf({ properties, additionalProperties }: JsonSchema, field: string): JsonSchema[] {
  if (field === '*') return typeof additionalProperties === 'object' ? [additionalProperties] : [];
  const found = properties !== undefined && Object.hasOwn(properties, field) ? properties[field] : undefined;
  return found === undefined ? [] : [found];
}

function formsOf(schema: JsonSchema): JsonSchema[] {
  const { anyOf = [], oneOf = [], allOf = [], items } = schema;
  const inner = [...anyOf, ...oneOf, ...allOf, ...(items === undefined ? [] : [items])];
  return [schema, ...inner.flatMap(formsOf)];
}
