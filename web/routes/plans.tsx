/** /o/{orgId}/plans: the organisation's plans. */
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Plan } from '#contracts/console/plans';
import { CreatePlanDialog } from '#web/domains/plans/create-plan-dialog.tsx';
import { DeletePlanDialog } from '#web/domains/plans/delete-plan-dialog.tsx';
import { PlansGuide } from '#web/domains/plans/plans-guide.tsx';
import { plansQuery } from '#web/domains/plans/queries.ts';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { CopyId } from '#web/ui/copy-id.tsx';
import { EditDeleteMenu } from '#web/ui/edit-delete-menu.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { ListTable } from '#web/ui/list-table.tsx';
import { Page } from '#web/ui/page.tsx';
import { useCreating } from '#web/ui/use-creating.ts';

export function PlansPage() {
  const orgId = useOrgId();
  const { data, error, refetch } = useQuery(plansQuery(orgId));
  const [isCreating, creating] = useCreating();
  const [doomed, setDoomed] = useState<Plan | null>(null);
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
      Add a Plan
    </Button>
  );
  return (
    <Page
      title="Plans"
      subtitle="Bundles of feature values, granted by subscription, sign-in status or manually."
      crumbs={[{ label: 'Dashboard', to: paths.dashboard(orgId) }, { label: 'Plans' }]}
      actions={data?.length === 0 ? undefined : create}
    >
      {data === undefined && error ? (
        <ErrorState title="The plans could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : data?.length === 0 ? (
        <PlansGuide orgId={orgId} action={create} />
      ) : (
        <ListTable
          label="plans"
          rows={data}
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
              width: 280,
              isSecondary: true,
            },
          ]}
          actions={(plan) => (
            <EditDeleteMenu
              name={plan.name}
              edit={paths.plan(orgId, plan.planId)}
              onDelete={() => setDoomed(plan)}
            />
          )}
        />
      )}
      <CreatePlanDialog orgId={orgId} isOpen={isCreating} onClose={creating.close} />
      <DeletePlanDialog orgId={orgId} plan={doomed} onClose={() => setDoomed(null)} />
    </Page>
  );
}
