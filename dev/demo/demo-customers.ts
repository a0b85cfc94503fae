// Customers of the demo organisation, by email. They exist in the Stripe emulator's Acme account; `used` is their usage.

/** One counter update. */
export interface DemoUse {
  feature: string;
  property: string;
  by: number;
}

export interface DemoCustomer {
  email: string;
  used: readonly DemoUse[];
  /** Resource ids on the seats meter. */
  seats: readonly string[];
}

const exportsUsed = (by: number): DemoUse => ({ feature: 'data-exports', property: 'exports', by });
const aiUsed = (questions: number, reports: number): DemoUse[] => [
  { feature: 'ask-ai', property: 'questions', by: questions },
  { feature: 'ask-ai', property: 'reports', by: reports },
];
const requestsUsed = (by: number): DemoUse => ({ feature: 'api-access', property: 'requests', by });

/** Subscribes to Acme Team. Subject of the access check that `npm start` prints. */
export const teamSubscriber: DemoCustomer = {
  email: 'chidi.okafor@lanternworks.example',
  used: [exportsUsed(37), requestsUsed(8614), ...aiUsed(44, 6)],
  seats: ['chidi', 'lou', 'wren', 'marta', 'anouk', 'ravi'],
};

export const subscribers: readonly DemoCustomer[] = [
  teamSubscriber,
  // Acme Pro: has reached this month's request limit.
  {
    email: 'nadia.kowal@orchard-labs.example',
    used: [exportsUsed(94), requestsUsed(10_000)],
    seats: ['nadia', 'tom'],
  },
  // Acme Starter.
  { email: 'ada.abara@harbour-foods.example', used: [exportsUsed(3), requestsUsed(936)], seats: ['ada'] },
  // Acme Enterprise: unlimited.
  { email: 'mateo.dunmore@marrow.example', used: [], seats: [] },
  // On trial for Acme Team, with four extra seats.
  {
    email: 'sven.sato@fennel.example',
    used: [exportsUsed(12), requestsUsed(310), ...aiUsed(90, 6)],
    seats: ['sven', 'lin', 'omar'],
  },
  // Acme Business, payment overdue.
  { email: 'hamza.whitlock@harbour-foods.example', used: [], seats: [] },
];

/** Has never subscribed. Has a manual plan grant, and an override with more exports for a limited time. */
export const trialCustomer: DemoCustomer & { grantDays: number; overrideDays: number; exports: number } = {
  email: 'jonas.jellicoe@tidewater.example',
  used: [exportsUsed(128), requestsUsed(2140)],
  seats: ['jonas', 'filippa', 'bo'],
  grantDays: 60,
  overrideDays: 30,
  exports: 500,
};

/** Has balances that were bought and given, of which one is used up. */
export const balanceHolder = 'sven.sato@fennel.example';
