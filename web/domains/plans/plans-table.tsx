/** The list of plans: whom each is granted to, how much it configures, who has it, and when it changed. */
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Plan, PlanSummary } from '#contracts/console/plans';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { CopyId } from '#web/ui/copy/copy-id.tsx';
import { formatNumber } from '#web/ui/format.ts';
import { Age } from '#web/ui/labels/age.tsx';
import { EditDeleteMenu } from '#web/ui/lists/edit-delete-menu.tsx';
import { ListTable } from '#web/ui/lists/list-table.tsx';
import { DeletePlanDialog } from './delete-plan-dialog.tsx';
import { planSummariesQuery } from './queries.ts';

export interface PlansTableProps {
  /** Undefined while loading. */
  readonly plans: readonly Plan[] | undefined;
}

export function PlansTable({ plans }: PlansTableProps) {
  const orgId = useOrgId();
  const [doomed, setDoomed] = useState<Plan | null>(null);
  const summaries = useQuery(planSummariesQuery(orgId));
  const byPlan = new Map(summaries.data?.map((summary) => [summary.planId, summary]));
  const figure = (planId: string, key: 'featureCount' | 'customerCount') => (
    <Figure summary={byPlan.get(planId)} field={key} hasFailed={summaries.isError} />
  );
  return (
    <>
      <ListTable
        label="plans"
        rows={plans}
        rowKey={({ planId }) => planId}
        keywords={({ planSlug }) => planSlug}
        rowTo={({ planId }) => paths.plan(orgId, planId)}
        name={{
          header: 'Name & Description',
          cell: ({ name }) => name,
          detail: ({ description }) => description,
        }}
        columns={[
          {
            header: 'Slug',
            cell: ({ planSlug }) => <CopyId value={planSlug} label="slug" />,
            width: 160,
            isSecondary: true,
          },
          {
            header: 'Granted to',
            cell: (plan) => (
              <span className="one-line" title={grantedTo(plan)}>
                {grantedTo(plan)}
              </span>
            ),
            width: 190,
            isSecondary: true,
            isMinor: true,
          },
          {
            header: 'Features',
            cell: ({ planId }) => figure(planId, 'featureCount'),
            width: 92,
            isNumber: true,
            isSecondary: true,
          },
          {
            header: 'Customers',
            cell: ({ planId }) => figure(planId, 'customerCount'),
            width: 104,
            isNumber: true,
            isSecondary: true,
          },
          {
            header: 'Changed',
            cell: ({ planId, updatedAt }) => <Age at={byPlan.get(planId)?.changedAt ?? updatedAt} />,
            width: 128,
            isSecondary: true,
            isMinor: true,
          },
        ]}
        actions={(plan) => (
          <EditDeleteMenu
            name={plan.name}
            edit={paths.plan(orgId, plan.planId, 'manage')}
            onDelete={() => setDoomed(plan)}
          />
        )}
      />
      <DeletePlanDialog plan={doomed} onClose={() => setDoomed(null)} />
    </>
  );
}

/** 'Registered users, 2 products'. */
function grantedTo({
  grantToAnonymousSessions,
  grantToAuthenticatedUsers,
  grantProductMappings,
  isAddOn,
}: Plan): string {
  const count = grantProductMappings.length;
  const parts = [
    grantToAnonymousSessions && grantToAuthenticatedUsers
      ? 'Everyone'
      : grantToAnonymousSessions
        ? 'Anonymous users'
        : grantToAuthenticatedUsers
          ? 'Registered users'
          : '',
    isAddOn ? 'Add-on' : '',
    count === 0 ? '' : count === 1 ? '1 product' : `${count} products`,
  ].filter(Boolean);
  return parts.length === 0 ? 'Manual grants only' : parts.join(', ');
}

interface FigureProps {
  readonly summary: PlanSummary | undefined;
  readonly field: 'featureCount' | 'customerCount';
  readonly hasFailed: boolean;
}

/** A figure that could not be counted is not zero. */
function Figure({ summary, field, hasFailed }: FigureProps) {
  if (summary !== undefined) return <span className="mono">{formatNumber(summary[field])}</span>;
  if (hasFailed) return <span title="Could not be counted">–</span>;
  return <Skeleton height={12} width={28} display="inline-block" />;
}
