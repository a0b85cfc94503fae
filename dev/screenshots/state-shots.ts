// Screens and dialogs for `npm run screenshots -- states`.
import type { Page } from '@playwright/test';

export interface StateScreen {
  readonly name: string;
  /** Path below /o/:orgId/, with id placeholders. */
  readonly path: string;
  /** The screen of a single item: its empty state needs an item without content. */
  readonly isOfOneItem?: true;
}

export const stateScreens: readonly StateScreen[] = [
  { name: 'dashboard', path: '' },
  { name: 'features', path: 'features' },
  { name: 'feature', path: 'features/:featureId', isOfOneItem: true },
  { name: 'plans', path: 'plans' },
  { name: 'plan-manage', path: 'plans/:planId/manage', isOfOneItem: true },
  { name: 'plan-feature', path: 'plans/:planId/feature', isOfOneItem: true },
  { name: 'plan-edit-features', path: 'plans/:planId/edit-features', isOfOneItem: true },
  { name: 'customers', path: 'customers' },
  { name: 'customer', path: 'customers/ada@example.com', isOfOneItem: true },
  { name: 'integrations', path: 'integrations' },
  { name: 'workflows', path: 'workflows' },
  { name: 'versions', path: 'environments/versions' },
  { name: 'changes', path: 'environments/changes' },
  { name: 'environments', path: 'environments/environments' },
  { name: 'environment-manage', path: 'environments/environments/:environmentId/manage' },
  { name: 'environment-keys', path: 'environments/environments/:environmentId/keys' },
  { name: 'events', path: 'observe/events' },
  { name: 'live', path: 'observe/live' },
  { name: 'metrics', path: 'observe/metrics' },
  { name: 'team', path: 'team' },
  { name: 'settings', path: 'settings' },
];

export interface DialogShot {
  readonly name: string;
  readonly path: string;
  /** Opens the dialog on the loaded page. */
  readonly open: (page: Page) => Promise<void>;
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();

export const dialogShots: readonly DialogShot[] = [
  {
    name: 'create-feature',
    path: 'features',
    open: async (page) => {
      await button(page, 'Create a feature').click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Größe: Müller & Söhne, Export v2.0');
      await page.getByRole('textbox', { name: 'Slug' }).fill('x');
      await button(page, 'Create feature').click();
    },
  },
  {
    name: 'delete-feature',
    path: 'features/:featureId',
    open: (page) => button(page, /^Delete /).click(),
  },
  {
    name: 'add-property',
    path: 'features/:featureId',
    open: async (page) => {
      await button(page, 'Add a property').click();
      await page.getByRole('radio', { name: 'Number' }).check();
      await page.getByLabel('Minimum').fill('12.5');
      await page.getByLabel('Maximum').fill('3');
      await button(page, 'Add property').click();
    },
  },
  {
    name: 'edit-property',
    path: 'features/:featureId',
    open: (page) => button(page, 'Requests').click(),
  },
  { name: 'create-plan', path: 'plans', open: (page) => button(page, 'Add a Plan').click() },
  {
    name: 'delete-plan',
    path: 'plans/:planId/manage',
    open: (page) => button(page, /^Remove /).click(),
  },
  {
    name: 'deploy-menu',
    path: 'environments/versions',
    open: (page) => button(page, /^Deploy version/).click(),
  },
  {
    name: 'deploy',
    path: 'environments/versions',
    open: async (page) => {
      await button(page, /^Deploy version/).click();
      await page
        .getByRole('menuitem', { name: /Staging|Acceptance/ })
        .first()
        .click();
    },
  },
  {
    name: 'rollback',
    path: 'environments/versions',
    open: async (page) => {
      await button(page, 'Deploy version 60').click();
      await page.getByRole('menuitem', { name: /Roll back Production/ }).click();
    },
  },
  {
    name: 'create-environment',
    path: 'environments/environments',
    open: (page) => button(page, 'Add a New Environment').click(),
  },
  {
    name: 'delete-environment',
    path: 'environments/environments/:environmentId/manage',
    open: (page) => button(page, /^Delete /).click(),
  },
  {
    name: 'reveal-key',
    path: 'environments/environments/:environmentId/keys',
    open: (page) => button(page, /^Reveal /).click(),
  },
  {
    name: 'revoke-key',
    path: 'environments/environments/:environmentId/keys',
    open: (page) => button(page, /^Revoke /).click(),
  },
  {
    name: 'invite',
    path: 'team',
    open: (page) => button(page, 'Invite a Team Member').click(),
  },
  {
    name: 'team-menu',
    path: 'team',
    open: (page) => button(page, /^Actions for /).click(),
  },
];
