// Dialogs, menus and banners for `npm run screenshots -- dialogs [name ...]`, on the demo organisation. Nothing is saved: what
// the demo does not have is a replaced response.
import { balanceHolder, teamSubscriber, trialCustomer } from '../../dev/demo/demo-customers.ts';
import { all, answerSaves, confirm, conflict, endsWith, key, press, readAs } from './acts.ts';
import type { Act, Shot } from './shot.ts';

const DAY_MS = 86_400_000;

const search = (text: string): Act =>
  all(key('ControlOrMeta+K'), (page) =>
    page.getByRole('textbox', { name: 'Search pages and commands' }).fill(text),
  );

const typeName: Act = (page) =>
  page.getByRole('textbox', { name: 'Name', exact: true }).fill('Data exports, weekly');

const openSidebar: Act = async (page) => {
  if ((page.viewportSize()?.width ?? 0) < 768) await press('Toggle sidebar')(page);
};

/** Somebody else changed these fields. */
const conflictWith = (matches: (url: URL) => boolean, theirs: object): Act =>
  answerSaves(matches, (_, saved) => conflict({ ...saved, ...theirs, updatedAt: Date.now() }));

const conflictShown: Act = (page) =>
  page.getByText('in the meantime').filter({ visible: true }).first().waitFor();

type Numbers = Record<string, readonly { readonly value: unknown }[]>;

/** Somebody else raised every number of the plan by one. */
const changeNumbers = answerSaves(endsWith(/\/plans\/[^/]+\/versions\/\d+$/), (_, saved) => {
  const raise = (each: { readonly value: unknown }) =>
    typeof each.value === 'number' ? { ...each, value: each.value + 1 } : each;
  const properties = Object.fromEntries(
    Object.entries(saved.properties as Numbers).map(([id, values]) => [id, values.map(raise)]),
  );
  return conflict({ ...saved, version: Number(saved.version) + 1, properties });
});

/** Answers the deployment: somebody else deployed to the environment first. */
const deployFirst: Act = async (page) => {
  await page.route(endsWith(/\/deployments\/[^/]+\/artifact$/), async (route) => {
    const [, base = '', id] = /(.*\/deployments)\/([^/]+)\/artifact/.exec(route.request().url()) ?? [];
    const { environments } = await (await page.request.get(`${base}?previewOnly=false`)).json();
    const current = environments.find(({ environmentId }: { environmentId: string }) => environmentId === id);
    return route.fulfill(conflict(current));
  });
};

