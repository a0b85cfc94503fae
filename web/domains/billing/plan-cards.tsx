/** The two plans side by side: contents, price, which one is current, and how to change. */
import { Box, Button, Flex, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconArrowUpRight, IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Billing } from '#contracts/console/billing';
import { CUSTOMER_BUDGETS } from '#engine/usage/customer-budget';
import { GROW_PRICE } from '#engine/usage/grow-price';
import { MONTHLY_ALLOWANCES } from '#engine/usage/usage-level';
import { toast } from '#web/toast.ts';
import { ActionButton } from '#web/ui/dialogs/action-button.tsx';
import { formatNumber } from '#web/ui/format.ts';
import classes from './billing.module.css';
import { formatPounds, formatThousands } from './format-price.ts';

export interface PlanCardsProps {
  /** Undefined while it loads. */
  readonly billing: Pick<Billing, 'plan' | 'isSetUp' | 'subscription'> | undefined;
  readonly canEdit: boolean;
  readonly onUpgrade: () => void;
  /** Undefined: there is no subscription in Stripe to cancel. */
  readonly onOpenPortal: (() => void) | undefined;
  /** Whether the checkout is being opened. */
  readonly isBusy: boolean;
}

export function PlanCards({ billing, canEdit, onUpgrade, onOpenPortal, isBusy }: PlanCardsProps) {
  const { plan, isSetUp = false, subscription } = billing ?? {};
  const isOwed = subscription?.status === 'unpaid' || subscription?.status === 'paused';
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={16}>
      <PlanCard
        name="Build plan"
        price="Free"
        isCurrent={plan === 'build'}
        points={[
          `${formatNumber(MONTHLY_ALLOWANCES.build ?? 0)} API calls per month`,
          'Checks stop at 100,000 until the 1st',
          `${formatNumber(CUSTOMER_BUDGETS.build)} customers created by API`,
          'Events kept for up to 7 days',
        ]}
        action={
          plan === 'grow' && (
            <Button variant="default" disabled={!canEdit} onClick={() => refuseDowngrade(onOpenPortal)}>
              Downgrade to Build
            </Button>
          )
        }
      />
      <PlanCard
        name="Grow plan"
        price={formatPounds(GROW_PRICE.monthlyMinor)}
        unit="a month"
        isCurrent={plan === 'grow'}
        points={[
          `${formatThousands(GROW_PRICE.includedCalls)} free calls`,
          `${formatPounds(GROW_PRICE.packageMinor)} per ${formatThousands(GROW_PRICE.packageCalls)} additional calls`,
          'No monthly limit on API calls',
          `${formatNumber(CUSTOMER_BUDGETS.grow)} customers created by API`,
          'Events kept for up to 30 days',
        ]}
        action={
          plan === undefined ? (
            <Skeleton height="var(--control-height)" width={132} />
          ) : plan === 'build' ? (
            <ActionButton
              disabled={!canEdit || !isSetUp || isOwed}
              loading={isBusy}
              onClick={onUpgrade}
              rightSection={<IconArrowUpRight size={15} aria-hidden />}
            >
              Upgrade Plan
            </ActionButton>
          ) : null
        }
      />
    </SimpleGrid>
  );
}

/** The portal can cancel the subscription, which moves the organisation to Build. */
function refuseDowngrade(onOpenPortal: (() => void) | undefined): void {
  toast.info(
    'Downgrading is not yet supported in the console, please contact support.',
    onOpenPortal && { action: { label: 'Open portal', onClick: onOpenPortal } },
  );
}

interface PlanCardProps {
  readonly name: string;
  readonly price: string;
  readonly unit?: string;
  readonly isCurrent: boolean;
  readonly points: readonly string[];
  readonly action: ReactNode;
}

function PlanCard({ name, price, unit, isCurrent, points, action }: PlanCardProps) {
  return (
    <section className={classes.plan} data-current={isCurrent || undefined} aria-label={name}>
      <Group gap={12} wrap="nowrap" justify="space-between" mih={22}>
        <Title order={2}>{name}</Title>
        {isCurrent && (
          <Text span fz="xs" fw={500} bdrs="sm" px={8} lh="22px" className="accent">
            Current plan
          </Text>
        )}
      </Group>
      <Box component="p" mt={4} mb={0} lh="36px" className="large-figure">
        {price}{' '}
        {unit && (
          <Text span c="dimmed" fz="sm" fw={400} lh={1} style={{ letterSpacing: 0 }}>
            {unit}
          </Text>
        )}
      </Box>
      <Stack component="ul" gap={8} mt={12} className="list">
        {points.map((point) => (
          <Flex key={point} component="li" align="flex-start" gap={10}>
            <Box component="span" mt={3} lh={0} c={isCurrent ? 'var(--accent-text)' : 'var(--text-faint)'}>
              <IconCheck size={15} aria-hidden />
            </Box>
            <span>{point}</span>
          </Flex>
        ))}
      </Stack>
      {action && (
        <Flex mt="auto" pt={20}>
          {action}
        </Flex>
      )}
    </section>
  );
}
