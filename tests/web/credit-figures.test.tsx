// What the metrics say of balances: nothing where nobody ever had one, and every figure by meter and source otherwise.
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import type { CreditMetrics } from '#contracts/console/credit-metrics';
import { OrganisationContext, type OrganisationState } from '#web/session/organisation.tsx';
import { CreditFigures, creditMetricsQuery } from '../../web/domains/metrics/credit-figures.tsx';

const CRITERIA = { environment: undefined, range: '24h' } as const;
const NOTHING: CreditMetrics = { hasBalances: true, drawnFrom: null, isComplete: true, figures: [] };
const CREDITS = { feature: 'ai', property: 'credits', given: 0, drawn: 0, ended: 0 };

/** The section's text. */
function shown(metrics: CreditMetrics): string {
  const client = new QueryClient();
  client.setQueryData(creditMetricsQuery('org_a', CRITERIA).queryKey, metrics);
  const markup = renderToStaticMarkup(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <MemoryRouter>
          <OrganisationContext value={{ orgId: 'org_a' } as OrganisationState}>
            <CreditFigures {...CRITERIA} />
          </OrganisationContext>
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return markup
    .replace(/<style.*?<\/style>/gs, '')
    .replace(/<[^>]*>/g, '|')
    .replace(/\|+/g, '|');
}

test('without balances there is no section', () => {
  expect(shown({ ...NOTHING, hasBalances: false })).toMatch(/^\|?$/);
});

test('a range without figures says so', () => {
  expect(shown(NOTHING)).toContain('No balance was given, drawn from or ended in the last 24 hours.');
});

test('figures are by meter and source; deleted meters are together', () => {
  const text = shown({
    ...NOTHING,
    figures: [
      { ...CREDITS, source: 'top-up', given: 12_000, drawn: 3_400 },
      { ...CREDITS, source: 'rollover', drawn: 55 },
      { ...CREDITS, feature: null, property: null, source: 'manual', ended: 7 },
    ],
  });
  expect(text).toContain('|ai.credits|Top-ups|12,000|3,400|0|Rollover|0|55|0|');
  expect(text).toContain('|Deleted meters|Console|0|0|7|');
});

test('what is not counted or read is said', () => {
  const figures = [{ ...CREDITS, source: 'other', drawn: 1 } as const];
  const text = shown({ ...NOTHING, drawnFrom: 1_790_000_000_000, isComplete: false, figures });
  expect(text).toContain('Other balances|0|1|0');
  expect(text).toContain('Drawn is counted since ');
  expect(text).toContain('Given and ended are those of the newest 10,000 balances.');
});
