/** Examples of the calls about customers, and their errors, with the Worker's exact messages. */
import type { Balance } from '#contracts/public/balances';
import type { LedgerAnswer } from '#contracts/public/customer-ledger';
import type { ChangeMade, CustomerAnswer } from '#contracts/public/customers';
import { ACCESS_CHECK_EXAMPLES } from './access-check-examples.ts';
import { exportsMeter, NOW, REQUEST_ID, type Refusal, type Situation } from './example-shapes.ts';
import { invalid, KEY_REUSED, refusal, SHARED_REFUSALS } from './refusal-examples.ts';

type Examples = Readonly<Record<string, Situation<unknown, unknown>>>;

const CUSTOMER = 'acme-42';
const PATH = `/api/v1/customers/${CUSTOMER}`;
const REASON = 'Invoice 2026-118';
const YEAR_END = Date.UTC(2027, 0, 1);

const UNKNOWN = refusal('An unknown customer', 'customer-unknown', 'The customer could not be found');

const made = (more: Partial<ChangeMade> = {}) => ({
  status: 'success',
  requestId: REQUEST_ID,
  customer: CUSTOMER,
  changed: true,
  replayed: false,
  ...more,
});

const COST = { currency: 'usd', amountMinor: 2000 };

const balanceOf = (used: number): Balance => ({
  id: 'invoice-118',
  feature: 'data-exports',
  property: 'exports',
  amount: 10_000,
  takenBack: 0,
  used,
  remaining: 10_000 - used,
  state: 'active',
  category: 'paid',
  source: { kind: 'api' },
  startsAt: NOW,
  endsAt: YEAR_END,
  priority: 50,
  needsPlan: false,
  paysOverage: false,
  frozen: false,
  costBasis: COST,
  reason: REASON,
  createdAt: NOW,
});

const SAME = {
  summary: 'Nothing to change',
  description:
    'The customer is as requested already, so changed is false. Safe to repeat without an idempotency key.',
  key: 'secret',
} as const;

const access = ACCESS_CHECK_EXAMPLES.registeredUser?.answer as CustomerAnswer['access'];

