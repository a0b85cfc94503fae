/** What operations have in common becomes a component that they refer to: generators of clients repeat what is written out. */
import type { DocumentedOperation, OpenApiDocument } from '#contracts/public/openapi';

/** Parameters and headers by their name, answers of errors by their status. What differs from another of its name stays in its place. */
export function shareParts(document: OpenApiDocument): OpenApiDocument {
  const { components, paths } = document;
  const operations: DocumentedOperation[] = Object.values(paths).flatMap((item) => Object.values(item));
  for (const operation of operations) {
    const { responses } = operation;
    for (const response of Object.values(responses)) {
      for (const [name, header] of Object.entries(response.headers)) {
        response.headers[name] = shared('headers', components.headers, name, header);
      }
    }
    operation.parameters = operation.parameters.map((parameter) =>
      shared('parameters', components.parameters, parameter.name, parameter),
    );
  }
  for (const { operation, status, text } of repeatedResponses(operations)) {
    const response = operation.responses[status];
    if (response === undefined) continue;
    const known = Object.entries(components.responses).find(([, each]) => JSON.stringify(each) === text);
    const name =
      known?.[0] ?? freeName(components.responses, RESPONSE_NAMES.get(status) ?? `Status${status}`);
    operation.responses[status] = shared('responses', components.responses, name, response);
  }
  return document;
}

const RESPONSE_NAMES: ReadonlyMap<string, string> = new Map([
  ['400', 'InvalidRequest'],
  ['401', 'Unauthenticated'],
  ['403', 'Forbidden'],
  ['404', 'NotFound'],
  ['409', 'Conflict'],
  ['413', 'PayloadTooLarge'],
  ['415', 'UnsupportedMediaType'],
  ['429', 'TooManyRequests'],
  ['500', 'ServerError'],
  ['503', 'Unavailable'],
]);

function repeatedResponses(operations: readonly DocumentedOperation[]) {
  const all = operations.flatMap((operation) =>
    Object.entries(operation.responses).map(([status, response]) => ({
      operation,
      status,
      text: JSON.stringify(response),
    })),
  );
  return all.filter(({ text }) => all.filter((other) => other.text === text).length > 1);
}

function freeName(taken: object, name: string): string {
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? name : `${name}${number}`;
    if (!Object.hasOwn(taken, numbered)) return numbered;
  }
}

/** The reference, in the type of what it refers to: readers resolve it (contracts/public/openapi.ts). */
function shared<Part extends object>(
  kind: 'headers' | 'parameters' | 'responses',
  parts: Record<string, Part>,
  name: string,
  part: Part,
): Part {
  parts[name] ??= part;
  if (JSON.stringify(parts[name]) !== JSON.stringify(part)) return part;
  return { $ref: `#/components/${kind}/${name}` } as unknown as Part;
}
