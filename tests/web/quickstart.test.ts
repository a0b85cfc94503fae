// The quick start: how its steps are derived, which of them can be opened, and the steps after it.
import { describe, expect, test, vi } from 'vitest';
import type { WarningCode } from '#contracts/public/warnings';
import { allowedCount, allowedLabel } from '../../web/domains/quickstart/allowed-features.ts';
import {
  firstStepsOf,
  nextFirstStep,
  type Progress,
  targetOf,
} from '../../web/domains/quickstart/first-steps.ts';
import { hideCard, isCardHidden } from '../../web/domains/quickstart/hidden-card.ts';
import { checkIdentity, isTokenRefused, requestOf } from '../../web/domains/quickstart/identity.ts';
import { missingPart, seenIn } from '../../web/domains/quickstart/missing-part.ts';
import {
  completedCount,
  currentStep,
  type QuickstartFacts,
  quickstartSteps,
  type StepId,
} from '../../web/domains/quickstart/steps.ts';
import { canOpen, statusOnLeaving, stepOf } from '../../web/domains/quickstart/wizard.ts';
import type { CheckedTemplate } from '../../web/domains/templates/kept-template.ts';
import { forgetTemplate, keepTemplate, readTemplate } from '../../web/domains/templates/kept-template.ts';
import { stubStorage } from './stub-storage.ts';

const nothing: QuickstartFacts = {
  stripe: null,
  hasJwtIntegration: false,
  isJwtSkipped: false,
  hasUsage: false,
  isFinished: false,
};
const connected = {
  hasWebhook: true,
  initialSyncSkipped: false,
  quickstartWaitForEventSkipped: false,
  firstEventAt: null,
  syncJobs: [],
};
const running = { status: 'running' } as const;
const finished = { status: 'finished' } as const;
const failed = { status: 'failed' } as const;

const statusOf = (id: StepId, facts: Partial<QuickstartFacts>) =>
  quickstartSteps({ ...nothing, ...facts }).find((step) => step.id === id)?.status;

describe('the status of', () => {
  test('the connection, and the webhook below it', () => {
    expect(statusOf('create-stripe', {})).toBe('not-started');
    expect(statusOf('create-stripe', { stripe: connected })).toBe('done');
    expect(statusOf('manual-webhook-stripe', { stripe: { ...connected, hasWebhook: false } })).toBe(
      'not-started',
    );
    expect(statusOf('manual-webhook-stripe', { stripe: connected })).toBe('done');
  });

  test.each([
    ['not-started', {}],
    ['skipped', { initialSyncSkipped: true }],
    ['in-progress', { syncJobs: [running], initialSyncSkipped: true }],
    ['in-progress-done', { syncJobs: [finished, running] }],
    ['done', { syncJobs: [finished, failed], initialSyncSkipped: true }],
    ['not-started', { syncJobs: [failed] }],
  ] as const)('the sync is %s with %o', (status, change) => {
    expect(statusOf('sync-account', { stripe: { ...connected, ...change } })).toBe(status);
  });

  test('the wait for an event', () => {
    const waitOf = (change: object) => statusOf('webhook-wait', { stripe: { ...connected, ...change } });
    expect(statusOf('webhook-wait', {})).toBe('not-started');
    expect(statusOf('webhook-wait', { hasUsage: true })).toBe('not-started');
    expect(waitOf({ hasWebhook: false })).toBe('not-started');
    expect(waitOf({})).toBe('in-progress');
    expect(waitOf({ quickstartWaitForEventSkipped: true })).toBe('skipped');
    expect(waitOf({ firstEventAt: 1, quickstartWaitForEventSkipped: true })).toBe('done');
    expect(statusOf('webhook-wait', { stripe: connected, hasUsage: true })).toBe('done');
  });

  test('the token step, and the call', () => {
    expect(statusOf('jwt', {})).toBe('not-started');
    expect(statusOf('jwt', { isJwtSkipped: true })).toBe('skipped');
    expect(statusOf('jwt', { isJwtSkipped: true, hasJwtIntegration: true })).toBe('done');
    expect(statusOf('api', {})).toBe('not-started');
    expect(statusOf('api', { isFinished: true })).toBe('done');
  });
});

