/** The organisation's features. A row links to its feature. */
import { Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Feature } from '#contracts/console/features';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { CopyId } from '#web/ui/copy/copy-id.tsx';
import { formatNumber } from '#web/ui/format.ts';
import { Age } from '#web/ui/labels/age.tsx';
import { EditDeleteMenu } from '#web/ui/lists/edit-delete-menu.tsx';
import { Figure } from '#web/ui/lists/figure.tsx';
import { ListTable } from '#web/ui/lists/list-table.tsx';
import { DeleteFeatureDialog } from './delete-feature-dialog.tsx';
import classes from './features.module.css';

/** What is read apart from the features. Its identity changes with what is known, as the rows render again then. */
export interface FeatureFigures {
  /** By id. Undefined while unknown. */
  readonly plansOf: ((featureId: string) => number) | undefined;
  /** Calls of the last day that name the feature, by slug. Undefined while unknown. */
  readonly callsOf: ((slug: string) => { readonly calls: number; readonly denied: number }) | undefined;
  /** By id. Undefined: it is unknown by whom. */
  readonly changeOf: (featureId: string) => { readonly at: number; readonly by: string } | undefined;
  readonly hasFailed: { readonly plans: boolean; readonly calls: boolean };
}

export interface FeaturesTableProps {
  /** Undefined while loading. */
  readonly features: readonly Feature[] | undefined;
  readonly figures: FeatureFigures;
}

export function FeaturesTable({ features, figures }: FeaturesTableProps) {
  const orgId = useOrgId();
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
            width: 160,
            isSecondary: true,
            isMinor: true,
          },
          {
            header: 'Properties',
            cell: ({ properties }) => formatNumber(properties.length),
            width: 104,
            isNumber: true,
            isSecondary: true,
            isMinor: true,
          },
          {
            header: 'Plans',
            cell: ({ id }) => <Figure value={figures.plansOf?.(id)} hasFailed={figures.hasFailed.plans} />,
            width: 76,
            isNumber: true,
            isSecondary: true,
          },
          {
            header: 'Checks, 24 h',
            cell: ({ slug }) => (
              <Figure value={figures.callsOf?.(slug).calls} hasFailed={figures.hasFailed.calls} />
            ),
            width: 112,
            isNumber: true,
            isSecondary: true,
          },
          {
            header: 'Denied',
            cell: ({ slug }) => (
              <Figure value={figures.callsOf?.(slug).denied} hasFailed={figures.hasFailed.calls} />
            ),
            width: 84,
            isNumber: true,
            isSecondary: true,
          },
          {
            header: 'Changed',
            cell: ({ id, updatedAt }) => <Changed change={figures.changeOf(id)} updatedAt={updatedAt} />,
            width: 150,
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
    [orgId, features, figures],
  );
  return (
    <div className={classes.list}>
      {table}
      <DeleteFeatureDialog feature={doomed} onClose={() => setDoomed(null)} />
    </div>
  );
}

interface ChangedProps {
  readonly change: ReturnType<FeatureFigures['changeOf']>;
  readonly updatedAt: number;
}

function Changed({ change, updatedAt }: ChangedProps) {
  return (
    <>
      <Age at={Math.max(change?.at ?? 0, updatedAt)} />
      {change !== undefined && (
        <Text fz="inherit" lh={1.2} c="dimmed" truncate title={change.by}>
          {change.by}
        </Text>
      )}
    </>
  );
}
