// Every key counts, on a slow processor too: the code editor, and the fields whose text takes a detour through the URL, a draft, a
// search or a form.
import type { Locator, Page } from '@playwright/test';
import { MAX_SEARCH_TEXT } from '#contracts/console/events';
import type { Feature } from '#contracts/console/features';
import type { Workflow } from '#contracts/console/workflows';
import { MAX_IDENTIFIER } from '#contracts/public/identifiers';
import { onSlowProcessor, typeFast } from './support/fast-typing.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { label, planWorkspace } from './support/plan-workspace.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Tina Typist', 'Typing Pool');
const { makePlan, makeFeature } = planWorkspace(organisation);

/** `npm run soak -- typing` types a text twice as long, at every speed. */
const isSoak = process.env.TYPING_PAUSES === 'all';
/** The editor completes nothing in a comment. */
const TEXT = '// the quick brown fox jumps over the lazy dog 0123456789 '
  .repeat(4)
  .slice(0, isSoak ? 200 : 100);
/** Without a pause, and with pauses as of a very fast typist. */
const PAUSES_MS = isSoak ? [0, 30, 140] : [0];

// A slow processor takes long: these tests, the last of a run, are shared among its workers.
test.describe.configure({ mode: 'parallel' });

test('the code editor loses no key, and what is saved is what was typed', async ({ page }) => {
  test.slow();
  const { id } = await organisation.api<Workflow>(page, 'POST', '/workflows', {
    name: 'Trial',
    type: 'dynamic-provisioning',
  });
  await page.goto(`/o/${organisation.id}/workflows/${id}/code`);
  const code = page.locator('.monaco-editor .view-lines');
  await onSlowProcessor(page, async () => {
    for (const pauseMs of isSoak ? PAUSES_MS : [0, 30]) {
      const typed = `// ${pauseMs}${TEXT}`.slice(0, TEXT.length);
      await code.click();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.press('Delete');
      await typeFast(page, typed, pauseMs);
      await page.keyboard.press('ControlOrMeta+S');
      await expect
        .poll(
          async () => (await organisation.api<Workflow>(page, 'GET', `/workflows/${id}`)).source,
          `what is saved, with ${pauseMs} ms a key`,
        )
        .toBe(typed);
    }
  });
});

interface Field {
  readonly name: string;
  readonly path: string;
  /** Opens what contains the field. */
  readonly open?: (page: Page) => Promise<void>;
  readonly find: (page: Page) => Locator;
  /** The parameter of the URL that follows the text, and how much of it. */
  readonly inAddress?: { readonly param: string; readonly length: number };
}

/** By the way that a text takes before it is shown again. */
const FIELDS: readonly Field[] = [
  {
    name: 'a search in the URL, of customers',
    path: '/customers',
    find: (page) => page.getByRole('textbox', { name: 'Search customers' }),
    inAddress: { param: 'query', length: MAX_IDENTIFIER },
  },
  {
    name: 'a search in the URL, of events, beside its filters',
    path: '/observe/events',
    find: (page) => page.getByRole('textbox', { name: 'Search events' }),
    inAddress: { param: 'q', length: MAX_SEARCH_TEXT },
  },
  {
    name: 'a search whose list follows, over the comparison of plans',
    path: '/plans/compare',
    find: (page) => page.getByRole('textbox', { name: 'Search features' }),
  },
  {
    name: 'a cell of the comparison',
    path: '/plans/compare',
    open: (page) => page.getByRole('button', { name: 'Professional, Data exports: Label' }).click(),
    find: (page) => page.getByRole('textbox', { name: 'Professional, Data exports: Label' }),
  },
  {
    name: 'a value in the plan editor',
    path: '/plans/:plan/edit-features',
    open: async (page) => {
      await page.getByRole('checkbox', { name: 'Data exports', exact: true }).check();
      await page.getByRole('button', { name: 'Set a value for Data exports: Label' }).click();
    },
    find: (page) => page.getByRole('textbox', { name: 'Data exports: Label' }),
  },
  {
    name: 'a form that merges what others save',
    path: '/settings',
    find: (page) => page.getByLabel('Description'),
  },
  {
    name: 'a name that the key follows, in the property dialog',
    path: '/features/:feature',
    open: (page) => page.getByRole('button', { name: 'Add a property' }).click(),
    find: (page) => page.getByRole('dialog').getByLabel('Name'),
  },
  {
    name: 'a field with suggestions of the server, for a run of a workflow',
    path: '/workflows/:workflow/code',
    find: (page) => page.getByPlaceholder('ada@example.com'),
  },
  {
    name: 'a JSON body, for a run of a workflow',
    path: '/workflows/:workflow/code',
    open: (page) =>
      page.getByRole('form', { name: 'Run' }).getByRole('radio', { name: 'Input' }).check({ force: true }),
    find: (page) => page.getByRole('textbox', { name: 'Input', exact: true }),
  },
  {
    name: 'the palette, which searches the console and the server',
    path: '/settings',
    open: async (page) => {
      // Its shortcut works once the page is there.
      await expect(page.getByLabel('Description')).toBeVisible();
      await page.keyboard.press('Control+k');
    },
    find: (page) => page.getByPlaceholder('Go to a page'),
  },
];

for (const { name, path, open, find, inAddress } of FIELDS) {
  test(`no key is lost in ${name}`, async ({ page }) => {
    test.slow();
    const feature: Feature = await makeFeature(page, 'Data exports', 'files', [label]);
    const { planId } = await makePlan(page, 'Professional', 'pro');
    const workflow = await organisation.api<Workflow>(page, 'POST', '/workflows', {
      name: 'Trial',
      type: 'dynamic-provisioning',
    });
    const ids: Record<string, string> = { plan: planId, feature: feature.id, workflow: workflow.id };
    const itsPath = path.replace(/:(\w+)/g, (_, kind: string) => ids[kind] ?? '');
    await page.goto(`/o/${organisation.id}${itsPath}`);
    await open?.(page);
    const field = find(page);
    await expect(field).toBeVisible();
    const longest = Number((await field.getAttribute('maxlength')) ?? TEXT.length);
    const text = TEXT.slice(0, longest).trim();
    await onSlowProcessor(page, async () => {
      // A search in the URL runs in pauses: keys also arrive while the router is on its way.
      for (const pauseMs of inAddress === undefined ? PAUSES_MS : [...PAUSES_MS, 260]) {
        const typed = pauseMs > 200 ? text.slice(0, 30) : text;
        await field.fill('');
        await typeFast(page, typed, pauseMs);
        await expect(field, `with ${pauseMs} ms a key`).toHaveValue(typed);
        if (inAddress === undefined) continue;
        const searched = typed.slice(0, inAddress.length).trim();
        await expect(page).toHaveURL((url) => url.searchParams.get(inAddress.param) === searched);
        await expect(field, `with ${pauseMs} ms a key, once it is in the URL`).toHaveValue(typed);
      }
    });
  });
}
