/** /docs and its guides: inside the console for who is signed in, by themselves otherwise. */
import { Box, Button } from '@mantine/core';
import { IconMarkdown } from '@tabler/icons-react';
import { useParams } from 'react-router';
import { findGuide, markdownPath } from '#contracts/console/guide-list';
import { GuideArticle } from '#web/domains/guides/guide-article.tsx';
import { paths } from '#web/paths.ts';
import { useSession } from '#web/session/session.ts';
import { OpenLayout } from '#web/shell/open-layout.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { NotFoundPage } from '../not-found.tsx';

export function DocsPage() {
  const { tabId = '' } = useParams();
  const isInside = useSession().user !== null;
  const guide = findGuide(tabId);
  if (guide === undefined) return <NotFoundPage />;
  const { id, title } = guide;
  const page = (
    <Page
      title={id === '' ? 'Guides' : title}
      parents={id === '' ? [] : [{ label: 'Guides', to: paths.docs() }]}
      actions={
        <Button
          component="a"
          href={markdownPath(id)}
          target="_blank"
          rel="noreferrer"
          variant="default"
          aria-label="Markdown"
        >
          <IconMarkdown size={15} aria-hidden />
          <Box component="span" ml={8} visibleFrom="sm">
            Markdown
          </Box>
        </Button>
      }
    >
      <GuideArticle id={id} />
    </Page>
  );
  return isInside ? page : <OpenLayout>{page}</OpenLayout>;
}
