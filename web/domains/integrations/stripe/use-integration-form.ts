/** The state of a form that edits some of an integration's fields. */
import {
  type StripeIntegration,
  stripeIntegrationSchema,
  updateStripeIntegrationSchema,
} from '#contracts/console/stripe';
import { type EditFormOptions, useEditForm } from '#web/forms/use-edit-form.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { useUpdateStripeIntegration } from './mutations.ts';

type Options<Values extends object, Known extends StripeIntegration | undefined> = Pick<
  EditFormOptions<StripeIntegration, Values, Known>,
  'valuesOf' | 'savedTitle' | 'labels' | 'shown'
>;

/** @param integration undefined while it loads */
export function useIntegrationForm<Values extends object, Known extends StripeIntegration | undefined>(
  integration: Known,
  options: Options<Values, NoInfer<Known>>,
) {
  return useEditForm({
    ...options,
    item: integration,
    itemSchema: stripeIntegrationSchema,
    bodySchema: updateStripeIntegrationSchema,
    update: useUpdateStripeIntegration(useOrgId(), integration?.id ?? ''),
  });
}
