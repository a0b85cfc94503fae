/** Everything that has a page of its own: pages, features, plans, workflows, environments, integrations, documentation. */
import {
  IconBook2,
  IconBox,
  IconCompass,
  IconCreditCard,
  IconKey,
  IconListDetails,
  IconRoute,
  IconStack2,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { use } from 'react';
import { GUIDES } from '#contracts/console/guide-list';
import { environmentsQuery } from '#web/domains/environments/queries.ts';
import { featuresQuery } from '#web/domains/features/queries.ts';
import { jwtIntegrationsQuery } from '#web/domains/integrations/jwt/queries.ts';
import { stripeIntegrationsQuery } from '#web/domains/integrations/stripe/queries.ts';
import { plansQuery } from '#web/domains/plans/queries.ts';
import { workflowsQuery } from '#web/domains/workflows/queries.ts';
import { paths } from '#web/paths.ts';
import { useOrganisation } from '#web/session/organisation.tsx';
import { useSession } from '#web/session/session.ts';
import { isOfOrganisation, NavigationContext } from './navigation.ts';
import type { PaletteGroup } from './palette-item.ts';

/** Sections of /api-docs, with words that people search for. */
const DOCS = [
  { hash: 'authentication', label: 'Authentication', keywords: ['bearer', 'key', 'jwt', 'token'] },
  {
    hash: 'access-checks',
    label: 'Access checks',
    keywords: ['check', 'entitlements', 'consume', 'bulk', 'batch'],
  },
  { hash: 'try-it', label: 'Try it', keywords: ['test', 'console'] },
  { hash: 'counter-updates', label: 'Counter updates', keywords: ['meter', 'usage', 'count', 'idempotency'] },
  { hash: 'holds', label: 'Holds', keywords: ['reserve', 'settle', 'credits', 'ai'] },
  { hash: 'openfeature', label: 'OpenFeature', keywords: ['ofrep', 'provider', 'flags'] },
  { hash: 'plans', label: 'Plans', keywords: ['pricing', 'prices', 'public', 'checkout', 'portal'] },
  { hash: 'customers', label: 'Customers', keywords: ['provision', 'grant', 'override', 'create'] },
  { hash: 'errors', label: 'Errors', keywords: ['429', 'rate limit', 'usage-blocked', 'status'] },
  { hash: 'warnings', label: 'Warnings', keywords: ['codes', 'snapshot-stale'] },
] as const;

export function usePages(): PaletteGroup {
  const { orgId } = useOrganisation();
  const { isSudoAccess } = useSession();
  const entries = use(NavigationContext).filter(
    (entry) => (orgId !== null || !isOfOrganisation(entry)) && (entry.group !== 'staff' || isSudoAccess),
  );
  return {
    title: 'Pages',
    items: entries.map(({ label, icon, to }) => ({ id: `page-${label}`, label, icon, to: to(orgId ?? '') })),
  };
}

export function useThings(): PaletteGroup[] {
  const { orgId } = useOrganisation();
  const features = useQuery(featuresQuery(orgId)).data ?? [];
  const plans = useQuery(plansQuery(orgId)).data ?? [];
  const workflows = useQuery(workflowsQuery(orgId)).data ?? [];
  const environments = useQuery(environmentsQuery(orgId)).data ?? [];
  const stripe = useQuery(stripeIntegrationsQuery(orgId)).data ?? [];
  const jwt = useQuery(jwtIntegrationsQuery(orgId)).data ?? [];
  const org = orgId ?? '';
  return [
    {
      title: 'Features',
      items: features.map(({ id, name, slug }) => ({
        id,
        label: name,
        icon: IconBox,
        aside: slug,
        keywords: [slug],
        to: paths.feature(org, id),
      })),
    },
    {
      title: 'Plans',
      items: plans.map(({ planId, name, planSlug }) => ({
        id: planId,
        label: name,
        icon: IconListDetails,
        aside: planSlug,
        keywords: [planSlug],
        to: paths.plan(org, planId),
      })),
    },
    {
      title: 'Workflows',
      items: workflows.map(({ id, name }) => ({
        id,
        label: name,
        icon: IconRoute,
        to: paths.workflow(org, id, 'code'),
      })),
    },
    {
      title: 'Environments',
      items: environments.map(({ id, name, type }) => ({
        id,
        label: name,
        icon: IconStack2,
        aside: type,
        to: paths.environment(org, id),
      })),
    },
    {
      title: 'Integrations',
      items: [
        ...stripe.map(({ id, name, accountId }) => ({
          id,
          label: name,
          icon: IconCreditCard,
          aside: 'Stripe',
          keywords: ['stripe', accountId],
          to: paths.stripeIntegration(org, id),
        })),
        ...jwt.map(({ id, name }) => ({
          id,
          label: name,
          icon: IconKey,
          aside: 'JWT',
          keywords: ['jwt'],
          to: paths.jwtIntegration(org, id),
        })),
      ],
    },
    {
      title: 'Guides',
      items: GUIDES.filter(({ id }) => id !== '').map(({ id, title, summary }) => ({
        id: `guide-${id}`,
        label: title,
        icon: IconCompass,
        aside: 'Guide',
        keywords: [summary, 'docs'],
        to: paths.docs(id),
      })),
    },
    {
      title: 'API docs',
      items: DOCS.map(({ hash, label, keywords }) => ({
        id: `docs-${hash}`,
        label,
        icon: IconBook2,
        aside: 'API docs',
        keywords: [...keywords, 'docs'],
        to: paths.apiDocsSection(hash),
      })),
    },
  ];
}
