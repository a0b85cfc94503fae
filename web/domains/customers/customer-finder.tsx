/** Finds customers: known ones by part of an identifier or name, and any other by its full identifier. */
import { Button, Skeleton, Text, TextInput } from '@mantine/core';
import { IconArrowRight, IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { CustomerSummary } from '#contracts/console/customers';
import type { Plan } from '#contracts/console/plans';
import { MAX_IDENTIFIER } from '#contracts/public/subjects';
import { paths } from '#web/paths.ts';
import { Age } from '#web/ui/age.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import classes from './customers.module.css';
import { customersQuery } from './queries.ts';
import { StripeMatches } from './stripe-matches.tsx';

export interface CustomerFinderProps {
  readonly orgId: string;
  readonly plans: readonly Plan[] | undefined;
  /** As typed. */
  readonly text: string;
  readonly onText: (text: string) => void;
  /** The search: the text, once typing has settled. */
  readonly query: string;
}

const SKELETONS = ['first', 'second', 'third', 'fourth'];

export function CustomerFinder({ orgId, plans, text, onText, query }: CustomerFinderProps) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    customersQuery(orgId, query),
  );
  const customers = data?.pages.flatMap(({ items }) => items);
  const identifier = query === '' ? null : (data?.pages[0]?.identifier ?? null);
  const linked = data?.pages[0]?.linked ?? [];
  const isListed =
    customers?.some((customer) => customer.identifier === identifier) ||
    linked.some(({ id, email }) => id === identifier || email === identifier);
  return (
    <>
      <TextInput
        aria-label="Find a customer by identifier or name"
        placeholder="Email, name, Stripe customer ID or your own ID"
        leftSection={<IconSearch size={15} aria-hidden />}
        size="md"
        maxLength={MAX_IDENTIFIER}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      {data === undefined && error !== null ? (
        <ErrorState title="The customers could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : customers === undefined ? (
        <div className={classes.list} role="status" aria-label="Loading">
          {SKELETONS.map((row) => (
            <div key={row} className={classes.row}>
              <Skeleton height={14} width="38%" />
            </div>
          ))}
        </div>
      ) : (
        <>
          {identifier !== null && !isListed && (
            <Link className={classes.lookUp} to={paths.customer(orgId, identifier)}>
              <span>
                Open <strong>{identifier}</strong>
              </span>
              <span className={classes.faint}>no manual grants or overrides</span>
              <IconArrowRight size={16} aria-hidden />
            </Link>
          )}
          {customers.length > 0 && (
            <ul className={classes.list} aria-label="Customers">
              {customers.map((customer) => (
                <li key={customer.identifier}>
                  <CustomerRow orgId={orgId} customer={customer} plans={plans} />
                </li>
              ))}
            </ul>
          )}
          <StripeMatches orgId={orgId} customers={linked} />
          {customers.length === 0 && query === '' && (
            <EmptyState title="No manual grants or overrides yet">
              Enter an identifier above to see a customer’s plans, entitlements and usage. Customers with a
              manual grant or override are listed here.
            </EmptyState>
          )}
          {hasNextPage && (
            <Button
              variant="default"
              style={{ alignSelf: 'center' }}
              loading={isFetchingNextPage}
              onClick={() => void fetchNextPage()}
            >
              Show more
            </Button>
          )}
        </>
      )}
    </>
  );
}

interface CustomerRowProps {
  readonly orgId: string;
  readonly customer: CustomerSummary;
  readonly plans: readonly Plan[] | undefined;
}

function CustomerRow({ orgId, customer, plans }: CustomerRowProps) {
  const { identifier, planIds, overrides, updatedAt } = customer;
  return (
    <Link className={classes.row} to={paths.customer(orgId, identifier)}>
      <Text span fw={500} fz="md" className="breaks">
        {identifier}
      </Text>{' '}
      <span className={classes.chips}>
        {planIds.map((planId) => (
          <span key={planId} className={classes.chip}>
            {plans?.find((plan) => plan.planId === planId)?.name ?? planId}
          </span>
        ))}
        {overrides > 0 && (
          <span className={classes.chip} data-kind="override">
            {overrides === 1 ? '1 override' : `${overrides} overrides`}
          </span>
        )}
      </span>{' '}
      <span className="muted figures nowrap text-end">
        <Age at={updatedAt} />
      </span>
    </Link>
  );
}
