/** Replaces a page of a plan that no longer exists. */
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { EmptyState } from '#web/ui/states/empty-state.tsx';

export function PlanDeleted() {
  const orgId = useOrgId();
  return (
    <EmptyState
      title="Plan Deleted"
      action={
        <Button component={Link} to={paths.plans(orgId)} variant="default">
          Go to plans
        </Button>
      }
    >
      This plan no longer exists. Environments may still run a version that contains it.
    </EmptyState>
  );
}
