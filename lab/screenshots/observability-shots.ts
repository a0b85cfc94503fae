// Observability's pages for `npm run screenshots`: each tab in each state that a visitor can bring about.
import type { Page, WebSocketRoute } from '@playwright/test';
import type { Event } from '#contracts/console/events';
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import { readAs } from './acts.ts';
import type { EventPlace } from './places.ts';
import type { Shot } from './shot.ts';

const EVENTS = '/o/:orgId/observe/events';
const LIVE = '/o/:orgId/observe/live';
const METRICS = '/o/:orgId/observe/metrics';
const event = (place: EventPlace) => `${EVENTS}?range=30d&event=${place}`;

/** The router shows the tab some time after the click. */
const openTab = (name: string) => async (page: Page) => {
  await page.getByRole('tab', { name }).click();
  await page.getByRole('tabpanel', { name }).waitFor();
};

const failedExecution: WorkflowExecution = {
  executionId: 'wfe_01m7xy49t04vk7g0jce52am8ey',
  workflowId: 'wf_01m7xy49t04vk7g0jce52am8ey',
  workflowName: 'Trial for new customers',
  success: false,
  result: null,
  logs: [
    { m: 'Customer since 2026-11-02', l: 'log', t: 0 },
    { m: 'The plan "trial" is not in this version', l: 'warn', t: 3 },
    { m: 'TypeError: Cannot read properties of undefined (reading "email")', l: 'error', t: 4 },
  ],
  diagnosticMessages: ['TypeError: Cannot read properties of undefined (reading "email") at line 12'],
  wallTime: 6.4,
  input: {},
  seed: 's',
};

/** An execution of which the event kept only a part. */
const shortenedExecution: WorkflowExecution = {
  ...failedExecution,
  success: true,
  diagnosticMessages: [],
  logs: failedExecution.logs.slice(0, 2),
  droppedLogs: 1_204,
  isResultDropped: true,
};

const showExecution = (execution: WorkflowExecution, text: string) => async (page: Page) => {
  await page.route('**/workflow-execution-search*', (route) =>
    route.fulfill({ json: { executions: [execution] } }),
  );
  await openTab('Workflows')(page);
  await page.getByText(text).first().waitFor();
};

/** As if events were kept for a week, and with the given part of a page of them. */
const keepWeek = (shown: number) =>
  readAs(
    ({ pathname }) => /\/event-(?:histogram|search)$/.test(pathname),
    (body: { events?: readonly Event[] }) =>
      body.events === undefined
        ? { ...body, eventsFrom: Date.now() - 7 * 86_400_000 }
        : { events: body.events.slice(0, shown), nextQueryTimeTo: null },
  );

async function openExport(page: Page): Promise<void> {
  await keepWeek(20)(page);
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menu').waitFor();
}

/** Fails what the page reads next, and reads it again. */
async function failReads(page: Page): Promise<void> {
  const body = { errorType: 'server-error', message: 'Something went wrong on our side', requestId: 'req_1' };
  await page.route('**/api/orgs/*/event-*', (route) => route.fulfill({ status: 500, json: body }));
  await page.reload();
  await page.getByRole('alert').first().waitFor({ timeout: 30_000 });
}

async function dragChart(page: Page): Promise<void> {
  const box = await page.getByRole('slider').first().boundingBox();
  if (box === null) throw new Error('There is no chart');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.3, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, y, { steps: 4 });
}

async function selectLatencies(page: Page): Promise<void> {
  await page.getByRole('slider', { name: 'Latency over time' }).focus();
  for (let slot = 0; slot < 8; slot += 1) await page.keyboard.press('Shift+ArrowLeft');
}

async function goDeeper(page: Page): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) {
    const answer = page.waitForResponse((response) => response.url().includes('event-search'));
    await page.getByRole('button', { name: 'Next' }).click();
    await answer;
  }
  await page.getByRole('button', { name: 'Previous' }).scrollIntoViewIfNeeded();
}

