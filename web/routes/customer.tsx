/** /o/{orgId}/customers/{identifier}?environment=…: one customer, in one environment at a time. */
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useSearchParams } from 'react-router';
import type { Environment } from '#contracts/environments';
import { readIdentifierSegment } from '#engine/identity/identifier-segment';
import { readIdentifier } from '#engine/identity/read-identifier';
import { EventsCard } from '../features/customers/events-card.tsx';
import { LinkedCard } from '../features/customers/linked-card.tsx';
import { customerQuery } from '../features/customers/queries.ts';
import { SaidCards } from '../features/customers/said-cards.tsx';
import { StandingPanel } from '../features/customers/standing-panel.tsx';
import { MemberName } from '../features/environments/member-name.tsx';
import { environmentsQuery } from '../features/environments/queries.ts';
import { featuresQuery } from '../features/features/queries.ts';
import { plansQuery } from '../features/plans/queries.ts';
import { paths } from '../paths.ts';
import { useOrgId } from '../session/organisation.tsx';
import { BreakableEmail } from '../ui/breakable-email.tsx';
import { CopyBadge } from '../ui/copy-badge.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Page } from '../ui/page.tsx';
import { TabLinks } from '../ui/tab-links.tsx';
import { NotFoundPage } from './not-found.tsx';

export function CustomerPage() {
  const orgId = useOrgId();
  const identifier = identifierOf(useLocation().pathname);
  const [search] = useSearchParams();
  const environments = useQuery(environmentsQuery(orgId));
  if (identifier === null) return <NotFoundPage />;
  const list = environments.data;
  const chosen = list === undefined ? undefined : chooseFrom(list, search.get('environment'));
  return (
    <Page
      title={identifier}
      shownTitle={identifier.includes('@') ? <BreakableEmail email={identifier} /> : identifier}
      aside={<CopyBadge value={identifier} label="the identifier" />}
      crumbs={[
        { label: 'Dashboard', to: paths.dashboard(orgId) },
        { label: 'Customers', to: paths.customers(orgId) },
        { label: identifier },
      ]}
    >
      {list === undefined || chosen === undefined ? (
        environments.error === null ? (
          <Skeleton height={320} radius={8} />
        ) : (
          <ErrorState
            title="The environments could not be loaded"
            error={environments.error}
            onRetry={() => void environments.refetch()}
          />
        )
      ) : (
        <>
          <TabLinks
            label="Environment"
            current={chosen.id}
            tabs={list.map(({ id, name }) => ({
              id,
              label: name,
              to: paths.customer(orgId, identifier, id),
            }))}
          />
          <StandingPanel
            key={`${identifier} ${chosen.id}`}
            orgId={orgId}
            identifier={identifier}
            environmentId={chosen.id}
          >
            <ByHand orgId={orgId} identifier={identifier} environments={list} />
          </StandingPanel>
          <EventsCard orgId={orgId} identifier={identifier} environmentId={chosen.id} />
        </>
      )}
    </Page>
  );
}

interface ByHandProps {
  readonly orgId: string;
  readonly identifier: string;
  readonly environments: readonly Environment[];
}

function ByHand({ orgId, identifier, environments }: ByHandProps) {
  const customer = useQuery(customerQuery(orgId, identifier));
  const plans = useQuery(plansQuery(orgId));
  const features = useQuery(featuresQuery(orgId));
  const failed = [customer, plans, features].find(({ error, data }) => error !== null && data === undefined);
  if (failed?.error) {
    return (
      <ErrorState
        title="What is granted by hand could not be loaded"
        error={failed.error}
        onRetry={() => void failed.refetch()}
      />
    );
  }
  if (customer.data === undefined || plans.data === undefined || features.data === undefined) {
    return <Skeleton height={140} radius={8} />;
  }
  return (
    <>
      <LinkedCard orgId={orgId} identifier={identifier} linked={customer.data.linked} />
      <SaidCards
        orgId={orgId}
        customer={customer.data}
        plans={plans.data}
        features={features.data}
        environments={environments}
        renderMember={(userId) => <MemberName orgId={orgId} userId={userId} />}
      />
    </>
  );
}

/** Where none is named, or none that there is: a live one, or else the first. */
function chooseFrom(environments: readonly Environment[], id: string | null): Environment | undefined {
  return (
    environments.find((environment) => environment.id === id) ??
    environments.find(({ type }) => type === 'live') ??
    environments[0]
  );
}

/**
 * As the address has it: the router's own reading takes an encoded slash of the identifier for one of the path's.
 * @returns canonical; null for what cannot be an identifier
 */
function identifierOf(pathname: string): string | null {
  const [, , , , segment = ''] = pathname.split('/');
  try {
    const read = readIdentifier(readIdentifierSegment(decodeURIComponent(segment)));
    return read.ok ? read.canonical : null;
  } catch {
    return null;
  }
}
