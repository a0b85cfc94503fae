/** /docs and its guides: inside the console for who is signed in, by themselves otherwise. */
import { useParams } from 'react-router';
import { GuideArticle } from '#web/domains/guides/guide-article.tsx';
import { findGuide } from '#web/domains/guides/parts/guide-list.ts';
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
  const crumbs = [
    { label: 'Dashboard', to: paths.home },
    id === '' ? { label: 'Guides' } : { label: 'Guides', to: paths.docs() },
    ...(id === '' ? [] : [{ label: title }]),
  ];
  const page = (
    <Page title={id === '' ? 'Guides' : title} crumbs={crumbs}>
      <GuideArticle id={id} />
    </Page>
  );
  return isInside ? page : <OpenLayout>{page}</OpenLayout>;
}
