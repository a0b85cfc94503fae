// Dialogs, menus and banners for `npm run screenshots -- dialogs [name ...]`, on the demo organisation. Nothing is saved: what
// the demo does not have is a replaced response.
import { teamSubscriber, trialCustomer } from '../demo/demo-customers.ts';
import { type Act, readAs } from './replaced-reads.ts';
import type { ScreenshotRoute } from './page-shots.ts';

const DAY_MS = 86_400_000;
const PATIENCE_MS = 8000;

/** Clicks these buttons or items of menus, one after the other. */
const press =
  (...names: readonly (string | RegExp)[]): Act =>
  async (page) => {
    for (const name of names) {
      const button = page.getByRole('button', { name }).or(page.getByRole('menuitem', { name }));
      await button.filter({ visible: true }).first().click({ timeout: PATIENCE_MS });
    }
  };

const all =
  (...acts: readonly Act[]): Act =>
  async (page) => {
    for (const act of acts) await act(page);
  };

const key =
  (name: string): Act =>
  (page) =>
    page.keyboard.press(name);

const search = (text: string): Act =>
  all(key('ControlOrMeta+K'), (page) =>
    page.getByRole('textbox', { name: 'Search pages and commands' }).fill(text),
  );

const typeName: Act = (page) =>
  page.getByRole('textbox', { name: 'Name', exact: true }).fill('Data exports, weekly');

const openSidebar: Act = async (page) => {
  if ((page.viewportSize()?.width ?? 0) < 768) await press('Toggle sidebar')(page);
};

/** Answers the next save with a conflict: somebody else changed these fields. */
const conflictWith =
  (matches: (url: URL) => boolean, theirs: object): Act =>
  async (page) => {
    await page.route(matches, async (route) => {
      const request = route.request();
      if (request.method() !== 'PUT') return route.fallback();
      const saved = await (await page.request.get(request.url().replace(/\?.*/, ''))).json();
      const current = { ...saved, ...theirs, updatedAt: Date.now() };
      return route.fulfill({ status: 409, json: { errorType: 'conflict', message: 'Changed', current } });
    });
  };

const endsWith =
  (path: RegExp) =>
  ({ pathname }: URL) =>
    path.test(pathname);

type Numbers = Record<string, readonly { readonly value: unknown }[]>;

/** Answers the plan editor's save: somebody else raised every number by one. */
const changeNumbers: Act = async (page) => {
  await page.route(endsWith(/\/plans\/[^/]+\/versions\/\d+$/), async (route) => {
    const request = route.request();
    if (request.method() !== 'PUT') return route.fallback();
    const saved = await (await page.request.get(request.url().replace(/\?.*/, ''))).json();
    const raise = (each: { readonly value: unknown }) =>
      typeof each.value === 'number' ? { ...each, value: each.value + 1 } : each;
    const properties = Object.fromEntries(
      Object.entries(saved.properties as Numbers).map(([id, values]) => [id, values.map(raise)]),
    );
    const current = { ...saved, version: saved.version + 1, properties };
    return route.fulfill({ status: 409, json: { errorType: 'conflict', message: 'Changed', current } });
  });
};

/** Answers the deployment: somebody else deployed to the environment first. */
const deployFirst: Act = async (page) => {
  await page.route(endsWith(/\/deployments\/[^/]+\/artifact$/), async (route) => {
    const [, base = '', id] = /(.*\/deployments)\/([^/]+)\/artifact/.exec(route.request().url()) ?? [];
    const { environments } = await (await page.request.get(`${base}?previewOnly=false`)).json();
    const current = environments.find(({ environmentId }: { environmentId: string }) => environmentId === id);
    return route.fulfill({ status: 409, json: { errorType: 'conflict', message: 'Changed', current } });
  });
};

const ENVIRONMENT = '/environments/environments/:environmentId';

