/** The Stripe customers of an identifier and their subscriptions: by email, or by id with those that share its email. */
import { Anchor, Badge, Button, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { Customer, CustomerEntitlements } from '#contracts/console/customers';
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
import { type ChosenSource, JoinDialog } from './join-dialog.tsx';
import { joinIn } from './join-in.ts';
import { LinkEmailDialog } from './link-email-dialog.tsx';
import { isOfSameMode, stripeCustomersOf } from './stripe-customers-of.ts';

export interface StripeCustomersCardProps {
  /** The customer of the page. */
  readonly customer: Customer;
  /** What a check is answered for, with the aliases of that customer. */
  readonly entitled: CustomerEntitlements;
  readonly environment: Environment;
  /** The page of the Stripe emulator, on a server that calls one; null: Stripe is called. Undefined while it is read. */
  readonly emulatorUrl: string | null | undefined;
}

export function StripeCustomersCard({
  customer,
  entitled,
  environment,
  emulatorUrl,
}: StripeCustomersCardProps) {
  const [chosen, setChosen] = useState<LinkedCustomer | null>(null);
  const [joining, setJoining] = useState<ChosenSource | null>(null);
  const { identifier, linked } = customer;
  if (linked.length === 0) return null;
  const of = stripeCustomersOf(customer, entitled, environment);
  const { title, description, isCreated, isEmail, isSeen } = of;
  const isSame = (each: LinkedCustomer) => isSeen(each) && of.isSame(each);
  const joinOf = (each: LinkedCustomer) => joinIn(each, environment.id);
  const choose = (source: LinkedCustomer) =>
    setJoining({
      customer: source,
      isSame: isSame(source),
      replaced: linked.find((each) => each !== source && isSame(each) && isOfSameMode(each, source)),
    });
  const isOfOther = entitled.identifier !== identifier;
  // The email can be a created customer's, and then no Stripe customer owns it here.
  const owner = linked.find((each) => isEmailOwner(each) && (!isEmail || (isOfOther && isSame(each))));
  const isLinkable = isEmail && (owner !== undefined || !isOfOther);
  return (
    <Section title={title} description={description} isFlush>
      <ul className="list divided" aria-label="Stripe customers">
        {linked.map((each) => (
          <Stack key={`${each.integrationId} ${each.id}`} component="li" gap={6} py={12} px={20}>
            <Linked
              customer={each}
              href={emulatorUrl === undefined ? undefined : inStripe(each, emulatorUrl)}
              isLink={each.id !== identifier}
              isEmail={isEmail}
            >
              {each === owner && (linked.length > 1 || each.emailRole === 'linked') && (
                <Badge variant="light">Email owner</Badge>
              )}
              {isCreated && isSame(each) && <Badge variant="light">{joinText(joinOf(each))}</Badge>}
              {isCreated && isSeen(each) && (!isSame(each) || joinOf(each)?.by !== 'metadata') && (
                <Button size="compact-sm" variant="default" onClick={() => choose(each)}>
                  {isSame(each) ? 'Separate…' : 'Same customer…'}
                </Button>
              )}
              {isLinkable && each !== owner && (
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
          grants={customer.grants.length}
          overrides={customer.overrides.length}
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
