/** /o/{orgId}/customers/{identifier}?environment=…: one customer in one environment. */
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import type { Environment } from '#contracts/console/environments';
import { readIdentifierSegment } from '#engine/identity/identifier-segment';
import { readIdentifier } from '#engine/identity/read-identifier';
import { EntitlementsPanel } from '#web/domains/customers/entitlements-panel.tsx';
import { EventsCard } from '#web/domains/customers/events-card.tsx';
import { ManualEntryCards } from '#web/domains/customers/manual-entry-cards.tsx';
import { customerQuery } from '#web/domains/customers/queries.ts';
import { StripeCustomersCard } from '#web/domains/customers/stripe-customers-card.tsx';
import { environmentsQuery } from '#web/domains/environments/queries.ts';
import { featuresQuery } from '#web/domains/features/queries.ts';
import { plansQuery } from '#web/domains/plans/queries.ts';
import { paths } from '#web/paths.ts';
import { MemberName } from '#web/session/member-name.tsx';
import { useOrgId } from '#web/session/organisation.tsx';
import { BreakableEmail } from '#web/ui/breakable-email.tsx';
import { CopyBadge } from '#web/ui/copy-badge.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Page } from '#web/ui/page.tsx';
import { TabLinks } from '#web/ui/tab-links.tsx';
import { NotFoundPage } from './not-found.tsx';

const EventViewer = lazy(async () => ({
  default: (await import('#web/domains/events/event-viewer.tsx')).EventViewer,
}));

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
          <EntitlementsPanel
            key={`${identifier} ${chosen.id}`}
            orgId={orgId}
            identifier={identifier}
            environmentId={chosen.id}
          >
            <ManualEntries orgId={orgId} identifier={identifier} environments={list} />
          </EntitlementsPanel>
          <Events orgId={orgId} identifier={identifier} environmentId={chosen.id} environments={list} />
        </>
      )}
    </Page>
  );
}

interface ManualEntriesProps {
  readonly orgId: string;
  readonly identifier: string;
  readonly environments: readonly Environment[];
}

function ManualEntries({ orgId, identifier, environments }: ManualEntriesProps) {
  const customer = useQuery(customerQuery(orgId, identifier));
  const plans = useQuery(plansQuery(orgId));
  const features = useQuery(featuresQuery(orgId));
  const failed = [customer, plans, features].find(({ error, data }) => error !== null && data === undefined);
  if (failed?.error) {
    return (
      <ErrorState
        title="Grants and overrides could not be loaded"
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
      <StripeCustomersCard orgId={orgId} customer={customer.data} />
      <ManualEntryCards
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

interface EventsProps {
  readonly orgId: string;
  readonly identifier: string;
  readonly environmentId: string;
  readonly environments: readonly Environment[];
}

/** The recent events, and the viewer of the one in the URL. */
function Events({ orgId, identifier, environmentId, environments }: EventsProps) {
  const [params, setParams] = useSearchParams();
  const plans = useQuery(plansQuery(orgId)).data;
  const features = useQuery(featuresQuery(orgId)).data;
  const openId = params.get('event');
  const address = (eventId: string | null) => {
    const changed = new URLSearchParams(params);
    if (eventId === null) changed.delete('event');
    else changed.set('event', eventId);
    return changed;
  };
  const open = (eventId: string | null) => setParams(address(eventId), { preventScrollReset: true });
  return (
    <>
      <EventsCard
        orgId={orgId}
        identifier={identifier}
        environmentId={environmentId}
        openId={openId}
        onOpen={open}
        addressOf={(eventId) => `?${address(eventId)}`}
      />
      {openId !== null && (
        <Suspense>
          <EventViewer
            orgId={orgId}
            eventId={openId}
            names={{ environments, plans, features }}
            onClose={() => open(null)}
          />
        </Suspense>
      )}
    </>
  );
}

/** The environment with this id, otherwise the first live one, otherwise the first. */
function chooseFrom(environments: readonly Environment[], id: string | null): Environment | undefined {
  return (
    environments.find((environment) => environment.id === id) ??
    environments.find(({ type }) => type === 'live') ??
    environments[0]
  );
}

/**
 * Reads the identifier from the raw pathname, because the router decodes an encoded slash into a path separator.
 * @returns the canonical identifier, or null if it is invalid
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
