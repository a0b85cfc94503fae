// Some of the demo organisation's customers: people in the Stripe emulator's account of Acme, known by their e-mail
// addresses, and what they have used of it.

/** One call of the public API, as the organisation's product would make it. */
export interface DemoUse {
  feature: string;
  property: string;
  by: number;
}

export interface DemoCustomer {
  email: string;
  used: readonly DemoUse[];
  /** People who sit on a seat. */
  seats: readonly string[];
}

const exportsUsed = (by: number): DemoUse => ({ feature: 'data-exports', property: 'exports', by });
const requestsUsed = (by: number): DemoUse => ({ feature: 'api-access', property: 'requests', by });

/** Subscribes to Acme Team; whom the printed command asks about. */
export const teamSubscriber: DemoCustomer = {
  email: 'chidi.okafor@lanternworks.example',
  used: [exportsUsed(37), requestsUsed(6214)],
  seats: ['chidi', 'lou', 'wren', 'marta', 'anouk', 'ravi'],
};

export const subscribers: readonly DemoCustomer[] = [
  teamSubscriber,
  // Acme Pro: no request is left this month.
  {
    email: 'nadia.kowal@orchard-labs.example',
    used: [exportsUsed(94), requestsUsed(10_000)],
    seats: ['nadia', 'tom'],
  },
  // Acme Starter.
  { email: 'ada.abara@harbour-foods.example', used: [exportsUsed(3), requestsUsed(418)], seats: ['ada'] },
  // Acme Enterprise: nothing is limited.
  { email: 'mateo.dunmore@marrow.example', used: [], seats: [] },
  // Acme Business, with a payment overdue.
  { email: 'hamza.whitlock@harbour-foods.example', used: [], seats: [] },
];

/** Has never subscribed: the organisation grants a plan by hand, and more exports for a while. */
export const trialCustomer: DemoCustomer & { grantDays: number; overrideDays: number; exports: number } = {
  email: 'jonas.jellicoe@tidewater.example',
  used: [exportsUsed(128), requestsUsed(2140)],
  seats: ['jonas', 'filippa', 'bo'],
  grantDays: 60,
  overrideDays: 30,
  exports: 500,
};
