// Figures and times are written as everywhere in the console, on screens that render without a browser.
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import type { Diff } from '#contracts/console/artifacts';
import { createQueryClient } from '../../web/api/query-client.ts';
import { lastDiffQuery } from '../../web/domains/environments/versions/queries.ts';
import { StateLine } from '../../web/domains/environments/versions/state-line.tsx';
import { EditorBar } from '../../web/domains/plans/editor/editor-bar.tsx';
import { accessState } from '../../web/domains/support-access/access-state.ts';
import { formatInstant } from '../../web/ui/format.ts';

const client = createQueryClient();

const textOf = (screen: ReactNode) =>
  renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MantineProvider>
        <MemoryRouter>{screen}</MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  );

test('the changes of a plan', () => {
  const change = { featureId: 'f', before: undefined, after: undefined };
  const changes = Array.from({ length: 1000 }, (_, index) => ({ ...change, propertyId: String(index) }));
  const nothing = () => {};
  const bar = { isSaving: false, isAllCollapsed: false, onToggleAll: undefined };
  const text = textOf(
    <EditorBar {...bar} changes={changes} onImpact={nothing} onCancel={nothing} onSave={nothing} />,
  );
  expect(text.replace(/<[^>]+>/g, '')).toContain('1,000 changes in 1 feature');
});

test('the changes that are not deployed', () => {
  const item: Diff['items'][number] = {
    type: 'add',
    itemType: 'plan',
    itemName: 'Pro',
    itemId: 'p',
    property: null,
    changes: [],
  };
  client.setQueryData(lastDiffQuery('o').queryKey, {
    fromArtifactId: null,
    fromArtifactNumber: null,
    toArtifactId: null,
    toArtifactNumber: null,
    items: Array.from({ length: 1000 }, () => item),
  });
  expect(textOf(<StateLine orgId="o" statuses={[]} />)).toContain('1,000 changes not deployed');
});

test('the end of support access', () => {
  const expiresAt = Date.UTC(2026, 10, 24, 12);
  expect(accessState({ grant: { grantedAt: 0, expiresAt }, needsConsentToRead: true })).toBe(
    `Support can make changes until ${formatInstant(expiresAt)}.`,
  );
});
