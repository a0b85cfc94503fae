// What visitors do, and what the console is made to read, before a screenshot.
import type { Page, Route } from '@playwright/test';
import type { Act } from './shot.ts';

const PATIENCE_MS = 8000;

/** Clicks these buttons or items of menus, one after the other. */
export const press =
  (...names: readonly (string | RegExp)[]): Act =>
  async (page) => {
    for (const name of names) {
      const button = page.getByRole('button', { name }).or(page.getByRole('menuitem', { name }));
      await button.filter({ visible: true }).first().click({ timeout: PATIENCE_MS });
    }
  };

/** Clicks this button of the open dialog: what opened it may have the same name, and be there still. */
export const confirm =
  (name: string | RegExp): Act =>
  (page) =>
    page.getByRole('dialog').getByRole('button', { name }).click({ timeout: PATIENCE_MS });

export const all =
  (...acts: readonly Act[]): Act =>
  async (page) => {
    for (const act of acts) await act(page);
  };

export const key =
  (name: string): Act =>
  (page) =>
    page.keyboard.press(name);

/** Types into the field with this label. */
export const type =
  (label: string, text: string): Act =>
  (page) =>
    page.getByLabel(label, { exact: true }).fill(text, { timeout: PATIENCE_MS });

export const endsWith =
  (path: RegExp) =>
  ({ pathname }: URL) =>
    path.test(pathname);

type Saved = Readonly<Record<string, unknown>>;

/** Answers saves at this address without a call. @param answer of what is saved, and of the item as it is */
export const answerSaves =
  (
    matches: (url: URL) => boolean,
    answer: (body: Saved, current: Saved) => NonNullable<Parameters<Route['fulfill']>[0]>,
  ): Act =>
  async (page) => {
    await page.route(matches, async (route) => {
      const request = route.request();
      if (request.method() !== 'PUT') return route.fallback();
      const current = await (await page.request.get(request.url().replace(/\?.*/, ''))).json();
      return route.fulfill(answer(request.postDataJSON() as Saved, current as Saved));
    });
  };

/** A response that shows what somebody else saved meanwhile. */
export const conflict = (current: object) => ({
  status: 409,
  json: { errorType: 'conflict', message: 'Changed', requestId: 'req_1', current },
});

/** Loads the page with another response to reads of this address: nothing is saved. */
export const readAs =
  (matches: (url: URL) => boolean, change: (body: never, page: Page) => unknown): Act =>
  async (page) => {
    await page.route(matches, async (route) => {
      if (route.request().method() !== 'GET') return route.fallback();
      // A call that is cut off fails this picture, not all that follow.
      const response = await route.fetch().catch(() => null);
      if (response === null) return route.abort();
      return route.fulfill({ response, json: await change((await response.json()) as never, page) });
    });
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
