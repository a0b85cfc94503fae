/** /o/{orgId}/integrations: the organisation's Stripe and JWT integrations. */
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { MAX_JWT_INTEGRATIONS } from '#contracts/console/integrations';
import { MAX_STRIPE_INTEGRATIONS } from '#contracts/console/stripe';
import { isSettled } from '#web/api/is-settled.ts';
import { IntegrationsSection } from '#web/domains/integrations/integrations-section.tsx';
import { CreateJwtDialog } from '#web/domains/integrations/jwt/create-jwt-dialog.tsx';
import { JwtCards } from '#web/domains/integrations/jwt/jwt-cards.tsx';
import { jwtIntegrationsQuery } from '#web/domains/integrations/jwt/queries.ts';
import { stripeIntegrationsQuery } from '#web/domains/integrations/stripe/queries.ts';
import { StripeCards } from '#web/domains/integrations/stripe/stripe-cards.tsx';
import { usageQuery } from '#web/domains/usage/queries.ts';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { Page } from '#web/ui/page/page.tsx';

export function IntegrationsPage() {
  const orgId = useOrgId();
  const stripe = useQuery(stripeIntegrationsQuery(orgId));
  const usage = useQuery(usageQuery(orgId));
  return (
    <Page>
      <Payments />
      {/* Where it is depends on what is above. */}
      {isSettled(stripe) && isSettled(usage) && <Authentication />}
    </Page>
  );
}

function Payments() {
  const orgId = useOrgId();
  const usage = useQuery(usageQuery(orgId));
  const plus = <IconPlus size={16} aria-hidden />;
  return (
    <IntegrationsSection
      title="Payments"
      description="Grant plans by Stripe subscription."
      plural="Stripe integrations"
      max={MAX_STRIPE_INTEGRATIONS}
      query={useQuery(stripeIntegrationsQuery(orgId))}
      emptyTitle="No payment provider connected"
      emptyText="Connect your Stripe account and link its products to your plans. Customers get the plan when they subscribe and lose it when they cancel. Your code stays the same."
      emptyExample="Product Pro yearly → plan Pro"
      emptyDocs="What an access check knows about customers"
      renderCreate={({ isEmpty, isFull }) =>
        isFull ? (
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
        )
      }
    >
      {(integrations) => (
        <StripeCards
          integrations={isSettled(usage) ? integrations : undefined}
          hasUsage={usage.data?.hasUsage ?? false}
        />
      )}
    </IntegrationsSection>
  );
}

function Authentication() {
  const orgId = useOrgId();
  const [isCreating, creating] = useDisclosure();
  return (
    <>
      <IntegrationsSection
        title="Authentication"
        description="Accept signed tokens (userJwt) from your auth provider."
        plural="JWT integrations"
        max={MAX_JWT_INTEGRATIONS}
        query={useQuery(jwtIntegrationsQuery(orgId))}
        emptyTitle="No JWT integrations"
        emptyText="Add your auth provider’s public key to accept its signed tokens (JWT) in access checks. A token can’t be forged, so browsers can check access with a public key."
        emptyExample={'{ "userJwt": "eyJhbGciOiJ…" }'}
        emptyDocs="How to send a token"
        renderCreate={({ isEmpty, isFull }) => (
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            variant={isEmpty ? 'filled' : 'default'}
            onClick={creating.open}
            disabled={isFull}
          >
            Add a JWT integration
          </Button>
        )}
      >
        {(integrations) => <JwtCards integrations={integrations} />}
      </IntegrationsSection>
      <CreateJwtDialog isOpen={isCreating} onClose={creating.close} />
    </>
  );
}
