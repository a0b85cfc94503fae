/** The Stripe customers that an identifier names, by id or by email, and their subscriptions. */
import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { LinkedCustomer } from '#contracts/console/linked-customer';
import { MAX_IDENTIFIER } from '#contracts/public/subjects';
import { paths } from '#web/paths.ts';
import { CopyId } from '#web/ui/copy-id.tsx';
import { ModeBadge } from '#web/ui/mode-badge.tsx';
import { Section } from '#web/ui/section.tsx';
import { StatusLabel } from '#web/ui/status-label.tsx';
import { statusLabel, statusTone } from '#web/values/subscription-status.ts';
import classes from './customers.module.css';

export interface StripeCustomersCardProps {
  readonly orgId: string;
  /** The page's identifier. */
  readonly identifier: string;
  readonly linked: readonly LinkedCustomer[];
}

export function StripeCustomersCard({ orgId, identifier, linked }: StripeCustomersCardProps) {
  if (linked.length === 0) return null;
  const isAddress = linked.every(({ id }) => id !== identifier);
  return (
    <Section
      title={linked.length === 1 ? 'Stripe customer' : 'Stripe customers'}
      description={isAddress ? addressDescription(linked.length) : 'As last read from Stripe.'}
      isFlush
    >
      <ul className={classes.stripeCustomers} aria-label="Stripe customers">
        {linked.map((customer) => (
          <li key={`${customer.integrationId} ${customer.id}`}>
            <Linked orgId={orgId} customer={customer} isAddress={isAddress} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function addressDescription(count: number): string {
  return count === 1
    ? 'This address is another name of the customer: checks by either give one answer, with one usage. Grant and override on the customer’s page, so that all stands in one place.'
    : 'Several customers have this address. It stands for one of them: first one whose subscription grants something, then one of live mode, then the newest.';
}

interface LinkedProps {
  readonly orgId: string;
  readonly customer: LinkedCustomer;
  readonly isAddress: boolean;
}

function Linked({ orgId, customer, isAddress }: LinkedProps) {
  const { id, email, name, testMode, integrationId, integrationName, subscriptions } = customer;
  const title = name ?? email ?? id;
  const isNamed = email !== null && email !== title && !isAddress;
  return (
    <>
      <div className={classes.stripeCustomer}>
        <span className={classes.stripeName}>
          {isAddress ? (
            <Anchor component={Link} to={paths.customer(orgId, id)} inherit underline="always">
              {title}
            </Anchor>
          ) : (
            title
          )}
        </span>
        <ModeBadge isTest={testMode} />
        <CopyId value={id} label="customer id" />
        {isNamed && email.length > MAX_IDENTIFIER && <span className={classes.stripeEmail}>{email}</span>}
        {isNamed && email.length <= MAX_IDENTIFIER && (
          <Anchor
            component={Link}
            className={classes.stripeEmail}
            to={paths.customer(orgId, email)}
            inherit
            underline="always"
          >
            {email}
          </Anchor>
        )}
        <span className={classes.stripeAccount}>
          from{' '}
          <Anchor
            component={Link}
            to={paths.stripeIntegration(orgId, integrationId)}
            inherit
            underline="always"
          >
            {integrationName}
          </Anchor>
        </span>
      </div>
      {subscriptions.length === 0 ? (
        <p className={classes.noSubscription}>No subscription.</p>
      ) : (
        <ul className={classes.subscriptions} aria-label={`Subscriptions of ${title}`}>
          {subscriptions.map((subscription) => (
            <li key={subscription.id}>
              <StatusLabel tone={statusTone(subscription.status)}>
                {statusLabel(subscription.status)}
              </StatusLabel>
              <span>
                {subscription.products.map((product) => product.name ?? product.id).join(', ') ||
                  'No product'}
              </span>
              <CopyId value={subscription.id} label="subscription id" />
              {!subscription.isGranting && <span className={classes.stripeAccount}>grants nothing</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
