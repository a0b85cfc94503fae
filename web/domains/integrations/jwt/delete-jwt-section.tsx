/** Deletes a JWT integration, and states the effect on tokens. */
import type { JwtIntegration } from '#contracts/console/integrations';
import { DeleteIntegrationSection } from '#web/domains/integrations/delete-integration-section.tsx';
import { useOrgId } from '#web/session/organisation.tsx';
import { useDeleteJwtIntegration } from './mutations.ts';

export interface DeleteJwtSectionProps {
  readonly integration: JwtIntegration;
  readonly onDeleted: () => void;
}

export function DeleteJwtSection({ integration, onDeleted }: DeleteJwtSectionProps) {
  const orgId = useOrgId();
  return (
    <DeleteIntegrationSection
      integration={integration}
      description="Access checks in every environment stop accepting its tokens."
      remove={useDeleteJwtIntegration(orgId)}
      onDeleted={onDeleted}
      isCostly
    >
      Within 5 seconds, access checks that send its tokens are treated as anonymous. This cannot be undone.
    </DeleteIntegrationSection>
  );
}
