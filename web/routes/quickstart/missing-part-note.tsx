/** Below a response in the API step: what to create next so that it says something, with a link there. */
import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { deploymentStatusQuery } from '#web/domains/environments/deployments/queries.ts';
import { artifactsQuery } from '#web/domains/environments/versions/queries.ts';
import { featuresQuery } from '#web/domains/features/queries.ts';
import { plansQuery } from '#web/domains/plans/queries.ts';
import { isDeployed } from '#web/domains/quickstart/is-deployed.ts';
import { type MissingPart, missingPart, type SeenResponse } from '#web/domains/quickstart/missing-part.ts';
import { paths } from '#web/paths.ts';
import { CREATING } from '#web/ui/dialogs/use-creating.ts';

const ONLY_PREVIEW = 'Only the preview environment has your features and plans.';

const TEXTS: Readonly<Record<MissingPart, { readonly why: string; readonly action: string }>> = {
  feature: { why: 'Responses are empty until you have a feature.', action: 'Create a feature' },
  plan: { why: 'No plan includes your features yet.', action: 'Create a plan' },
  grant: { why: 'This customer has no plan.', action: 'Grant a plan' },
  version: { why: ONLY_PREVIEW, action: 'Create a version' },
  deployment: { why: ONLY_PREVIEW, action: 'Deploy your version' },
};

export interface MissingPartNoteProps {
  readonly orgId: string;
  readonly response: SeenResponse;
  readonly environmentId: string | undefined;
}

export function MissingPartNote({ orgId, response, environmentId }: MissingPartNoteProps) {
  const features = useQuery(featuresQuery(orgId)).data;
  const plans = useQuery(plansQuery(orgId)).data;
  const versions = useQuery(artifactsQuery(orgId)).data;
  const deployments = useQuery(deploymentStatusQuery(orgId)).data?.environments;
  if (!features || !plans || !versions || !deployments) return null;
  const parts = {
    features: features.length,
    plans: plans.length,
    versions: versions.length,
    isDeployed: isDeployed(deployments),
  };
  const missing = missingPart(parts, response);
  if (missing === null) return null;
  const to = {
    feature: paths.features(orgId),
    plan: paths.plans(orgId),
    grant: paths.customer(orgId, response.customer ?? '', environmentId),
    version: paths.environments(orgId),
    deployment: paths.environments(orgId),
  }[missing];
  const isDialog = missing === 'feature' || missing === 'plan';
  const { why, action } = TEXTS[missing];
  return (
    <Text fz="sm" py={8}>
      {why}{' '}
      <Anchor inherit underline="always" component={Link} to={to} state={isDialog ? CREATING : null}>
        {action}
      </Anchor>
    </Text>
  );
}
