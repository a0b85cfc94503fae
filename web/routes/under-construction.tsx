/** /under-construction: for links to pages that are not ready yet. */
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { Page } from '#web/ui/page/page.tsx';
import { EmptyState } from '#web/ui/states/empty-state.tsx';

export function UnderConstructionPage() {
  return (
    <Page>
      <EmptyState
        title="This page is not ready yet"
        action={
          <Button component={Link} to={paths.home}>
            Go to the dashboard
          </Button>
        }
      >
        We are still building it.
      </EmptyState>
    </Page>
  );
}
