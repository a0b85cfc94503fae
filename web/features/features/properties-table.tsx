/** Properties with their types, defaults and rules; a click on one edits it. */
import { memo } from 'react';
import type { FeatureProperty } from '#contracts/features';
import { CopyId } from '../../ui/copy-id.tsx';
import { EditDeleteMenu } from '../../ui/edit-delete-menu.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { PropertyValueView } from '../../values/property-value.tsx';
import { resolutionWords, TYPE_WORDS } from '../../values/value-words.ts';
import classes from './features.module.css';

export interface PropertiesTableProps {
  readonly label: string;
  readonly properties: readonly FeatureProperty[];
  readonly onEdit: (property: FeatureProperty) => void;
  /** Absent where properties cannot be deleted. */
  readonly onDelete?: (property: FeatureProperty) => void;
}

export function PropertiesTable({ label, properties, onEdit, onDelete }: PropertiesTableProps) {
  return (
    <div className={classes.tableFrame}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Property</th>
            <th scope="col" data-column="key">
              Key
            </th>
            <th scope="col" data-column="type">
              Type
            </th>
            <th scope="col" data-column="value">
              Default
            </th>
            <th scope="col" data-column="rule">
              When plans differ
            </th>
            <th scope="col" data-column="actions">
              <VisuallyHidden>Actions</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {properties.map((property) => (
            <PropertyRow key={property.id} property={property} onEdit={onEdit} onDelete={onDelete} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface PropertyRowProps {
  readonly property: FeatureProperty;
  readonly onEdit: (property: FeatureProperty) => void;
  readonly onDelete: ((property: FeatureProperty) => void) | undefined;
}

const PropertyRow = memo(function PropertyRow({ property, onEdit, onDelete }: PropertyRowProps) {
  const { name, propertyKey, description, type, value, bounds, conflictResolution } = property;
  return (
    <tr
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest('button, [role="menu"]') === null) {
          onEdit(property);
        }
      }}
    >
      <td>
        <button type="button" className={classes.rowName} onClick={() => onEdit(property)}>
          {name}
        </button>
        <span className={classes.rowKey}>
          <code>{propertyKey}</code> · {TYPE_WORDS[type]}
        </span>
        {description !== null && <span className={classes.rowDetail}>{description}</span>}
      </td>
      <td data-column="key">
        <CopyId value={propertyKey} label="key" />
      </td>
      <td data-column="type">{TYPE_WORDS[type]}</td>
      <td data-column="value">
        <PropertyValueView type={type} bounds={bounds} value={value} />
      </td>
      <td data-column="rule">{resolutionWords(conflictResolution, type)}</td>
      <td data-column="actions">
        <EditDeleteMenu
          name={name}
          edit={() => onEdit(property)}
          onDelete={onDelete && (() => onDelete(property))}
        />
      </td>
    </tr>
  );
});
