/** What only a search finds: customers by part of an identifier or name, and an event by its id. */
import { useDebouncedValue } from '@mantine/hooks';
import { IconActivity, IconUserSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { customerSuggestionsQuery } from '#web/domains/workflows/queries.ts';
import { paths } from '#web/paths.ts';
import { useOrganisation } from '#web/session/organisation.tsx';
import type { PaletteGroup } from './palette-item.ts';

const DEBOUNCE_MS = 200;
const LEAST_LETTERS = 2;

/** Every item has the query among its keywords: the palette must not filter what the server has found. */
export function useFound(query: string): PaletteGroup[] {
  const { orgId } = useOrganisation();
  const text = query.trim();
  const [settled] = useDebouncedValue(text, DEBOUNCE_MS);
  const customers = useQuery({
    ...customerSuggestionsQuery(orgId ?? '', settled),
    enabled: orgId !== null && settled.length >= LEAST_LETTERS,
  }).data;
  if (orgId === null) return [];
  const [, id] = /^(?:evt|req)_([0-9a-z]{26}u?)$/.exec(text) ?? [];
  const isCurrent = settled.length >= LEAST_LETTERS && text.length >= LEAST_LETTERS;
  return [
    {
      title: 'Events',
      // The request id of a response names the same event.
      items:
        id === undefined
          ? []
          : [
              {
                ...{ id: `evt_${id}`, label: `Open event evt_${id}`, icon: IconActivity, keywords: [query] },
                to: paths.events(orgId, { event: `evt_${id}` }),
              },
            ],
    },
    {
      title: 'Customers',
      items: (isCurrent ? (customers ?? []) : []).map((identifier) => ({
        ...{ id: `customer-${identifier}`, label: identifier, icon: IconUserSearch, keywords: [query] },
        to: paths.customer(orgId, identifier),
      })),
    },
  ];
}
