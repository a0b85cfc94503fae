// What a change of a JSON schema breaks for clients that were written for the schema before. A request's schema may accept more, an
// answer's may promise more: docs/versions.md.
import type { JsonSchema } from '#contracts/public/openapi';

export type Direction = 'request' | 'answer';

/** The schemas that `$ref` names. */
export type Schemas = Readonly<Record<string, JsonSchema>>;

/** Fields of answers whose new values are announced as additions. */
const OPEN_FIELDS = ['errorType', 'periodType'];
const MINIMA = ['minLength', 'minimum', 'minItems'] as const;
const MAXIMA = ['maxLength', 'maximum', 'maxItems', 'maxProperties'] as const;

/** @returns each break as `path: what`, from the schemas of two descriptions */
export function schemaComparer(schemasBefore: Schemas, schemasNow: Schemas) {
  /** The breaks of pairs by name. One that is being compared has none yet: schemas may contain themselves. */
  const compared = new Map<string, string[]>();
  return compare;

  function compare(oneBefore: JsonSchema, oneNow: JsonSchema, direction: Direction, path: string): string[] {
    const pair = `${direction} ${oneBefore.$ref} ${oneNow.$ref}`;
    const isNamed = oneBefore.$ref !== undefined && oneNow.$ref !== undefined;
    const known = isNamed ? compared.get(pair) : undefined;
    if (known !== undefined) return known;
    if (isNamed) compared.set(pair, []);
    const before = resolve(schemasBefore, oneBefore);
    const now = resolve(schemasNow, oneNow);
    const problems = [
      ...comparedTypes(before, now, direction),
      ...comparedValues(before, now, direction, path),
      ...comparedBounds(before, now, direction),
      ...comparedFields(before, now, direction),
      ...comparedConditions(before, now, direction),
    ].map((problem) => `${path}: ${problem}`);
    for (const [name, field] of Object.entries(before.properties ?? {})) {
      const current = now.properties?.[name];
      if (current !== undefined) problems.push(...compare(field, current, direction, `${path}.${name}`));
    }
    for (const [inner, mark] of [
      ['items', '[]'],
      ['additionalProperties', '.*'],
    ] as const) {
      const [was, is] = [before[inner], now[inner]];
      if (typeof was === 'object' && typeof is === 'object')
        problems.push(...compare(was, is, direction, `${path}${mark}`));
      else if (typeof was === 'object' && direction === 'answer')
        problems.push(`${path}${mark}: is no longer described`);
      else if (typeof is === 'object' && was !== false && direction === 'request')
        problems.push(`${path}${mark}: is narrower`);
    }
    problems.push(...comparedForms(before, now, direction, path));
    if (isNamed) compared.set(pair, problems);
    return problems;
  }

  /** A request must be accepted by some form as before. A form of an answer must be one of before, and each object of before is left. */
  function comparedForms(before: JsonSchema, now: JsonSchema, direction: Direction, path: string): string[] {
    if (formsOf(before).length === 0 && formsOf(now).length === 0) return [];
    const [was = [], is = []] = [before, now].map((schema) => {
      const forms = formsOf(schema);
      return forms.length > 0 ? forms : [schema];
    });
    /** The nearest form's problems: none if one fits. */
    const nearest = (forms: readonly JsonSchema[], problemsWith: (form: JsonSchema) => string[]) =>
      forms.map(problemsWith).sort((a, b) => a.length - b.length)[0] ?? [`${path}: has no such form`];
    const kept = was.filter(
      (form) => direction === 'request' || resolve(schemasBefore, form).properties !== undefined,
    );
    const lost = kept.flatMap((form) => nearest(is, (each) => compare(form, each, direction, path)));
    const added = is.flatMap((form) => nearest(was, (each) => compare(each, form, direction, path)));
    return [...new Set(direction === 'request' ? lost : [...lost, ...added])];
  }
}

const resolve = (schemas: Schemas, schema: JsonSchema): JsonSchema => {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  return name === undefined ? schema : resolve(schemas, schemas[name] ?? {});
};

const formsOf = ({ anyOf = [], oneOf = [], allOf = [] }: JsonSchema) => [...anyOf, ...oneOf, ...allOf];

