/**
 * The table of known customers. One row is the tab stop: arrow keys and j/k move it, Enter opens the customer, Space the side
 * sheet. A click anywhere on a row opens it.
 */
import { Flex, Skeleton, Stack } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { Link } from 'react-router';
import type { KnownCustomer } from '#contracts/console/customer-list';
import { paths } from '#web/paths.ts';
import { counted, formatAge, formatNumber } from '#web/ui/format.ts';
import { Age } from '#web/ui/labels/age.tsx';
import { Hint } from '#web/ui/labels/hint.tsx';
import { Meter } from '#web/ui/labels/meter.tsx';
import { Tag } from '#web/ui/labels/tag.tsx';
import { rowOpening } from '#web/ui/lists/row-opening.ts';
import { SpacerRow } from '#web/ui/lists/spacer-row.tsx';
import { useVirtualRows } from '#web/ui/lists/use-virtual-rows.ts';
import { useNow } from '#web/ui/use-now.ts';
import { customerTitle, shownText } from '#web/values/customer-title.ts';
import { shownIdentifier } from '#web/values/shown-identifier.ts';
import chips from '../chip.module.css';
import classes from './customers-table.module.css';

export interface CustomersTableProps {
  readonly orgId: string;
  /** Undefined while loading. */
  readonly customers: readonly KnownCustomer[] | undefined;
  readonly planName: (planId: string) => string;
  /** The rows are those of the previous search. */
  readonly isStale: boolean;
  /** The identifier of the customer in the side sheet. */
  readonly openId: string | null;
  readonly onPreview: (identifier: string) => void;
}

const ROW_HEIGHT = 53;
const SKELETONS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];
/** Plans shown by name; the others as a number. */
const SHOWN_PLANS = 2;

