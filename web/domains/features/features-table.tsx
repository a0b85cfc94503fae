/** The organisation's features. A row links to its feature. */
import { useMemo, useState } from 'react';
import type { Feature } from '#contracts/console/features';
import { paths } from '#web/paths.ts';
import { CopyId } from '#web/ui/copy/copy-id.tsx';
import { Age } from '#web/ui/labels/age.tsx';
import { EditDeleteMenu } from '#web/ui/lists/edit-delete-menu.tsx';
import { ListTable } from '#web/ui/lists/list-table.tsx';
import { DeleteFeatureDialog } from './delete-feature-dialog.tsx';
import classes from './features.module.css';

export interface FeaturesTableProps {
  readonly orgId: string;
  /** Undefined while loading. */
  readonly features: readonly Feature[] | undefined;
}

export function FeaturesTable({ orgId, features }: FeaturesTableProps) {
  const [doomed, setDoomed] = useState<Feature | null>(null);
  // The open dialog is not part of the table's props, so that the rows do not render again: there can be a thousand.
  const table = useMemo(
    () => (
      <ListTable
        label="features"
        rows={features}
        rowKey={({ id }) => id}
        rowTo={({ id }) => paths.feature(orgId, id)}
        keywords={({ slug }) => slug}
        name={{
          header: 'Name & Description',
          cell: ({ name }) => name,
          detail: ({ description }) => description,
        }}
        columns={[
          {
            header: 'Slug',
            cell: ({ slug }) => <CopyId value={slug} label="slug" />,
            width: 200,
            isSecondary: true,
          },
          {
            header: 'Properties',
            cell: ({ properties }) => <span className="mono figures">{properties.length}</span>,
            width: 104,
            isNumber: true,
            isSecondary: true,
          },
          {
            header: 'Changed',
            cell: ({ updatedAt }) => <Age at={updatedAt} />,
            width: 130,
            isSecondary: true,
          },
        ]}
        actions={(feature) => (
          <EditDeleteMenu
            name={feature.name}
            edit={paths.feature(orgId, feature.id)}
            onDelete={() => setDoomed(feature)}
          />
        )}
      />
    ),
    [orgId, features],
  );
  return (
    <div className={classes.list}>
      {table}
      <DeleteFeatureDialog orgId={orgId} feature={doomed} onClose={() => setDoomed(null)} />
    </div>
  );
}