function typesOf({ type }: JsonSchema): string[] | null {
  if (type === undefined) return null;
  const types = Array.isArray(type) ? type : [type];
  return types.includes('number') ? [...types, 'integer'] : types;
}

function valuesOf({ const: only, enum: values }: JsonSchema): unknown[] | null {
  return only === undefined ? (values ?? null) : [only];
}

/** Whether `wide` allows everything that `narrow` does; null allows everything. */
function contains(wide: readonly unknown[] | null, narrow: readonly unknown[] | null): boolean {
  if (wide === null) return true;
  return narrow?.every((each) => wide.includes(each)) ?? false;
}

function comparedTypes(before: JsonSchema, now: JsonSchema, direction: Direction): string[] {
  const [was, is] = [typesOf(before), typesOf(now)];
  const isKept = direction === 'request' ? contains(is, was) : contains(was, is);
  return isKept ? [] : [`the type ${was ?? 'any'} became ${is ?? 'any'}`];
}

function comparedValues(before: JsonSchema, now: JsonSchema, direction: Direction, path: string): string[] {
  const [was, is] = [valuesOf(before), valuesOf(now)];
  if (direction === 'request') return contains(is, was) ? [] : ['accepts fewer values'];
  const isOpen = OPEN_FIELDS.some((name) => path.endsWith(`.${name}`));
  return isOpen || contains(was, is) ? [] : ['has new values'];
}

function comparedBounds(before: JsonSchema, now: JsonSchema, direction: Direction): string[] {
  const isRequest = direction === 'request';
  const minima = MINIMA.filter((name) => {
    const [was, is] = [before[name] ?? -Infinity, now[name] ?? -Infinity];
    return isRequest ? is > was : is < was;
  });
  // A limit may be raised, and what it limits is then longer in answers, too.
  const maxima = MAXIMA.filter((name) => isRequest && (now[name] ?? Infinity) < (before[name] ?? Infinity));
  const texts = (['pattern', 'format'] as const).filter((name) => {
    const mayGo = isRequest ? now[name] === undefined : before[name] === undefined;
    return !mayGo && before[name] !== now[name];
  });
  return [...minima, ...maxima, ...texts].map(
    (name) => `${name} ${before[name] ?? 'none'} became ${now[name] ?? 'none'}`,
  );
}

function comparedFields(before: JsonSchema, now: JsonSchema, direction: Direction): string[] {
  const fields = Object.keys(before.properties ?? {});
  const gone = fields.filter((name) => now.properties?.[name] === undefined);
  const [was, is] = [before.required ?? [], now.required ?? []];
  const required = is.filter((name) => !was.includes(name));
  const optional = was.filter((name) => !is.includes(name) && !gone.includes(name));
  const isClosed =
    direction === 'request' && before.additionalProperties !== false && now.additionalProperties === false;
  return [
    ...gone.map((name) => `lost the field ${name}`),
    ...(direction === 'request' ? required.map((name) => `requires ${name}`) : []),
    ...(direction === 'answer' ? optional.map((name) => `may lack ${name}`) : []),
    ...(isClosed ? ['accepts no other fields'] : []),
  ];
}

/** A condition of a request may only concern fields that are new. */
function comparedConditions(before: JsonSchema, now: JsonSchema, direction: Direction): string[] {
  if (direction === 'answer') return [];
  const known = before.properties ?? {};
  const excluded = ({ not }: JsonSchema) => (not === undefined ? [] : (not.anyOf ?? [not]));
  const was = new Set(excluded(before).map((each) => JSON.stringify(each)));
  const added = excluded(now).filter(
    (each) =>
      !was.has(JSON.stringify(each)) && (each.required ?? []).every((name) => Object.hasOwn(known, name)),
  );
  const needed = Object.entries(now.dependentRequired ?? {}).filter(
    ([name, fields]) =>
      Object.hasOwn(known, name) && !contains(before.dependentRequired?.[name] ?? [], fields),
  );
  return [
    ...added.map((each) => `excludes ${JSON.stringify(each)}`),
    ...needed.map(([name, fields]) => `requires ${fields} beside ${name}`),
  ];
}
