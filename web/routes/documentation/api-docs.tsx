/** /api-docs: the public API's reference, rendered from its OpenAPI document. */
import { Button } from '@mantine/core';
import { IconBraces } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { openApiEndpoints } from '#contracts/public/openapi';
import { isSettled } from '#web/api/is-settled.ts';
import { ApiReference } from '#web/domains/api-docs/api-reference.tsx';
import { DocsSkeleton } from '#web/domains/api-docs/docs-skeleton.tsx';
import { apiDescriptionQuery } from '#web/domains/api-docs/queries.ts';
import { TryIt } from '#web/domains/api-docs/try-it.tsx';
import { featuresQuery } from '#web/domains/features/queries.ts';
import { useOrganisation } from '#web/session/organisation.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';

export function ApiDocsPage() {
  const { orgId, isLoading } = useOrganisation();
  const { data, error, refetch } = useQuery(apiDescriptionQuery);
  const listed = useQuery(featuresQuery(orgId));
  const features = listed.data ?? [];
  // The examples and the trial are about the organisation and its features.
  const isKnown = !isLoading && (orgId === null || isSettled(listed));
  return (
    <Page
      subtitle="Check what a customer can do, count what they use, and manage customers. Denied is a 200, not an error."
      actions={
        <Button
          component="a"
          href={openApiEndpoints.read.path}
          target="_blank"
          rel="noreferrer"
          variant="default"
          leftSection={<IconBraces size={15} aria-hidden />}
        >
          openapi.json
        </Button>
      }
    >
      {data !== undefined && isKnown ? (
        <ApiReference
          description={data}
          orgId={orgId}
          feature={features[0]?.slug}
          trial={
            orgId === null ? (
              <p>Create an organisation to try an access check here.</p>
            ) : (
              <TryIt key={orgId} orgId={orgId} features={features.map(({ slug }) => slug)} />
            )
          }
        />
      ) : error !== null ? (
        <ErrorState title="The API reference could not be loaded" error={error} onRetry={refetch} />
      ) : (
        <DocsSkeleton />
      )}
    </Page>
  );
}
