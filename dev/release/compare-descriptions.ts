// Finds in a description of the public API what breaks a client of the description before: version 1 only gains (docs/versions.md).
import {
  type DocumentedOperation,
  type DocumentedResponse,
  type OpenApiDocument,
  resolveParts,
} from '#contracts/public/openapi';
import { schemaComparer } from './compare-schemas.ts';

/** What clients depend on; without texts and examples. */
export type Baseline = Pick<
  OpenApiDocument,
  'paths' | 'components' | 'x-errors' | 'x-refusals' | 'x-warnings'
>;

/** @returns each break as `where: what` */
export function findBreaks(baseline: Baseline, document: Baseline): string[] {
  const [before, now] = [baseline, document].map((each) => resolveParts(each as OpenApiDocument)) as [
    OpenApiDocument,
    OpenApiDocument,
  ];
  const compare = schemaComparer(before.components.schemas, now.components.schemas);
  const operations = Object.entries(before.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const current = now.paths[path]?.[method as 'get'];
      return current === undefined ? [`${name}: is gone`] : comparedOperations(operation, current, name);
    }),
  );
  return [
    ...operations,
    ...lost('error type', before['x-errors'], now['x-errors'], ({ errorType, status }) => [
      errorType,
      status,
    ]),
    ...lost('code', before['x-refusals'], now['x-refusals'], ({ code, errorType }) => [code, errorType]),
    ...lost('warning', before['x-warnings'], now['x-warnings'], ({ code }) => [code, '']),
  ];

  function comparedOperations(was: DocumentedOperation, is: DocumentedOperation, name: string): string[] {
    const parameters = is.parameters.flatMap((parameter) => {
      const where = `${name} ${parameter.in} ${parameter.name}`;
      const old = was.parameters.find((each) => each.in === parameter.in && each.name === parameter.name);
      const isStricter = parameter.required && old?.required !== true;
      return [
        ...(isStricter ? [`${where}: is required`] : []),
        ...(old === undefined ? [] : compare(old.schema, parameter.schema, 'request', where)),
      ];
    });
    const gone = was.parameters.filter(
      (old) => !is.parameters.some((each) => each.in === old.in && each.name === old.name),
    );
    return [
      ...(was.operationId === is.operationId ? [] : [`${name}: is called ${is.operationId}`]),
      ...gone.map((old) => `${name} ${old.in} ${old.name}: is gone`),
      ...parameters,
      ...comparedBodies(was, is, name),
      ...Object.entries(was.responses).flatMap(([status, response]) =>
        comparedResponses(response, is.responses[status], `${name} ${status}`),
      ),
      ...Object.keys(is.responses)
        .filter((status) => status.startsWith('2') && was.responses[status] === undefined)
        .map((status) => `${name} ${status}: is a new success`),
    ];
  }

  function comparedBodies(was: DocumentedOperation, is: DocumentedOperation, name: string): string[] {
    const [old, current] = [was.requestBody, is.requestBody];
    const isStricter = current?.required === true && old?.required !== true;
    if (isStricter) return [`${name} body: is required`];
    if (old === undefined) return [];
    if (current === undefined) return [`${name} body: is gone`];
    const [before, now] = [old, current].map(({ content }) => content['application/json'].schema);
    return compare(before ?? {}, now ?? {}, 'request', `${name} body`);
  }

  function comparedResponses(
    was: DocumentedResponse,
    is: DocumentedResponse | undefined,
    name: string,
  ): string[] {
    if (is === undefined) return [`${name}: is gone`];
    const headers = Object.entries(was.headers ?? {}).flatMap(([header, { required, schema }]) => {
      const current = is.headers?.[header];
      if (current === undefined) return [`${name} header ${header}: is gone`];
      const mayLack = required === true && current.required !== true;
      return [
        ...(mayLack ? [`${name} header ${header}: may be absent`] : []),
        ...compare(schema, current.schema, 'answer', `${name} header ${header}`),
      ];
    });
    const [old, current] = [was, is].map(({ content }) => content?.['application/json'].schema);
    if (old === undefined) return headers;
    if (current === undefined) return [...headers, `${name}: has no body`];
    return [...headers, ...compare(old, current, 'answer', `${name} answer`)];
  }
}

/** Entries of a table that are gone, or have another meaning. */
function lost<Entry>(
  what: string,
  before: readonly Entry[],
  now: readonly Entry[],
  read: (entry: Entry) => readonly [string, unknown],
): string[] {
  const current = new Map(now.map(read));
  return before.map(read).flatMap(([name, meaning]) => {
    if (!current.has(name)) return [`${what} ${name}: is gone`];
    return current.get(name) === meaning ? [] : [`${what} ${name}: ${meaning} became ${current.get(name)}`];
  });
}
