/** The state of a form that edits some of an integration's fields. */
import {
  type StripeIntegration,
  stripeIntegrationSchema,
  updateStripeIntegrationSchema,
} from '#contracts/console/stripe';
import { type EditFormOptions, useEditForm } from '#web/forms/use-edit-form.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { useUpdateStripeIntegration } from './mutations.ts';

type Options<Values extends object> = Pick<
  EditFormOptions<StripeIntegration, Values>,
  'valuesOf' | 'savedTitle' | 'labels' | 'shown'
>;

export function useIntegrationForm<Values extends object>(
  integration: StripeIntegration,
  options: Options<Values>,
) {
  return useEditForm({
    ...options,
    item: integration,
    itemSchema: stripeIntegrationSchema,
    bodySchema: updateStripeIntegrationSchema,
    update: useUpdateStripeIntegration(useOrgId(), integration.id),
  });
}
