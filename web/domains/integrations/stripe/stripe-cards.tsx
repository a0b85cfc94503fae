/** The organisation's Stripe accounts as cards: counts, sync state, connection error, and the next step to take. */
import { Box, Flex } from '@mantine/core';
import { IconAlertTriangle, IconCreditCard } from '@tabler/icons-react';
import type { StripeIntegration } from '#contracts/console/stripe';
import classes from '#web/domains/integrations/cards.module.css';
import { IntegrationCard, IntegrationCards } from '#web/domains/integrations/integration-cards.tsx';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { counted } from '#web/ui/format.ts';
import { ModeBadge } from '#web/ui/labels/mode-badge.tsx';
import { StatusLabel } from '#web/ui/labels/status-label.tsx';
import { nextStepLabel, syncSummary } from './stripe-labels.ts';
import { webhookState } from './webhook-health.ts';

export interface StripeCardsProps {
  /** Undefined while loading. */
  readonly integrations: readonly StripeIntegration[] | undefined;
  /** Whether the organisation has had calls or events. */
  readonly hasUsage: boolean;
}

export function StripeCards({ integrations, hasUsage }: StripeCardsProps) {
  return (
    <IntegrationCards
      label="Stripe integrations"
      integrations={integrations}
      renderCard={(integration) => <StripeCard integration={integration} hasUsage={hasUsage} />}
    />
  );
}

interface StripeCardProps extends Pick<StripeCardsProps, 'hasUsage'> {
  readonly integration: StripeIntegration;
}

function StripeCard({ integration, hasUsage }: StripeCardProps) {
  const orgId = useOrgId();
  const { id, name, description, accountId, testMode, customerCount, productCount, trouble } = integration;
  return (
    <IntegrationCard
      to={paths.stripeIntegration(orgId, id)}
      icon={IconCreditCard}
      name={name}
      badge={<ModeBadge isTest={testMode} />}
      description={description}
      facts={[
        <code key="account">{accountId}</code>,
        `${counted(customerCount, 'customer')} · ${counted(productCount, 'product')}`,
      ]}
      alert={
        trouble !== null && (
          <span className={classes.alert}>
            <IconAlertTriangle size={14} aria-hidden />
            <span>{trouble.message}</span>
          </span>
        )
      }
      foot={<Progress integration={integration} hasUsage={hasUsage} />}
    />
  );
}

function Progress({ integration, hasUsage }: StripeCardProps) {
  const next = nextStepLabel(integration, hasUsage);
  const sync = syncSummary(integration);
  if (next !== null && !sync.isRunning)
    return <Box component="span" flex={1} fw={500} c="var(--accent-text)">{`Next: ${next}`}</Box>;
  return (
    <Flex component="span" gap="4px 16px" wrap="wrap">
      <StatusLabel tone={webhookState(integration).tone}>{webhookCardLabel(integration)}</StatusLabel>{' '}
      <StatusLabel tone={sync.tone}>{sync.label}</StatusLabel>
    </Flex>
  );
}

function webhookCardLabel(integration: StripeIntegration): string {
  if (!integration.hasWebhook) return 'No webhook';
  return webhookState(integration).tone === 'bad' ? 'Webhook needs attention' : 'Webhook';
}
