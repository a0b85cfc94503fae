/** /o/{orgId}/customers/{identifier}?environment=…: one customer in one environment. */
import { Button, NativeSelect, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import type { Environment } from '#contracts/console/environments';
import { isSettled } from '#web/api/is-settled.ts';
import { useFrontendConfig } from '#web/domains/auth/frontend-config.ts';
import { balancesQuery } from '#web/domains/customers/balances/balance-calls.ts';
import { BalancesCard } from '#web/domains/customers/balances/balances-card.tsx';
import {
  chooseEnvironment,
  isEmailOwner,
  isTestModeOnly,
  listedMode,
} from '#web/domains/customers/choose-environment.ts';
import {
  EntitlementsSection,
  EntitlementsTable,
} from '#web/domains/customers/entitlements/entitlements-table.tsx';
import { OtherOverrides } from '#web/domains/customers/entitlements/other-overrides.tsx';
import { UsageStrip } from '#web/domains/customers/entitlements/usage-strip.tsx';
import { identifierInPath } from '#web/domains/customers/identifier-in-path.ts';
import { listedCustomer } from '#web/domains/customers/listed-customer.ts';
import { CustomerColumns } from '#web/domains/customers/page/customer-columns.tsx';
import { changeNames } from '#web/domains/customers/page/describe-change.ts';
import { EventsCard } from '#web/domains/customers/page/events-card.tsx';
import { HistoryCard } from '#web/domains/customers/page/history-card.tsx';
import { MembersCard } from '#web/domains/customers/page/members-card.tsx';
import { CustomerNotes } from '#web/domains/customers/person/customer-notes.tsx';
import { joinIn } from '#web/domains/customers/person/join-in.ts';
import { personOf, withOwnEntries } from '#web/domains/customers/person/person-of.ts';
import { StripeCustomersCard } from '#web/domains/customers/person/stripe-customers-card.tsx';
import { PlansCard, PlansSection } from '#web/domains/customers/plans/plans-card.tsx';
import { customerQuery, entitlementsQuery } from '#web/domains/customers/queries.ts';
import { environmentsQuery } from '#web/domains/environments/queries.ts';
import { EventViewerPart } from '#web/domains/events/event-viewer-part.tsx';
import { featuresQuery } from '#web/domains/features/queries.ts';
import { plansQuery } from '#web/domains/plans/queries.ts';
import { paths } from '#web/paths.ts';
import { MemberName } from '#web/session/member-name.tsx';
import { useOrgId } from '#web/session/organisation.tsx';
import { CopyBadge } from '#web/ui/copy/copy-badge.tsx';
import { CopyId } from '#web/ui/copy/copy-id.tsx';
import { BreakableEmail } from '#web/ui/labels/breakable-email.tsx';
import { codeApart } from '#web/ui/loading/loaded-apart.tsx';
import { OptionalPart } from '#web/ui/loading/optional-part.tsx';
import { useLatch } from '#web/ui/loading/use-latch.ts';
import { Page } from '#web/ui/page/page.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { TabLinks } from '#web/ui/page/tab-links.tsx';
import { useAddressParams } from '#web/ui/page/use-address-params.ts';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { customerTitle, shownText } from '#web/values/customer-title.ts';
import { NotFoundPage } from '../not-found.tsx';
import { tabOf, tabsOf } from './customer-tabs.ts';

const testCheckSheet = codeApart(
  async () => (await import('#web/domains/customers/page/test-check-sheet.tsx')).TestCheckSheet,
);

export function CustomerPage() {
  const orgId = useOrgId();
  const identifier = identifierInPath(useLocation().pathname.split('/')[4] ?? '');
  const [search, changeParams] = useAddressParams();
  const [isTesting, testing] = useDisclosure();
  const environments = useQuery(environmentsQuery(orgId));
  const customer = useQuery({ ...customerQuery(orgId, identifier ?? ''), enabled: identifier !== null });
  // Without an environment in the address, the customer's mode decides. The customer's name sets the height of the page's head.
  const listed = listedCustomer(useQueryClient(), orgId, identifier);
  const mode = identifier === null ? undefined : listedMode(identifier, listed);
  const isModeKnown = useLatch(
    mode !== undefined || customer.data !== undefined || customer.error !== null,
    identifier,
  );
  if (identifier === null) return <NotFoundPage />;
  const list = environments.data;
  const named = search.get('environment');
  const isTestMode = mode ?? isTestModeOnly(identifier, customer.data?.linked ?? []);
  const createdIn = customer.data?.created ?? [];
  const chosen =
    list !== undefined && isModeKnown ? chooseEnvironment(list, named, isTestMode, createdIn) : undefined;
  const linked = customer.data?.linked ?? [];
  const own =
    linked.find((each) => each.id === identifier || joinIn(each, chosen?.id)?.sameAs === identifier) ??
    linked.find(isEmailOwner);
  // A name that the application gave comes before Stripe's. Each environment has its own.
  const created = createdIn.find(({ environmentId }) => environmentId === chosen?.id);
  const atStripe = own ?? (createdIn.length === 0 ? listed : undefined);
  const email = shownText(created?.email ?? atStripe?.email ?? null);
  const name = customerTitle({
    identifier,
    name: created?.name ?? atStripe?.name ?? createdIn[0]?.name ?? null,
    email,
  });
  // An open event is the other environment's.
  const choose = (id: string) => changeParams({ environment: id, event: null });
  return (
    <Page
      title={name}
      shownTitle={name.includes('@') ? <BreakableEmail email={name} /> : name}
      aside={
        <>
          {email !== null && email !== name && <span className="muted small breaks">{email}</span>}
          {name === identifier ? (
            <CopyBadge value={identifier} label="the identifier" />
          ) : (
            <CopyId value={identifier} label="the identifier" />
          )}
        </>
      }
      parents={[{ label: 'Customers', to: paths.customers(orgId) }]}
      actions={
        (chosen !== undefined || environments.error === null) && (
          <>
            <NativeSelect
              aria-label="Environment"
              data={list?.map((each) => ({ value: each.id, label: each.name })) ?? ['Loading...']}
              value={chosen?.id}
              disabled={chosen === undefined}
              onChange={({ currentTarget }) => choose(currentTarget.value)}
              w={180}
            />
            <Button
              variant="default"
              leftSection={<IconPlayerPlay size={15} aria-hidden />}
              disabled={chosen === undefined}
              onClick={testing.open}
            >
              Test a check
            </Button>
          </>
        )
      }
    >
      {list === undefined || chosen === undefined ? (
        environments.error === null ? (
          <LoadingColumns key={String(isModeKnown)} />
        ) : (
          <ErrorState
            title="The environments could not be loaded"
            error={environments.error}
            onRetry={environments.refetch}
          />
        )
      ) : (
        <Columns
          key={`${identifier} ${chosen.id}`}
          identifier={identifier}
          environment={chosen}
          environments={list}
          isTesting={isTesting}
          onTested={testing.close}
        />
      )}
    </Page>
  );
}

interface ColumnsProps {
  readonly identifier: string;
  readonly environment: Environment;
  readonly environments: readonly Environment[];
  /** The test check's sheet is open. */
  readonly isTesting: boolean;
  readonly onTested: () => void;
}

/** Left what the customer may do and has done, right who it is and which plans it has. All at once: each part moves the next. */
function Columns({ identifier, environment, environments, isTesting, onTested }: ColumnsProps) {
  const orgId = useOrgId();
  // What checks by this identifier return, which are another person's if the identifier is an email or a user id of theirs.
  const answered = useQuery(entitlementsQuery(orgId, identifier, environment.id));
  const who = personOf(identifier, answered.data);
  const { config } = useFrontendConfig();
  const named = useQuery(customerQuery(orgId, identifier));
  const customer = useQuery(customerQuery(orgId, who));
  const own = useQuery(entitlementsQuery(orgId, who, environment.id));
  const entitled = { ...answered, data: withOwnEntries(answered.data, own.data) };
  const plans = useQuery(plansQuery(orgId));
  const features = useQuery(featuresQuery(orgId));
  const [params] = useAddressParams();
  const tab = tabOf(params);
  const areAllBalances = params.get('balances') === 'all';
  const balances = useQuery(balancesQuery(orgId, who, environment.id, areAllBalances));
  const isKnown = useLatch([answered, named, customer, own, plans, features, balances].every(isSettled), who);
  if (!isKnown) return <LoadingColumns />;
  const failed = [named, customer, plans, features].find(
    ({ error, data }) => error !== null && data === undefined,
  );
  const renderMember = (userId: string) => <MemberName orgId={orgId} userId={userId} />;
  const loaded =
    named.data !== undefined &&
    customer.data !== undefined &&
    plans.data !== undefined &&
    features.data !== undefined
      ? { customer: customer.data, plans: plans.data, features: features.data }
      : null;
  return (
    <>
      <CustomerNotes
        identifier={identifier}
        entitled={entitled.data}
        created={named.data?.created ?? []}
        environments={environments}
      />
      {entitled.data !== undefined && <UsageStrip entitlements={entitled.data.entitlements} />}
      <CustomerColumns
        main={
          <>
            <TabLinks label="Customer" current={tab} tabs={tabsOf(params)} />
            {tab === 'members' ? (
              <MembersCard identifier={who} environmentId={environment.id} />
            ) : tab === 'events' ? (
              <Events identifier={who} environmentId={environment.id} environments={environments} />
            ) : tab === 'history' ? (
              <HistoryCard
                identifier={who}
                names={changeNames(plans.data, features.data, environments)}
                renderMember={renderMember}
              />
            ) : entitled.data === undefined && entitled.error !== null ? (
              <ErrorState
                title="The entitlements could not be loaded"
                error={entitled.error}
                onRetry={entitled.refetch}
              />
            ) : entitled.data === undefined || (loaded === null && failed === undefined) ? (
              <Skeleton height={420} radius={8} />
            ) : entitled.data.version === null ? (
              <Section
                title="Nothing is deployed"
                description="Deploy a version to this environment to see the customer’s entitlements here."
                actions={
                  <Button component={Link} variant="default" to={paths.environments(orgId)}>
                    Go to versions
                  </Button>
                }
              />
            ) : (
              loaded !== null && (
                <>
                  <BalancesCard
                    identifier={who}
                    entitled={entitled.data}
                    features={loaded.features}
                    environments={environments}
                    renderMember={renderMember}
                  />
                  <EntitlementsTable entitled={entitled.data} environments={environments} {...loaded} />
                </>
              )
            )}
          </>
        }
        side={
          failed?.error ? (
            <ErrorState
              title="Grants and overrides could not be loaded"
              error={failed.error}
              onRetry={failed.refetch}
            />
          ) : loaded === null ? (
            <Skeleton height={220} radius={8} />
          ) : (
            <>
              <PlansCard
                environmentId={environment.id}
                entitled={entitled.data}
                environments={environments}
                renderMember={renderMember}
                {...loaded}
              />
              {named.data !== undefined && entitled.data !== undefined && (
                <StripeCustomersCard
                  customer={named.data}
                  entitled={entitled.data}
                  environment={environment}
                  emulatorUrl={config?.stripeEmulatorUrl}
                />
              )}
              {entitled.data !== undefined && (
                <OtherOverrides entitled={entitled.data} environments={environments} {...loaded} />
              )}
            </>
          )
        }
      />
      {isTesting && (
        <OptionalPart
          code={testCheckSheet}
          props={{ orgId, identifier, environment, features: features.data ?? [], onClose: onTested }}
          onFailure={onTested}
        />
      )}
    </>
  );
}

/** The columns while they load: each card without its data. */
function LoadingColumns() {
  return (
    <CustomerColumns
      main={
        <>
          <Skeleton height={36} width={240} />
          <EntitlementsSection />
        </>
      }
      side={<PlansSection />}
    />
  );
}

interface EventsProps {
  readonly identifier: string;
  readonly environmentId: string;
  readonly environments: readonly Environment[];
}

/** The recent events, and the viewer of the one in the URL. */
function Events({ identifier, environmentId, environments }: EventsProps) {
  const orgId = useOrgId();
  const [params, changeParams] = useAddressParams();
  const plans = useQuery(plansQuery(orgId)).data;
  const features = useQuery(featuresQuery(orgId)).data;
  const openId = params.get('event');
  const open = (eventId: string | null) => changeParams({ event: eventId });
  const addressOf = (eventId: string) => {
    const changed = new URLSearchParams(params);
    changed.set('event', eventId);
    return `?${changed}`;
  };
  return (
    <>
      <EventsCard
        identifier={identifier}
        environmentId={environmentId}
        openId={openId}
        onOpen={open}
        addressOf={addressOf}
      />
      {openId !== null && (
        <EventViewerPart
          eventId={openId}
          names={{ environments, plans, features }}
          onClose={() => open(null)}
        />
      )}
    </>
  );
}
