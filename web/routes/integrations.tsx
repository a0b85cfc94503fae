/** /o/{orgId}/integrations: what the organisation has connected. */
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { MAX_JWT_INTEGRATIONS } from '#contracts/integrations';
import { MAX_STRIPE_INTEGRATIONS } from '#contracts/stripe';
import { CreateJwtDialog } from '../features/integrations/jwt/create-jwt-dialog.tsx';
import { JwtCards } from '../features/integrations/jwt/jwt-cards.tsx';
import { jwtIntegrationsQuery } from '../features/integrations/jwt/queries.ts';
import { stripeIntegrationsQuery } from '../features/integrations/stripe/queries.ts';
import { StripeCards } from '../features/integrations/stripe/stripe-cards.tsx';
import { paths } from '../paths.ts';
import { useOrgId } from '../session/organisation.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Page } from '../ui/page.tsx';
import { PageSection } from '../ui/page-section.tsx';

export function IntegrationsPage() {
  const orgId = useOrgId();
  return (
    <Page
      title="Integrations"
      subtitle="What Tessera is connected to, so that an access check knows who is asking and what they pay for."
      crumbs={[{ label: 'Dashboard', to: paths.dashboard(orgId) }, { label: 'Integrations' }]}
    >
      <Payments orgId={orgId} />
      <Authentication orgId={orgId} />
    </Page>
  );
}

function Payments({ orgId }: { orgId: string }) {
  const { data, error, refetch } = useQuery(stripeIntegrationsQuery(orgId));
  const isEmpty = data?.length === 0;
  const isFull = data !== undefined && data.length >= MAX_STRIPE_INTEGRATIONS;
  const plus = <IconPlus size={16} aria-hidden />;
  const connect = isFull ? (
    <Button variant="default" leftSection={plus} disabled>
      Connect Stripe
    </Button>
  ) : (
    <Button
      component={Link}
      to={paths.connectStripe(orgId)}
      leftSection={plus}
      variant={isEmpty ? 'filled' : 'default'}
    >
      Connect Stripe
    </Button>
  );
  return (
    <PageSection
      title="Payments"
      description={
        isFull
          ? `An organisation can have at most ${MAX_STRIPE_INTEGRATIONS} Stripe integrations.`
          : 'Whose subscriptions decide who is on which plan.'
      }
      actions={isEmpty || (data === undefined && error !== null) ? undefined : connect}
    >
      {data === undefined && error !== null ? (
        <ErrorState
          title="The Stripe integrations could not be loaded"
          error={error}
          onRetry={() => void refetch()}
        />
      ) : isEmpty ? (
        <EmptyState title="No payment provider connected" action={connect}>
          Connect your Stripe account and link its products to your plans: whoever subscribes has the plan a
          moment later, and whoever cancels has it no more. Your code asks as before.
        </EmptyState>
      ) : (
        <StripeCards orgId={orgId} integrations={data} />
      )}
    </PageSection>
  );
}

function Authentication({ orgId }: { orgId: string }) {
  const { data, error, refetch } = useQuery(jwtIntegrationsQuery(orgId));
  const [isCreating, creating] = useDisclosure();
  const isEmpty = data?.length === 0;
  const isFull = data !== undefined && data.length >= MAX_JWT_INTEGRATIONS;
  const add = (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      variant={isEmpty ? 'filled' : 'default'}
      onClick={creating.open}
      disabled={isFull}
    >
      Add a JWT integration
    </Button>
  );
  return (
    <PageSection
      title="Authentication"
      description={
        isFull
          ? `An organisation can have at most ${MAX_JWT_INTEGRATIONS} JWT integrations.`
          : 'Whose tokens are believed when an access check sends one as userJwt.'
      }
      actions={isEmpty || (data === undefined && error !== null) ? undefined : add}
    >
      {data === undefined && error !== null ? (
        <ErrorState
          title="The JWT integrations could not be loaded"
          error={error}
          onRetry={() => void refetch()}
        />
      ) : isEmpty ? (
        <EmptyState title="No JWT integrations" action={add}>
          Your sign-in gives its users signed tokens (JWT). Add its public key here, and an access check can
          send such a token in place of an identifier: it cannot be forged, so a public key in the browser is
          enough to ask with.
        </EmptyState>
      ) : (
        <JwtCards orgId={orgId} integrations={data} />
      )}
      <CreateJwtDialog orgId={orgId} isOpen={isCreating} onClose={creating.close} />
    </PageSection>
  );
}
