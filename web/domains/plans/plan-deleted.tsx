/** Replaces a page of a plan that no longer exists. */

import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { DeletedState } from '#web/ui/states/deleted-state.tsx';

export function PlanDeleted() {
  const orgId = useOrgId();
  return (
    <DeletedState title="Plan Deleted" list={{ label: 'Go to plans', to: paths.plans(orgId) }}>
      This plan no longer exists. Environments may still run a version that contains it.
    </DeletedState>
  );
}
