/** What the palette does: creates, deploys, rolls back, invites, copies, switches organisation and theme. */
import { useMantineColorScheme } from '@mantine/core';
import {
  IconArrowBackUp,
  IconBuilding,
  IconCopy,
  IconCreditCard,
  IconDeviceDesktop,
  IconKeyboard,
  IconLayoutSidebar,
  IconLogout,
  IconMoon,
  IconPlus,
  IconRocket,
  IconSun,
  IconUserPlus,
} from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { deploymentStatusQuery } from '#web/domains/environments/deployments/queries.ts';
import { apiKeysQuery } from '#web/domains/environments/keys/queries.ts';
import { environmentsQuery } from '#web/domains/environments/queries.ts';
import type { Move } from '#web/domains/environments/versions/deploy/deploy-part.tsx';
import { useCreateVersion } from '#web/domains/environments/versions/mutations.ts';
import { artifactsQuery } from '#web/domains/environments/versions/queries.ts';
import { reasonAgainstMove } from '#web/domains/environments/versions/version-move.ts';
import { paths } from '#web/paths.ts';
import { useOrganisation, usePermission } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { copyText } from '#web/ui/copy/copy-text.ts';
import { CREATING } from '#web/ui/dialogs/use-creating.ts';
import { sentence } from '#web/ui/format.ts';
import type { PaletteGroup, PaletteItem } from './palette-item.ts';
import { shortcutLabels } from './shortcut-labels.ts';
import { useLogOut } from './use-log-out.ts';

/** Deployments listed before anything is typed: there can be dozens of environments. */
const MOVES_SHOWN = 4;

export function useActions(
  orgId: string | null,
  isSearched: boolean,
  onMove: (move: Move) => void,
): PaletteGroup {
  const create = useCreateVersion(orgId ?? '');
  const canInvite = usePermission('team-members:edit');
  const moves = useMoves(orgId, onMove);
  if (orgId === null) return { title: 'Actions', items: [] };
  const creating = (label: string, to: string): PaletteItem => ({
    id: `create-${to}`,
    label,
    icon: IconPlus,
    keywords: ['new', 'add'],
    to,
    state: CREATING,
  });
  return {
    title: 'Actions',
    items: [
      {
        id: 'create-version',
        label: 'Create a version',
        icon: IconPlus,
        keywords: ['new', 'freeze'],
        run: () =>
          create.mutate('', {
            onSuccess: ({ artifactNumber }) => toast.success(`Version ${artifactNumber} created`),
          }),
      },
      ...(isSearched ? moves : moves.slice(0, MOVES_SHOWN)),
      creating('Create a feature', paths.features(orgId)),
      creating('Create a plan', paths.plans(orgId)),
      creating('Create a workflow', paths.workflows(orgId)),
      creating('Create an environment', paths.environments(orgId, 'environments')),
      ...(canInvite
        ? [
            {
              id: 'invite',
              label: 'Invite a team member',
              icon: IconUserPlus,
              keywords: ['add', 'member'],
              to: paths.team(orgId),
              state: CREATING,
            },
          ]
        : []),
      {
        id: 'connect-stripe',
        label: 'Connect Stripe',
        icon: IconCreditCard,
        to: paths.connectStripe(orgId),
      },
      { id: 'quick-start', label: 'Quick start', icon: IconRocket, to: paths.quickstart },
    ],
  };
}

/** The newest version to every environment that does not run it, and each environment back to the version before its own. */
function useMoves(orgId: string | null, onMove: (move: Move) => void): PaletteItem[] {
  const versions = useQuery({ ...artifactsQuery(orgId ?? ''), enabled: orgId !== null }).data ?? [];
  const statuses = useQuery(deploymentStatusQuery(orgId)).data?.environments ?? [];
  const newest = versions[0];
  return statuses
    .filter(({ environmentType }) => environmentType === 'deployable')
    .flatMap((chosen): PaletteItem[] => {
      const { environmentId, environmentName: name, artifactNumber: running } = chosen;
      const earlier =
        running === null ? undefined : versions.find(({ artifactNumber }) => artifactNumber < running);
      return [
        ...(newest !== undefined && reasonAgainstMove(newest, chosen) === null
          ? [
              {
                id: `deploy-${environmentId}`,
                icon: IconRocket,
                label: sentence`Deploy v${newest.artifactNumber} to ${name}`,
                run: () => onMove({ version: newest, chosen }),
              },
            ]
          : []),
        ...(earlier !== undefined && reasonAgainstMove(earlier, chosen) === null
          ? [
              {
                id: `roll-back-${environmentId}`,
                icon: IconArrowBackUp,
                keywords: ['rollback'],
                label: sentence`Roll back ${name} to v${earlier.artifactNumber}`,
                run: () => onMove({ version: earlier, chosen }),
              },
            ]
          : []),
      ];
    });
}

/** Keys are read only when somebody searches for them: each environment has its own list. */
export function useKeyIds(orgId: string | null, query: string): PaletteGroup {
  const isWanted = orgId !== null && /\b(key|copy)/i.test(query);
  const environments = useQuery(environmentsQuery(orgId)).data ?? [];
  const lists = useQueries({
    queries: environments.map(({ id }) => ({ ...apiKeysQuery(orgId ?? '', id), enabled: isWanted })),
  });
  return {
    title: 'API keys',
    items: lists.flatMap(({ data }, index) =>
      (data?.keys ?? []).map(({ id, type, maskedValue }) => ({
        id: `key-${id}`,
        icon: IconCopy,
        aside: environments[index]?.name,
        keywords: ['copy', 'key id', id],
        label: `Copy ID of ${type} key …${maskedValue.slice(-4)}`,
        run: () => void copyId(id),
      })),
    ),
  };
}

async function copyId(id: string): Promise<void> {
  if (await copyText(id, id)) toast.success('Key ID copied', { description: id });
}

export function useCommands(
  onShortcuts: () => void,
  onToggleSidebar: (() => void) | undefined,
): PaletteGroup[] {
  const { setColorScheme } = useMantineColorScheme();
  const { orgId, ownOrganisations, switchTo } = useOrganisation();
  const { logOut } = useLogOut();
  return [
    {
      title: 'Organisations',
      items: [
        ...ownOrganisations
          .filter(({ id }) => id !== orgId)
          .map(({ id, name }) => ({
            id,
            label: sentence`Switch to ${name}`,
            icon: IconBuilding,
            run: () => switchTo(id),
          })),
        {
          id: 'create-organisation',
          label: 'Create an organisation',
          icon: IconPlus,
          to: paths.createOrganisation,
        },
      ],
    },
    {
      title: 'Commands',
      items: [
        {
          id: 'shortcuts',
          label: 'Keyboard shortcuts',
          icon: IconKeyboard,
          run: onShortcuts,
          keys: shortcutLabels.shortcuts,
        },
        ...(onToggleSidebar === undefined
          ? []
          : [
              {
                id: 'sidebar',
                label: 'Toggle the sidebar',
                icon: IconLayoutSidebar,
                run: onToggleSidebar,
                keys: shortcutLabels.sidebar,
              },
            ]),
        {
          id: 'theme-light',
          label: 'Theme: light',
          icon: IconSun,
          run: () => setColorScheme('light'),
        },
        { id: 'theme-dark', label: 'Theme: dark', icon: IconMoon, run: () => setColorScheme('dark') },
        {
          id: 'theme-system',
          label: 'Theme: system',
          icon: IconDeviceDesktop,
          run: () => setColorScheme('auto'),
        },
        { id: 'log-out', label: 'Log out', icon: IconLogout, run: () => void logOut() },
      ],
    },
  ];
}
