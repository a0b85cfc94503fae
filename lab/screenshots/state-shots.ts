// The main screens in each of their states, and dialogs over long lists, on the seeded organisations.
import type { Page, Route } from '@playwright/test';
import { getItem } from '../../dev/workspace/build-workspace.ts';
import { all, press, type } from './acts.ts';
import { pageShots } from './page-shots.ts';
import type { Act, Shot } from './shot.ts';

/** Pages, by the names of their screenshots. */
const screens = [
  ...['dashboard', 'features', 'feature', 'plans', 'plan-manage', 'plan-feature', 'plan-features'],
  ...['customers', 'customer', 'integrations', 'workflows', 'environments-versions'],
  ...['environments-changes', 'environments-environments', 'environment-manage', 'environment-keys'],
  ...['observability-events', 'observability-live', 'observability-metrics', 'team', 'settings'],
].map((screen) => getItem(pageShots, ({ name }) => name === screen));

/** The screen of a single item: its empty state needs an item without content. */
const isOfOneItem = ({ path }: Shot) => /:(?!orgId)/.test(path);

/** The console retries three times before it shows an error. */
const ERROR_WAIT_MS = 20_000;
/** The page's other failed requests settle later. */
const ERROR_REST_MS = 1500;
const LOADING_SHOWN_MS = 900;

/** An organisation's data, except the summary that the shell needs. */
const isData = ({ pathname }: URL) => /^\/api\/orgs\/[^/]+(?!.*\/summary$)/.test(pathname);

const failReads = (route: Route) =>
  route.fulfill({
    status: 500,
    json: {
      errorType: 'server-error',
      message:
        'Something went wrong on our side. Try again, and contact support with the request ID if it keeps failing.',
      requestId: 'req_01m7xy49t04vk7g0jce52am8ey',
    },
  });

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).waitFor();

const states: Readonly<Record<string, (screen: Shot) => Partial<Shot>>> = {
  empty: (screen) => ({ organisation: isOfOneItem(screen) ? 'bare' : 'empty' }),
  loading: () => ({
    prepare: async (page) => void (await page.route(isData, () => {})),
    ready: all(heading, (page) => page.waitForTimeout(LOADING_SHOWN_MS)),
  }),
  error: ({ name }) => ({
    prepare: async (page) => void (await page.route(isData, failReads)),
    ready: all(
      heading,
      // The page of live events calls nothing before.
      name === 'observability-live' ? press('Start') : async () => {},
      (page) => page.getByRole('alert').first().waitFor({ timeout: ERROR_WAIT_MS }),
      (page) => page.waitForTimeout(ERROR_REST_MS),
    ),
  }),
  full: () => ({}),
  member: () => ({ viewer: 'member' }),
};

/** By path below /o/:orgId/. */
const dialogs: Readonly<Record<string, Readonly<Record<string, Act>>>> = {
  features: {
    'create-feature': all(
      press('Create a feature'),
      type('Name', 'Größe: Müller & Söhne, Export v2.0'),
      type('Slug', 'x'),
      press('Create feature'),
    ),
  },
  'features/:featureId': {
    'delete-feature': press(/^Delete /),
    'add-property': all(
      press('Add a property'),
      (page) => page.getByRole('radio', { name: 'Number' }).check(),
      type('Minimum', '12.5'),
      type('Maximum', '3'),
      press('Create property'),
    ),
    'edit-property': press('Requests'),
  },
  plans: { 'create-plan': press('Add a Plan') },
  'plans/:planId/manage': { 'delete-plan': press(/^Remove /) },
  'environments/versions': {
    'deploy-menu': press(/^Deploy version/),
    deploy: press(/^Deploy version/, /Staging|Acceptance/),
    rollback: press('Deploy version 119', /Roll back Production/),
  },
  'environments/environments': { 'create-environment': press('Add a New Environment') },
  'environments/environments/:environmentId/manage': { 'delete-environment': press(/^Delete /) },
  'environments/environments/:environmentId/keys': {
    'reveal-key': press(/^Reveal /),
    'revoke-key': press(/^Revoke /),
  },
  team: { invite: press('Invite a Team Member'), 'team-menu': press(/^Actions for /) },
};

export const stateShots: readonly Shot[] = [
  ...screens.flatMap((screen) =>
    Object.entries(states).map(
      ([state, differences]): Shot => ({
        name: `${screen.name}-${state}`,
        kind: 'states',
        path: screen.path,
        organisation: 'full',
        sheet: `${screen.name}-states`,
        ...differences(screen),
      }),
    ),
  ),
  ...Object.entries(dialogs).flatMap(([path, acts]) =>
    Object.entries(acts).map(
      ([name, act]): Shot => ({
        name: `full-${name}`,
        kind: 'states',
        path: `/o/:orgId/${path}`,
        organisation: 'full',
        isOneScreen: true,
        act,
      }),
    ),
  ),
];
