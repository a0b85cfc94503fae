/** Deletes a Stripe integration: last on its page, and apart. Says which plans lose products. */
import { useState } from 'react';
import { toast } from 'sonner';
import type { Plan } from '#contracts/plans';
import type { StripeIntegration } from '#contracts/stripe';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { DangerSection } from '../../../ui/danger-section.tsx';
import { useDeleteStripeIntegration } from './mutations.ts';
import classes from './stripe.module.css';
import { countWords } from './stripe-words.ts';

/** So many are named. */
const MOST_NAMED = 6;

export interface DeleteStripeSectionProps {
  readonly orgId: string;
  readonly integration: StripeIntegration;
  /** Undefined while they load. */
  readonly plans: readonly Plan[] | undefined;
  readonly onDeleted: () => void;
}

export function DeleteStripeSection({ orgId, integration, plans, onDeleted }: DeleteStripeSectionProps) {
  const { id, name, customerCount } = integration;
  const [isAsking, setIsAsking] = useState(false);
  const remove = useDeleteStripeIntegration(orgId);
  const losing = plans?.filter(({ grantProductMappings }) =>
    grantProductMappings.some(({ integrationId }) => integrationId === id),
  );
  const confirm = () =>
    remove.mutate(integration, {
      onSuccess: () => {
        toast.success(`${name} deleted`);
        onDeleted();
      },
    });
  return (
    <>
      <DangerSection
        title="Delete this integration"
        description="Its webhook is removed at Stripe, its key is forgotten, and its subscriptions grant no plan any more."
        label={`Delete ${name}`}
        onAct={() => setIsAsking(true)}
      />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Delete ${name}?`}
        confirmLabel={`Delete ${name}`}
        onConfirm={confirm}
        isBusy={remove.isPending}
      >
        <p className={classes.words}>
          Within five seconds no environment counts its subscriptions any more: its{' '}
          {countWords(customerCount, 'customer')} keep only the plans that they have by other means. Nothing
          is cancelled at Stripe. This cannot be undone.
        </p>
        {losing !== undefined && losing.length > 0 && (
          <>
            <p className={classes.words}>
              {losing.length === 1 ? 'This plan loses' : `These ${losing.length} plans lose`} products:
            </p>
            <ul className={classes.losing}>
              {losing.slice(0, MOST_NAMED).map((plan) => (
                <li key={plan.planId}>
                  {plan.name}
                  <span className={classes.losingCount}>
                    {countWords(
                      plan.grantProductMappings.filter(({ integrationId }) => integrationId === id).length,
                      'product',
                    )}
                  </span>
                </li>
              ))}
              {losing.length > MOST_NAMED && <li>and {losing.length - MOST_NAMED} more</li>}
            </ul>
          </>
        )}
      </ConfirmDialog>
    </>
  );
}