describe('the current step', () => {
  const current = (facts: Partial<QuickstartFacts>, isWaitingForSync?: boolean) =>
    currentStep(quickstartSteps({ ...nothing, ...facts }), isWaitingForSync);
  const all = { ...connected, initialSyncSkipped: true, quickstartWaitForEventSkipped: true };

  test('is the first that is not started or in progress, otherwise the call', () => {
    expect(current({})).toBe('create-stripe');
    expect(current({ stripe: { ...connected, hasWebhook: false } })).toBe('manual-webhook-stripe');
    expect(current({ stripe: connected })).toBe('sync-account');
    expect(current({ stripe: { ...connected, syncJobs: [running] } })).toBe('sync-account');
    expect(current({ stripe: { ...connected, syncJobs: [finished, running] } })).toBe('webhook-wait');
    expect(current({ stripe: { ...all, quickstartWaitForEventSkipped: false } })).toBe('webhook-wait');
    expect(current({ stripe: all })).toBe('jwt');
    expect(current({ stripe: all, isJwtSkipped: true })).toBe('api');
    expect(current({ stripe: all, isJwtSkipped: true, isFinished: true })).toBe('api');
  });

  test('is not the sync once the user no longer waits for it', () => {
    expect(current({ stripe: { ...connected, syncJobs: [running] } }, false)).toBe('webhook-wait');
  });
});

test('completed counts five steps, done or skipped, and never the webhook', () => {
  expect(completedCount(quickstartSteps(nothing))).toBe(0);
  expect(completedCount(quickstartSteps({ ...nothing, stripe: connected }))).toBe(1);
  expect(completedCount(quickstartSteps({ ...nothing, isJwtSkipped: true }))).toBe(1);
  const stripe = { ...connected, syncJobs: [finished, running], quickstartWaitForEventSkipped: true };
  expect(
    completedCount(quickstartSteps({ ...nothing, stripe, hasJwtIntegration: true, isFinished: true })),
  ).toBe(5);
});

test('until Stripe is connected, only the first and the current step can be opened', () => {
  const openable = (facts: QuickstartFacts, current: StepId) => {
    const steps = quickstartSteps(facts);
    return steps.filter(({ id }) => canOpen(steps, id, current)).map(({ id }) => id);
  };
  expect(openable(nothing, 'create-stripe')).toEqual(['create-stripe']);
  expect(openable(nothing, 'jwt')).toEqual(['create-stripe', 'jwt']);
  expect(openable({ ...nothing, stripe: connected }, 'sync-account')).toHaveLength(6);
  expect(stepOf(quickstartSteps(nothing), 'jwt')?.title).toBe('4. Configure JWT');
  expect(stepOf(quickstartSteps(nothing), '__proto__')).toBeNull();
});

test('finished is final, and a skip does not undo a dismissal', () => {
  expect(
    [null, 'paused', 'dismissed', 'finished'].map((stored) => statusOnLeaving(stored as never, 'paused')),
  ).toEqual(['paused', 'paused', null, null]);
  expect(statusOnLeaving('dismissed', 'finished')).toBe('finished');
  expect(statusOnLeaving('finished', 'finished')).toBeNull();
});

test('the card is hidden for one organisation, and never where storage is blocked', () => {
  stubStorage();
  hideCard('org_1');
  expect([isCardHidden('org_1'), isCardHidden('org_2')]).toEqual([true, false]);
  vi.stubGlobal('localStorage', undefined);
  hideCard('org_1');
  expect(isCardHidden('org_1')).toBe(false);
  vi.unstubAllGlobals();
});

test('a chosen example is kept per organisation, without its keys; an edited storage keeps none', () => {
  const stored = stubStorage();
  const production = { id: 'env_1', name: 'Production', type: 'live' as const, keyId: 'key_1' };
  const chosen: Omit<CheckedTemplate, 'environments'> = {
    template: 'seats',
    customer: 'example-acme',
    customerWithoutPlan: 'example-globex',
    checks: [{ feature: 'seats', featureName: 'Seats', denial: 'limit-reached' }],
    answers: { seats: { allowed: false, reason: 'limit-reached', properties: {} } },
  };
  keepTemplate('org_1', { ...chosen, environments: [{ ...production, secretKey: 'tsr_sec_1' }] });
  expect(JSON.stringify([...stored])).not.toContain('tsr_sec_');
  expect(readTemplate('org_1')).toEqual({ ...chosen, environments: [{ ...production, secretKey: '' }] });
  expect(readTemplate('org_2')).toBe(null);
  forgetTemplate('org_1');
  expect(readTemplate('org_1')).toBe(null);
  for (const edited of ['{', '{}', '{"checks":[],"answers":{},"environments":[]}', '7']) {
    stored.set('example:org_1', edited);
    expect(readTemplate('org_1'), edited).toBe(null);
  }
  vi.unstubAllGlobals();
});

test('a response leads to the first part that is missing, or to nothing', () => {
  const all = { features: 1, plans: 1, versions: 1, isDeployed: true };
  const response = { hasVersion: true, hasPlan: true, customer: 'ada@example.com' };
  expect(missingPart(all, response)).toBe(null);
  expect(missingPart({ ...all, features: 0, plans: 0 }, { ...response, hasVersion: false })).toBe('feature');
  expect(missingPart({ ...all, plans: 0, versions: 0 }, response)).toBe('plan');
  expect(missingPart({ ...all, versions: 0 }, { ...response, hasPlan: false })).toBe('link');
  expect(missingPart(all, { ...response, hasPlan: false, customer: null })).toBe(null);
  // An environment without a version.
  const empty = { hasVersion: false, hasPlan: false, customer: 'ada@example.com' };
  expect(missingPart({ ...all, versions: 0, isDeployed: false }, empty)).toBe('version');
  expect(missingPart({ ...all, isDeployed: false }, empty)).toBe('deployment');
});