/** By path. */
const shots: Readonly<Record<string, Readonly<Record<string, Act>>>> = {
  '/o/:orgId/features': {
    'create-feature': press('Create a feature'),
    'create-feature-refused': press('Create a feature', 'Create feature'),
    'create-feature-discard': all(press('Create a feature'), typeName, key('Escape')),
  },
  '/o/:orgId/features/:featureId': {
    property: press('Add a property'),
    'delete-feature': press(/^Delete /),
    'delete-property': press(/^Actions for/, /^Delete$/),
    'feature-conflict': all(
      conflictWith(endsWith(/\/features\/[^/]+$/), { name: 'Exports of data', description: 'Theirs' }),
      typeName,
      press('Save changes'),
      conflictShown,
    ),
    'leave-unsaved': all(typeName, openSidebar, (page) =>
      page.getByRole('link', { name: 'Features' }).filter({ visible: true }).first().click(),
    ),
  },
  '/o/:orgId/plans': {
    'create-plan': press('Add a Plan'),
    palette: search(''),
    'palette-found': search('team'),
    'palette-nothing': search('zzyzx'),
    shortcuts: key('?'),
    workspace: press(/environment is/),
    sidebar: openSidebar,
    organisations: all(openSidebar, press(/^Organisation:/)),
    'user-menu': press('Your menu'),
    invitation: readAs(endsWith(/\/user\/invitations$/), () => [
      {
        id: 'none',
        organisationName: 'Meridian Maps',
        role: 'admin',
        inviter: { name: 'Mara Maps', email: 'mara@maps.example' },
      },
    ]),
    deletion: readAs(endsWith(/\/summary$/), (summary: object) => ({
      ...summary,
      deletion: { dueAt: Date.now() + 6 * DAY_MS, requestedAt: Date.now(), requestedByUserId: 'none' },
    })),
  },
  // The templates are offered until Stripe is connected.
  '/quickstart': {
    'see-it-work': all(
      readAs(endsWith(/\/integrations\/stripe$/), () => []),
      (page) => page.getByRole('heading', { name: 'See it work first' }).waitFor(),
    ),
  },
  '/o/:orgId/plans/compare': { 'compare-cell': (page) => page.getByRole('gridcell').nth(3).click() },
  '/o/:orgId/plans/:planId/edit-features': {
    'limit-choices': all(
      (page) => page.getByLabel('Overage allowed of Data exports: Exports').check(),
      (page) => page.getByLabel('Unused rolls over of Data exports: Exports').check(),
      (page) => page.getByRole('textbox', { name: 'Limit of each member of Data exports' }).fill('3'),
    ),
    'plan-conflict': all(
      changeNumbers,
      (page) => page.locator('input[inputmode="decimal"], input[inputmode="numeric"]').first().fill('77'),
      press('Update Plan'),
      conflictShown,
    ),
  },
  '/o/:orgId/plans/:planId/manage': {
    products: press('Add Stripe Products'),
    'delete-plan': press(/^Remove Starter$/),
  },
  '/o/:orgId/environments/environments': { 'create-environment': press('Add a New Environment') },
  '/o/:orgId/environments/environments/:environmentId/keys': {
    'create-key': press('Create a key'),
    'edit-key': press(/^Edit /),
    'revoke-key': press(/^Revoke /),
  },
  '/o/:orgId/environments/environments/:testEnvironmentId/manage': {
    'delete-environment': press(/^Delete (?!this)/),
  },
  '/o/:orgId/environments/versions': {
    'deploy-menu': press(/^Deploy version/),
    deploy: press(/^Deploy version/, /^Deploy version \d+ to/),
    'deploy-conflict': all(
      deployFirst,
      press(/^Deploy version/, /^Deploy version \d+ to/),
      confirm(/^Deploy version \d+ to/),
      conflictShown,
    ),
    'delete-version': press(/^Actions for/, /^Delete/),
  },
  '/o/:orgId/workflows': { 'create-workflow': press('Add a Workflow') },
  '/o/:orgId/workflows/:workflowId/manage': { 'delete-workflow': press(/^Remove /) },
  '/o/:orgId/integrations': { 'create-jwt': press(/JWT/) },
  '/o/:orgId/integrations/stripe/:stripeId/manage': { 'delete-stripe': press(/^Delete /) },
  '/o/:orgId/integrations/jwt/:jwtId': { 'delete-jwt': press(/^Delete /) },
  '/o/:orgId/webhooks': { 'add-webhook': press('Add webhook') },
  '/o/:orgId/team': { invite: press('Invite a Team Member') },
  '/o/:orgId/settings': { 'delete-organisation': press('Delete organisation') },
  '/o/:orgId/customers': {
    'customer-sheet': all((page) => page.locator('a[data-row]').first().focus(), key('Space')),
  },
  '/o/:orgId/customers/ada@example.com': {
    'grant-plan': press('Grant a plan'),
    override: press(/^Override /),
    'test-check': press('Test a check'),
  },
  [`/o/:orgId/customers/${trialCustomer.email}`]: {
    'edit-override': press(/^Actions for .* exports$/, 'Edit override'),
    'remove-override': press(/^Actions for .* exports$/, 'Remove override'),
  },
  [`/o/:orgId/customers/${teamSubscriber.email}?environment=:testEnvironmentId`]: {
    'correct-meter': press(/^Actions for/, /^Adjust usage/),
  },
  [`/o/:orgId/customers/${balanceHolder}?environment=:testEnvironmentId`]: {
    'add-balance': press(/^Add balance of/),
    'add-balance-refused': press(/^Add balance of/, 'Add balance'),
    'balance-menu': press(/^Actions for inv-/),
    'change-balance': press(/^Actions for inv-/, /^Change/),
    'freeze-balance': press(/^Actions for inv-/, /^Freeze/),
    'take-back-balance': press(/^Actions for inv-/, /^Take back/),
  },
  '/account': { 'delete-account': press('Delete my account') },
};

/** Pages with something open. */
export const dialogShots: readonly Shot[] = Object.entries(shots).flatMap(([path, acts]) =>
  Object.entries(acts).map(([name, act]) => ({ name, act, path, kind: 'dialogs', isOneScreen: true })),
);
