/** The Stripe customer that an identifier is the id or an e-mail address of: who it is, and what it subscribes to. */
import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { LinkedCustomer } from '#contracts/linked-customer';
import { MAX_IDENTIFIER } from '#contracts/subjects';
import { paths } from '../../paths.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import { ModeBadge } from '../../ui/mode-badge.tsx';
import { Section } from '../../ui/section.tsx';
import { ToneWord } from '../../ui/tone-word.tsx';
import { statusTone, statusWords } from '../../values/subscription-status.ts';
import classes from './linked.module.css';

export interface LinkedCardProps {
  readonly orgId: string;
  /** Of the page. */
  readonly identifier: string;
  readonly linked: readonly LinkedCustomer[];
}

export function LinkedCard({ orgId, identifier, linked }: LinkedCardProps) {
  if (linked.length === 0) return null;
  const isAddress = linked.every(({ id }) => id !== identifier);
  return (
    <Section
      title={linked.length === 1 ? 'Stripe customer' : 'Stripe customers'}
      description={isAddress ? addressWords(linked.length) : 'As last read from Stripe.'}
      isFlush
    >
      <ul className={classes.linked} aria-label="Stripe customers">
        {linked.map((customer) => (
          <li key={`${customer.integrationId} ${customer.id}`}>
            <Linked orgId={orgId} customer={customer} isAddress={isAddress} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function addressWords(count: number): string {
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
      <div className={classes.who}>
        <span className={classes.name}>
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
        {isNamed && email.length > MAX_IDENTIFIER && <span className={classes.address}>{email}</span>}
        {isNamed && email.length <= MAX_IDENTIFIER && (
          <Anchor
            component={Link}
            className={classes.address}
            to={paths.customer(orgId, email)}
            inherit
            underline="always"
          >
            {email}
          </Anchor>
        )}
        <span className={classes.account}>
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
        <p className={classes.none}>No subscription.</p>
      ) : (
        <ul className={classes.subscriptions} aria-label={`Subscriptions of ${title}`}>
          {subscriptions.map((subscription) => (
            <li key={subscription.id}>
              <ToneWord tone={statusTone(subscription.status)}>{statusWords(subscription.status)}</ToneWord>
              <span>
                {subscription.products.map((product) => product.name ?? product.id).join(', ') ||
                  'No product'}
              </span>
              <CopyId value={subscription.id} label="subscription id" />
              {!subscription.isGranting && <span className={classes.account}>grants nothing</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
