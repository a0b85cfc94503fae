/** The sidebar's entries, one line each: what it is called, where it leads, what it looks like. */
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
import { paths } from '../paths.ts';

export interface NavigationEntry {
  readonly label: string;
  readonly icon: TablerIcon;
  /** The page of the selected organisation. */
  readonly to: (orgId: string) => string;
  /** Paths that begin so, below the organisation, belong to the entry. '' is the dashboard's own. */
  readonly section: string;
  /** Belongs to no organisation, so it is open while none is selected; `section` is its whole path then. */
  readonly isCommon?: true;
}

/** Below the organisation's name. */
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

/** Below those, apart. */
export const administrationEntries: readonly NavigationEntry[] = [
  { label: 'Team', icon: IconUsers, to: paths.team, section: 'team' },
  { label: 'Settings', icon: IconSettings, to: paths.settings, section: 'settings' },
  { label: 'Plan & Billing', icon: IconCreditCard, to: paths.billing, section: 'billing' },
];

/** Below the heading 'Tools'. */
export const toolEntries: readonly NavigationEntry[] = [
  { label: 'API Docs', icon: IconBook2, to: () => paths.apiDocs, section: paths.apiDocs, isCommon: true },
];

/** Below the heading 'Sudo', for platform staff only. */
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

/** Whether `pathname` is one of the entry's pages. */
export function isCurrentEntry(entry: NavigationEntry, pathname: string): boolean {
  if (entry.isCommon) return pathname === entry.section || pathname.startsWith(`${entry.section}/`);
  if (entry.section === '') return pathname === '/' || /^\/o\/[^/]+\/?$/.test(pathname);
  const [, , , section] = pathname.split('/');
  return pathname.startsWith('/o/') && section === entry.section;
}
