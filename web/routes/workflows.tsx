/** /o/{orgId}/workflows and /o/{orgId}/workflows/{workflowId}: placeholder for workflows. */
import { Button } from '@mantine/core';
import { IconArrowsSplit2, IconPlugConnected, IconUserPlus } from '@tabler/icons-react';
import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { Page } from '#web/ui/page.tsx';
import { UnderConstruction } from '#web/ui/under-construction.tsx';

const PLANNED = [
  {
    icon: IconUserPlus,
    title: 'Provisioning',
    text: 'Which plans somebody gets, decided when they ask rather than beforehand.',
  },
  {
    icon: IconArrowsSplit2,
    title: 'Access decisions',
    text: 'What a feature answers when its value depends on more than the plan.',
  },
  {
    icon: IconPlugConnected,
    title: 'Integrations',
    text: 'What you know of a customer elsewhere, taken into account here.',
  },
];

export function WorkflowsPage() {
  const orgId = useOrgId();
  return (
    <Page
      title="Workflows"
      subtitle="Decide in your own code what plans alone cannot say."
      crumbs={[{ label: 'Dashboard', to: paths.dashboard(orgId) }, { label: 'Workflows' }]}
    >
      <UnderConstruction
        planned={PLANNED}
        meanwhile="Until then, plans say what customers may do, and you can make exceptions for each of them."
        actions={
          <>
            <Button component={Link} to={paths.plans(orgId)}>
              Go to plans
            </Button>
            <Button component={Link} to={paths.customers(orgId)} variant="default">
              Go to customers
            </Button>
          </>
        }
      >
        A workflow is a few lines of TypeScript that run while an access check is answered, versioned and
        deployed with everything else. This page will be where you write and switch them on.
      </UnderConstruction>
    </Page>
  );
}
