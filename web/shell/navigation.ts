/** The sidebar's entries: label, icon and target. The command palette lists the same entries. */
import {
  IconActivity,
  IconBook2,
  IconBox,
  IconBuildingCommunity,
  IconCreditCard,
  IconLayoutDashboard,
  IconListDetails,
  IconPlug,
  IconRoute,
  IconSettings,
  IconStack2,
  IconUserSearch,
  IconUserShield,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react';
import { paths } from '#web/paths.ts';

export interface NavigationEntry {
  readonly label: string;
  readonly icon: TablerIcon;
  /** The entry's page in the selected organisation. */
  readonly to: (orgId: string) => string;
  /** Prefix of the entry's paths below /o/{orgId}. '' is the dashboard. */
  readonly section: string;
  /** The page belongs to no organisation, so it works while none is selected. `section` is then its full path. */
  readonly isCommon?: true;
}

/** Main group. */
export const organisationEntries: readonly NavigationEntry[] = [
  { label: 'Dashboard', icon: IconLayoutDashboard, to: paths.dashboard, section: '' },
  { label: 'Integrations', icon: IconPlug, to: paths.integrations, section: 'integrations' },
  { label: 'Features', icon: IconBox, to: paths.features, section: 'features' },
  { label: 'Plans', icon: IconListDetails, to: paths.plans, section: 'plans' },
  { label: 'Customers', icon: IconUserSearch, to: paths.customers, section: 'customers' },
  { label: 'Workflows', icon: IconRoute, to: paths.workflows, section: 'workflows' },
  {
    label: 'Environments',
    icon: IconStack2,
    to: (orgId) => paths.environments(orgId),
    section: 'environments',
  },
  {
    label: 'Observability',
    icon: IconActivity,
    to: (orgId) => paths.observability(orgId),
    section: 'observe',
  },
];

/** Second group, without a heading. */
export const administrationEntries: readonly NavigationEntry[] = [
  { label: 'Team', icon: IconUsers, to: paths.team, section: 'team' },
  { label: 'Settings', icon: IconSettings, to: paths.settings, section: 'settings' },
  { label: 'Plan & Billing', icon: IconCreditCard, to: paths.billing, section: 'billing' },
];

/** Group 'Tools'. */
export const toolEntries: readonly NavigationEntry[] = [
  { label: 'API Docs', icon: IconBook2, to: () => paths.apiDocs, section: paths.apiDocs, isCommon: true },
];

/** Group 'Sudo', for platform staff only. */
export const sudoEntries: readonly NavigationEntry[] = [
  {
    label: 'Sudo Orgs',
    icon: IconBuildingCommunity,
    to: () => paths.sudoOrganisations,
    section: paths.sudoOrganisations,
    isCommon: true,
  },
  {
    label: 'Sudo Users',
    icon: IconUserShield,
    to: () => paths.sudoUsers,
    section: paths.sudoUsers,
    isCommon: true,
  },
];

/** Whether `pathname` belongs to the entry. */
export function isCurrentEntry(entry: NavigationEntry, pathname: string): boolean {
  if (entry.isCommon) return pathname === entry.section || pathname.startsWith(`${entry.section}/`);
  if (entry.section === '') return pathname === '/' || /^\/o\/[^/]+\/?$/.test(pathname);
  const [, , , section] = pathname.split('/');
  return pathname.startsWith('/o/') && section === entry.section;
}
