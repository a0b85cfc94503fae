/** The body of one step of the quick start. The Stripe steps are those of the integration's page. */
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { StripeIntegration } from '#contracts/console/stripe';
import { useFrontendConfig } from '#web/domains/auth/frontend-config.ts';
import { OnboardingJwtForm } from '#web/domains/integrations/jwt/onboarding-jwt-form.tsx';
import { jwtIntegrationsQuery } from '#web/domains/integrations/jwt/queries.ts';
import { connectResult } from '#web/domains/integrations/stripe/connect-result.tsx';
import { type ConnectStepId, connectSteps } from '#web/domains/integrations/stripe/connect-steps.ts';
import { EventStep } from '#web/domains/integrations/stripe/event-step.tsx';
import { KeyStep } from '#web/domains/integrations/stripe/key-step.tsx';
import { isSyncing } from '#web/domains/integrations/stripe/queries.ts';
import { SyncStep } from '#web/domains/integrations/stripe/sync-step.tsx';
import { WebhookStep } from '#web/domains/integrations/stripe/webhook-step.tsx';
import type { StepId } from '#web/domains/quickstart/steps.ts';
import { usageQuery } from '#web/domains/usage/queries.ts';
import { paths } from '#web/paths.ts';
import { Section } from '#web/ui/page/section.tsx';
import { QuickstartApiStep } from './quickstart-api-step.tsx';

export interface QuickstartStepBodyProps {
  readonly orgId: string;
  readonly id: StepId;
  /** The step's status is done. */
  readonly isDone: boolean;
  readonly stripe: StripeIntegration | null;
  readonly isJwtSkipped: boolean;
  readonly isFinished: boolean;
  /** A change of the status is being saved. */
  readonly isBusy: boolean;
  /** Goes back to the current step. Null if the step is the current one. */
  readonly onContinue: (() => void) | null;
  /** Goes on while the sync runs. */
  readonly onStopWaiting: () => void;
  readonly onSkipJwt: () => void;
  readonly onPause: () => void;
  readonly onFinish: () => void;
}

export function QuickstartStepBody(props: QuickstartStepBodyProps) {
  const { orgId, id, stripe, isFinished, isBusy, onContinue, onPause, onFinish } = props;
  if (id === 'api') {
    return (
      <QuickstartApiStep
        orgId={orgId}
        stripe={stripe}
        isFinished={isFinished}
        isBusy={isBusy}
        onSkip={onPause}
        onFinish={onFinish}
      />
    );
  }
  const { title, description } = TEXTS[id];
  return (
    <Section
      title={title}
      description={description}
      footer={
        onContinue && (
          <Button variant="default" onClick={onContinue}>
            Continue
          </Button>
        )
      }
    >
      {id === 'jwt' ? <JwtStep {...props} /> : <StripeStep {...props} id={id} />}
    </Section>
  );
}

type StripeStepId = Exclude<StepId, 'jwt' | 'api'>;

const TEXTS: Readonly<
  Record<Exclude<StepId, 'api'>, { readonly title: string; readonly description: string }>
> = {
  'create-stripe': {
    title: '1. Connect to Stripe',
    description: 'Customers get a plan when they subscribe and lose it when they cancel.',
  },
  'manual-webhook-stripe': {
    title: 'Create webhook',
    description: 'Stripe notifies Tessera of every change, so plans follow subscriptions within seconds.',
  },
  'sync-account': {
    title: '2. Sync your Stripe account',
    description: 'Plans then apply to the customers you already have.',
  },
  'webhook-wait': {
    title: '3. Trigger an event in Stripe',
    description: 'Check that changes in Stripe arrive here.',
  },
  jwt: {
    title: '4. Configure JWT',
    description:
      'Accept signed tokens from your auth provider, so that browsers and apps can check access with a public key.',
  },
};

const CONNECT_STEPS: Readonly<Record<StripeStepId, ConnectStepId>> = {
  'create-stripe': 'key',
  'manual-webhook-stripe': 'webhook',
  'sync-account': 'sync',
  'webhook-wait': 'event',
};

function StripeStep({
  orgId,
  id,
  isDone,
  stripe,
  onStopWaiting,
}: QuickstartStepBodyProps & { readonly id: StripeStepId }) {
  const { config } = useFrontendConfig();
  const hasUsage = useQuery(usageQuery(orgId)).data?.hasUsage ?? false;
  if (stripe === null) {
    return (
      <KeyStep
        orgId={orgId}
        isQuickStart
        emulatorKey={config?.stripeEmulatorKey ?? null}
        onConnected={() => undefined}
      />
    );
  }
  const step = connectSteps(stripe, hasUsage).find((each) => each.id === CONNECT_STEPS[id]);
  if (id === 'sync-account') {
    return (
      <Stack gap={16}>
        <SyncStep orgId={orgId} integration={stripe} />
        {isSyncing(stripe) && (
          <div>
            <Button variant="default" onClick={onStopWaiting}>
              Continue while it syncs
            </Button>
          </div>
        )}
      </Stack>
    );
  }
  if (isDone && step !== undefined) {
    return (
      <Done to={paths.stripeIntegration(orgId, stripe.id, 'manage')} linkLabel="Open the integration">
        {connectResult(step, stripe)}
      </Done>
    );
  }
  return id === 'webhook-wait' ? (
    <EventStep orgId={orgId} integration={stripe} emulatorUrl={config?.stripeEmulatorUrl ?? null} />
  ) : (
    <WebhookStep orgId={orgId} integration={stripe} />
  );
}

function JwtStep({ orgId, isJwtSkipped, isBusy, onSkipJwt }: QuickstartStepBodyProps) {
  const { data = [] } = useQuery(jwtIntegrationsQuery(orgId));
  const integration = data.find(({ quickStart }) => quickStart) ?? data[0];
  if (integration === undefined) {
    return (
      <OnboardingJwtForm orgId={orgId} onSkip={isJwtSkipped ? undefined : onSkipJwt} isSkipping={isBusy} />
    );
  }
  return (
    <Done to={paths.jwtIntegration(orgId, integration.id)} linkLabel="Open the integration">
      {integration.name}: <code>{integration.anonymizedPublicKey}</code>
    </Done>
  );
}

interface DoneProps {
  readonly to: string;
  readonly linkLabel: string;
  readonly children: ReactNode;
}

/** What a finished step has set up, and where it can be changed. */
function Done({ to, linkLabel, children }: DoneProps) {
  return (
    <Stack gap={8}>
      <Text className="breaks">{children}</Text>
      <div>
        <Anchor component={Link} to={to}>
          {linkLabel}
        </Anchor>
      </div>
    </Stack>
  );
}
