/** /o/{orgId}/integrations: the organisation's Stripe and JWT integrations. */
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { MAX_JWT_INTEGRATIONS } from '#contracts/console/integrations';
import { MAX_STRIPE_INTEGRATIONS } from '#contracts/console/stripe';
import { IntegrationsSection } from '#web/domains/integrations/integrations-section.tsx';
import { CreateJwtDialog } from '#web/domains/integrations/jwt/create-jwt-dialog.tsx';
import { JwtCards } from '#web/domains/integrations/jwt/jwt-cards.tsx';
import { jwtIntegrationsQuery } from '#web/domains/integrations/jwt/queries.ts';
import { stripeIntegrationsQuery } from '#web/domains/integrations/stripe/queries.ts';
import { StripeCards } from '#web/domains/integrations/stripe/stripe-cards.tsx';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { Page } from '#web/ui/page.tsx';

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
  const plus = <IconPlus size={16} aria-hidden />;
  return (
    <IntegrationsSection
      title="Payments"
      description="Whose subscriptions decide who is on which plan."
      plural="Stripe integrations"
      max={MAX_STRIPE_INTEGRATIONS}
      query={useQuery(stripeIntegrationsQuery(orgId))}
      emptyTitle="No payment provider connected"
      emptyText="Connect your Stripe account and link its products to your plans: whoever subscribes has the plan a moment later, and whoever cancels has it no more. Your code asks as before."
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
      {(integrations) => <StripeCards orgId={orgId} integrations={integrations} />}
    </IntegrationsSection>
  );
}

function Authentication({ orgId }: { orgId: string }) {
  const [isCreating, creating] = useDisclosure();
  return (
    <>
      <IntegrationsSection
        title="Authentication"
        description="Whose tokens are believed when an access check sends one as userJwt."
        plural="JWT integrations"
        max={MAX_JWT_INTEGRATIONS}
        query={useQuery(jwtIntegrationsQuery(orgId))}
        emptyTitle="No JWT integrations"
        emptyText="Your sign-in gives its users signed tokens (JWT). Add its public key here, and an access check can send such a token in place of an identifier: it cannot be forged, so a public key in the browser is enough to ask with."
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
        {(integrations) => <JwtCards orgId={orgId} integrations={integrations} />}
      </IntegrationsSection>
      <CreateJwtDialog orgId={orgId} isOpen={isCreating} onClose={creating.close} />
    </>
  );
}
