/** A customer in one environment: plans and where they come from, meters, and every value with what decided it. */
import { Anchor, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { CustomerStanding } from '#contracts/customers';
import { paths } from '../../paths.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './customers.module.css';
import { EntitlementsTable } from './entitlements-table.tsx';
import { MetersCard } from './meters-card.tsx';
import { standingQuery } from './queries.ts';

export interface StandingPanelProps {
  readonly orgId: string;
  readonly identifier: string;
  readonly environmentId: string;
  /** Between what the customer has and what follows from it; also where that could not be loaded. */
  readonly children: ReactNode;
}

type StandingPlan = CustomerStanding['plans'][number];

const FROM_WORDS: Record<Exclude<StandingPlan['from'][number], 'subscription'>, string> = {
  'authenticated-users': 'everybody who is signed in',
  grant: 'granted by hand',
};

/** 'subscribed to Pro (past due) and granted by hand' */
function whyOf({ from, subscriptions }: StandingPlan): string {
  const products = subscriptions.map(
    ({ productName, productId, status }) =>
      `${productName ?? productId}${status === 'active' ? '' : ` (${status.replaceAll('_', ' ')})`}`,
  );
  return from
    .map((each) => (each === 'subscription' ? `subscribed to ${products.join(', ')}` : FROM_WORDS[each]))
    .join(' and ');
}

export function StandingPanel({ orgId, identifier, environmentId, children }: StandingPanelProps) {
  const { data, error, refetch } = useQuery(standingQuery(orgId, identifier, environmentId));
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
          title="What holds for this customer could not be loaded"
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
          description="Deploy a version to this environment, and what the customer may do in it stands here."
        />
        {children}
      </>
    );
  }
  return (
    <>
      {data.warnings.map(({ code, message }) => (
        <p key={code} role="status" className={classes.warning}>
          {message}
        </p>
      ))}
      {data.identifier !== identifier && (
        <p role="note" className={classes.note}>
          In this environment the address stands for the Stripe customer{' '}
          <Anchor
            component={Link}
            to={paths.customer(orgId, data.identifier, environmentId)}
            inherit
            underline="always"
          >
            {data.identifier}
          </Anchor>
          : what they have and use stands here.
        </p>
      )}
      <PlansCard standing={data} />
      <MetersCard orgId={orgId} identifier={identifier} standing={data} />
      {children}
      <EntitlementsTable standing={data} />
    </>
  );
}

function PlansCard({ standing: { plans, version } }: { standing: CustomerStanding }) {
  const number = version?.number ?? null;
  return (
    <Section
      title="Plans"
      description={`What the customer has in ${number === null ? 'the workspace as it stands' : `version ${number}`}.`}
      {...(plans.length > 0 && { isFlush: true })}
    >
      {plans.length === 0 ? (
        <p className={classes.none}>No plan, so every property has its default.</p>
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
