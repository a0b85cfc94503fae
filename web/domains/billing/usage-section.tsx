/** API calls of the month, or of the period that is invoiced, as a bar against the plan's allowance, with the remainder or the additional cost. */
import { Box, Flex, Skeleton, Stack, Text } from '@mantine/core';
import type { Billing } from '#contracts/console/billing';
import { GROW_PRICE } from '#engine/usage/grow-price';
import { usageLevelOf } from '#engine/usage/usage-level';
import { formatDay, formatMonth, formatNumber, formatUtcDay } from '#web/ui/format.ts';
import { Meter, MeterMark } from '#web/ui/labels/meter.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { additionalCost, formatPounds, formatThousands } from './format-price.ts';

/** @param props.billing undefined while it loads */
export function UsageSection({ billing }: { billing: Billing | undefined }) {
  return (
    <Section
      title={`API calls ${periodOf(billing?.usage)}`}
      description="Checks, counter updates and third-party events. Refused calls are free."
    >
      {billing === undefined ? <UsageSkeleton /> : <UsageOfPeriod billing={billing} />}
    </Section>
  );
}

function periodOf(usage: Billing['usage'] | undefined): string {
  if (usage === undefined) return 'this month';
  const invoiced = invoicedOf(usage);
  return invoiced === null
    ? `in ${formatMonth(usage.monthAt)}`
    : `since ${formatDay(invoiced.periodStartAt)}`;
}

/** A server of the previous release sends none. */
const invoicedOf = (usage: Billing['usage']) => usage.invoiced ?? null;

function UsageSkeleton() {
  return (
    <Stack gap={10}>
      <Skeleton height={36} width={180} />
      <Skeleton height={8} />
      <Skeleton height={20} width="45%" />
    </Stack>
  );
}

function UsageOfPeriod({ billing: { plan, usage, notice } }: { billing: Billing }) {
  const { allowance, nextMonthAt } = usage;
  const invoiced = invoicedOf(usage);
  const total = invoiced === null ? usage.total : invoiced.total;
  const measure = allowance ?? GROW_PRICE.includedCalls;
  if (total === null) {
    return (
      <p className="flush muted">
        Usage is temporarily unavailable. Calls are still counted and will appear here automatically.
      </p>
    );
  }
  const { level } = usageLevelOf(plan, total);
  return (
    <Stack gap={10}>
      <Flex gap="4px 12px" wrap="wrap" align="baseline" justify="space-between">
        <Box component="p" lh="36px" className="flush large-figure">
          {formatNumber(total)}{' '}
          <Text span c="dimmed" fz="sm" fw={400} lh={1} style={{ letterSpacing: 0 }}>
            {unitOf(total, allowance)}
          </Text>
        </Box>
        <MeterMark level={level} />
      </Flex>
      <Meter
        used={total}
        limit={measure}
        level={level}
        label={invoiced === null ? 'Calls used this month' : 'Calls used in this billing period'}
        isOpenEnded={allowance === null}
      />
      <p className="flush muted">{usageLabel({ ...usage, invoiced }, total, measure, nextMonthAt)}</p>
      {notice?.graceUntil != null && (
        <p className="flush">
          Grace period: calls beyond Build’s limit work until {formatUtcDay(notice.graceUntil)}. From then on
          they are blocked.
        </p>
      )}
    </Stack>
  );
}

function unitOf(total: number, allowance: number | null): string {
  if (allowance !== null) return `of ${formatNumber(allowance)} calls`;
  const free = formatNumber(GROW_PRICE.includedCalls);
  return total > GROW_PRICE.includedCalls ? `calls, ${free} of them free` : `of ${free} free calls`;
}

function usageLabel(
  { remaining, invoiced }: Billing['usage'],
  total: number,
  measure: number,
  nextMonthAt: number,
): string {
  const renewal = formatUtcDay(nextMonthAt);
  if (remaining !== null) {
    return remaining > 0
      ? `${formatNumber(remaining)} remaining. Renews on ${renewal}.`
      : `None remaining. Renews on ${renewal} at midnight UTC.`;
  }
  const additional = Math.max(0, total - measure);
  if (additional === 0)
    return `Additional calls cost ${formatPounds(GROW_PRICE.packageMinor)} per ${formatThousands(GROW_PRICE.packageCalls)}. There is no monthly limit.`;
  const calls = `${formatNumber(additional)} additional calls so far`;
  return invoiced === null
    ? `${calls}.`
    : `${calls}: ${formatPounds(additionalCost(total))} on the invoice of ${formatDay(invoiced.periodEndAt)}, before discounts and tax.`;
}
