/** /o/{orgId}/integrations/stripe/connect: the first step of connecting a Stripe account; the others are on its own page. */
import { useNavigate } from 'react-router';
import { ConnectGuide } from '../features/integrations/stripe/connect-guide.tsx';
import { paths } from '../paths.ts';
import { useOrgId } from '../session/organisation.tsx';
import { Page } from '../ui/page.tsx';

export function ConnectStripePage() {
  const orgId = useOrgId();
  const navigate = useNavigate();
  return (
    <Page
      title="Connect Stripe"
      subtitle="Four steps, of which two can be left out. You can leave at any time and go on later."
      crumbs={[
        { label: 'Dashboard', to: paths.dashboard(orgId) },
        { label: 'Integrations', to: paths.integrations(orgId) },
        { label: 'Connect Stripe' },
      ]}
    >
      <ConnectGuide
        orgId={orgId}
        integration={null}
        onConnected={({ id }) =>
          void navigate(paths.stripeIntegration(orgId, id, 'connect'), { replace: true })
        }
      />
    </Page>
  );
}
