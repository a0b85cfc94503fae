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

const LINK_A_PRODUCT = 'Link a product to a plan';
const ONLY_PREVIEW = 'Only the preview environment has your features and plans.';

const TEXTS: Readonly<Record<MissingPart, { readonly why: string; readonly action: string }>> = {
  feature: { why: 'Responses are empty until you have a feature.', action: 'Create a feature' },
  plan: { why: 'No plan includes your features yet.', action: 'Create a plan' },
  link: { why: 'No plan is linked to a Stripe product yet.', action: LINK_A_PRODUCT },
  version: { why: ONLY_PREVIEW, action: 'Create a version' },
  deployment: { why: ONLY_PREVIEW, action: 'Deploy your version' },
};

const NOT_SUBSCRIBED = {
  why: 'This customer subscribes to no product that is linked to a plan.',
  action: LINK_A_PRODUCT,
};

export interface MissingPartNoteProps {
  readonly orgId: string;
  readonly response: SeenResponse;
}

export function MissingPartNote({ orgId, response }: MissingPartNoteProps) {
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
  const [onlyPlan, ...others] = plans;
  const linkable = others.length === 0 ? onlyPlan : undefined;
  const to = {
    feature: paths.features(orgId),
    plan: paths.plans(orgId),
    link: linkable === undefined ? paths.plans(orgId) : paths.plan(orgId, linkable.planId, 'manage'),
    version: paths.environments(orgId),
    deployment: paths.environments(orgId),
  }[missing];
  const isDialog =
    missing === 'feature' || missing === 'plan' || (missing === 'link' && linkable !== undefined);
  const isLinked = plans.some(({ grantProductMappings }) => grantProductMappings.length > 0);
  const { why, action } = missing === 'link' && isLinked ? NOT_SUBSCRIBED : TEXTS[missing];
  return (
    <Text fz="sm" py={8}>
      {why}{' '}
      <Anchor inherit underline="always" component={Link} to={to} state={isDialog ? CREATING : null}>
        {action}
      </Anchor>
    </Text>
  );
}
