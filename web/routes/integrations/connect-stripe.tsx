/** /o/{orgId}/integrations/stripe/connect: the first step of connecting Stripe. The integration's page has the others. */
import { useNavigate } from 'react-router';
import { useFrontendConfig } from '#web/domains/auth/frontend-config.ts';
import { ConnectGuide } from '#web/domains/integrations/stripe/connect-guide.tsx';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { Page } from '#web/ui/page/page.tsx';

export function ConnectStripePage() {
  const orgId = useOrgId();
  const navigate = useNavigate();
  const { config } = useFrontendConfig();
  return (
    <Page
      subtitle="Four steps, two of them optional. Leave at any time and continue later."
      parents={[{ label: 'Integrations', to: paths.integrations(orgId) }]}
    >
      <ConnectGuide
        integration={null}
        hasUsage={false}
        config={config}
        onConnected={({ id }) =>
          void navigate(paths.stripeIntegration(orgId, id, 'connect'), { replace: true })
        }
      />
    </Page>
  );
}
