/** A customer's plans, meters and entitlements in one environment. */
import { Anchor, Box, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { CustomerEntitlements } from '#contracts/console/customers';
import { paths } from '#web/paths.ts';
import { CopyId } from '#web/ui/copy-id.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Section } from '#web/ui/section.tsx';
import classes from './customers.module.css';
import { EntitlementsTable } from './entitlements-table.tsx';
import { MetersCard } from './meters-card.tsx';
import { entitlementsQuery } from './queries.ts';

export interface EntitlementsPanelProps {
  readonly orgId: string;
  readonly identifier: string;
  readonly environmentId: string;
  /** Rendered between the meters and the entitlements, and also when loading failed. */
  readonly children: ReactNode;
}

type CustomerPlan = CustomerEntitlements['plans'][number];

const SOURCE_LABELS: Record<Exclude<CustomerPlan['from'][number], 'subscription'>, string> = {
  'authenticated-users': 'everyone who is signed in',
  grant: 'granted manually',
  workflow: 'added by a workflow',
};

/** For example 'subscribed to Pro (past due) and granted manually'. */
function whyOf({ from, subscriptions }: CustomerPlan): string {
  const products = subscriptions.map(
    ({ productName, productId, status }) =>
      `${productName ?? productId}${status === 'active' ? '' : ` (${status.replaceAll('_', ' ')})`}`,
  );
  return from
    .map((each) => (each === 'subscription' ? `subscribed to ${products.join(', ')}` : SOURCE_LABELS[each]))
    .join(' and ');
}

export function EntitlementsPanel({ orgId, identifier, environmentId, children }: EntitlementsPanelProps) {
  const { data, error, refetch } = useQuery(entitlementsQuery(orgId, identifier, environmentId));
  if (data === undefined) {
    return error === null ? (
      <>
        <Skeleton height={108} radius={8} />
        {children}
        <Skeleton height={320} radius={8} />
      </>
    ) : (
      <>
        <ErrorState
          title="The entitlements could not be loaded"
          error={error}
          onRetry={() => void refetch()}
        />
        {children}
      </>
    );
  }
  if (data.version === null) {
    return (
      <>
        <Section
          title="Nothing is deployed"
          description="Deploy a version to this environment to see the customer’s entitlements here."
        />
        {children}
      </>
    );
  }
  return (
    <>
      {data.warnings.map(({ code, message }) => (
        <Box key={code} role="status" component="p" m={0} bdrs="md" py={10} px={16} className="warning">
          {message}
        </Box>
      ))}
      {data.identifier !== identifier && (
        <Text
          role="note"
          fz="sm"
          bdrs="md"
          py={10}
          px={16}
          bd="1px solid var(--accent-line)"
          bg="var(--accent-soft)"
          className="breaks"
        >
          In this environment, this email belongs to Stripe customer{' '}
          <Anchor
            component={Link}
            to={paths.customer(orgId, data.identifier, environmentId)}
            inherit
            underline="always"
          >
            {data.identifier}
          </Anchor>
          . Plans and usage below are theirs.
        </Text>
      )}
      <PlansCard customer={data} />
      <MetersCard orgId={orgId} identifier={identifier} customer={data} />
      {children}
      <EntitlementsTable customer={data} />
    </>
  );
}

function PlansCard({ customer: { plans, version } }: { customer: CustomerEntitlements }) {
  const number = version?.number ?? null;
  return (
    <Section
      title="Plans"
      description={`What the customer has in ${number === null ? 'the workspace' : `version ${number}`}.`}
      {...(plans.length > 0 && { isFlush: true })}
    >
      {plans.length === 0 ? (
        <p className={classes.none}>No plan, so every property has its default value.</p>
      ) : (
        <ul className={classes.plans} aria-label="Plans of the customer">
          {plans.map((plan) => (
            <li key={plan.planId}>
              <span className={classes.planName}>{plan.name}</span>
              <CopyId value={plan.slug} label="slug" />
              <span className={classes.from}>{whyOf(plan)}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
