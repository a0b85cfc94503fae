/**
 * Command palette (Ctrl/Cmd+K): opens any page, organisation, feature, plan, workflow, environment, integration or event, and
 * switches the theme. Fetches its lists once it is open.
 */
import { useMantineColorScheme } from '@mantine/core';
import { Spotlight, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.layer.css';
import {
  IconActivity,
  IconBox,
  IconBuilding,
  IconCreditCard,
  IconDeviceDesktop,
  IconKey,
  IconListDetails,
  IconLogout,
  IconMoon,
  IconPlus,
  IconRocket,
  IconRoute,
  IconSearch,
  IconStack2,
  IconSun,
  IconUser,
  type TablerIcon,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { environmentsQuery } from '#web/domains/environments/queries.ts';
import { featuresQuery } from '#web/domains/features/queries.ts';
import { jwtIntegrationsQuery } from '#web/domains/integrations/jwt/queries.ts';
import { stripeIntegrationsQuery } from '#web/domains/integrations/stripe/queries.ts';
import { plansQuery } from '#web/domains/plans/queries.ts';
import { workflowsQuery } from '#web/domains/workflows/queries.ts';
import { paths } from '#web/paths.ts';
import { useOrganisation } from '#web/session/organisation.tsx';
import { useSession } from '#web/session/session.ts';
import { useLogOut } from '#web/session/use-log-out.ts';
import { administrationEntries, organisationEntries, sudoEntries, toolEntries } from './navigation.ts';

const icon = (Icon: TablerIcon) => <Icon size={17} stroke={1.6} aria-hidden />;

export interface CommandPaletteProps {
  /** Opens whenever it changes. */
  readonly request: number;
  /** What was typed before the field had the focus. */
  readonly takeTyped: () => string;
}

export function CommandPalette({ request, takeTyped }: CommandPaletteProps) {
  const [query, setQuery] = useState('');
  const groups = useEvent(query).concat(usePages(), useThings(), useCommands());
  useEffect(() => {
    if (request > 0) spotlight.open();
  }, [request]);
  return (
    <Spotlight
      actions={groups.filter(({ actions }) => actions.length > 0)}
      attributes={{ content: { 'aria-label': 'Search and commands' } }}
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      centered={false}
      limit={40}
      scrollable
      maxHeight={420}
      overlayProps={{ blur: 0 }}
      styles={{
        content: {
          border: '1px solid var(--line-strong)',
          borderRadius: 10,
          background: 'var(--raised)',
        },
        body: { background: 'var(--raised)' },
        search: {
          height: 48,
          borderBottom: '1px solid var(--line)',
          outline: 'none',
          background: 'none',
          fontSize: '0.9375rem',
        },
      }}
      nothingFound="Nothing found"
      searchProps={{
        leftSection: icon(IconSearch),
        placeholder: 'Go to a page, a feature, an event id …',
        'aria-label': 'Search pages and commands',
        onFocus: () => setQuery((before) => before + takeTyped()),
      }}
    />
  );
}

/** An event by its id, or by the request id of a response, which names the same event. */
function useEvent(query: string): SpotlightActionGroupData[] {
  const { orgId } = useOrganisation();
  const navigate = useNavigate();
  const [, id] = /^\s*(?:evt|req)_([0-9a-z]{26}u?)\s*$/.exec(query) ?? [];
  if (orgId === null || id === undefined) return [];
  const eventId = `evt_${id}`;
  return [
    {
      group: 'Events',
      actions: [
        {
          id: eventId,
          label: `Open event ${eventId}`,
          keywords: [query],
          leftSection: icon(IconActivity),
          onClick: () => void navigate(paths.events(orgId, { event: eventId })),
        },
      ],
    },
  ];
}

function usePages(): SpotlightActionGroupData[] {
  const { orgId } = useOrganisation();
  const { isSudoAccess } = useSession();
  const navigate = useNavigate();
  const ofOrganisation = orgId === null ? [] : [...organisationEntries, ...administrationEntries];
  const entries = [...ofOrganisation, ...toolEntries, ...(isSudoAccess ? sudoEntries : [])];
  return [
    {
      group: 'Pages',
      actions: [
        ...entries.map(({ label, icon: Icon, to }) => ({
          id: `page-${label}`,
          label,
          leftSection: icon(Icon),
          onClick: () => void navigate(to(orgId ?? '')),
        })),
        {
          id: 'page-account',
          label: 'Account',
          leftSection: icon(IconUser),
          onClick: () => void navigate(paths.account),
        },
      ],
    },
  ];
}

function useThings(): SpotlightActionGroupData[] {
  const { orgId, ownOrganisations, switchTo } = useOrganisation();
  const navigate = useNavigate();
  const features = useQuery(featuresQuery(orgId)).data ?? [];
  const plans = useQuery(plansQuery(orgId)).data ?? [];
  const workflows = useQuery(workflowsQuery(orgId)).data ?? [];
  const environments = useQuery(environmentsQuery(orgId)).data ?? [];
  const stripeIntegrations = useQuery(stripeIntegrationsQuery(orgId)).data ?? [];
  const jwtIntegrations = useQuery(jwtIntegrationsQuery(orgId)).data ?? [];
  const org = orgId ?? '';
  return [
    {
      group: 'Features',
      actions: features.map(({ id, name, slug }) => ({
        id,
        label: name,
        keywords: [slug],
        rightSection: <code className="muted tiny">{slug}</code>,
        leftSection: icon(IconBox),
        onClick: () => void navigate(paths.feature(org, id)),
      })),
    },
    {
      group: 'Plans',
      actions: plans.map(({ planId, name, planSlug }) => ({
        id: planId,
        label: name,
        keywords: [planSlug],
        rightSection: <code className="muted tiny">{planSlug}</code>,
        leftSection: icon(IconListDetails),
        onClick: () => void navigate(paths.plan(org, planId)),
      })),
    },
    {
      group: 'Workflows',
      actions: workflows.map(({ id, name }) => ({
        id,
        label: name,
        leftSection: icon(IconRoute),
        onClick: () => void navigate(paths.workflow(org, id, 'code')),
      })),
    },
    {
      group: 'Environments',
      actions: environments.map(({ id, name, type }) => ({
        id,
        label: name,
        rightSection: <span className="muted tiny">{type}</span>,
        leftSection: icon(IconStack2),
        onClick: () => void navigate(paths.environment(org, id)),
      })),
    },
    {
      group: 'Integrations',
      actions: [
        ...stripeIntegrations.map(({ id, name, accountId }) => ({
          id,
          label: name,
          keywords: ['stripe', accountId],
          rightSection: <span className="muted tiny">Stripe</span>,
          leftSection: icon(IconCreditCard),
          onClick: () => void navigate(paths.stripeIntegration(org, id)),
        })),
        ...jwtIntegrations.map(({ id, name }) => ({
          id,
          label: name,
          keywords: ['jwt'],
          rightSection: <span className="muted tiny">JWT</span>,
          leftSection: icon(IconKey),
          onClick: () => void navigate(paths.jwtIntegration(org, id)),
        })),
      ],
    },
    {
      group: 'Organisations',
      actions: ownOrganisations
        .filter(({ id }) => id !== orgId)
        .map(({ id, name }) => ({
          id,
          label: `Switch to ${name}`,
          leftSection: icon(IconBuilding),
          onClick: () => switchTo(id),
        })),
    },
  ];
}

function useCommands(): SpotlightActionGroupData[] {
  const { setColorScheme } = useMantineColorScheme();
  const { orgId } = useOrganisation();
  const navigate = useNavigate();
  const logOut = useLogOut();
  return [
    {
      group: 'Commands',
      actions: [
        ...(orgId === null
          ? []
          : [
              {
                id: 'quick-start',
                label: 'Quick start',
                leftSection: icon(IconRocket),
                onClick: () => void navigate(paths.quickstart),
              },
              {
                id: 'connect-stripe',
                label: 'Connect Stripe',
                leftSection: icon(IconCreditCard),
                onClick: () => void navigate(paths.connectStripe(orgId)),
              },
            ]),
        {
          id: 'create-organisation',
          label: 'Create an organisation',
          leftSection: icon(IconPlus),
          onClick: () => void navigate(paths.createOrganisation),
        },
        {
          id: 'theme-light',
          label: 'Theme: light',
          leftSection: icon(IconSun),
          onClick: () => setColorScheme('light'),
        },
        {
          id: 'theme-dark',
          label: 'Theme: dark',
          leftSection: icon(IconMoon),
          onClick: () => setColorScheme('dark'),
        },
        {
          id: 'theme-system',
          label: 'Theme: system',
          leftSection: icon(IconDeviceDesktop),
          onClick: () => setColorScheme('auto'),
        },
        { id: 'log-out', label: 'Log out', leftSection: icon(IconLogout), onClick: () => logOut.mutate() },
      ],
    },
  ];
}