test('a response that allows nothing is no reason to celebrate', () => {
  const [allowed, denied] = [{ allowed: true }, { allowed: false }];
  expect(allowedCount({})).toBe(0);
  expect(allowedCount({ sso: denied })).toBe(0);
  expect(allowedCount({ sso: denied, seats: allowed })).toBe(1);
  expect(allowedLabel({ sso: denied, seats: allowed })).toBe('Allowed: 1 of 2 features.');
  expect(allowedLabel({ sso: denied })).toBe('Allowed: 0 of 1 feature.');
  expect(allowedLabel({})).toBe('');
});

test('what a recorded call returned is read whatever it is', () => {
  const seen = (response: unknown, environmentType: 'preview' | 'live' = 'live') =>
    seenIn({
      response,
      environmentType,
      detail: { countryCode: null, city: null, continent: null, planSlugs: ['team'] },
      subjectIdentifier: 'ada@example.com',
    });
  const found = { hasVersion: true, hasPlan: true, customer: 'ada@example.com' };
  expect(seen({ features: { sso: {} } })).toEqual(found);
  expect(seen({ features: {} }, 'preview')).toEqual(found);
  for (const other of [null, 'text', {}, { features: null }, { features: {} }])
    expect(seen(other).hasVersion).toBe(false);
});

test('the call needs an input of two characters, and sends an identifier or a token', () => {
  const values = { kind: 'identifier', input: ' a ', apiKeyType: 'secret' } as const;
  expect(checkIdentity(values)).toEqual({ input: 'Input must be at least 2 characters.' });
  expect(checkIdentity({ ...values, input: 'ab' })).toEqual({});
  expect(checkIdentity({ ...values, input: 'a'.repeat(201) }).input).toMatch(/200/);
  expect(requestOf({ kind: 'identifier', input: ' ada@example.com ' })).toEqual({
    userIdentifier: 'ada@example.com',
  });
  expect(requestOf({ kind: 'jwt', input: 'eyJ.a.b' })).toEqual({ userJwt: 'eyJ.a.b' });
});

test('a token that was not accepted is told from a customer that was not found', () => {
  const warnings = (...codes: WarningCode[]) => codes.map((code) => ({ code }));
  expect(isTokenRefused(warnings('jwt-malformed'))).toBe(true);
  expect(isTokenRefused(warnings('snapshot-stale', 'jwt-expired'))).toBe(true);
  expect(isTokenRefused(warnings('snapshot-stale', 'customer-facts-stale'))).toBe(false);
});

const empty: Progress = {
  features: 0,
  plans: 0,
  versions: 0,
  environments: [{ id: 'env_preview', type: 'preview' }],
  deployments: [{ environmentType: 'preview', artifactId: 'art_head' }],
  keys: 0,
};
const doneOf = (progress: Progress) =>
  firstStepsOf(progress)
    .filter(({ isDone }) => isDone)
    .map(({ id }) => id);

test('a new organisation with only its preview environment has done no step', () => {
  expect(doneOf(empty)).toEqual([]);
  expect(nextFirstStep(firstStepsOf(empty))?.id).toBe('feature');
});

test('steps complete independently, in any order', () => {
  expect(doneOf({ ...empty, plans: 1, keys: 2 })).toEqual(['plan', 'key']);
  const deployed = { environmentType: 'deployable', artifactId: 'art_1' } as const;
  const all = { ...empty, features: 1, plans: 1, versions: 1, keys: 1, deployments: [deployed] };
  expect(doneOf(all)).toHaveLength(5);
  expect(nextFirstStep(firstStepsOf(all))).toBeUndefined();
});

test('an environment that runs nothing is not deployed', () => {
  expect(doneOf({ ...empty, deployments: [{ environmentType: 'deployable', artifactId: null }] })).toEqual(
    [],
  );
});

test('the deploy step adds an environment until one is deployable', () => {
  const actionOf = (progress: Progress) => firstStepsOf(progress).find(({ id }) => id === 'deploy')?.action;
  expect(actionOf(empty)).toBe('Add an environment');
  const live = { id: 'env_live', type: 'live' as const };
  expect(actionOf({ ...empty, environments: [...empty.environments, live] })).toBe('Deploy');
  expect(targetOf([...empty.environments, live])).toBe(live);
  expect(targetOf(empty.environments)).toBeUndefined();
});
