/**
 * The steps from a secret key to a connected account: finished steps, the next one with its form, and the rest. The
 * same guide is shown before and after the integration is created, so that users can leave and continue later.
 */
import { Box, Button, Group, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { frontendEndpoints } from '#contracts/console/frontend';
import type { StripeIntegration } from '#contracts/console/stripe';
import type { AnswerOf } from '#contracts/public/endpoint';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { connectResult } from './connect-result.tsx';
import { type ConnectStep, type ConnectStepId, connectSteps, nextConnectStep } from './connect-steps.ts';
import { EventStep } from './event-step.tsx';
import { KeyStep } from './key-step.tsx';
import classes from './stripe.module.css';
import { SyncStep } from './sync-step.tsx';
import { WebhookStep } from './webhook-step.tsx';

export interface ConnectGuideProps {
  /** Null until the key is accepted. */
  readonly integration: StripeIntegration | null;
  /** Whether the organisation has had calls or events. */
  readonly hasUsage: boolean;
  readonly onConnected: (integration: StripeIntegration) => void;
  /** Undefined while it is read. */
  readonly config: Pick<FrontendConfig, 'stripeEmulatorKey' | 'stripeEmulatorUrl'> | undefined;
}

type FrontendConfig = AnswerOf<typeof frontendEndpoints.config>;

const TITLES: Readonly<Record<ConnectStepId, { readonly title: string; readonly isOptional: boolean }>> = {
  key: { title: 'Connect to Stripe', isOptional: false },
  webhook: { title: 'Create webhook', isOptional: false },
  sync: { title: 'Sync your Stripe account', isOptional: true },
  event: { title: 'Trigger an event in Stripe', isOptional: true },
};

export function ConnectGuide(props: ConnectGuideProps) {
  const { integration, hasUsage } = props;
  const orgId = useOrgId();
  const steps = connectSteps(integration, hasUsage);
  const next = nextConnectStep(steps);
  const current = useRef<HTMLLIElement>(null);
  const lastId = useRef(next?.id);
  useEffect(() => {
    // The pressed button disappears with its step, so keyboard focus moves to the next step.
    if (lastId.current !== next?.id) current.current?.focus();
    lastId.current = next?.id;
  }, [next?.id]);
  const finished = steps.filter(({ state }) => state === 'done' || state === 'skipped').length;
  return (
    <Section
      title="Connect your Stripe account"
      description="Customers get a plan when they subscribe to a linked product and lose it when they cancel."
      actions={
        <Text span c="dimmed" fz="sm" lh="24px" className="figures">
          {finished} of {steps.length} done
        </Text>
      }
      isFlush
    >
      <ol className="list divided">
        {steps.map((step, index) => (
          <li
            key={step.id}
            className={classes.step}
            data-state={step === next ? 'next' : step.state}
            aria-current={step === next ? 'step' : undefined}
            {...(step === next && { ref: current, tabIndex: -1 })}
          >
            <span
              className={`${classes.number} ${step.state === 'done' ? 'accent' : 'muted sunk'}`}
              aria-hidden="true"
            >
              {step.state === 'done' ? <IconCheck size={15} stroke={2.2} /> : index + 1}
            </span>
            <div>
              <Group
                component="h3"
                gap="2px 10px"
                m={0}
                mih={28}
                fz="md"
                fw={step === next ? 600 : 500}
                c={step !== next && step.state === 'open' ? 'dimmed' : undefined}
              >
                <Box component="span" {...(step.state === 'skipped' && { c: 'dimmed', td: 'line-through' })}>
                  {TITLES[step.id].title}
                </Box>
                {TITLES[step.id].isOptional && step.state !== 'done' && (
                  <span className="muted tiny regular">
                    {step.state === 'skipped' ? 'Skipped' : 'Optional'}
                  </span>
                )}
              </Group>
              {step === next ? (
                <Box pt={8} px={0} pb={8}>
                  {contentOf(step, orgId, props)}
                </Box>
              ) : (
                <p className="flush muted small breaks">
                  {integration !== null && connectResult(step, integration)}
                </p>
              )}
            </div>
          </li>
        ))}
      </ol>
      {next === undefined && integration !== null && <Connected integration={integration} />}
    </Section>
  );
}

function contentOf(
  { id }: ConnectStep,
  orgId: string,
  { integration, onConnected, config }: ConnectGuideProps,
): ReactNode {
  if (integration === null || id === 'key')
    return (
      <KeyStep orgId={orgId} onConnected={onConnected} emulatorKey={config?.stripeEmulatorKey ?? null} />
    );
  if (id === 'webhook') return <WebhookStep orgId={orgId} integration={integration} />;
  return id === 'sync' ? (
    <SyncStep orgId={orgId} integration={integration} />
  ) : (
    <EventStep orgId={orgId} integration={integration} emulatorUrl={config?.stripeEmulatorUrl ?? null} />
  );
}

function Connected({ integration }: { integration: StripeIntegration }) {
  const orgId = useOrgId();
  return (
    <Group
      gap="12px 24px"
      justify="space-between"
      py={16}
      px={20}
      bg="var(--accent-soft)"
      style={{ borderTop: '1px solid var(--line)' }}
      role="status"
    >
      <div>
        <Text fw={600}>
          <bdi>{integration.name}</bdi> is connected
        </Text>
        <Text c="dimmed">Link its products to your plans to grant them by subscription.</Text>
      </div>
      <Group gap={8}>
        <Button
          component={Link}
          to={paths.stripeIntegration(orgId, integration.id, 'customers')}
          variant="default"
        >
          View customers
        </Button>
        <Button component={Link} to={paths.plans(orgId)}>
          Go to plans
        </Button>
      </Group>
    </Group>
  );
}
