/**
 * All known customers: search, filters, the table, and the side sheet of one of them. The last row of a search opens any
 * identifier, known or not.
 */
import { Button, Group, Stack } from '@mantine/core';
import { IconArrowRight, IconSearch } from '@tabler/icons-react';
import { type UseQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { Link } from 'react-router';
import type { CustomerFilter, KnownCustomer } from '#contracts/console/customer-list';
import type { Environment } from '#contracts/console/environments';
import type { Plan } from '#contracts/console/plans';
import { MAX_IDENTIFIER } from '#contracts/public/identifiers';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { ChoiceBar } from '#web/ui/inputs/choice-bar.tsx';
import { usePageKeys } from '#web/ui/keyboard/use-page-keys.ts';
import { SearchField } from '#web/ui/lists/search-field.tsx';
import { codeApart } from '#web/ui/loading/loaded-apart.tsx';
import { OptionalPart } from '#web/ui/loading/optional-part.tsx';
import { EmptyState } from '#web/ui/states/empty-state.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { CallDocsLink, CallExample } from '#web/values/call-example.tsx';
import { customersQuery } from '../queries.ts';
import classes from './customers-list.module.css';
import { CustomersTable } from './customers-table.tsx';

const customerSheet = codeApart(async () => (await import('./customer-sheet.tsx')).CustomerSheet);

const FILTERS: readonly { id: CustomerFilter | 'all'; label: string }[] = [
  { id: 'all', label: 'All' },
  { id: 'override', label: 'Has override' },
  { id: 'granted', label: 'Granted' },
  { id: 'near-limit', label: 'Near a limit' },
  { id: 'past-due', label: 'Past due' },
];

const NOBODY: Record<CustomerFilter, string> = {
  override: 'No customer has an override. Open a customer to set one.',
  granted: 'No customer has a plan granted manually. Open a customer to grant one.',
  'near-limit': 'No customer has used 80% of a limit.',
  'past-due': 'No subscription is past due.',
};

/** Of the URL. */
export function filterNamed(name: string | null): CustomerFilter | undefined {
  return name !== null && Object.hasOwn(NOBODY, name) ? (name as CustomerFilter) : undefined;
}

export interface CustomersListProps {
  /** Undefined while loading. */
  readonly plans: readonly Plan[] | undefined;
  readonly environments: UseQueryResult<readonly Environment[]>;
  /** As typed. */
  readonly text: string;
  readonly onText: (text: string) => void;
  /** The search: the text, once typing has settled. */
  readonly query: string;
  readonly filter: CustomerFilter | undefined;
  readonly onFilter: (filter: CustomerFilter | undefined) => void;
  /** The identifier of the customer in the side sheet. */
  readonly openId: string | null;
  readonly onOpen: (identifier: string | null) => void;
}

export function CustomersList(props: CustomersListProps) {
  const orgId = useOrgId();
  const { plans, environments, text, onText, query, filter, onFilter, openId, onOpen } = props;
  const result = useInfiniteQuery(customersQuery(orgId, query, filter));
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isPlaceholderData } = result;
  // The names of their plans set the width of the columns.
  const customers =
    data === undefined || plans === undefined ? undefined : once(data.pages.flatMap(({ items }) => items));
  const identifier = query === '' ? null : (data?.pages[0]?.identifier ?? null);
  const isListed = customers?.some((each) => each.identifier === identifier || each.email === identifier);
  const planName = (planId: string) => plans?.find((plan) => plan.planId === planId)?.name ?? planId;

  const input = useRef<HTMLInputElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const moveTo = (step: 1 | -1) => moveRow(frame.current, customers ?? [], step, openId, onOpen);
  const close = () => {
    if (openId === null) return;
    onOpen(null);
    frame.current?.querySelector<HTMLAnchorElement>('a[data-row][tabindex="0"]')?.focus();
  };
  const [next, previous] = [() => moveTo(1), () => moveTo(-1)];
  usePageKeys({
    '/': () => input.current?.focus(),
    Escape: close,
    j: next,
    ArrowDown: next,
    k: previous,
    ArrowUp: previous,
  });
  const isEmpty = customers?.length === 0;
  return (
    <Stack ref={frame} gap={12}>
      <Group gap="8px 16px">
        <SearchField
          ref={input}
          className={classes.search}
          label="customers"
          placeholder="Name, email or customer ID"
          rightSection={<kbd className={classes.key}>/</kbd>}
          rightSectionPointerEvents="none"
          maxLength={MAX_IDENTIFIER}
          text={text}
          onText={onText}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') moveTo(1);
          }}
        />
        <ChoiceBar
          label="Filter customers"
          choices={FILTERS}
          chosen={filter ?? 'all'}
          onChoose={(id) => onFilter(id === 'all' ? undefined : id)}
        />
      </Group>
      {data === undefined && error !== null ? (
        <ErrorState title="The customers could not be loaded" error={error} onRetry={refetch} />
      ) : isEmpty && query === '' && !hasNextPage ? (
        filter === undefined ? (
          <NoCustomers />
        ) : (
          <p className="card note">{NOBODY[filter]}</p>
        )
      ) : isEmpty && !hasNextPage ? (
        <p className="card note">
          {filter === undefined
            ? `No known customer begins with “${query}”.`
            : `No customer in this filter begins with “${query}”.`}
        </p>
      ) : (
        <CustomersTable
          orgId={orgId}
          customers={customers}
          planName={planName}
          isStale={isPlaceholderData}
          openId={openId}
          onPreview={onOpen}
        />
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
      {identifier !== null && !isPlaceholderData && !isListed && (
        <Link className={classes.lookUp} to={paths.customer(orgId, identifier)}>
          <IconSearch size={15} aria-hidden />
          <span className="breaks">
            Look up <strong>{identifier}</strong> as a customer ID
          </span>
          <IconArrowRight size={16} aria-hidden />
        </Link>
      )}
      {openId !== null && (
        <OptionalPart
          code={customerSheet}
          props={{
            orgId,
            identifier: openId,
            environments,
            planName,
            known: customers?.find((each) => each.identifier === openId),
            onClose: close,
            onMove: moveTo,
          }}
          onFailure={close}
        />
      )}
    </Stack>
  );
}

function NoCustomers(): ReactNode {
  const orgId = useOrgId();
  return (
    <EmptyState
      title="No customers yet"
      example={<CallExample />}
      action={
        <Button component={Link} to={paths.integrations(orgId)}>
          Connect Stripe
        </Button>
      }
      docs={<CallDocsLink />}
    >
      Customers appear here when you connect Stripe, or when your app checks access for them. To grant someone
      a plan now, search for their email or ID above.
    </EmptyState>
  );
}

/** A page may repeat a customer that was seen while earlier pages were read. */
function once(customers: readonly KnownCustomer[]): KnownCustomer[] {
  return [...new Map(customers.map((each) => [each.identifier, each])).values()];
}

/** Moves the focus, or the side sheet while it is open, to the next or previous row. */
function moveRow(
  frame: HTMLElement | null,
  customers: readonly KnownCustomer[],
  step: 1 | -1,
  openId: string | null,
  onOpen: (identifier: string) => void,
): void {
  const rows = [...(frame?.querySelectorAll<HTMLAnchorElement>('a[data-row]') ?? [])];
  if (openId !== null) {
    const next = customers[customers.findIndex(({ identifier }) => identifier === openId) + step];
    if (next !== undefined) onOpen(next.identifier);
    return;
  }
  const current = rows.indexOf(document.activeElement as HTMLAnchorElement);
  const target = current === -1 ? (step === 1 ? 0 : rows.length - 1) : current + step;
  rows[target]?.focus();
}
