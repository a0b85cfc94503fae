/** The fields of a request or an answer, one below the other; those inside a field are shown when asked for. */
import type { JsonSchema } from '#contracts/openapi';
import classes from './field-list.module.css';
import { type FieldRow, fieldRows, type Schemas } from './read-schema.ts';

export interface FieldListProps {
  readonly title: string;
  readonly schema: JsonSchema;
  readonly schemas: Schemas;
  /** Of requests: which fields must be sent. In answers a field is there unless it says otherwise. */
  readonly isRequest: boolean;
}

export function FieldList({ title, schema, schemas, isRequest }: FieldListProps) {
  return (
    <div>
      <h3 className={classes.title}>{title}</h3>
      <Rows rows={fieldRows(schema, schemas)} isRequest={isRequest} />
    </div>
  );
}

function Rows({ rows, isRequest }: { rows: readonly FieldRow[]; isRequest: boolean }) {
  return (
    <ul className={classes.fields}>
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
    <li className={classes.field}>
      <div className={classes.line}>
        <code className={classes.name} data-free={isFreeKey || undefined}>
          {name}
        </code>
        <span className={classes.type}>{type}</span>
        {isRequest && isRequired && <span className={classes.required}>required</span>}
        {!isRequest && !isRequired && !isFreeKey && <span className={classes.type}>where it applies</span>}
        {forms.length > 0 && <span className={classes.type}>only {forms.join(' or ')}</span>}
      </div>
      {description !== '' && <p className={classes.description}>{description}</p>}
      {(bounds !== null || values.length > 1) && (
        <div className={classes.line}>
          {values.length > 1 && values.map((value) => <code key={value}>{value}</code>)}
          {bounds !== null && <span className={classes.type}>{bounds}</span>}
        </div>
      )}
      {fields.length > 0 && (
        <details className={classes.inner}>
          <summary>
            {fields.length === 1 ? 'One field' : `${fields.length} fields`}
            <span className={classes.hidden}> of {name}</span>
          </summary>
          <Rows rows={fields} isRequest={isRequest} />
        </details>
      )}
    </li>
  );
}