export const CUSTOMER_EXAMPLES = {
  readCustomer: {
    read: {
      summary: 'Read a customer',
      description:
        'What was granted and overridden, its subscriptions, and what an access check answers now.',
      key: 'secret',
      path: PATH,
      answer: {
        status: 'success',
        requestId: REQUEST_ID,
        customer: {
          id: CUSTOMER,
          name: 'Acme Ltd',
          email: 'billing@acme.example',
          userId: 'user_2042',
          createdAt: NOW,
        },
        grants: [{ plan: 'team', reason: REASON, until: YEAR_END, createdAt: NOW, isActive: true }],
        overrides: [
          {
            feature: 'dashboards',
            property: 'maxDashboards',
            value: 40,
            reason: REASON,
            until: null,
            createdAt: NOW,
          },
        ],
        subscriptions: [],
        access,
      } satisfies CustomerAnswer,
    },
  },
  saveCustomer: {
    create: {
      summary: 'Create a customer',
      description:
        'The email and your own user ID become other names of the customer in calls. The ID is yours: any identifier.',
      key: 'secret',
      path: PATH,
      request: { name: 'Acme Ltd', email: 'billing@acme.example', userId: 'user_2042' },
      answer: made(),
    },
    rename: {
      summary: 'Change the name',
      description: 'Fields that you leave out stay as they are. null removes one.',
      key: 'secret',
      path: PATH,
      request: { name: 'Acme Holding' },
      answer: made(),
    },
    same: { ...SAME, path: PATH, request: { name: 'Acme Holding' }, answer: made({ changed: false }) },
    atStripe: {
      summary: 'Save who pays at Stripe',
      description:
        'A Stripe customer has this ID in its metadata, and shares the email with another one. The email stays as it was.',
      key: 'secret',
      path: '/api/v1/customers/globex-7',
      request: { name: 'Globex', email: 'billing@globex.example' },
      answer: made({ customer: 'globex-7', ignored: ['email'] }),
    },
  },
  grantPlan: {
    grant: {
      summary: 'Grant a plan until a date',
      description: 'Applies within five seconds, in addition to plans by subscription. Ends by itself.',
      key: 'secret',
      path: `${PATH}/grants/team`,
      request: { until: YEAR_END, reason: REASON, idempotencyKey: 'invoice-118' },
      answer: made(),
    },
    retry: {
      summary: 'Retry',
      description: 'The same request with the same key returns the first response with replayed: true.',
      key: 'secret',
      path: `${PATH}/grants/team`,
      request: { until: YEAR_END, reason: REASON, idempotencyKey: 'invoice-118' },
      answer: made({ replayed: true }),
    },
    extend: {
      summary: 'Change the end',
      description: 'Replaces the customer’s grant of the plan in this environment.',
      key: 'secret',
      path: `${PATH}/grants/team`,
      request: { until: null, reason: 'Now without an end' },
      answer: made(),
    },
  },
  revokePlan: {
    revoke: {
      summary: 'Revoke a plan',
      description: 'Plans by subscription stay. Counted usage stays, too.',
      key: 'secret',
      path: `${PATH}/grants/team`,
      answer: made(),
    },
    same: { ...SAME, path: `${PATH}/grants/team`, answer: made({ changed: false }) },
  },
  setOverride: {
    override: {
      summary: 'Override a property',
      description: 'Takes precedence over every plan, and replaces the customer’s override of the property.',
      key: 'secret',
      path: `${PATH}/overrides/dashboards/maxDashboards`,
      request: { value: 40, reason: REASON },
      answer: made(),
    },
    meter: {
      summary: 'Override a meter',
      description: 'A meterable property takes on, off or a limit.',
      key: 'secret',
      path: `${PATH}/overrides/data-exports/exports`,
      request: {
        value: {
          state: 'metered',
          meter: {
            limit: 100,
            periodType: 'rolling',
            periodCount: 1,
            periodLength: 'month',
            uniqueResourceIds: false,
          },
        },
        until: YEAR_END,
        reason: REASON,
      },
      answer: made(),
    },
  },
  removeOverride: {
    remove: {
      summary: 'Remove an override',
      description: 'The value from the customer’s plans applies again.',
      key: 'secret',
      path: `${PATH}/overrides/dashboards/maxDashboards`,
      answer: made(),
    },
    same: { ...SAME, path: `${PATH}/overrides/dashboards/maxDashboards`, answer: made({ changed: false }) },
  },
  listBalances: {
    list: {
      summary: 'List balances',
      description: 'Those that can still be drawn from.',
      key: 'secret',
      path: `${PATH}/balances`,
      query: 'feature=data-exports',
      answer: { status: 'success', requestId: REQUEST_ID, balances: [balanceOf(2150)], nextCursor: null },
    },
  },
  listEntities: {
    list: {
      summary: 'List entities',
      description: 'None yet: no plan of the deployed version limits each entity.',
      key: 'secret',
      path: `${PATH}/entities`,
      query: '',
      answer: { status: 'success', requestId: REQUEST_ID, entities: [], nextCursor: null, warnings: [] },
    },
  },
  deleteEntity: {
    unknown: {
      summary: 'Delete an entity',
      description: 'Nothing was counted for it: no plan of the deployed version limits each entity.',
      key: 'secret',
      path: `${PATH}/entities/user_7`,
      answer: made({ changed: false }),
    },
  },
  readLedger: {
    read: {
      summary: 'Read what was given and used',
      description: 'The balance was given, and then used after the quota of the plans.',
      key: 'secret',
      path: `${PATH}/ledger`,
      query: 'feature=data-exports&property=exports',
      answer: {
        status: 'success',
        requestId: REQUEST_ID,
        lines: [
          {
            at: NOW,
            kind: 'given',
            amount: 10_000,
            balance: 'invoice-118',
            endsAt: YEAR_END,
            costBasis: COST,
            reason: REASON,
          },
        ],
        usageFrom: null,
        nextCursor: null,
      } satisfies LedgerAnswer,
    },
  },
  setBalance: {
    give: {
      summary: 'Give what was bought',
      description: 'Your own ID makes it happen once.',
      key: 'secret',
      path: `${PATH}/balances/invoice-118`,
      request: {
        feature: 'data-exports',
        property: 'exports',
        amount: 10_000,
        category: 'paid',
        endsAt: YEAR_END,
        costBasis: COST,
        reason: REASON,
      },
      answer: made({ balance: balanceOf(0) }),
    },
    freeze: {
      summary: 'Freeze it',
      description: 'As while a payment is disputed: nothing is drawn from it until frozen is false.',
      key: 'secret',
      path: `${PATH}/balances/invoice-118`,
      request: {
        feature: 'data-exports',
        property: 'exports',
        amount: 10_000,
        category: 'paid',
        frozen: true,
        reason: 'Payment disputed',
      },
      answer: made({
        balance: { ...balanceOf(2150), frozen: true, state: 'frozen', reason: 'Payment disputed' },
      }),
    },
    same: {
      ...SAME,
      path: `${PATH}/balances/invoice-118`,
      request: {
        feature: 'data-exports',
        property: 'exports',
        amount: 10_000,
        category: 'paid',
        reason: REASON,
      },
      answer: made({ changed: false, balance: balanceOf(2150) }),
    },
  },
  takeBackBalance: {
    refund: {
      summary: 'Take back what is left',
      description: 'After a refund: 2,150 of 10,000 are used, so 7,850 are taken back.',
      key: 'secret',
      path: `${PATH}/balances/invoice-118/take-back`,
      request: { amount: 10_000, reason: 'Refund of invoice 118', idempotencyKey: 'refund-9' },
      answer: made({
        applied: 7850,
        balance: { ...balanceOf(2150), takenBack: 7850, remaining: 0, state: 'used-up' },
      }),
    },
  },
  correctMeter: {
    correct: {
      summary: 'Adjust usage',
      description: 'Adds to the count, or reduces it with a negative number. Always send an idempotency key.',
      key: 'secret',
      path: `${PATH}/meter-corrections`,
      request: {
        feature: 'data-exports',
        property: 'exports',
        by: 5,
        reason: REASON,
        idempotencyKey: 'fix-7',
      },
      answer: made({ applied: 5, meter: exportsMeter(5) }),
    },
  },
  changeCustomers: {
    batch: {
      summary: 'Change several customers',
      description:
        'Changes of one customer run in order. One that fails stops no other: its result is an error. Give each an idempotency key, and send the batch again after a timeout.',
      key: 'secret',
      path: '/api/v1/customers',
      request: {
        changes: [
          { change: 'save-customer', customer: 'beta-7', name: 'Beta GmbH', idempotencyKey: 'import-1' },
          {
            change: 'grant-plan',
            customer: 'beta-7',
            plan: 'team',
            reason: REASON,
            idempotencyKey: 'import-2',
          },
          { change: 'revoke-plan', customer: 'nobody-9', plan: 'team' },
        ],
      },
      answer: {
        status: 'success',
        requestId: REQUEST_ID,
        results: [made({ customer: 'beta-7' }), made({ customer: 'beta-7' }), UNKNOWN.answer],
      },
    },
  },
} satisfies Readonly<Record<string, Examples>>;

