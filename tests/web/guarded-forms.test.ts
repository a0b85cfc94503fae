// Unsaved input on a page with several forms: whatever closes them asks about all, once.
import type { Location } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import {
  answerQuestion,
  discardUnsaved,
  type GuardedForm,
  guardForm,
  hasUnsaved,
  isAsked,
  isAsking,
  losesUnsaved,
  mayLeave,
} from '../../web/ui/dialogs/guarded-forms.ts';

const at = (pathname: string, search = '') => ({ pathname, search }) as Location;
const form = (isDirty: boolean, placeOf: GuardedForm['placeOf'] = ({ pathname }) => pathname) => ({
  isDirty: () => isDirty,
  placeOf,
});

afterEach(discardUnsaved);

test('a navigation asks when any form of the page is dirty, whichever appeared last', () => {
  const [description, webhook] = [form(true), form(false)];
  guardForm(description);
  const close = guardForm(webhook);
  expect(losesUnsaved(at('/manage'), at('/products'))).toBe(true);
  expect(losesUnsaved(at('/manage'), at('/manage', '?a=1'))).toBe(false);
  expect([isAsking(description), isAsking(webhook)]).toEqual([true, false]);
  close();
  expect(hasUnsaved()).toBe(true);
});

test('a form that belongs to a parameter of the address is closed by another one', () => {
  guardForm(form(true, ({ search }) => search));
  expect(losesUnsaved(at('/c', '?environment=a'), at('/c', '?environment=b'))).toBe(true);
  expect(losesUnsaved(at('/c', '?environment=a'), at('/c', '?environment=a'))).toBe(false);
});

test('a log-out asks first, stays when told so, and its own navigation passes', async () => {
  expect(await mayLeave()).toBe(true);
  guardForm(form(false));
  expect(await mayLeave()).toBe(true);
  guardForm(form(true));
  const stay = mayLeave();
  expect(isAsked()).toBe(true);
  answerQuestion(false);
  expect(await stay).toBe(false);
  const leave = mayLeave();
  answerQuestion(true);
  expect([await leave, isAsked()]).toEqual([true, false]);
  discardUnsaved();
  expect(losesUnsaved(at('/account'), at('/signin'))).toBe(false);
});

test('a question is withdrawn by a second one, and by the end of the forms', async () => {
  const close = guardForm(form(true));
  const [first, second] = [mayLeave(), mayLeave()];
  expect(await first).toBe(false);
  close();
  expect([await second, isAsked()]).toEqual([true, false]);
});
