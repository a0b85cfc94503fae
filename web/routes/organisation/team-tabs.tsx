/** The two pages of the team: its members, and what they changed. */
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { TabLinks } from '#web/ui/page/tab-links.tsx';

export function TeamTabs({ current }: { readonly current: 'members' | 'activity' }) {
  const orgId = useOrgId();
  return (
    <TabLinks
      label="Team"
      current={current}
      tabs={[
        { id: 'members', label: 'Members', to: paths.team(orgId) },
        { id: 'activity', label: 'Activity', to: paths.activity(orgId) },
      ]}
    />
  );
}
