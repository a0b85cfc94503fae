/** The organisation's JWT integrations as cards, with claim and first key. */
import { IconKey } from '@tabler/icons-react';
import type { JwtIntegration } from '#contracts/console/integrations';
import { IntegrationCard, IntegrationCards } from '#web/domains/integrations/integration-cards.tsx';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { CLAIM_NOUNS } from './claim-labels.ts';

export interface JwtCardsProps {
  /** Undefined while loading. */
  readonly integrations: readonly JwtIntegration[] | undefined;
}

export function JwtCards({ integrations }: JwtCardsProps) {
  const orgId = useOrgId();
  return (
    <IntegrationCards
      label="JWT integrations"
      integrations={integrations}
      renderCard={({ id, name, description, claimKey, claimIndex, publicKeys: [first, ...others] }) => (
        <IntegrationCard
          to={paths.jwtIntegration(orgId, id)}
          icon={IconKey}
          name={name}
          description={description}
          facts={[
            <>
              <code>{claimKey}</code> <span>{`as ${CLAIM_NOUNS[claimIndex]}`}</span>
            </>,
          ]}
          foot={
            <>
              <code>{first?.anonymized}</code>{' '}
              {others.length > 0 && <span>{`and ${others.length} more`}</span>}
            </>
          }
        />
      )}
    />
  );
}
