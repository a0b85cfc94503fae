// Workflow screens in states that the demo organisation does not have. Responses are replaced in the browser: nothing is saved.
import type { Page } from '@playwright/test';
import type { Environment } from '#contracts/console/environments';
import type { Workflow, WorkflowSummary } from '#contracts/console/workflows';
import { all, answerSaves, conflict, endsWith, press, readAs } from './acts.ts';
import type { Act, Shot } from './shot.ts';
import { writeCode } from './write-code.ts';

const SECOND_PATH = '/o/:orgId/workflows/:behaviourId';
const CODE_PATH = '/o/:orgId/workflows/:workflowId/code';

const isList = endsWith(/^\/api\/.*\/workflows$/);
const isItem = endsWith(/^\/api\/.*\/workflows\/[^/]+$/);
const isFeatures = endsWith(/^\/api\/.*\/features$/);

const WRONG = `export default function workflow({ customer }: WorkflowInput): WorkflowResult {
  const days = customer.createdAt / 86_400_000;
  if (customer.metadata.tier === 'gold') return ['entrprise'];
  return days < 14 ? ['team', missing] : [];
}
`;
const LOOPING = `export default function workflow({ customer }: WorkflowInput): WorkflowResult {
  console.log('Plans so far:', customer.plans.join(', '));
  for (;;) {}
}
`;
const FAILING = `interface Terms { readonly seats?: { readonly limit: number } }

export default function workflow({ customer, place }: WorkflowInput): WorkflowResult {
  const terms: Terms = {};
  console.log('Called from', place.city, place.country);
  console.warn('No terms for', customer.email);
  return terms.seats!.limit > 5 ? ['team'] : [];
}
`;
const REPLACING = `export default function workflow({ customer, now }: WorkflowInput): WorkflowResult {
  console.log(\`\${customer.email ?? 'Nobody'} has \${customer.plans.join(', ') || 'no plan'}\`);
  console.warn(\`Checked at \${new Date(now).toISOString()}\`);
  return { plans: ['enterprise'], mode: 'replace' };
}
`;

const write =
  (code: string): Act =>
  (page) =>
    writeCode(page, code);

const openDependencies: Act = (page) => page.getByRole('tab', { name: 'Dependencies' }).click();

const runCode =
  (code: string, customer: string): Act =>
  async (page) => {
    await writeCode(page, code);
    const pane = page.getByRole('form', { name: 'Run' });
    await pane.getByPlaceholder('ada@example.com').fill(customer);
    await pane.getByPlaceholder('ada@example.com').press('Escape');
    await pane.getByRole('button', { name: 'Run' }).click();
    await pane.getByRole('status', { name: 'Result' }).waitFor();
  };

const manyWorkflows = ([first]: readonly WorkflowSummary[], _page: Page): WorkflowSummary[] =>
  first === undefined
    ? []
    : Array.from({ length: 100 }, (_, index) => ({
        ...first,
        id: `wf_${index}`,
        name: `Agreement ${index + 1} of the international holdings`,
        description:
          index % 4 === 0 ? null : 'Negotiated terms, by country of the customer and date of sign-up.',
        ...(index % 2 === 1 && { type: 'feature-behaviour' as const, featureId: `feat_${index}` }),
        ...(index % 3 === 0 && { isCompiled: false, isDraft: index % 2 === 0 }),
        ...(index % 5 === 0 && { enabled: false }),
        ...(index % 7 === 0 && { isDraft: true }),
      }));

async function disabledIn<Item extends WorkflowSummary>(
  workflow: Item,
  page: Page,
  count: number,
): Promise<Item> {
  const [, orgId] = /\/o\/([^/]+)/.exec(page.url()) ?? [];
  const environments = await page.request.get(`/api/orgs/${orgId}/environments`);
  const ids = ((await environments.json()) as Environment[]).map(({ id }) => id);
  return { ...workflow, disabledIn: ids.slice(0, count) };
}

const pages: readonly Omit<Shot, 'kind'>[] = [
  { name: 'workflows-none', path: '/o/:orgId/workflows', act: readAs(isList, () => []) },
  { name: 'workflows-many', path: '/o/:orgId/workflows', act: readAs(isList, manyWorkflows) },
  {
    name: 'workflow-add',
    path: '/o/:orgId/workflows',
    act: async (page) => {
      await page.getByRole('button', { name: 'Add a Workflow' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Seats by agreement');
      await page.getByRole('radio', { name: 'Feature Behaviour' }).check();
      await page.getByRole('button', { name: 'Create workflow' }).click();
      await page.getByText('Feature is required').waitFor();
    },
  },
  { name: 'workflow-manage-feature', path: `${SECOND_PATH}/manage` },
  {
    name: 'workflow-feature-deleted',
    path: `${SECOND_PATH}/manage`,
    act: readAs(isFeatures, () => []),
  },
  {
    name: 'workflow-disabled-in',
    path: '/o/:orgId/workflows/:workflowId/manage',
    act: readAs(isItem, (workflow: Workflow, page) => disabledIn(workflow, page, 2)),
  },
  {
    name: 'workflows-disabled-in',
    path: '/o/:orgId/workflows',
    act: readAs(isList, async ([first, ...others]: WorkflowSummary[], page) => [
      await disabledIn(first as WorkflowSummary, page, 2),
      ...(await Promise.all(others.map((each) => disabledIn(each, page, 1)))),
    ]),
  },
  { name: 'workflow-dependencies', path: CODE_PATH, act: openDependencies },
  { name: 'workflow-dependencies-feature', path: `${SECOND_PATH}/code`, act: openDependencies },
  {
    name: 'workflow-code-errors',
    path: CODE_PATH,
    act: all(write(WRONG), (page) => page.getByRole('region', { name: 'Problems' }).waitFor()),
  },
  {
    name: 'workflow-code-draft',
    path: CODE_PATH,
    act: all(
      answerSaves(isItem, ({ source }, current) => ({ json: { ...current, source, isDraft: true } })),
      write(WRONG),
      press('Update'),
      (page) => page.getByText('Saved as a draft.').waitFor(),
    ),
  },
  {
    name: 'workflow-code-conflict',
    path: CODE_PATH,
    act: all(
      answerSaves(isItem, (_, { source, ...current }) =>
        conflict({ ...current, source: String(source).replace('= 14', '= 30'), updatedAt: 9e12 }),
      ),
      write(REPLACING),
      press('Update'),
      (page) => page.getByText('This workflow was changed by').waitFor(),
    ),
  },
  {
    name: 'workflow-code-deleted',
    path: CODE_PATH,
    act: all(
      write(REPLACING),
      async (page) => {
        const json = { errorType: 'not-found', message: 'The workflow does not exist', requestId: 'req_1' };
        await page.route(isItem, (route) => route.fulfill({ status: 404, json }));
      },
      press('Update'),
      (page) => page.getByRole('heading', { name: 'Your unsaved code' }).waitFor(),
    ),
  },
  { name: 'workflow-code-feature-deleted', path: `${SECOND_PATH}/code`, act: readAs(isFeatures, () => []) },
  { name: 'workflow-run', path: CODE_PATH, act: runCode(REPLACING, 'ada@example.com') },
  { name: 'workflow-run-failed', path: CODE_PATH, act: runCode(FAILING, 'ada@example.com') },
  { name: 'workflow-run-killed', path: CODE_PATH, act: runCode(LOOPING, 'ada@example.com') },
  { name: 'workflow-deleted', path: '/o/:orgId/workflows/wf_deleted' },
];

export const workflowShots: readonly Shot[] = pages.map((page) => ({ ...page, kind: 'pages' }));
