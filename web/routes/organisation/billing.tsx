/** /o/{orgId}/billing: plans, the month's usage, and the organisation's subscription. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Billing } from '#contracts/console/billing';
import { BillingNotices } from '#web/domains/billing/billing-notices.tsx';
import { useOpenCheckout, useOpenPortal } from '#web/domains/billing/mutations.ts';
import { PlanCards } from '#web/domains/billing/plan-cards.tsx';
import { billingQuery, nextInvoiceQuery } from '#web/domains/billing/queries.ts';
import { SubscriptionSection } from '#web/domains/billing/subscription-section.tsx';
import { UsageSection } from '#web/domains/billing/usage-section.tsx';
import { useOrgId, usePermission } from '#web/session/organisation.tsx';
import { organisationSummaryQuery } from '#web/session/queries.ts';
import { Page } from '#web/ui/page/page.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';

export function BillingPage() {
  const orgId = useOrgId();
  const { data: billing, error, refetch } = useQuery(billingQuery(orgId));
  const isInvoiced = billing !== undefined && billing.subscription !== null && billing.plan === 'grow';
  const nextInvoice = useQuery({ ...nextInvoiceQuery(orgId), enabled: isInvoiced }).data?.invoice ?? null;
  const isEditor = usePermission('org:edit');
  const canEdit = isEditor === true;
  const checkout = useOpenCheckout(orgId);
  const portal = useOpenPortal(orgId);
  useFollowingSummary(orgId, billing);
  return (
    <Page>
      {billing === undefined && error !== null ? (
        <ErrorState title="The plan could not be loaded" error={error} onRetry={refetch} />
      ) : (
        <>
          {billing !== undefined && <BillingNotices billing={billing} isReadOnly={isEditor === false} />}
          <PlanCards
            billing={billing}
            canEdit={canEdit}
            onUpgrade={() => checkout.mutate(undefined)}
            onOpenPortal={billing?.subscription == null ? undefined : () => portal.mutate()}
            isBusy={checkout.isPending}
          />
          <UsageSection billing={billing} />
          <SubscriptionSection
            billing={billing}
            nextInvoice={isInvoiced ? nextInvoice : null}
            canEdit={canEdit}
            onOpenPortal={() => portal.mutate(undefined)}
            isBusy={portal.isPending}
          />
        </>
      )}
    </Page>
  );
}

/** Refetches the summary, and so the plan in the top bar and the banner, when this page learns of a newer state from Stripe. */
function useFollowingSummary(orgId: string, billing: Billing | undefined): void {
  const client = useQueryClient();
  const summary = useQuery(organisationSummaryQuery(orgId)).data;
  const isBehind =
    billing !== undefined &&
    summary !== undefined &&
    (summary.plan !== billing.plan ||
      (summary.blockReason ?? undefined) !== billing.block?.reason ||
      summary.billingNotice?.kind !== billing.notice?.kind);
  useEffect(() => {
    if (isBehind) void client.invalidateQueries({ queryKey: organisationSummaryQuery(orgId).queryKey });
  }, [isBehind, client, orgId]);
}
