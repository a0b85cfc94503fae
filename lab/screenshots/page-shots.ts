// Every page of the console, tab by tab, as the demo has it, and what pages show with other addresses.
import { CONSOLE_PATHS } from '#contracts/console/console-paths';
import { GUIDES } from '#contracts/console/guide-list';
import { pages } from '#web/pages.ts';
import { SIGN_IN_PAGES } from '#web/paths.ts';
import { balanceHolder, teamSubscriber, trialCustomer } from '../../dev/demo/demo-customers.ts';
import type { Shot } from './shot.ts';

type PageShot = Omit<Shot, 'kind'>;

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const signInPages = SIGN_IN_PAGES.map(
  (name): PageShot => ({ name: kebab(name), path: CONSOLE_PATHS[name], viewer: 'visitor' }),
);

const consolePages = (Object.keys(pages) as (keyof typeof pages)[]).flatMap((name): PageShot[] => {
  const { access, load, isPassage, ...page } = pages[name];
  const tabs = name === 'docs' ? GUIDES.map(({ id }) => id) : (page.tabs ?? ['']);
  if (load === undefined || isPassage) return [];
  const viewer = access === 'open' ? 'visitor' : access === 'staff' ? 'staff' : undefined;
  return tabs.map((tab) => ({
    name: [kebab(name), tab].filter(Boolean).join('-'),
    path: CONSOLE_PATHS[name].replace(/\/:tabId\??/, tab && `/${tab}`),
    viewer,
  }));
});

const variants: readonly PageShot[] = [
  { name: 'reset-password-form', path: '/reset-password?token=none', viewer: 'visitor' },
  { name: 'quickstart-api', path: '/quickstart?step=api' },
  { name: 'customers-near-limit', path: '/o/:orgId/customers?filter=near-limit' },
  { name: 'customers-search', path: '/o/:orgId/customers?query=nadia' },
  {
    name: 'customer-subscribed',
    path: `/o/:orgId/customers/${teamSubscriber.email}?environment=:testEnvironmentId`,
  },
  { name: 'customer-manual', path: `/o/:orgId/customers/${trialCustomer.email}` },
  {
    name: 'customer-balances',
    path: `/o/:orgId/customers/${balanceHolder}?environment=:testEnvironmentId&balances=all`,
  },
  { name: 'webhook-manage', path: '/o/:orgId/webhooks/:webhookId/manage' },
  { name: 'docs-visitor', path: '/docs', viewer: 'visitor' },
  { name: 'sudo-settings', path: '/o/:orgId/settings', viewer: 'staff' },
  { name: 'not-found', path: '/no-such-page' },
];

export const pageShots: readonly Shot[] = [...signInPages, ...consolePages, ...variants].map((shot) => ({
  ...shot,
  kind: 'pages',
}));
