/** The palette's rows of what the server has found. Every row has the query among its keywords: the palette must not filter them. */
import { IconActivity, IconRefresh, IconUserSearch } from '@tabler/icons-react';
import type { KnownCustomer } from '#contracts/console/customer-list';
import { paths } from '#web/paths.ts';
import { shownText } from '#web/values/customer-title.ts';
import { shownIdentifier } from '#web/values/shown-identifier.ts';
import type { PaletteGroup, PaletteItem } from './palette-item.ts';

export type FoundCustomer = Pick<KnownCustomer, 'identifier' | 'name' | 'email'>;

export interface Search {
  /** Null: no organisation is selected, and nothing is found. */
  readonly orgId: string | null;
  /** As typed. */
  readonly query: string;
  /** What this very query found. Undefined while it is not known, or if the search failed. */
  readonly customers: readonly FoundCustomer[] | undefined;
  readonly hasFailed: boolean;
  /** The query is one that is searched for. */
  readonly isSearching: boolean;
  readonly onRetry: () => void;
}

export interface Found {
  readonly groups: readonly PaletteGroup[];
  /** One row if the search failed. Comes last: Enter opens what was found elsewhere. */
  readonly failure: PaletteGroup;
  /** More may be found yet. */
  readonly isSearching: boolean;
}

/** One ASCII character begins the names of too many. In other scripts one may be a name. @param text trimmed */
export function isSearched(text: string): boolean {
  return !/^\p{ASCII}?$/u.test(text);
}

export function foundBy({ orgId, query, customers, hasFailed, isSearching, onRetry }: Search): Found {
  const keywords = [query];
  const [, id] = /^(?:evt|req)_([0-9a-z]{26}u?)$/.exec(query.trim()) ?? [];
  const retry: PaletteItem = {
    id: 'retry-customers',
    label: 'Customers could not be searched',
    icon: IconRefresh,
    keywords,
    aside: 'Try again',
    run: onRetry,
    staysOpen: true,
  };
  return {
    groups:
      orgId === null
        ? []
        : [
            {
              title: 'Events',
              // The request id of a response names the same event.
              items:
                id === undefined
                  ? []
                  : [
                      {
                        id: `evt_${id}`,
                        label: `Open event evt_${id}`,
                        icon: IconActivity,
                        keywords,
                        to: paths.events(orgId, { event: `evt_${id}` }),
                      },
                    ],
            },
            {
              title: 'Customers',
              items: (customers ?? []).map((customer, _index, all) => ({
                id: `customer-${customer.identifier}`,
                icon: IconUserSearch,
                ...labelsOf(customer, all),
                keywords,
                to: paths.customer(orgId, customer.identifier),
              })),
            },
          ],
    failure: { title: 'Not searched', items: hasFailed ? [retry] : [] },
    isSearching: isSearching && customers === undefined && !hasFailed,
  };
}

/** Beside the name the email. Two customers whose name and email are the same have their identifiers there. */
function labelsOf({ identifier, name, email }: FoundCustomer, all: readonly FoundCustomer[]) {
  const namesakes = all.filter((each) => each.name === name && each.email === email);
  const shownName = shownText(name);
  const shownEmail = namesakes.length > 1 && shownName !== null ? null : shownText(email);
  const texts = [shownName, shownEmail, shownIdentifier(identifier)];
  const [label = identifier, aside] = [...new Set(texts)].filter((text) => text !== null);
  return { label, aside };
}
