/** Deletes a Stripe integration, and lists the plans that lose products. */
import { Box, Flex } from '@mantine/core';
import type { Plan } from '#contracts/console/plans';
import type { StripeIntegration } from '#contracts/console/stripe';
import { DeleteIntegrationSection } from '#web/domains/integrations/delete-integration-section.tsx';
import { useOrgId } from '#web/session/organisation.tsx';
import { counted } from '#web/ui/format.ts';
import { useDeleteStripeIntegration } from './mutations.ts';

/** Plans listed by name; the rest are counted. */
const MOST_NAMED = 6;

export interface DeleteStripeSectionProps {
  readonly integration: StripeIntegration;
  /** Undefined while they load. */
  readonly plans: readonly Plan[] | undefined;
  readonly onDeleted: () => void;
}

export function DeleteStripeSection({ integration, plans, onDeleted }: DeleteStripeSectionProps) {
  const orgId = useOrgId();
  const { id, customerCount } = integration;
  const remove = useDeleteStripeIntegration(orgId);
  const losing = plans?.filter(({ grantProductMappings }) =>
    grantProductMappings.some(({ integrationId }) => integrationId === id),
  );
  return (
    <DeleteIntegrationSection
      integration={integration}
      description="Removes its key, and its webhook in Stripe. Its subscriptions stop granting plans."
      remove={remove}
      onDeleted={onDeleted}
      isCostly={customerCount > 0}
    >
      <Box component="p" mt={0} mb={12}>
        Within 5 seconds its subscriptions no longer grant plans. Its {counted(customerCount, 'customer')}{' '}
        keep only plans from other sources. Nothing is cancelled in Stripe. This cannot be undone.
      </Box>
      {losing !== undefined && losing.length > 0 && (
        <>
          <Box component="p" mt={0} mb={12}>
            {losing.length === 1 ? 'This plan loses' : `These ${losing.length} plans lose`} products:
          </Box>
          <Box component="ul" bd="1px solid var(--line)" className="list divided strong round-6">
            {losing.slice(0, MOST_NAMED).map((plan) => (
              <Flex
                key={plan.planId}
                component="li"
                justify="space-between"
                gap={16}
                py={6}
                px={12}
                className="breaks"
              >
                {plan.name}
                <span className="rigid muted small">
                  {counted(
                    plan.grantProductMappings.filter(({ integrationId }) => integrationId === id).length,
                    'product',
                  )}
                </span>
              </Flex>
            ))}
            {losing.length > MOST_NAMED && (
              <Box component="li" py={6} px={12}>
                and {losing.length - MOST_NAMED} more
              </Box>
            )}
          </Box>
        </>
      )}
    </DeleteIntegrationSection>
  );
}
