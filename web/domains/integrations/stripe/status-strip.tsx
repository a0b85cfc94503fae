/** The connected account, its mode, the webhook and the last sync, at a glance. */
import { SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { StripeIntegration } from '#contracts/console/stripe';
import { counted } from '#web/ui/format.ts';
import { Age } from '#web/ui/labels/age.tsx';
import { StatusLabel } from '#web/ui/labels/status-label.tsx';
import classes from './stripe.module.css';
import { syncSummary } from './stripe-labels.ts';
import { webhookState } from './webhook-health.ts';

const TERMS = ['Account', 'Mode', 'Webhook', 'Last sync'] as const;
type Facts = Readonly<Record<(typeof TERMS)[number], Pick<FactProps, 'detail' | 'children'>>>;

/** @param props.integration undefined while it loads */
export function StatusStrip({ integration }: { readonly integration: StripeIntegration | undefined }) {
  const facts = integration === undefined ? undefined : factsOf(integration);
  return (
    <section aria-label="Status" className={classes.strip}>
      <SimpleGrid component="dl" m={0} cols={{ base: 1, sm: 2, lg: 4 }} spacing={0} verticalSpacing={0}>
        {TERMS.map((term) => (
          <Fact key={term} term={term} detail={facts?.[term].detail ?? <Line width={140} />}>
            {facts?.[term].children ?? <Line width={88} />}
          </Fact>
        ))}
      </SimpleGrid>
    </section>
  );
}

function factsOf(integration: StripeIntegration): Facts {
  const { accountId, testMode, maskedKey, trouble, lastEventAt, customerCount, productCount } = integration;
  const webhook = webhookState(integration);
  const sync = syncSummary(integration);
  const syncedAt = Math.max(0, ...integration.syncJobs.map(({ finishedAt }) => finishedAt ?? 0));
  return {
    Account: {
      detail: <Code>{accountId}</Code>,
      children: (
        <StatusLabel tone={trouble === null ? 'good' : 'bad'}>
          {trouble === null ? 'Connected' : 'Stripe calls fail'}
        </StatusLabel>
      ),
    },
    Mode: { detail: <Code>{maskedKey}</Code>, children: testMode ? 'Test' : 'Live' },
    Webhook: {
      detail:
        lastEventAt === null ? (
          'No event yet'
        ) : (
          <>
            Last event <Age at={lastEventAt} />
          </>
        ),
      children: (
        <StatusLabel tone={webhook.tone}>{integration.hasWebhook ? webhook.label : 'Missing'}</StatusLabel>
      ),
    },
    'Last sync': {
      detail: `${counted(customerCount, 'customer')}, ${counted(productCount, 'product')}`,
      children: (
        <>
          <StatusLabel tone={sync.tone}>{sync.label}</StatusLabel>
          {syncedAt > 0 && !sync.isRunning && (
            <Text span inherit c="dimmed" fw={400}>
              {' '}
              <Age at={syncedAt} />
            </Text>
          )}
        </>
      ),
    },
  };
}

function Code({ children }: { readonly children: string }) {
  return (
    <Text span inherit ff="monospace">
      {children}
    </Text>
  );
}

/** As high as a line of text. */
function Line({ width }: { readonly width: number }) {
  return (
    <Skeleton
      renderRoot={(props) => <span {...props} />}
      width={width}
      maw="100%"
      height="1em"
      display="inline-block"
      style={{ verticalAlign: 'text-bottom' }}
    />
  );
}

interface FactProps {
  readonly term: string;
  readonly detail: ReactNode;
  readonly children: ReactNode;
}

function Fact({ term, detail, children }: FactProps) {
  return (
    <Stack gap={2} px={20} py={14} miw={0} className={classes.stripFact}>
      <Text component="dt" fz="xs" c="dimmed">
        {term}
      </Text>
      <Text component="dd" m={0} fz="sm" fw={500}>
        {children}
      </Text>
      <Text component="dd" m={0} fz="xs" c="dimmed" truncate>
        {detail}
      </Text>
    </Stack>
  );
}
