/** /o/:orgId/billing: the plans, the month's usage, and the organisation's subscription. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { BillingNotices } from '../features/billing/billing-notices.tsx';
import { BillingSkeleton } from '../features/billing/billing-skeleton.tsx';
import { useOpenCheckout, useOpenPortal } from '../features/billing/mutations.ts';
import { PlanCards } from '../features/billing/plan-cards.tsx';
import { billingQuery } from '../features/billing/queries.ts';
import { SubscriptionSection } from '../features/billing/subscription-section.tsx';
import { UsageSection } from '../features/billing/usage-section.tsx';
import { organisationSummaryQuery } from '../features/organisations/queries.ts';
import { paths } from '../paths.ts';
import { useOrganisation, useOrgId, usePermission } from '../session/organisation.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Page } from '../ui/page.tsx';

export function BillingPage() {
  const orgId = useOrgId();
  const { name } = useOrganisation();
  const { data: billing, error, refetch } = useQuery(billingQuery(orgId));
  const canEdit = usePermission('org:edit');
  const checkout = useOpenCheckout(orgId);
  const portal = useOpenPortal(orgId);
  useFollowingSummary(orgId, billing?.plan, billing?.block?.reason);
  return (
    <Page
      title="Plan & Billing"
      subtitle={`What ${name ?? 'the organisation'} is subscribed to, and how much of it is used.`}
      crumbs={[{ label: 'Dashboard', to: paths.dashboard(orgId) }, { label: 'Plan & Billing' }]}
    >
      {billing !== undefined ? (
        <>
          <BillingNotices orgId={orgId} billing={billing} canEdit={canEdit} />
          <PlanCards
            billing={billing}
            canEdit={canEdit}
            onUpgrade={checkout.mutate}
            isBusy={checkout.isPending}
          />
          <UsageSection billing={billing} />
          <SubscriptionSection
            billing={billing}
            canEdit={canEdit}
            onOpenPortal={portal.mutate}
            isBusy={portal.isPending}
          />
        </>
      ) : error !== null ? (
        <ErrorState title="The plan could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : (
        <BillingSkeleton />
      )}
    </Page>
  );
}

/** The plan in the top bar changes with the one on the page: Stripe may have said so a moment ago. */
function useFollowingSummary(orgId: string, plan: string | undefined, blockReason: string | undefined): void {
  const client = useQueryClient();
  const summary = useQuery(organisationSummaryQuery(orgId)).data;
  const isBehind =
    plan !== undefined &&
    summary !== undefined &&
    (summary.plan !== plan || (summary.blockReason ?? undefined) !== blockReason);
  useEffect(() => {
    if (isBehind) void client.invalidateQueries({ queryKey: organisationSummaryQuery(orgId).queryKey });
  }, [isBehind, client, orgId]);
}
