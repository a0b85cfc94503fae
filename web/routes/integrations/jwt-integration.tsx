/** /o/{orgId}/integrations/jwt/{integrationId}: one JWT integration: its claims, its public keys, its deletion. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import type { JwtIntegration } from '#contracts/console/integrations';
import { ObjectHistory } from '#web/domains/activity/object-history.tsx';
import { IntegrationPage } from '#web/domains/integrations/integration-page.tsx';
import { DeleteJwtSection } from '#web/domains/integrations/jwt/delete-jwt-section.tsx';
import { JwtForm } from '#web/domains/integrations/jwt/jwt-form.tsx';
import { PublicKeySection } from '#web/domains/integrations/jwt/public-key-section.tsx';
import { jwtIntegrationQuery } from '#web/domains/integrations/jwt/queries.ts';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { CopyId } from '#web/ui/copy/copy-id.tsx';
import { discardUnsaved } from '#web/ui/dialogs/guarded-forms.ts';

export function JwtIntegrationPage() {
  const orgId = useOrgId();
  const { jwtId: integrationId = '' } = useParams();
  return (
    <IntegrationPage
      query={useQuery(jwtIntegrationQuery(orgId, integrationId))}
      fallbackTitle="JWT integration"
      deletedEffect="Its tokens are no longer accepted."
      skeleton={<JwtForm integration={undefined} />}
      renderAside={({ id }) => <CopyId value={id} label="integration ID" />}
    >
      {(integration) => <Content key={integration.id} integration={integration} />}
    </IntegrationPage>
  );
}

function Content({ integration }: { integration: JwtIntegration }) {
  const orgId = useOrgId();
  const navigate = useNavigate();
  return (
    <>
      <JwtForm integration={integration} />
      <PublicKeySection integration={integration} />
      <ObjectHistory target={integration.id} />
      <DeleteJwtSection
        integration={integration}
        onDeleted={() => {
          discardUnsaved();
          void navigate(paths.integrations(orgId), { replace: true });
        }}
      />
    </>
  );
}
