/** A table of properties with types, defaults and rules. A click on a row edits the property. */
import { Box, Skeleton } from '@mantine/core';
import { memo } from 'react';
import type { FeatureProperty } from '#contracts/console/features';
import { useOrganisation } from '#web/session/organisation.tsx';
import { CopyId } from '#web/ui/copy/copy-id.tsx';
import { VisuallyHidden } from '#web/ui/labels/visually-hidden.tsx';
import { EditDeleteMenu } from '#web/ui/lists/edit-delete-menu.tsx';
import { rowOpening } from '#web/ui/lists/row-opening.ts';
import { PropertyValueView } from '#web/values/kinds/property-value.tsx';
import { viewOf } from '#web/values/kinds/views.ts';
import classes from './features.module.css';

export interface PropertiesTableProps {
  readonly label: string;
  /** Undefined while they load. */
  readonly properties: readonly FeatureProperty[] | undefined;
  readonly loadingRows?: number;
  readonly onEdit: (property: FeatureProperty) => void;
  /** Undefined if the properties cannot be deleted. */
  readonly onDelete?: (property: FeatureProperty) => void;
}

export function PropertiesTable(props: PropertiesTableProps) {
  const { label, properties, loadingRows = 3, onEdit, onDelete } = props;
  return (
    <Box style={{ containerType: 'inline-size' }}>
      <table
        className={`table data-table fixed-columns ${classes.table}`}
        aria-label={label}
        aria-busy={properties === undefined || undefined}
      >
        <PropertiesHead />
        {properties === undefined ? (
          <tbody>
            {['one', 'two', 'three'].slice(0, loadingRows).map((row) => (
              <LoadingRow key={row} />
            ))}
          </tbody>
        ) : (
          <tbody className="open-rows">
            {properties.map((property) => (
              <PropertyRow key={property.id} property={property} onEdit={onEdit} onDelete={onDelete} />
            ))}
          </tbody>
        )}
      </table>
    </Box>
  );
}

function LoadingRow() {
  return (
    <tr>
      <td>
        <Skeleton height={14} width="60%" />
      </td>
      {['key', 'type', 'value', 'rule', 'actions'].map((column) => (
        <td key={column} data-column={column}>
          {column !== 'actions' && <Skeleton height={14} width="60%" />}
        </td>
      ))}
    </tr>
  );
}

function PropertiesHead() {
  return (
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
  );
}

interface PropertyRowProps {
  readonly property: FeatureProperty;
  readonly onEdit: (property: FeatureProperty) => void;
  readonly onDelete: ((property: FeatureProperty) => void) | undefined;
}

const PropertyRow = memo(function PropertyRow({ property, onEdit, onDelete }: PropertyRowProps) {
  const { name, propertyKey, description, type, value, bounds, conflictResolution } = property;
  const { limitOrder } = useOrganisation();
  return (
    <tr {...rowOpening}>
      <td>
        <button type="button" className={classes.rowName} onClick={() => onEdit(property)}>
          {name}
        </button>
        <span className={classes.rowKey}>
          <code>{propertyKey}</code> · {viewOf(type).label}
        </span>
        {description !== null && <span className={classes.rowDetail}>{description}</span>}
      </td>
      <td data-column="key">
        <CopyId value={propertyKey} label="key" />
      </td>
      <td data-column="type">{viewOf(type).label}</td>
      <td data-column="value">
        <PropertyValueView type={type} bounds={bounds} value={value} />
      </td>
      <td data-column="rule">{viewOf(type).ruleLabel(conflictResolution, limitOrder)}</td>
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
