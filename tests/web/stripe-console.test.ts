// Stripe in the console: next connect step, staged product changes, plans granted by products.
import { describe, expect, test } from 'vitest';
import type { Plan, ProductMapping } from '#contracts/console/plans';
import {
  type AvailableProduct,
  type StripeIntegration,
  type SyncJob,
  type SyncType,
  WEBHOOK_PROBLEMS,
  type WebhookProblem,
} from '#contracts/console/stripe';
import { connectSteps, nextConnectStep } from '../../web/domains/integrations/stripe/connect-steps.ts';
import { plansByProduct, plansOfCustomer } from '../../web/domains/integrations/stripe/linked-plans.ts';
import {
  nextStepLabel,
  syncLabel,
  syncSummary,
} from '../../web/domains/integrations/stripe/stripe-labels.ts';
import { webhookProblems, webhookState } from '../../web/domains/integrations/stripe/webhook-health.ts';
import { choosableProducts, isProductFound } from '../../web/domains/plans/products/linked-products.ts';
import {
  NOTHING_STAGED,
  productKey,
  stagedChanges,
  toggleProduct,
} from '../../web/domains/plans/products/staged-products.ts';
import { isComplete, type QuickstartFacts, quickstartSteps } from '../../web/domains/quickstart/steps.ts';

const job = (type: SyncType, status: SyncJob['status'], further: Partial<SyncJob> = {}): SyncJob => ({
  id: `sync_${type}`,
  type,
  status,
  processed: 5,
  failed: 0,
  startedAt: 1,
  finishedAt: 2,
  error: null,
  waitsUntil: null,
  ...further,
});

const both = (status: SyncJob['status']) => [job('stripe-customer', status), job('stripe-product', status)];

const integrationWith = (changes: Partial<StripeIntegration>): StripeIntegration => ({
  id: 'stripe_1',
  name: 'Acme',
  description: null,
  accountId: 'acct_1',
  testMode: true,
  maskedKey: 'sk_test_…1234',
  hasWebhook: true,
  webhookManuallyAdded: false,
  webhook: { url: 'https://tessera.example/hook', events: [] },
  webhookHealth: null,
  subscriptionPolicy: {
    pastDueDays: null,
    keepsPaused: true,
    keepsUnpaid: false,
    grantsCardlessTrials: true,
  },
  initialSyncSkipped: false,
  quickstartWaitForEventSkipped: false,
  quickStart: false,
  userIdKey: null,
  userIdsReady: true,
  firstEventAt: null,
  lastEventAt: null,
  lastSyncJobReport: null,
  lastSyncJobTime: null,
  syncJobs: [],
  customerCount: 0,
  productCount: 0,
  trouble: null,
  createdAt: 1,
  updatedAt: 1,
  ...changes,
});

const NO_QUICKSTART: QuickstartFacts = {
  stripe: null,
  hasJwtIntegration: false,
  isJwtSkipped: false,
  hasUsage: false,
  isFinished: false,
};

const next = (changes: Partial<StripeIntegration>, hasUsage = false) =>
  nextConnectStep(connectSteps(integrationWith(changes), hasUsage))?.id;

describe('connecting goes on where it was left:', () => {
  test.each<[string, string | undefined, Partial<StripeIntegration>]>([
    ['without a webhook at the webhook', 'webhook', { hasWebhook: false, syncJobs: both('finished') }],
    ['before any sync at the sync', 'sync', {}],
    ['while a sync runs there', 'sync', { syncJobs: both('running') }],
    ['with one of the two synced there', 'sync', { syncJobs: [job('stripe-customer', 'finished')] }],
    ['after a sync that failed there', 'sync', { syncJobs: both('failed') }],
    ['after an event that came before any sync there', 'sync', { firstEventAt: 9 }],
    ['after the sync at the event', 'event', { syncJobs: both('finished') }],
    ['with the sync left out at the event', 'event', { initialSyncSkipped: true }],
    ['with all done nowhere', undefined, { syncJobs: both('finished'), firstEventAt: 9 }],
    [
      'with all left out nowhere',
      undefined,
      { initialSyncSkipped: true, quickstartWaitForEventSkipped: true },
    ],
    ['with a sync that fails later nowhere', undefined, { syncJobs: both('failed'), firstEventAt: 9 }],
  ])('%s', (_, expected, changes) => {
    expect(next(changes)).toBe(expected);
  });

  test('and begins with the key', () => {
    expect(nextConnectStep(connectSteps(null, true))?.id).toBe('key');
    expect(nextStepLabel(integrationWith({ hasWebhook: false }), true)).toBe('Create the webhook');
  });
});

describe('the quick start and the integration agree on the wait for an event:', () => {
  test.each<[string, boolean, Partial<StripeIntegration>, boolean]>([
    ['open while nothing has happened', false, {}, false],
    ['done after an event', true, { firstEventAt: 9 }, false],
    ['done with usage', true, {}, true],
    ['done where it was left out', true, { quickstartWaitForEventSkipped: true }, false],
  ])('%s', (_, isOver, changes, hasUsage) => {
    const stripe = integrationWith({ syncJobs: both('finished'), ...changes });
    const step = quickstartSteps({ ...NO_QUICKSTART, stripe, hasUsage }).find(
      ({ id }) => id === 'webhook-wait',
    );
    expect(step && isComplete(step)).toBe(isOver);
    expect(nextStepLabel(stripe, hasUsage)).toBe(isOver ? null : 'Wait for the first event');
  });

  test('usage says nothing about a sync that failed', () => {
    expect(next({ syncJobs: both('failed') }, true)).toBe('sync');
  });
});

