// What callers and workflows write into events is text wherever the console shows it: rows, viewer, live view, metrics.

import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { describe, expect, test } from 'vitest';
import type { Environment } from '#contracts/console/environments';
import type { EventMetrics } from '#contracts/console/event-metrics';
import type { Event } from '#contracts/console/events';
import { OrganisationContext, type OrganisationState } from '#web/session/organisation.tsx';
import { EventDetails } from '../../web/domains/events/event-details.tsx';
import { JsonTree } from '../../web/domains/events/json-tree.tsx';
import { EMPTY_FEED, receive } from '../../web/domains/live/live-feed.ts';
import { LiveSummary } from '../../web/domains/live/live-summary.tsx';
import { MetricLists } from '../../web/domains/metrics/metric-lists.tsx';
import { RegionList } from '../../web/domains/metrics/region-list.tsx';
import { DecisionRow } from '../../web/values/decision-row.tsx';

/** Markup, an attribute's end, a formula, a link that runs, and a text that runs backwards. */
const HOSTILE = [
  '<img src=x onerror="alert(1)">',
  '"><script>alert(1)</script>',
  `=cmd|'/C calc'!A1`,
  'javascript:alert(1)',
  '\u202egnp.exe',
  '__proto__',
];

const hostileEvent = (text: string, changes: Partial<Event> = {}): Event =>
  ({
    id: text,
    time: 0,
    envId: text,
    environmentType: 'live',
    type: 'cu',
    outcome: 'denied',
    isError: false,
    isWarning: true,
    isCold: true,
    key: { id: text, type: 'secret' },
    latency: null,
    warningCodes: [text],
    deniedFeatures: [text],
    denials: [{ feature: text, reason: 'limit-reached' }],
    workflowExecutions: { total: 0, failed: 0 },
    subjectIdentifier: text,
    secondarySubjectIdentifiers: [text],
    detail: { countryCode: 'PT', city: text, continent: text, planSlugs: [text] },
    readDataLocations: [text],
    writeDataLocations: [text],
    integrationId: text,
    stripeEventType: text,
    request: { feature: text, property: text, resourceId: text, [text]: text },
    response: { accepted: false, warnings: [{ code: text, message: text }], requestId: text },
    cfRay: text,
    ...changes,
  }) as Event;

const outcomes = { allowed: 1, denied: 0, warning: 0, error: 0 };
const hostileMetrics = (text: string) =>
  ({
    from: 0,
    to: 1,
    bucketMs: 1,
    buckets: [],
    latency: null,
    totals: { ...outcomes, total: 1 },
    reasonsFrom: null,
    features: [
      {
        slug: text,
        allowed: 1,
        denied: 1,
        causes: { 'not-in-plan': 1, 'limit-reached': 0, 'token-not-accepted': 0, blocked: 0 },
      },
    ],
    routes: [{ continent: text, location: text, count: 1, latency: null, latencyBins: [] }],
    workflows: [],
    plans: [{ slug: text, count: 1 }],
    countries: [{ code: text, count: 1 }],
    locations: [{ location: text, count: 1 }],
    warnings: [{ code: text, count: 1 }],
    customers: [{ identifier: text, count: 1 }],
    nearLimit: [{ envId: text, identifier: text, feature: text, property: text, used: 1, limit: 1 }],
  }) as unknown as EventMetrics;

function markupOf(content: ReactNode): string {
  return renderToStaticMarkup(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <OrganisationContext value={{ orgId: 'org' } as OrganisationState}>
          <MemoryRouter>{content}</MemoryRouter>
        </OrganisationContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
}

const names = { environments: [], plans: [], features: [] };
const screens: Record<string, (text: string) => ReactNode> = {
  'a row of the list': (text) => <DecisionRow event={hostileEvent(text)} to="/event" />,
  'the viewer of an update': (text) => <EventDetails event={hostileEvent(text)} names={names} />,
  'the viewer of a Stripe event': (text) => (
    <EventDetails event={hostileEvent(text, { type: 'se', envId: '' })} names={names} />
  ),
  'a request': (text) => <JsonTree title="Request" value={hostileEvent(text).request} />,
  'the places of the live view': (text) => (
    <LiveSummary feed={receive(EMPTY_FEED, [hostileEvent(text)], 1)} />
  ),
  metrics: (text) => (
    <MetricLists
      environment={undefined}
      range="24h"
      metrics={hostileMetrics(text)}
      environments={[{ id: text, name: text } as Environment]}
    />
  ),
  regions: (text) => <RegionList metrics={hostileMetrics(text)} flags={undefined} />,
};

describe.each(Object.entries(screens))('%s', (_name, show) => {
  test.each(HOSTILE)('shows %j as text', (text) => {
    const markup = markupOf(show(text));
    const escaped = markupOf(<i>{text}</i>).match(/<i>(.*)<\/i>/s)?.[1] ?? '';
    expect(markup).toContain(escaped);
    expect(markup).not.toMatch(/<img|<script/i);
    for (const [, address = ''] of markup.matchAll(/href="([^"]*)"/g)) expect(address).toMatch(/^\//);
    const tags = markup.replaceAll(/="[^"]*"/g, '=""').match(/<[^>]*>/g) ?? [];
    expect(tags.join()).not.toMatch(/\son[a-z]+=/i);
  });
});
