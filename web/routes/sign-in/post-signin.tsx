/** /post-signin: redirects after sign-in. A failed request does not block the redirect. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate } from 'react-router';
import { paths } from '#web/paths.ts';
import { chooseOrganisation } from '#web/session/choose-organisation.ts';
import { postSignInPath } from '#web/session/post-sign-in-path.ts';
import { organisationSummaryQuery, ownOrganisationsQuery } from '#web/session/queries.ts';
import { takeReturnUrl } from '#web/session/return-url.ts';
import { useSelectedOrganisation } from '#web/session/selected-organisation.ts';
import { useSession } from '#web/session/session.ts';
import { FullPageSpinner } from '#web/ui/loading/full-page-spinner.tsx';

export function PostSignInPage() {
  const { isSudoAccess } = useSession();
  const selectedOrgId = useSelectedOrganisation();
  const organisations = useQuery(ownOrganisationsQuery);
  const ownOrgIds = organisations.data?.map(({ id }) => id);
  const { orgId } =
    ownOrgIds === undefined
      ? { orgId: null }
      : chooseOrganisation({ urlOrgId: null, selectedOrgId, ownOrgIds, isSudoAccess });
  const summary = useQuery(organisationSummaryQuery(orgId));
  const [returnUrl] = useState(() => takeReturnUrl());

  if (returnUrl !== null) return <Navigate to={returnUrl} replace />;
  if (organisations.isError || summary.isError) return <Navigate to={paths.home} replace />;
  if (ownOrgIds === undefined) return <FullPageSpinner />;
  if (orgId === null) return <Navigate to={postSignInPath([], null)} replace />;
  if (summary.data === undefined) return <FullPageSpinner />;
  return <Navigate to={postSignInPath(ownOrgIds, summary.data.quickstartStatus)} replace />;
}
