/** Generators of clients name types by their components, so each object of a union becomes one. */
import type { JsonSchema } from '#contracts/public/openapi';

const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** Named by the schema and what tells them apart, or the field that has them: MeterOn, ExplanationDecidedBy. */
export function nameUnionMembers(schemas: Record<string, JsonSchema>): void {
  for (const [name, schema] of Object.entries(schemas)) nameMembers(schemas, schema, name);
}

/** @param place the field of the schema `owner` that has the union; empty: the schema itself */
function nameMembers(
  schemas: Record<string, JsonSchema>,
  schema: JsonSchema,
  owner: string,
  place = '',
): void {
  const { properties = {}, items, additionalProperties, allOf = [], oneOf, anyOf } = schema;
  for (const [name, field] of Object.entries(properties)) nameMembers(schemas, field, owner, name);
  for (const part of allOf) nameMembers(schemas, part, owner, place);
  if (items !== undefined) nameMembers(schemas, items, owner, place);
  if (typeof additionalProperties === 'object') nameMembers(schemas, additionalProperties, owner, place);
  const members = oneOf ?? anyOf ?? [];
  for (const [index, member] of members.entries()) {
    nameMembers(schemas, member, owner, place);
    if (member.properties === undefined) continue;
    const [field, constant] = constantOf(member) ?? [place, undefined];
    const name = `${owner}${pascal(place)}${pascal(String(constant ?? ''))}`;
    const description = schema.description ?? `${owner} with ${field}: ${String(constant)}.`;
    schemas[name] = { description, ...member };
    members[index] = refTo(name);
  }
}

/** What tells the member from the others. */
function constantOf({
  properties = {},
}: JsonSchema): readonly [field: string, constant: unknown] | undefined {
  const [field, schema] = Object.entries(properties).find(([, each]) => each.const !== undefined) ?? [];
  return field === undefined ? undefined : [field, schema?.const];
}

function pascal(text: string): string {
  return text.replace(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
