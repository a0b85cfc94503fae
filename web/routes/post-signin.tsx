/** /post-signin: decides where to go after sign-in. What it cannot learn does not hold anybody up. */
import { useQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router';
import { organisationSummaryQuery, ownOrganisationsQuery } from '../features/organisations/queries.ts';
import { paths } from '../paths.ts';
import { chooseOrganisation } from '../session/choose-organisation.ts';
import { postSignInPath } from '../session/post-sign-in-path.ts';
import { useSelectedOrganisation } from '../session/selected-organisation.ts';
import { useSession } from '../session/session.ts';
import { FullPageSpinner } from '../ui/full-page-spinner.tsx';

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

  if (organisations.isError || summary.isError) return <Navigate to={paths.home} replace />;
  if (ownOrgIds === undefined) return <FullPageSpinner />;
  if (orgId === null) return <Navigate to={postSignInPath([], null)} replace />;
  if (summary.data === undefined) return <FullPageSpinner />;
  return <Navigate to={postSignInPath(ownOrgIds, summary.data.quickstartStatus)} replace />;
}
