/** The month's API calls as a bar against the plan's allowance, with the remainder or the additional cost. */
import { Flex, Progress, Text } from '@mantine/core';
import type { Billing } from '#contracts/console/billing';
import { GROW_PRICE } from '#engine/usage/grow-price';
import { usageLevelOf } from '#engine/usage/usage-level';
import { formatMonth, formatNumber, formatUtcDay } from '#web/ui/format.ts';
import { Section } from '#web/ui/section.tsx';
import classes from './billing.module.css';
import { additionalCost, formatPounds, formatThousands } from './format-price.ts';

type Level = ReturnType<typeof usageLevelOf>['level'];

const COLOURS: Record<Level, string> = {
  within: 'var(--accent)',
  near: 'var(--warning)',
  reached: 'var(--denied)',
};

export function UsageSection({ billing: { plan, usage } }: { billing: Billing }) {
  const { total, allowance, monthAt, nextMonthAt } = usage;
  const measure = allowance ?? GROW_PRICE.includedCalls;
  const level = total === null ? 'within' : usageLevelOf(plan, total).level;
  return (
    <Section
      title={`API calls in ${formatMonth(monthAt)}`}
      description="Checks, counter updates and third-party events. Refused calls are free."
    >
      {total === null ? (
        <p className={classes.muted}>
          The usage cannot be read at the moment. Nothing of it is lost; it shows here again by itself.
        </p>
      ) : (
        <div className="column gap-10">
          <Flex gap="4px 12px" wrap="wrap" align="baseline" justify="space-between">
            <p className={classes.figure}>
              {formatNumber(total)}{' '}
              <Text span c="dimmed" fz="sm" fw={400} lh={1} style={{ letterSpacing: 0 }}>
                {unitOf(total, allowance)}
              </Text>
            </p>
            {level === 'near' && <LevelMark tone="warning">Over 80 % used</LevelMark>}
            {level === 'reached' && <LevelMark tone="denied">Used up</LevelMark>}
          </Flex>
          <Progress.Root size={8}>
            <Progress.Section
              value={(Math.min(total, measure) / Math.max(total, measure)) * 100}
              color={COLOURS[level]}
              aria-label="Share of the month’s calls used"
            />
            {allowance === null && total > measure && (
              <Progress.Section
                value={((total - measure) / total) * 100}
                color="var(--accent-line)"
                aria-label="Share of additional calls"
              />
            )}
          </Progress.Root>
          <p className={classes.muted}>{usageLabel(usage, measure, nextMonthAt)}</p>
        </div>
      )}
    </Section>
  );
}

function unitOf(total: number, allowance: number | null): string {
  if (allowance !== null) return `of ${formatNumber(allowance)} calls`;
  const free = formatNumber(GROW_PRICE.includedCalls);
  return total > GROW_PRICE.includedCalls ? `calls, ${free} of them free` : `of ${free} free calls`;
}

function usageLabel({ total, remaining }: Billing['usage'], measure: number, nextMonthAt: number): string {
  const renewal = formatUtcDay(nextMonthAt);
  if (remaining !== null) {
    return remaining > 0
      ? `${formatNumber(remaining)} remaining. A new allowance begins on ${renewal}.`
      : `None remaining. A new allowance begins on ${renewal}, at midnight UTC.`;
  }
  const additional = Math.max(0, (total ?? 0) - measure);
  if (additional === 0)
    return `Additional calls cost ${formatPounds(GROW_PRICE.packageMinor)} per ${formatThousands(GROW_PRICE.packageCalls)}; none is ever refused.`;
  return `${formatNumber(additional)} additional calls so far, about ${formatPounds(additionalCost(total ?? 0))}. The invoice counts by your billing period.`;
}

function LevelMark({ tone, children }: { readonly tone: 'warning' | 'denied'; readonly children: string }) {
  return (
    <Text span fz="xs" fw={500} lh="22px" px={8} bdrs="sm" className={tone}>
      {children}
    </Text>
  );
}
