// A grant of a plan that was deleted from the workspace says so on the customer's page, and can be revoked there.

import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test, vi } from 'vitest';
import type { Plan } from '#contracts/console/plans';
import { OrganisationContext, type OrganisationState } from '#web/session/organisation.tsx';
import { describeChange } from '../../web/domains/customers/page/describe-change.ts';
import { PlansCard } from '../../web/domains/customers/plans/plans-card.tsx';

// A closed dialog, whose form reads the browser's session.
vi.mock('../../web/domains/customers/plans/grant-plan-dialog.tsx', () => ({ GrantPlanDialog: () => null }));

const grant = {
  id: 'grant_1',
  environmentId: null,
  planId: 'plan_1',
  reason: 'A pilot customer',
  until: null,
  createdAt: 1,
  createdByUserId: null,
  createdByKey: null,
};
const customer = { identifier: 'ada', grants: [grant], overrides: [], linked: [], created: [] };

const organisation = { orgId: 'org_1' } as OrganisationState;

function cardWith(plans: readonly Plan[]): string {
  return renderToStaticMarkup(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <OrganisationContext value={organisation}>
            <PlansCard
              environmentId="env_1"
              customer={customer}
              entitled={undefined}
              plans={plans}
              environments={[]}
              renderMember={() => null}
            />
          </OrganisationContext>
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  );
}

test('the grant says that its plan is deleted, and only then; it has its menu', () => {
  const deleted = cardWith([]);
  expect(deleted).toContain('Deleted from the workspace');
  expect(deleted).toContain('plan_1');
  const kept = cardWith([{ planId: 'plan_1', name: 'Pro plan' } as Plan]);
  expect(kept).not.toContain('Deleted from the workspace');
  expect(kept).toContain('Pro plan');
  for (const card of [deleted, kept]) expect(card).toContain('<button');
});

test('the history says that the grant ended', () => {
  const names = { plan: () => undefined, property: () => undefined, environment: () => undefined };
  const detail = { planId: 'plan_1', environmentId: null, reason: 'A pilot customer' };
  const change = {
    kind: 'manual' as const,
    id: 'aud_1',
    at: 1,
    action: 'customer.plan-ended',
    identifier: 'ada',
    actorUserId: null,
    actorKey: null,
    detail,
  };
  expect(describeChange(change, names)).toEqual({
    what: 'Grant of a deleted plan ended',
    detail: 'A pilot customer',
  });
});
