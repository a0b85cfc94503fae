// What a meter costs of another: set in its dialog, with errors beside the field.
import type { Page } from '@playwright/test';
import type { Feature, FeatureProperty } from '#contracts/console/features';
import { expectAccessible } from './support/expect-accessible.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Cosima Costs', 'Credit Works');
const { api } = organisation;

const makeMeter = (page: Page, feature: Feature, name: string, propertyKey: string) =>
  api<FeatureProperty>(page, 'POST', `/features/${feature.id}/properties`, {
    ...{ name, propertyKey, type: 'meterable', value: { state: 'on' } },
  });

test('a plan says what each one costs instead of the property', async ({ page }) => {
  const bank = await api<Feature>(page, 'POST', '/features', { name: 'Bank', slug: 'bank' });
  const images = await api<Feature>(page, 'POST', '/features', { name: 'Images', slug: 'images' });
  const { id: propertyId } = await makeMeter(page, bank, 'Credits', 'credits');
  const generations = await makeMeter(page, images, 'Generations', 'generations');
  const costs = { propertyId, per: 4 };
  await api(page, 'PUT', `/features/${images.id}/properties/${generations.id}`, { costs });
  const { planId } = await api<{ planId: string }>(page, 'POST', '/plans', {
    name: 'Business',
    slug: 'business',
  });
  await api(page, 'PUT', `/plans/${planId}/versions/1`, {
    properties: { [images.id]: [{ id: generations.id, type: 'meterable', value: { state: 'on' } }] },
  });
  await page.goto(`/o/${organisation.id}/plans/${planId}/edit-features`);
  const per = page.getByRole('textbox', { name: 'What each one costs of Images: Generations' });
  await expect(per).toHaveAttribute('placeholder', '4');
  await per.fill('3');
  await expect(page.getByText(/^of .+ › .+, instead of 4$/)).toBeVisible();
  await expectAccessible(page, 'the costs of a plan');
  await page.getByRole('button', { name: 'Update Plan' }).click();
  await expect(page.getByText('costs 3 each')).toBeVisible();
});

test('a meter costs a part of another, and nothing again', async ({ page }) => {
  const ai = await api<Feature>(page, 'POST', '/features', { name: 'AI calls', slug: 'ai-calls' });
  const chat = await api<Feature>(page, 'POST', '/features', { name: 'Chat', slug: 'chat' });
  const credits = await makeMeter(page, ai, 'Credits', 'credits');
  await makeMeter(page, chat, 'Tokens', 'tokens');
  const costsOf = async () => (await api<Feature>(page, 'GET', `/features/${chat.id}`)).properties[0]?.costs;
  await page.goto(`/o/${organisation.id}/features/${chat.id}`);
  const open = () => page.getByRole('button', { name: 'Tokens', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Tokens' });
  const payer = dialog.getByRole('combobox', { name: 'What pays' });
  const per = dialog.getByRole('textbox', { name: 'How much each one costs' });
  const save = dialog.getByRole('button', { name: 'Save changes' });

  await open();
  await payer.click();
  await expect(page.getByRole('option')).toHaveText(['Nothing', 'AI calls › Credits']);
  await page.getByRole('option', { name: 'AI calls › Credits' }).click();
  await per.fill('0.1234');
  await save.click();
  await expect(dialog.getByText('Must have at most three decimal places')).toBeVisible();
  await expect(per).toHaveAttribute('aria-invalid', 'true');
  await per.fill('0.25');
  await expectAccessible(page, 'the costs of a meter');
  await save.click();
  await expect(dialog).toBeHidden();
  expect(await costsOf()).toEqual({ propertyId: credits.id, per: 0.25 });

  await open();
  await expect(per).toHaveValue('0.25');
  await payer.click();
  await page.getByRole('option', { name: 'Nothing' }).click();
  await save.click();
  await expect(dialog).toBeHidden();
  expect(await costsOf()).toBeNull();
});
