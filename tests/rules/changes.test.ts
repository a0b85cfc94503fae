// Changes are made by worker/queue/change.ts alone: what a use case would have to remember cannot be forgotten.
import { expect, test } from 'vitest';
import { listFiles, readSource } from './source-tree.ts';

/** The parts of a change, which `change` puts together: conditions, audit rows, messages and their announcement. */
const part = /\b(commitIf|tryCommit|auditRow|outboxRow|outboxRestart)\b|\.announce\(/;

/** Who uses a part, and why not `change`. */
const partsElsewhere = new Map([
  ...['email-sign-up', 'password-reset', 'verify-email'].map((name): [string, string] => [
    `auth/${name}.ts`,
    'an account belongs to no organisation and is not audited; Better Auth gives no context',
  ]),
  ...[
    'events/process-events',
    'prices/read-prices',
    'sync/advance-sync',
    'sync/refresh-customer',
    'sync/refresh-product',
    'sync/renew-user-ids',
  ].map((name): [string, string] => [
    `integrations/stripe/${name}.ts`,
    'a consumer stores what Stripe says, with its own progress; nobody changed it here',
  ]),
  [
    'organisations/leave-organisations.ts',
    'one batch leaves every organisation, without bindings to send with',
  ],
  ['publishing/build-head.ts', 'its callers send the message themselves, after what they do with the head'],
  ['webhooks/tell-customers-changed.ts', 'a consumer tells others of what was changed and logged before'],
]);

/** Rows that are published. */
const published =
  /\.(insert|update|delete)\((feature|featureProperty|plan|planVersion|planProduct|workflow|workflowDisablement|apiKey|jwtIntegration|customerGrant|customerOverride|customerBalance)\)/;

const writesElsewhere = new Map([
  [
    'customers/names/rename-customer.ts',
    'builds the statements of a move, which its callers commit with `change`',
  ],
  [
    'customers/entries/end-expired-entries.ts',
    'marks balances that have ended, from which nothing is drawn anyway',
  ],
  ['workflows/retry-workflows.ts', 'when it tries again, which replicas need not know'],
]);

const domainFiles = listFiles(['worker/domains']).map((path) => path.replace('worker/domains/', ''));
const sourceOf = (path: string) => readSource(`worker/domains/${path}`);

test('conditions, audit rows and messages are committed and announced by `change`', () => {
  const found = domainFiles.filter((path) => part.test(sourceOf(path)));
  expect(found).toEqual([...partsElsewhere.keys()].sort());
});

test('rows that are published are written with `change`, which asks what to publish', () => {
  const found = domainFiles.filter((path) => {
    const source = sourceOf(path);
    return published.test(source) && !/\bchange\(/.test(source);
  });
  expect(found).toEqual([...writesElsewhere.keys()].sort());
});

test('a row that gets a version of facts is written by a change that takes one', () => {
  const found = domainFiles.filter((path) => {
    const source = sourceOf(path);
    return /\bfactsVersion\(/.test(source) && !/\btakeFactsVersion\(/.test(source);
  });
  expect(found).toEqual([]);
});
