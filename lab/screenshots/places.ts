// Ids for the placeholders in a shot's path: `:orgId`, `:featureId` and so on mean items of its organisation, `:deniedEventId` and its like
// the newest event of a kind.
import type { APIRequestContext } from '@playwright/test';
import { MAIN_ITEMS } from './seed-states.ts';

const EVENT_PLACES = {
  ':eventId': { type: 'ac', outcome: 'allowed' },
  ':deniedEventId': { type: 'ac', outcome: 'denied' },
  ':warningEventId': { type: 'ac', outcome: 'warning' },
  ':errorEventId': { outcome: 'error' },
  ':updateEventId': { type: 'cu', outcome: 'allowed' },
  ':refusedUpdateEventId': { type: 'cu', outcome: 'denied' },
  ':paymentEventId': { type: 'se' },
} as const;

export type EventPlace = keyof typeof EVENT_PLACES;

export type Places = ReadonlyMap<string, string>;

type Item = Readonly<Record<string, unknown>>;

const isMain = ({ name }: Item) => MAIN_ITEMS.includes(String(name));
const isTest = ({ type }: Item) => type === 'test';
const isLinked = ({ grantProductMappings: linked }: Item) => Array.isArray(linked) && linked.length > 0;
const hasFeature = ({ featureId }: Item) => featureId !== null;

/** @param request of the organisation's owner @param seededId an organisation of seed-states.ts; absent: the owner's first one */
export async function findPlaces(request: APIRequestContext, seededId?: string): Promise<Places> {
  const read = async (path: string) => (await request.get(path)).json();
  const orgId = seededId ?? String((await read('/api/user/orgs'))[0]?.id ?? 'none');
  const first = async (list: string, isPreferred = (_: Item) => true, key = 'id'): Promise<string> => {
    const items: Item[] = await read(`/api/orgs/${orgId}/${list}`);
    const preferred = items.find(seededId === undefined ? isPreferred : isMain);
    return String((preferred ?? items[0])?.[key] ?? 'none');
  };
  const eventPlaces = Object.entries(EVENT_PLACES).map(
    async ([place, criteria]): Promise<[string, string]> => {
      const { events } = await read(`/api/orgs/${orgId}/event-search?criteria=${JSON.stringify(criteria)}`);
      return [place, events[0]?.id ?? 'none'];
    },
  );
  return new Map([
    [':orgId', orgId],
    [':featureId', await first('features')],
    [':workflowId', await first('workflows')],
    [':behaviourId', await first('workflows', hasFeature)],
    [':planId', await first('plans', isLinked, 'planId')],
    [':environmentId', await first('environments')],
    [':testEnvironmentId', await first('environments', isTest)],
    [':stripeId', await first('integrations/stripe')],
    [':jwtId', await first('integrations/jwt')],
    [':webhookId', await first('webhooks')],
    [':identifier', 'ada@example.com'],
    [':userId', (await read('/api/auth/get-session')).user.id],
    ...(await Promise.all(eventPlaces)),
  ]);
}

export const fillPlaces = (path: string, places: Places) =>
  path.replace(/:[a-zA-Z]+/g, (name) => places.get(name) ?? name);
