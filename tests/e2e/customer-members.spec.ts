// The members of a customer on its page: who has used what, nearest to the limit of each first.
import {
  createFeature,
  createKey,
  createPlan,
  previewOf,
  setPlanValues,
} from '../../dev/workspace/build-workspace.ts';
import { callPublicApi } from './support/call-public-api.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { expectFitting } from './support/expect-fitting.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { idOf } from './support/plan-workspace.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Mia Members', 'Member Works');
const WHO = 'acme';
const CREDITS = { feature: 'models', property: 'credits' };

test('members are listed with what they have used, nearest to their limit first', async ({ page }) => {
  const workspace = organisation.workspace(page);
  const made = await createFeature(workspace, {
    name: 'Models',
    slug: 'models',
    properties: [{ name: 'Credits', propertyKey: 'credits', type: 'meterable', value: { state: 'off' } }],
  });
  const plan = await createPlan(workspace, {
    name: 'Team plan',
    slug: 'team',
    grantToAuthenticatedUsers: true,
  });
  const meter = { limit: 1_000, periodType: 'lifetime', uniqueResourceIds: false } as const;
  const perEntity = { limit: 50, periodType: 'rolling', periodCount: 1, periodLength: 'month' } as const;
  await setPlanValues(workspace, plan, {
    [made.id]: [
      ...made.systemFeatureProperties.map(({ id }) => ({ id, type: 'boolean' as const, value: true })),
      { id: idOf(made, 'credits'), type: 'meterable', value: { state: 'metered', meter, perEntity } },
    ],
  });
  const key = await createKey(workspace, await previewOf(workspace));
  const count = (entityId: string, by: number) =>
    callPublicApi(page, key, { userIdentifier: WHO, entityId, ...CREDITS, by }, { path: 'counter-updates' });
  const credits = async () =>
    (await callPublicApi(page, key, { userIdentifier: WHO, entityId: 'x' })).answer.features?.models
      ?.properties;
  await expect.poll(credits, { timeout: 10_000 }).toMatchObject({ credits: { entity: { limit: 50 } } });

  await page.goto(`/o/${organisation.id}/customers/${WHO}?tab=members`);
  await expect(page.getByText('No members yet')).toBeVisible();
  await count('user_ada', 20);
  await count('user_bob', 55);
  await count('user_cleo_with_a_long_identifier_of_the_application', 45);
  await page.reload();
  const members = page.getByRole('list', { name: 'Members' }).getByRole('listitem');
  await expect(members).toHaveText([
    /user_bob.*55 of 50 used.*0 left/,
    /user_cleo_with_a_long_identifier.*45 of 50 used.*5 left/,
    /user_ada.*20 of 50 used.*30 left/,
  ]);
  await expectAccessible(page, 'the members of a customer');
  await expectFitting(page, 'the members of a customer');

  await page.getByRole('button', { name: 'Actions for user_bob' }).click();
  await page.getByRole('menuitem', { name: 'Delete member…' }).click();
  await page.getByRole('button', { name: 'Delete member', exact: true }).click();
  await expect(members).toHaveCount(2);
});
