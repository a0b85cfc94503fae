/** The page of one integration: title and breadcrumbs, and its deleted, failed and loading states. */

import type { ReactNode } from 'react';
import { isNotFound } from '#web/api/api-error.ts';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { DeletedState } from '#web/ui/states/deleted-state.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';

interface Integration {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
}

export interface IntegrationPageProps<Kind extends Integration> {
  readonly query: {
    readonly data: Kind | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  /** The title while the name is unknown: 'Stripe integration'. */
  readonly fallbackTitle: string;
  /** What the deletion means for customers, in one sentence. */
  readonly deletedEffect: string;
  readonly skeleton: ReactNode;
  /** Beside the title. */
  readonly renderAside: (integration: Kind) => ReactNode;
  readonly children: (integration: Kind) => ReactNode;
}

export function IntegrationPage<Kind extends Integration>(props: IntegrationPageProps<Kind>) {
  const orgId = useOrgId();
  const { query, fallbackTitle, renderAside } = props;
  const integration = isNotFound(query.error) ? undefined : query.data;
  const title = integration?.name ?? fallbackTitle;
  return (
    <Page
      title={title}
      aside={integration && renderAside(integration)}
      subtitle={integration?.description}
      parents={[{ label: 'Integrations', to: paths.integrations(orgId) }]}
    >
      <Content {...props} integration={integration} />
    </Page>
  );
}

type ContentProps<Kind extends Integration> = IntegrationPageProps<Kind> & {
  readonly integration: Kind | undefined;
};

function Content<Kind extends Integration>(props: ContentProps<Kind>) {
  const orgId = useOrgId();
  const { query, integration, deletedEffect, skeleton, children } = props;
  if (integration !== undefined) return children(integration);
  if (isNotFound(query.error)) {
    return (
      <DeletedState
        title="Integration Deleted"
        list={{ label: 'All integrations', to: paths.integrations(orgId) }}
      >
        {`This integration no longer exists. ${deletedEffect}`}
      </DeletedState>
    );
  }
  if (query.error === null) return skeleton;
  return (
    <ErrorState title="The integration could not be loaded" error={query.error} onRetry={query.refetch} />
  );
}
