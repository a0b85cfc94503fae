/** The public API's reference as Markdown, from its OpenAPI document: what /api-docs shows, in the document's order. */
import {
  type DocumentedOperation,
  type JsonSchema,
  type OpenApiDocument,
  resolveParts,
} from '#contracts/public/openapi';
import { type FieldRow, fieldRows, type Schemas } from '#contracts/public/read-schema';

export function writeReference(served: OpenApiDocument): string {
  const document = resolveParts(served);
  const { info, components, servers, tags } = document;
  const [server] = servers;
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const sections = tags.flatMap((tag) => [
    `## ${tag.name}`,
    tag.description,
    ...operations
      .filter(({ operation }) => operation.tags[0] === tag.name)
      .flatMap(({ path, method, operation }) => describeCall(path, method, operation, components.schemas)),
  ]);
  return `${[
    `# ${info.title} ${info.version}`,
    info.description,
    `The server is ${server?.url}. The same for generators: ${server?.url}/api/v1/openapi.json`,
    '## Authentication',
    components.securitySchemes.apiKey?.description ?? '',
    ...sections,
    '## Errors',
    'A failed request returns an error body with status, requestId, errorType, code and message, and issues for invalid fields.',
    document['x-errors']
      .map(
        ({ errorType, status, meaning, advice, isRetryable }) =>
          `- \`${errorType}\` (${status}, ${isRetryable ? 'can be retried' : 'do not retry'}): ${meaning} ${advice}`,
      )
      .join('\n'),
    '## Error codes',
    'code in an error body. Ignore unknown codes, because new ones may be added.',
    document['x-refusals']
      .map(({ code, errorType, meaning, advice }) => `- \`${code}\` (${errorType}): ${meaning} ${advice}`)
      .join('\n'),
    '## Warnings',
    'A successful response can contain warnings. Ignore unknown codes, because new ones may be added.',
    document['x-warnings']
      .map(({ code, message, advice }) => `- \`${code}\`: ${message}. ${advice}`)
      .join('\n'),
  ].join('\n\n')}\n`;
}

/** The first example stands for all; the OpenAPI document has the others. */
function describeCall(
  path: string,
  method: string,
  operation: DocumentedOperation,
  schemas: Schemas,
): string[] {
  const body = operation.requestBody?.content['application/json'];
  const answer = operation.responses['200']?.content?.['application/json'];
  const [[name, request] = ['', undefined]] = Object.entries(body?.examples ?? operation['x-examples'] ?? {});
  const statuses = Object.entries(operation.responses).map(
    ([status, { description }]) => `- ${status}: ${description}`,
  );
  return [
    `### ${operation.summary}`,
    `\`${method} ${path}\``,
    operation.description,
    ...listed(
      'Parameters:',
      operation.parameters.map(
        (one) => `- \`${one.name}\` (${one.in}${one.required ? ', required' : ''}): ${one.description}`,
      ),
    ),
    ...(body === undefined
      ? []
      : [...listed('Request:', fieldsOf(body.schema, schemas, true)), ...json(request?.value)]),
    ...(answer === undefined
      ? []
      : [
          ...listed('Response:', fieldsOf(answer.schema, schemas, false)),
          ...json(answer.examples[name]?.value),
        ]),
    ...listed('Statuses:', statuses),
  ];
}

const listed = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : [title, lines.join('\n')];

const json = (value: unknown) =>
  value === undefined ? [] : [`\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``];

const fieldsOf = (schema: JsonSchema, schemas: Schemas, isRequest: boolean) =>
  fieldRows(schema, schemas).flatMap((row) => lines(row, isRequest, ''));

function lines(row: FieldRow, isRequest: boolean, indent: string): string[] {
  const { name, type, isRequired, description, bounds, values, forms, fields } = row;
  const facts = [
    type,
    ...(isRequest && isRequired ? ['required'] : []),
    ...(isRequest || isRequired || name === '{key}' ? [] : ['optional']),
    ...(forms.length > 0 ? [`only ${forms.join(' or ')}`] : []),
    ...(bounds === null ? [] : [bounds]),
    ...(values.length > 1 ? [values.map((value) => `\`${value}\``).join(', ')] : []),
  ];
  const text = description === '' ? '' : `: ${description.replaceAll('\n', ' ')}`;
  return [
    `${indent}- \`${name}\` (${facts.join('; ')})${text}`,
    ...fields.flatMap((field) => lines(field, isRequest, `${indent}  `)),
  ];
}
