/** /o/{orgId}/environments/{tabId}: versions, changes since the last version, and environments. */
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Navigate, useNavigate, useParams } from 'react-router';
import { CreateEnvironmentDialog } from '#web/domains/environments/create-environment-dialog.tsx';
import { EnvironmentsPanel } from '#web/domains/environments/environments-panel.tsx';
import { ChangesPanel } from '#web/domains/environments/versions/panels/changes-panel.tsx';
import { VersionsPanel } from '#web/domains/environments/versions/panels/versions-panel.tsx';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { useCreating } from '#web/ui/dialogs/use-creating.ts';
import { Page } from '#web/ui/page/page.tsx';
import { TabLinks } from '#web/ui/page/tab-links.tsx';

const TABS = [
  { id: 'versions', label: 'Versions' },
  { id: 'changes', label: 'Changes' },
  { id: 'environments', label: 'Environments' },
] as const;

export function EnvironmentsPage() {
  const orgId = useOrgId();
  const navigate = useNavigate();
  const { tabId } = useParams();
  const [isCreating, creating] = useCreating();
  const tab = TABS.find(({ id }) => id === tabId);
  if (tab === undefined) return <Navigate to={paths.environments(orgId)} replace />;

  const actions: Record<(typeof TABS)[number]['id'], ReactNode> = {
    versions: undefined,
    changes: undefined,
    environments: (
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
        Add a New Environment
      </Button>
    ),
  };
  return (
    <Page actions={actions[tab.id]}>
      <TabLinks
        label="Environments"
        current={tab.id}
        tabs={TABS.map(({ id, label }) => ({ id, label, to: paths.environments(orgId, id) }))}
      />
      {tab.id === 'versions' && <VersionsPanel key={orgId} />}
      {tab.id === 'changes' && <ChangesPanel key={orgId} />}
      {tab.id === 'environments' && <EnvironmentsPanel key={orgId} />}
      <CreateEnvironmentDialog
        isOpen={isCreating}
        onClose={creating.close}
        onCreated={(id) => void navigate(paths.environment(orgId, id))}
      />
    </Page>
  );
}
