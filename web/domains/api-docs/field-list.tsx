/** The fields of a request or response. Nested fields can be expanded. */
import { Box } from '@mantine/core';
import type { JsonSchema } from '#contracts/public/openapi';
import { type FieldRow, fieldRows, type Schemas } from '#contracts/public/read-schema';
import classes from './field-list.module.css';

export interface FieldListProps {
  readonly title: string;
  readonly schema: JsonSchema;
  readonly schemas: Schemas;
  /** For requests: shows which fields are required. Response fields are present unless stated otherwise. */
  readonly isRequest: boolean;
}

export function FieldList({ title, schema, schemas, isRequest }: FieldListProps) {
  return (
    <div>
      <Box component="h3" fz="sm" fw={600} mt={0} mb={4}>
        {title}
      </Box>
      <Rows rows={fieldRows(schema, schemas)} isRequest={isRequest} />
    </div>
  );
}

function Rows({ rows, isRequest }: { rows: readonly FieldRow[]; isRequest: boolean }) {
  return (
    <ul className={`list ${classes.fields}`}>
      {rows.map((row) => (
        <Row key={row.name} row={row} isRequest={isRequest} />
      ))}
    </ul>
  );
}

function Row({ row, isRequest }: { row: FieldRow; isRequest: boolean }) {
  const { name, type, isRequired, description, bounds, values, forms, fields } = row;
  const isFreeKey = name === '{key}';
  return (
    <Box component="li" py={12} px={0} style={{ borderTop: '1px solid var(--line)' }}>
      <div className={classes.line}>
        <code className={`strong small medium breaks ${classes.name}`} data-free={isFreeKey || undefined}>
          {name}
        </code>
        <span className="faint">{type}</span>
        {isRequest && isRequired && <span className="strong medium">required</span>}
        {!isRequest && !isRequired && !isFreeKey && <span className="faint">optional</span>}
        {forms.length > 0 && <span className="faint">only {forms.join(' or ')}</span>}
      </div>
      {description !== '' && (
        <Box component="p" c="dimmed" fz="sm" maw="68ch" my={4}>
          {description}
        </Box>
      )}
      {(bounds !== null || values.length > 1) && (
        <div className={classes.line}>
          {values.length > 1 && values.map((value) => <code key={value}>{value}</code>)}
          {bounds !== null && <span className="faint">{bounds}</span>}
        </div>
      )}
      {fields.length > 0 && (
        <details className={classes.inner}>
          <summary>
            {fields.length === 1 ? 'One field' : `${fields.length} fields`}
            <span className="visually-hidden"> of {name}</span>
          </summary>
          <Rows rows={fields} isRequest={isRequest} />
        </details>
      )}
    </Box>
  );
}
