/** On a plan's page: whom it is granted to without a manual grant, with the way to its Stripe products. */
import { Anchor, Group, Skeleton } from '@mantine/core';
import { Link } from 'react-router';
import type { Plan } from '#contracts/console/plans';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { CREATING } from '#web/ui/dialogs/use-creating.ts';
import { grantedTo } from './granted-to.ts';

/** @param plan undefined while loading */
export function GrantedToLine({ plan }: { readonly plan: Plan | undefined }) {
  const orgId = useOrgId();
  if (plan === undefined) return <Skeleton height={14} my={4} w={260} maw="100%" />;
  const isLinked = plan.grantProductMappings.length > 0;
  return (
    <Group gap="2px 12px" fz="sm">
      <span>
        <span className="muted">Granted to</span> <span className="medium">{grantedTo(plan)}</span>
      </span>
      <Anchor
        component={Link}
        to={paths.plan(orgId, plan.planId, 'manage')}
        state={isLinked ? null : CREATING}
        inherit
      >
        {isLinked ? 'Change' : 'Link a product'}
      </Anchor>
    </Group>
  );
}
