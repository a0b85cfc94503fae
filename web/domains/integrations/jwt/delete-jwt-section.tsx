/** Deletes a JWT integration, and states the effect on tokens. */
import type { JwtIntegration } from '#contracts/console/integrations';
import { DeleteIntegrationSection } from '#web/domains/integrations/delete-integration-section.tsx';
import { useDeleteJwtIntegration } from './mutations.ts';

export interface DeleteJwtSectionProps {
  readonly orgId: string;
  readonly integration: JwtIntegration;
  readonly onDeleted: () => void;
}

export function DeleteJwtSection({ orgId, integration, onDeleted }: DeleteJwtSectionProps) {
  return (
    <DeleteIntegrationSection
      integration={integration}
      description="Its tokens are believed no more, in every environment."
      remove={useDeleteJwtIntegration(orgId)}
      onDeleted={onDeleted}
    >
      Within five seconds no environment believes its tokens any more: access checks that send one are
      answered for an anonymous session. This cannot be undone.
    </DeleteIntegrationSection>
  );
}
