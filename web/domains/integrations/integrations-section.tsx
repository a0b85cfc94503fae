/** One kind of integration on the overview: its heading, its create button, and its cards, empty or error state. */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { PageSection } from '#web/ui/page/page-section.tsx';
import { EmptyState } from '#web/ui/states/empty-state.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';

export interface IntegrationsSectionProps<Item> {
  readonly title: string;
  readonly description: string;
  /** 'Stripe integrations'. */
  readonly plural: string;
  /** An organisation's maximum. */
  readonly max: number;
  readonly query: {
    readonly data: readonly Item[] | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  readonly emptyTitle: string;
  readonly emptyText: string;
  /** What the connection does, in one line. */
  readonly emptyExample: string;
  /** The label of the link to the API docs. */
  readonly emptyDocs: string;
  readonly renderCreate: (state: { readonly isEmpty: boolean; readonly isFull: boolean }) => ReactNode;
  readonly children: (integrations: readonly Item[] | undefined) => ReactNode;
}

export function IntegrationsSection<Item>(props: IntegrationsSectionProps<Item>) {
  const { title, description, plural, max, query, emptyTitle, emptyText, renderCreate, children } = props;
  const { emptyExample, emptyDocs } = props;
  const { data, error, refetch } = query;
  const isEmpty = data?.length === 0;
  const isFull = data !== undefined && data.length >= max;
  const hasFailed = data === undefined && error !== null;
  const create = renderCreate({ isEmpty, isFull });
  return (
    <PageSection
      title={title}
      description={isFull ? `An organisation can have at most ${max} ${plural}.` : description}
      actions={isEmpty || hasFailed ? undefined : create}
    >
      {hasFailed ? (
        <ErrorState title={`The ${plural} could not be loaded`} error={error} onRetry={refetch} />
      ) : isEmpty ? (
        <EmptyState
          title={emptyTitle}
          example={emptyExample}
          action={create}
          docs={<Link to={paths.apiDocsSection('access-checks')}>{emptyDocs}</Link>}
        >
          {emptyText}
        </EmptyState>
      ) : (
        children(data)
      )}
    </PageSection>
  );
}
