/** /o/{orgId}/features: the organisation's features. */
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { FeaturesTable } from '#web/domains/features/features-table.tsx';
import { featuresQuery } from '#web/domains/features/queries.ts';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { useCreating } from '#web/ui/dialogs/use-creating.ts';
import { codeApart } from '#web/ui/loading/loaded-apart.tsx';
import { OptionalPart, whileOpen } from '#web/ui/loading/optional-part.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { EmptyState } from '#web/ui/states/empty-state.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { useFeatureFigures } from './use-feature-figures.ts';

/** Forms are loaded when one opens. */
const createDialog = codeApart(
  async () => (await import('#web/domains/features/create-feature-dialog.tsx')).CreateFeatureDialog,
);

export function FeaturesPage() {
  const orgId = useOrgId();
  const { data, error, refetch } = useQuery(featuresQuery(orgId));
  const [isCreating, creating] = useCreating();
  const figures = useFeatureFigures(orgId);
  const isEmpty = data?.length === 0;
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
      Create a feature
    </Button>
  );
  return (
    <Page actions={isEmpty ? undefined : create}>
      {data === undefined && error !== null ? (
        <ErrorState title="The features could not be loaded" error={error} onRetry={refetch} />
      ) : isEmpty ? (
        <EmptyState
          title="No Features"
          example={'exports.enabled      true\nexports.rowsPerDay   5,000\nteam.seats           3 of 10'}
          action={create}
          docs={<Link to={paths.apiDocsSection('access-checks')}>How your app reads features</Link>}
        >
          A feature is anything you gate or meter: exports, SSO, seats. Create one, add properties, and set
          their values in plans.
        </EmptyState>
      ) : (
        <FeaturesTable features={data} figures={figures} />
      )}
      <OptionalPart code={createDialog} {...whileOpen(isCreating, creating.close)} />
    </Page>
  );
}