test('a webhook with a problem in Stripe needs attention, and says which', () => {
  const withProblems = (...problems: WebhookProblem[]) =>
    integrationWith({ webhookHealth: { problems, apiVersion: null, checkedAt: 1 } });
  expect(webhookState(withProblems())).toEqual({ label: 'Created in Stripe', tone: 'good' });
  for (const problem of WEBHOOK_PROBLEMS) {
    expect(webhookState(withProblems(problem)).tone).toBe('bad');
    expect(webhookProblems(withProblems(problem))[0]).toMatch(/^[A-Z].+\.$/);
  }
  expect(webhookProblems(withProblems('disabled', 'events'))).toHaveLength(2);
});

test('a sync says whether it runs, waits or failed, the worst first', () => {
  expect(syncLabel(undefined).label).toBe('Never run');
  expect(syncLabel(job('stripe-customer', 'running', { waitsUntil: 9 })).label).toBe('Waiting for Stripe');
  expect(syncLabel(job('stripe-customer', 'finished', { failed: 2 })).label).toBe('Finished with failures');
  const mixed = [job('stripe-customer', 'finished'), job('stripe-product', 'failed')];
  expect(syncSummary({ syncJobs: mixed }).label).toBe('Sync failed');
  expect(syncSummary({ syncJobs: both('running') })).toMatchObject({ label: 'Syncing', isRunning: true });
});

const gold: ProductMapping = { integrationId: 'stripe_1', productId: 'prod_gold' };
const silver: ProductMapping = { integrationId: 'stripe_1', productId: 'prod_silver' };
const keys = (...products: ProductMapping[]) => new Set(products.map(productKey));

describe('what is staged of the products of a plan', () => {
  test('is applied together, and toggling what is staged cancels it', () => {
    const linked = keys(gold);
    let staged = toggleProduct(NOTHING_STAGED, linked, gold);
    staged = toggleProduct(staged, linked, silver);
    expect(stagedChanges(staged, linked, [gold, silver])).toEqual({
      added: [silver],
      removed: [gold],
      changed: [],
    });
    staged = toggleProduct(staged, linked, gold);
    expect(stagedChanges(staged, linked, [gold, silver])).toEqual({
      added: [silver],
      removed: [],
      changed: [],
    });
    expect(toggleProduct(staged, linked, silver)).toEqual(NOTHING_STAGED);
  });

  test('keeps its meaning when somebody else has done it meanwhile', () => {
    const staged = toggleProduct(NOTHING_STAGED, keys(), gold);
    expect(stagedChanges(staged, keys(gold), [gold, silver])).toEqual({
      added: [],
      removed: [],
      changed: [],
    });
  });
});

test('a product and its prices are staged apart, and a linked one can count times its quantity', () => {
  const price = { ...gold, priceId: 'price_1', priceName: '£18.00 / month' };
  const products = choosableProducts(
    [gold, price],
    [available(gold, 'Gold')],
    new Map([
      [productKey(gold), ['price_1', 'price_2'].map((priceId) => ({ priceId, name: priceId, active: true }))],
    ]),
  );
  expect(products.map(({ priceId, priceName }) => [priceId, priceName])).toEqual([
    [undefined, undefined],
    ['price_1', '£18.00 / month'],
    ['price_2', 'price_2'],
  ]);
  const linked = keys(gold, price);
  const second = products[2]!;
  const staged = toggleProduct(toggleProduct(NOTHING_STAGED, linked, price), linked, second);
  const times = new Map([gold, price, second].map((each) => [productKey(each), true]));
  expect(stagedChanges(staged, linked, products, times)).toEqual({
    added: [{ ...gold, priceId: 'price_2', timesQuantity: true }],
    removed: [{ ...gold, priceId: 'price_1' }],
    changed: [{ ...gold, timesQuantity: true }],
  });
});

const available = (mapping: ProductMapping, name: string): AvailableProduct => ({
  ...mapping,
  name,
  testMode: true,
  integrationName: 'Acme',
  active: true,
});

test('the dialog offers products by name, and last linked products that Stripe no longer has', () => {
  const gone = { integrationId: 'stripe_1', productId: 'prod_gone' };
  const products = choosableProducts([gone, gold], [available(silver, 'Silver'), available(gold, 'Gold')]);
  expect(products.map(({ productId }) => productId)).toEqual(['prod_gold', 'prod_silver', 'prod_gone']);
  const found = (search: string) => products.filter((product) => isProductFound(product, search)).length;
  expect([found(''), found('silver'), found('prod_g'), found('acme'), found('none')]).toEqual([
    3, 1, 2, 2, 0,
  ]);
});

test('the plans of a customer are those of products that a subscription grants, each once', () => {
  const plan = (planId: string, ...products: ProductMapping[]) =>
    ({ planId, name: planId, grantProductMappings: products }) as unknown as Plan;
  const elsewhere = { integrationId: 'stripe_2', productId: 'prod_gold' };
  const linked = plansByProduct(
    [plan('both', gold, silver), plan('gold', gold), plan('other', elsewhere)],
    'stripe_1',
  );
  const subscription = (status: 'active' | 'past_due' | 'canceled' | 'unknown', productId: string) => ({
    id: `sub_${productId}`,
    status,
    isGranting: status === 'active' || status === 'past_due',
    productIds: [productId],
  });
  const plansWith = (...subscriptions: ReturnType<typeof subscription>[]) =>
    plansOfCustomer({ subscriptions }, linked).map(({ planId }) => planId);
  expect(plansWith(subscription('active', 'prod_gold'), subscription('past_due', 'prod_silver'))).toEqual([
    'both',
    'gold',
  ]);
  expect(plansWith(subscription('canceled', 'prod_gold'), subscription('unknown', 'prod_gold'))).toEqual([]);
});
