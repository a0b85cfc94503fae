/** One API operation: description, request and response fields, and example code beside them. */
import { Group, Stack, Text, Title } from '@mantine/core';
import type { DocumentedOperation } from '#contracts/public/openapi';
import type { Schemas } from '#contracts/public/read-schema';
import { CopyId } from '#web/ui/copy/copy-id.tsx';
import { ExamplePanel } from './example-panel.tsx';
import { FieldList } from './field-list.tsx';
import classes from './operation.module.css';
import { Prose } from './prose.tsx';
import { SmallTable } from './small-table.tsx';

export interface OperationSectionProps {
  /** The heading's anchor. */
  readonly id: string;
  readonly title: string;
  /** Parameters are written {name}. */
  readonly path: string;
  readonly method: string;
  readonly serverUrl: string;
  readonly operation: DocumentedOperation;
  readonly schemas: Schemas;
}

export function OperationSection(props: OperationSectionProps) {
  const { id, title, path, method, serverUrl, operation, schemas } = props;
  const body = operation.requestBody?.content['application/json'].schema;
  const answer = operation.responses['200'];
  return (
    <section className={classes.section} id={id} aria-labelledby={`${id}-title`}>
      <Stack gap={8}>
        <Title order={2} id={`${id}-title`} fz="1.0625rem" style={{ letterSpacing: '-0.01em' }}>
          {title}
        </Title>
        <Group gap={8} wrap="nowrap" miw={0}>
          <Text span fz="xs" fw={600} ff="monospace" bdrs="sm" py={1} px={6} className="accent">
            {method}
          </Text>
          <CopyId value={path} label="path" />
        </Group>
        <Prose text={operation.description} />
      </Stack>
      <div className={classes.columns}>
        <ExamplePanel operation={operation} url={`${serverUrl}${path}`} method={method} />
        <div className={classes.words}>
          {body !== undefined && <FieldList title="Request" schema={body} schemas={schemas} isRequest />}
          <SmallTable
            title="Parameters"
            head={['Name', 'In', 'Description']}
            rows={operation.parameters.map((parameter) => ({
              key: parameter.name,
              cells: [<code key="name">{parameter.name}</code>, parameter.in, parameter.description],
            }))}
          />
          {answer?.content !== undefined && (
            <FieldList
              title="Response"
              schema={answer.content['application/json'].schema}
              schemas={schemas}
              isRequest={false}
            />
          )}
          <SmallTable
            title="Response headers"
            head={['Name', 'Status', 'Description']}
            rows={headersOf(operation)}
          />
        </div>
      </div>
    </section>
  );
}

/** Each header once, with the statuses that have it. */
function headersOf({ responses }: DocumentedOperation) {
  const all = Object.keys(responses).length;
  const found = new Map<string, { description: string; statuses: string[] }>();
  for (const [status, { headers }] of Object.entries(responses)) {
    for (const [name, { description }] of Object.entries(headers)) {
      const entry = found.get(name) ?? { description, statuses: [] };
      entry.statuses.push(status);
      found.set(name, entry);
    }
  }
  return [...found].map(([name, { description, statuses }]) => ({
    key: name,
    cells: [
      <code key="name">{name}</code>,
      statuses.length === all ? 'all statuses' : statuses.join(', '),
      description,
    ],
  }));
}
