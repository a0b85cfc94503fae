/** The Stripe products and prices that grant the plan to their subscribers. */

import { ActionIcon, Box, Button, Group, Skeleton } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { Plan } from '#contracts/console/plans';
import { stripeIntegrationEndpoints } from '#contracts/console/stripe';
import { useEndpoint } from '#web/api/endpoint-query.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx';
import { useCreating } from '#web/ui/dialogs/use-creating.ts';
import { useLastValue } from '#web/ui/dialogs/use-last-value.ts';
import { sentence } from '#web/ui/format.ts';
import { Tag } from '#web/ui/labels/tag.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { useRemovePlanProduct } from '../mutations.ts';
import { byName, type LinkedProduct, linkedProducts, nameOfLink } from './linked-products.ts';
import { ProductLabel } from './product-label.tsx';
import { ProductsDialog } from './products-dialog.tsx';
import { productKey } from './staged-products.ts';

export function ProductsCard({ plan }: { plan: Plan }) {
  const orgId = useOrgId();
  const {
    data: available,
    error,
    refetch,
  } = useEndpoint(stripeIntegrationEndpoints.availableProducts, { orgId });
  const [isChoosing, choosing] = useCreating();
  const [removing, setRemoving] = useState<LinkedProduct | null>(null);
  const mappings = plan.grantProductMappings;
  const isUnread = available === undefined;
  return (
    <Section
      title="Stripe products"
      description="Customers with an active subscription to one of these products or prices get this plan. Environments other than preview pick this up with the next version you deploy."
      actions={
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={isUnread}
          onClick={choosing.open}
        >
          Add Stripe Products
        </Button>
      }
      isFlush
    >
      {isUnread && error !== null ? (
        <ErrorState title="The products could not be loaded" error={error} onRetry={refetch} />
      ) : mappings.length === 0 ? (
        <Box py={28} px={20} c="dimmed" ta="center">
          <p className="flush strong bold">No Stripe Products Linked</p>
          <p className="flush">No subscription grants this plan yet.</p>
        </Box>
      ) : (
        <ul className="list divided" aria-label="Linked Stripe products">
          {byName(linkedProducts(mappings, available ?? [])).map((linked) => (
            <Group
              key={productKey(linked)}
              component="li"
              gap={12}
              wrap="nowrap"
              mih={52}
              py={8}
              pl={20}
              pr={12}
            >
              {isUnread ? (
                <Skeleton height={16} maw={280} />
              ) : (
                <>
                  <ProductLabel {...linked} isCopyable />
                  {linked.timesQuantity && <Tag>Times quantity</Tag>}
                  <ActionIcon aria-label={`Remove ${nameOfLink(linked)}`} onClick={() => setRemoving(linked)}>
                    <IconX size={16} aria-hidden />
                  </ActionIcon>
                </>
              )}
            </Group>
          ))}
        </ul>
      )}
      {available !== undefined && (
        <ProductsDialog
          orgId={orgId}
          plan={plan}
          available={available}
          isOpen={isChoosing}
          onClose={choosing.close}
        />
      )}
      <RemoveDialog plan={plan} linked={removing} onClose={() => setRemoving(null)} />
    </Section>
  );
}

interface RemoveDialogProps {
  readonly plan: Plan;
  /** Null while closed. */
  readonly linked: LinkedProduct | null;
  readonly onClose: () => void;
}

function RemoveDialog({ plan, linked, onClose }: RemoveDialogProps) {
  const orgId = useOrgId();
  const remove = useRemovePlanProduct(orgId, plan.planId);
  const kept = useLastValue(linked);
  const name = kept === null ? '' : nameOfLink(kept);
  const confirm = () => {
    if (kept === null) return;
    const { integrationId, productId, priceId } = kept;
    remove.mutate(
      { integrationId, productId, priceId },
      {
        onSuccess: () => {
          onClose();
          toast.success('Plan Product Removed');
        },
      },
    );
  };
  return (
    <ConfirmDialog
      isOpen={linked !== null}
      onClose={onClose}
      title={sentence`Remove ${name} from ${plan.name}?`}
      confirmLabel={sentence`Remove ${name}`}
      onConfirm={confirm}
      isBusy={remove.isPending}
    >
      Subscriptions to <bdi>{name}</bdi> no longer grant <bdi>{plan.name}</bdi>: immediately in preview,
      elsewhere with the next version you deploy. Nothing changes in Stripe.
    </ConfirmDialog>
  );
}