const {
  twoSubjects: _,
  publicKeyUsedUp: __,
  needsSecretKey: ___,
  usageUnavailable,
  ...SHARED
} = SHARED_REFUSALS;
const { notJson, unknownField, tooLarge, notJsonType, ...rest } = SHARED;
/** Of calls without a body that no key's type refuses. */
export const WITHOUT_BODY: Readonly<Record<string, Refusal>> = rest;
const identifierInvalid = invalid('An invalid ID', 'customer', 'Must contain a visible character');
const mayNotChange = refusal(
  'A key without the permission',
  'managing-key-required',
  'Changing customers requires a secret key with the permission to manage customers',
);
const planUnknown = invalid('An unknown plan', 'plan', 'There is no such plan', 'plan-unknown');
const propertyUnknown = invalid(
  'An unknown property',
  'property',
  'There is no such feature or property',
  'property-unknown',
);

const REMOVING = {
  ...WITHOUT_BODY,
  mayNotChange,
  customerUnknown: UNKNOWN,
  identifierInvalid,
  keyReused: KEY_REUSED,
};
export const CHANGING: Readonly<Record<string, Refusal>> = {
  ...REMOVING,
  notJson,
  unknownField,
  tooLarge,
  notJsonType,
};

export const CUSTOMER_REFUSALS = {
  readCustomer: {
    ...WITHOUT_BODY,
    customerUnknown: UNKNOWN,
    identifierInvalid,
    needsSecretKey: refusal('A public key', 'secret-key-required', 'Reading customers requires a secret key'),
  },
  saveCustomer: {
    ...CHANGING,
    stripeCustomer: refusal(
      'A Stripe customer',
      'customer-in-stripe',
      'customer: Is a Stripe customer. Its name and email come from Stripe',
      [{ path: 'customer', message: 'Is a Stripe customer. Its name and email come from Stripe' }],
    ),
    emailTaken: refusal('An email of another customer', 'email-taken', 'email: Belongs to another customer', [
      { path: 'email', message: 'Belongs to another customer' },
    ]),
    notEmail: invalid('An email that is none', 'email', 'Must be an email'),
  },
  grantPlan: {
    ...CHANGING,
    planUnknown,
    past: invalid('An end in the past', 'until', 'Must be in the future', 'until-in-past'),
  },
  revokePlan: { ...REMOVING, planUnknown },
  setOverride: { ...CHANGING, propertyUnknown },
  removeOverride: { ...REMOVING, propertyUnknown },
  listBalances: {
    ...WITHOUT_BODY,
    customerUnknown: UNKNOWN,
    identifierInvalid,
    cursorInvalid: invalid('An invalid cursor', 'cursor', 'Is no nextCursor of this call'),
    needsSecretKey: refusal('A public key', 'secret-key-required', 'Reading customers requires a secret key'),
  },
  listEntities: {
    ...WITHOUT_BODY,
    customerUnknown: UNKNOWN,
    identifierInvalid,
    needsSecretKey: refusal('A public key', 'secret-key-required', 'Reading customers requires a secret key'),
  },
  deleteEntity: { ...REMOVING, usageUnavailable },
  readLedger: {
    ...WITHOUT_BODY,
    customerUnknown: UNKNOWN,
    identifierInvalid,
    propertyUnknown,
    cursorInvalid: invalid('An invalid cursor', 'cursor', 'Is no nextCursor of this call'),
    mayNotRead: refusal(
      'A key that may not',
      'managing-key-required',
      'Reading a ledger requires a secret key with the permission to manage customers',
    ),
  },
  setBalance: {
    ...CHANGING,
    propertyUnknown,
    otherAmount: refusal(
      'Another amount',
      'balance-exists',
      'amount: The balance exists with another amount: 10000, which never changes',
      [{ path: 'amount', message: 'The balance exists with another amount: 10000, which never changes' }],
    ),
    past: invalid('An end in the past', 'endsAt', 'Must be in the future', 'until-in-past'),
  },
  takeBackBalance: {
    ...CHANGING,
    balanceUnknown: refusal('An unknown balance', 'balance-unknown', 'The customer has no such balance'),
    usageUnavailable,
  },
  correctMeter: {
    ...CHANGING,
    propertyUnknown,
    nothing: invalid('A correction by nothing', 'by', 'Must not be 0'),
    usageUnavailable,
  },
  changeCustomers: { ...WITHOUT_BODY, notJson, unknownField, notJsonType, mayNotChange },
} satisfies Readonly<Record<string, Readonly<Record<string, Refusal>>>>;