/** A live view that gets some of the demo's events from a socket of its own. */
async function watch(page: Page, { leftOut = 0, isKept = true } = {}): Promise<WebSocketRoute | null> {
  const orgId = /\/o\/([^/]+)/.exec(page.url())?.[1] ?? '';
  const answer = await page.request.get(`/api/orgs/${orgId}/event-search`);
  const { events } = (await answer.json()) as { events: Event[] };
  let opened: WebSocketRoute | null = null;
  await page.routeWebSocket(/\/watch-session\//, (socket) => {
    opened = socket;
    if (!isKept) void socket.close({ code: 4403 });
    for (const [index, each] of events.slice(10, 34).entries()) {
      const last = index === 23 && leftOut > 0 ? { leftOut } : {};
      socket.send(JSON.stringify({ ...each, ...last, time: Date.now() - (24 - index) * 900 }));
    }
  });
  await page.getByRole('button', { name: 'Start' }).click();
  if (isKept) await page.getByRole('region', { name: 'Newest events' }).waitFor();
  else await page.getByRole('alert').waitFor();
  await page.mouse.move(0, 0);
  return opened;
}

async function pauseWithNew(page: Page): Promise<void> {
  const socket = await watch(page);
  await page.keyboard.press(' ');
  for (let index = 0; index < 37; index += 1) {
    const id = `evt_waiting_${index}`;
    const known = { id, time: Date.now(), envId: '', type: 'se', outcome: 'allowed' };
    socket?.send(JSON.stringify({ ...known, detail: { countryCode: null, city: null, planSlugs: [] } }));
  }
}

const pages: readonly Omit<Shot, 'kind'>[] = [
  { name: 'events-none', path: `${EVENTS}?q=nobody` },
  { name: 'events-filtered', path: `${EVENTS}?range=30d&type=ac&outcome=denied&country=GB&plan=free` },
  { name: 'events-dragged', path: `${EVENTS}?range=7d`, act: dragChart },
  { name: 'events-deep', path: `${EVENTS}?range=7d`, act: goDeeper },
  { name: 'events-archived', path: `${EVENTS}?range=30d&plan=nothing`, act: keepWeek(0) },
  { name: 'events-last-kept', path: `${EVENTS}?range=30d`, act: keepWeek(6) },
  { name: 'events-export', path: `${EVENTS}?range=30d`, isOneScreen: true, act: openExport },
  { name: 'events-failing', path: EVENTS, act: failReads },
  { name: 'event', path: event(':eventId'), isOneScreen: true },
  { name: 'event-denied', path: event(':deniedEventId'), isOneScreen: true },
  { name: 'event-warning', path: event(':warningEventId'), isOneScreen: true },
  { name: 'event-error', path: event(':errorEventId'), isOneScreen: true },
  { name: 'event-update', path: event(':updateEventId'), isOneScreen: true },
  { name: 'event-update-refused', path: event(':refusedUpdateEventId'), isOneScreen: true },
  { name: 'event-payment', path: event(':paymentEventId'), isOneScreen: true },
  { name: 'event-workflows', path: event(':eventId'), isOneScreen: true, act: openTab('Workflows') },
  {
    name: 'event-workflows-failed',
    path: event(':eventId'),
    isOneScreen: true,
    act: showExecution(failedExecution, 'Workflow Failed'),
  },
  {
    name: 'event-workflows-shortened',
    path: event(':eventId'),
    isOneScreen: true,
    act: showExecution(shortenedExecution, 'log lines'),
  },
  {
    name: 'event-request',
    path: event(':eventId'),
    isOneScreen: true,
    act: openTab('Request & Response'),
  },
  {
    name: 'live-started',
    path: LIVE,
    act: async (page) => {
      await page.getByRole('button', { name: 'Start' }).click();
      await page.getByText('Listening', { exact: true }).waitFor();
    },
  },
  { name: 'live-receiving', path: LIVE, act: async (page) => void (await watch(page)) },
  { name: 'live-paused', path: LIVE, act: pauseWithNew },
  { name: 'live-sampled', path: LIVE, act: async (page) => void (await watch(page, { leftOut: 4_312 })) },
  { name: 'live-ended', path: LIVE, act: async (page) => void (await watch(page, { isKept: false })) },
  ...(['1h', '7d', '30d'] as const).map((range) => ({
    name: `metrics-${range}`,
    path: `${METRICS}?range=${range}`,
  })),
  { name: 'metrics-selected', path: METRICS, act: selectLatencies },
  {
    name: 'metrics-tables',
    path: METRICS,
    act: async (page) => {
      for (const _chart of ['requests', 'latency'])
        await page.getByRole('button', { name: 'Show table' }).first().click();
    },
  },
  { name: 'metrics-failing', path: METRICS, act: failReads },
];

export const observabilityShots: readonly Shot[] = pages.map((page) => ({ ...page, kind: 'pages' }));
