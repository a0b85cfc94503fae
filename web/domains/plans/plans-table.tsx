/** The list of plans: whom each is granted to, how much it configures, who has it, and when it changed. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Plan } from '#contracts/console/plans';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { CopyId } from '#web/ui/copy/copy-id.tsx';
import { Age } from '#web/ui/labels/age.tsx';
import { EditDeleteMenu } from '#web/ui/lists/edit-delete-menu.tsx';
import { Figure } from '#web/ui/lists/figure.tsx';
import { ListTable } from '#web/ui/lists/list-table.tsx';
import { DeletePlanDialog } from './delete-plan-dialog.tsx';
import { grantedTo } from './granted-to.ts';
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
    <span className="mono">
      <Figure value={byPlan.get(planId)?.[key]} hasFailed={summaries.isError} />
    </span>
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