/** By path below /o/:orgId. */
const shots: Readonly<Record<string, Readonly<Record<string, Act>>>> = {
  '/features': {
    'create-feature': press('Create a feature'),
    'create-feature-refused': press('Create a feature', 'Create feature'),
    'create-feature-discard': all(press('Create a feature'), typeName, key('Escape')),
  },
  '/features/:featureId': {
    property: press('Add a property'),
    'delete-feature': press(/^Delete /),
    'delete-property': press(/^Actions for/, /^Delete$/),
    'feature-conflict': all(
      conflictWith(endsWith(/\/features\/[^/]+$/), { name: 'Exports of data', description: 'Theirs' }),
      typeName,
      press('Save definition'),
    ),
    'leave-unsaved': all(typeName, openSidebar, (page) =>
      page.getByRole('link', { name: 'Features' }).filter({ visible: true }).first().click(),
    ),
  },
  '/plans': {
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
      { id: 'none', organisationName: 'Meridian Maps' },
    ]),
    deletion: readAs(endsWith(/\/summary$/), (summary: object) => ({
      ...summary,
      deletion: { dueAt: Date.now() + 6 * DAY_MS, requestedAt: Date.now(), requestedByUserId: 'none' },
    })),
  },
  '/plans/compare': { 'compare-cell': (page) => page.getByRole('gridcell').nth(3).click() },
  '/plans/:planId/edit-features': {
    'plan-conflict': all(
      changeNumbers,
      (page) => page.locator('input[inputmode="decimal"], input[inputmode="numeric"]').first().fill('77'),
      press('Update Plan'),
    ),
  },
  '/plans/:planId/manage': {
    products: press('Add Stripe Products'),
    'delete-plan': press(/^Remove Starter$/),
  },
  '/environments/environments': { 'create-environment': press('Add a New Environment') },
  [`${ENVIRONMENT}/keys`]: {
    'create-key': press('Create a key'),
    'edit-key': press(/^Edit /),
    'revoke-key': press(/^Revoke /),
  },
  '/environments/environments/:testEnvironmentId/manage': {
    'delete-environment': press(/^Delete (?!this)/),
  },
  '/environments/versions': {
    'deploy-menu': press(/^Deploy version/),
    deploy: press(/^Deploy version/, /^Deploy version \d+ to/),
    'deploy-conflict': all(
      deployFirst,
      press(/^Deploy version/, /^Deploy version \d+ to/),
      press(/^Deploy version \d+ to/),
    ),
    'delete-version': press(/^Actions for/, /^Delete/),
  },
  '/workflows': { 'create-workflow': press('Add a Workflow') },
  '/workflows/:workflowId/manage': { 'delete-workflow': press(/^Remove /) },
  '/integrations': { 'create-jwt': press(/JWT/) },
  '/integrations/stripe/:stripeId/manage': { 'delete-stripe': press(/^Delete /) },
  '/integrations/jwt/:jwtId': { 'delete-jwt': press(/^Delete /) },
  '/team': { invite: press('Invite a Team Member') },
  '/settings': { 'delete-organisation': press('Delete organisation') },
  '/customers': {
    'customer-sheet': all((page) => page.locator('a[data-row]').first().focus(), key('Space')),
  },
  '/customers/ada@example.com': {
    'grant-plan': press('Grant a plan'),
    override: press(/^Override /),
    'test-check': press('Test a check'),
  },
  [`/customers/${trialCustomer.email}`]: {
    'edit-override': press(/^Actions for .* exports$/, 'Edit override'),
    'remove-override': press(/^Actions for .* exports$/, 'Remove override'),
  },
  [`/customers/${teamSubscriber.email}?environment=:testEnvironmentId`]: {
    'correct-meter': press(/^Actions for/, /^Correct/),
  },
};

/** Pages with something open. */
export const dialogShots: readonly ScreenshotRoute[] = [
  ...Object.entries(shots).flatMap(([path, acts]) =>
    Object.entries(acts).map(([name, act]) => ({
      name,
      act,
      path: `/o/:orgId${path}`,
      isOneScreen: true as const,
    })),
  ),
  { name: 'delete-account', path: '/account', act: press('Delete my account'), isOneScreen: true },
];
