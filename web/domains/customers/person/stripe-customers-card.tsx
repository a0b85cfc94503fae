/** The Stripe customers of an identifier and their subscriptions: by email, or by id with those that share its email. */
import { Anchor, Badge, Button, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { Customer } from '#contracts/console/customers';
import type { Environment } from '#contracts/console/environments';
import type { LinkedCustomer } from '#contracts/console/linked-customer';
import { MAX_IDENTIFIER } from '#contracts/public/identifiers';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { CopyId } from '#web/ui/copy/copy-id.tsx';
import { formatDay, formatNumber, sentence } from '#web/ui/format.ts';
import { ModeBadge } from '#web/ui/labels/mode-badge.tsx';
import { StatusLabel } from '#web/ui/labels/status-label.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { customerTitle, shownText } from '#web/values/customer-title.ts';
import { statusLabel, statusTone } from '#web/values/subscription-status.ts';
import { isEmailOwner } from '../choose-environment.ts';
import classes from '../customers.module.css';
import { JoinDialog } from './join-dialog.tsx';
import { joinIn } from './join-in.ts';
import { LinkEmailDialog } from './link-email-dialog.tsx';

export interface StripeCustomersCardProps {
  /** The customer of the page. */
  readonly customer: Customer;
  readonly environment: Environment;
  /** The page of the Stripe emulator, on a server that calls one; null: Stripe is called. Undefined while it is read. */
  readonly emulatorUrl: string | null | undefined;
}

export function StripeCustomersCard({
  customer: { identifier, linked, created, ...entries },
  environment,
  emulatorUrl,
}: StripeCustomersCardProps) {
  const [chosen, setChosen] = useState<LinkedCustomer | null>(null);
  const [joining, setJoining] = useState<LinkedCustomer | null>(null);
  if (linked.length === 0) return null;
  const isCreated = created.some(({ environmentId }) => environmentId === environment.id);
  const joinOf = (each: LinkedCustomer) => {
    const join = joinIn(each, environment.id);
    return join?.sameAs === identifier ? join : undefined;
  };
  const isUserId = !isCreated && linked.some(({ userId }) => userId === identifier);
  const isEmail = !isCreated && !isUserId && linked.every(({ id }) => id !== identifier);
  // The environment sees it, so it can be the customer there.
  const isSeen = ({ testMode }: LinkedCustomer) => environment.type !== 'live' || !testMode;
  const hasNamesakes = linked.length > 1;
  const owner = linked.find(isEmailOwner);
  return (
    <Section
      title={
        !hasNamesakes
          ? 'Stripe customer'
          : isCreated
            ? 'Stripe customers'
            : `Stripe customers with this ${isUserId ? 'user ID' : 'email'}`
      }
      description={
        isCreated
          ? createdDescription(linked.some(joinOf))
          : isUserId
            ? userIdDescription(hasNamesakes)
            : descriptionOf(isEmail, hasNamesakes, owner)
      }
      isFlush
    >
      <ul className="list divided" aria-label="Stripe customers">
        {linked.map((each) => (
          <Stack key={`${each.integrationId} ${each.id}`} component="li" gap={6} py={12} px={20}>
            <Linked
              customer={each}
              href={emulatorUrl === undefined ? undefined : inStripe(each, emulatorUrl)}
              isLink={each.id !== identifier}
              isEmail={isEmail}
            >
              {each === owner && (hasNamesakes || each.emailRole === 'linked') && (
                <Badge variant="light">Email owner</Badge>
              )}
              {isCreated && joinOf(each) && <Badge variant="light">{joinText(joinOf(each))}</Badge>}
              {isCreated && isSeen(each) && joinOf(each)?.by !== 'metadata' && (
                <Button size="compact-sm" variant="default" onClick={() => setJoining(each)}>
                  {joinOf(each) ? 'Separate…' : 'Same customer…'}
                </Button>
              )}
              {isEmail && each !== owner && (
                <Button size="compact-sm" variant="default" onClick={() => setChosen(each)}>
                  Link to {nameOf(each, isEmail)}…
                </Button>
              )}
            </Linked>
          </Stack>
        ))}
      </ul>
      {isCreated && (
        <JoinDialog
          identifier={identifier}
          environment={environment}
          chosen={joining}
          onClose={() => setJoining(null)}
        />
      )}
      {isEmail && (
        <LinkEmailDialog
          email={identifier}
          chosen={chosen}
          owner={owner}
          grants={entries.grants.length}
          overrides={entries.overrides.length}
          onClose={() => setChosen(null)}
        />
      )}
    </Section>
  );
}

function joinText(join: LinkedCustomer['joins'][number] | undefined): string {
  const how = join?.by === 'metadata' ? 'Same by metadata' : 'Same customer';
  return join?.joinedAt ? `${how} since ${formatDay(join.joinedAt)}` : how;
}

/** The name of a customer among others with the same email. */
function nameOf({ id, name }: LinkedCustomer, isEmail: boolean): string {
  return name === null || !isEmail ? id : sentence`${name} (${id})`;
}

function descriptionOf(isEmail: boolean, hasNamesakes: boolean, owner: LinkedCustomer | undefined): string {
  if (!isEmail)
    return hasNamesakes ? 'Checks by the email get the plans of all of them.' : 'As last read from Stripe.';
  if (owner === undefined) {
    return 'Checks by this email get the plans of these customers. Its grants, overrides and usage stay with the email until you link it to a customer.';
  }
  return hasNamesakes
    ? 'Checks by this email get the plans of all of them. Grants, overrides and usage belong to the email’s owner.'
    : 'Checks by this email and by the customer ID share plans, usage, grants and overrides.';
}

function createdDescription(isSame: boolean): string {
  return isSame
    ? 'Checks by either ID share plans, usage, grants and overrides.'
    : 'Has this customer’s email. Its plans apply once you say that both are the same customer.';
}

function userIdDescription(hasNamesakes: boolean): string {
  return hasNamesakes
    ? 'Checks by this user ID get the plans of all of them. Usage, grants and overrides stay with the user ID until one customer is left with it.'
    : 'Checks by this user ID and by the customer ID share plans, usage, grants and overrides.';
}

/** The customer's page in Stripe's dashboard, or in the emulator. */
export function inStripe(
  { accountId, id, testMode }: Pick<LinkedCustomer, 'accountId' | 'id' | 'testMode'>,
  emulatorUrl: string | null,
): string {
  if (emulatorUrl === null)
    return `https://dashboard.stripe.com/${accountId}/${testMode ? 'test/' : ''}customers/${id}`;
  return `${emulatorUrl}/?account=${accountId}${testMode ? '' : '&mode=live'}&customer=${id}#customer`;
}

interface LinkedProps {
  readonly customer: LinkedCustomer;
  readonly href: string | undefined;
  /** The customer has another page. */
  readonly isLink: boolean;
  /** The page's identifier is the email. */
  readonly isEmail: boolean;
  /** Next to the customer's name. */
  readonly children: ReactNode;
}

function Linked({ customer, href, isLink, isEmail, children }: LinkedProps) {
  const orgId = useOrgId();
  const { id, email, name, testMode, integrationId, integrationName, subscriptions } = customer;
  const title = customerTitle({ identifier: id, name, email });
  const isNamed = email !== null && shownText(email) !== null && email !== title && !isEmail;
  return (
    <>
      <div className={classes.stripeCustomer}>
        <Text span fz="md" fw={500}>
          {isLink ? (
            <Anchor component={Link} to={paths.customer(orgId, id)} inherit underline="always">
              {title}
            </Anchor>
          ) : (
            title
          )}
        </Text>
        <ModeBadge isTest={testMode} />
        <CopyId value={id} label="customer ID" />
        {isNamed && email.length > MAX_IDENTIFIER && <span>{email}</span>}
        {isNamed && email.length <= MAX_IDENTIFIER && (
          <Anchor component={Link} to={paths.customer(orgId, email)} inherit underline="always">
            {email}
          </Anchor>
        )}
        <Anchor href={href} target="_blank" rel="noreferrer" fz="sm">
          Open in Stripe
        </Anchor>
        {customer.userId && <span className="muted small">also known as {customer.userId}</span>}
        <span className="muted small">
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
        {children}
      </div>
      {subscriptions.length === 0 ? (
        <p className="flush muted small">No subscription.</p>
      ) : (
        <ul className={`list ${classes.subscriptions}`} aria-label={`Subscriptions of ${title}`}>
          {subscriptions.map((subscription) => (
            <li key={subscription.id}>
              <StatusLabel tone={statusTone(subscription.status)}>
                {statusLabel(subscription.status)}
              </StatusLabel>
              <span>{subscription.products.map(productText).join(', ') || 'No product'}</span>
              <CopyId value={subscription.id} label="subscription ID" />
              {!subscription.isGranting && <span className="muted small">grants nothing</span>}
              {subscription.reason && <span className="muted small">{subscription.reason}</span>}
              {subscription.pauseCollection && <span className="muted small">payment collection paused</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

type Product = LinkedCustomer['subscriptions'][number]['products'][number];

/** For example 'Pro × 7'. */
function productText({ id, name, quantity }: Product): string {
  return `${name ?? id}${(quantity ?? 1) === 1 ? '' : ` × ${formatNumber(quantity ?? 1)}`}`;
}