export function CustomersTable(props: CustomersTableProps) {
  const { customers, isStale, openId, onPreview } = props;
  const [stop, setStop] = useState<string | null>(null);
  const rows = customers ?? [];
  const current = Math.max(
    0,
    rows.findIndex(({ identifier }) => identifier === (openId ?? stop)),
  );
  const shown = useVirtualRows<KnownCustomer, HTMLTableSectionElement>({
    items: rows,
    keyOf: ({ identifier }) => identifier,
    heightOf: () => ROW_HEIGHT,
    pinned: current,
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = rows[current];
    if (event.key === ' ' && row !== undefined) {
      event.preventDefault();
      onPreview(row.identifier);
    }
  };
  return (
    <div className={classes.frame} data-stale={isStale || undefined} aria-busy={isStale}>
      <table
        className={`table data-table fixed-columns ${classes.table}`}
        aria-label="Customers"
        aria-rowcount={customers === undefined ? -1 : rows.length + 1}
        data-fixed={shown.measure !== undefined || undefined}
      >
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">Customer</th>
            <th scope="col">Plans</th>
            <th scope="col" data-at="wide">
              Source
            </th>
            <th scope="col" data-at="middle">
              Nearest limit
            </th>
            <th scope="col" className="text-end">
              Last seen
            </th>
          </tr>
        </thead>
        <tbody ref={shown.container} className="open-rows" onKeyDown={onKeyDown}>
          {customers === undefined
            ? SKELETONS.map((row) => <SkeletonRow key={row} />)
            : shown.rows.flatMap(({ item, index, spaceBefore }) => [
                <SpacerRow key={`before ${item.identifier}`} height={spaceBefore} />,
                <tr
                  key={item.identifier}
                  ref={shown.measure}
                  data-index={index}
                  aria-rowindex={index + 2}
                  aria-current={item.identifier === openId || undefined}
                  {...rowOpening}
                >
                  <Cells
                    {...props}
                    customer={item}
                    isStop={index === current}
                    onFocus={() => setStop(item.identifier)}
                  />
                </tr>,
              ])}
          <SpacerRow height={shown.spaceAfter} />
        </tbody>
      </table>
    </div>
  );
}

interface CellsProps extends Pick<CustomersTableProps, 'orgId' | 'planName'> {
  readonly customer: KnownCustomer;
  readonly isStop: boolean;
  readonly onFocus: () => void;
}

function Cells({ orgId, customer, planName, isStop, onFocus }: CellsProps) {
  const { identifier, email, overrides, isPastDue, lastSeenAt } = customer;
  const ownName = shownIdentifier(identifier);
  const title = customerTitle(customer);
  const shownEmail = shownText(email);
  const detail =
    shownEmail !== null && title !== shownEmail ? shownEmail : title === ownName ? null : ownName;
  return (
    <>
      <td>
        <Flex component="span" direction="column" miw={0}>
          <Link
            to={paths.customer(orgId, identifier)}
            tabIndex={isStop ? 0 : -1}
            onFocus={onFocus}
            data-row
            className={classes.link}
            title={ownName}
          >
            {title}
          </Link>
          {detail !== null && <span className="truncate muted tiny">{detail}</span>}
        </Flex>
      </td>
      <td>
        <Flex component="span" gap={4} wrap="wrap">
          <PlanChips customer={customer} planName={planName} />
          {overrides > 0 && (
            <span className={chips.chip} data-kind="override">
              {counted(overrides, 'override')}
            </span>
          )}
          {isPastDue && (
            <span className={chips.chip} data-kind="past-due">
              Past due
            </span>
          )}
        </Flex>
      </td>
      <td data-at="wide">
        <Source customer={customer} />
      </td>
      <td data-at="middle">
        <Nearest customer={customer} />
      </td>
      <td className="muted figures nowrap text-end">
        {lastSeenAt === null ? 'Never' : <Age at={lastSeenAt} isShortIfNarrow />}
      </td>
    </>
  );
}

function PlanChips({ customer: { plans }, planName }: Pick<CellsProps, 'customer' | 'planName'>) {
  const hidden = plans.slice(SHOWN_PLANS);
  return (
    <>
      {plans.slice(0, SHOWN_PLANS).map(({ planId, isGranted }) => (
        <Hint key={planId} label={isGranted ? 'Granted manually' : 'By subscription'}>
          <span className={chips.chip} data-kind={isGranted ? 'granted' : undefined}>
            {planName(planId)}
          </span>
        </Hint>
      ))}
      {hidden.length > 0 && (
        <Hint label={hidden.map(({ planId }) => planName(planId)).join(', ')}>
          <span className={chips.chip}>+{hidden.length}</span>
        </Hint>
      )}
    </>
  );
}

function Source({ customer: { stripe, isCreated, plans, overrides } }: Pick<CellsProps, 'customer'>) {
  if (stripe === null) {
    const source = isCreated ? 'Created by API' : plans.length > 0 || overrides > 0 ? 'Manual' : 'API calls';
    return <span className="muted">{source}</span>;
  }
  return (
    <Flex component="span" display="inline-flex" align="center" gap={6} miw={0}>
      <span className="truncate">{stripe.integrationName}</span>
      {stripe.testMode && <Tag>Test</Tag>}
    </Flex>
  );
}

function Nearest({ customer: { nearest } }: Pick<CellsProps, 'customer'>) {
  const now = useNow(10_000);
  if (nearest === null) return null;
  const { feature, property, used, limit, readAt } = nearest;
  const figures = `${formatNumber(used)} of ${formatNumber(limit)}`;
  return (
    <Hint label={`${feature}.${property}: ${figures}, read ${formatAge(readAt, now)}`}>
      <Stack component="span" gap={5}>
        <Flex component="span" gap={8} justify="space-between" className="tiny muted">
          <span className="truncate">{feature}</span>
          <span className="figures nowrap">{figures}</span>
        </Flex>
        <Meter used={used} limit={limit} label={`${feature} ${property}`} isThin />
      </Stack>
    </Hint>
  );
}

function SkeletonRow() {
  return (
    <tr>
      <td>
        <Skeleton height={13} width="46%" mb={6} />
        <Skeleton height={10} width="62%" />
      </td>
      <td>
        <Skeleton height={18} width={72} />
      </td>
      <td data-at="wide">
        <Skeleton height={12} width={84} />
      </td>
      <td data-at="middle">
        <Skeleton height={12} width={120} />
      </td>
      <td>
        <Skeleton height={12} width={56} ml="auto" />
      </td>
    </tr>
  );
}
