// Counts outlive events: where a period begins before the oldest stored event, the Events tab says so.
import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { readEventSearch } from '../../web/domains/events/event-search.ts';
import { awaitsFirstCall, listedEvents } from '../../web/domains/events/listed-events.ts';
import { NoEvents } from '../../web/domains/events/no-events.tsx';

const none = { at: 0, allowed: 0, denied: 0, warning: 0, error: 0 };
const period = { from: 1_000, to: 9_000 };

test('a period that begins before the oldest stored event is listed from there', () => {
  const of = (eventsFrom: number | null, allowed = 0) =>
    listedEvents({ bucketMs: 60_000, eventsFrom, buckets: [none, { ...none, allowed }] }, period);
  expect(of(null)).toEqual({ from: null, areCounted: false });
  expect(of(1_000, 1)).toEqual({ from: null, areCounted: true });
  expect(of(5_000, 1)).toEqual({ from: 5_000, areCounted: true });
  expect(listedEvents(undefined, period)).toEqual({ from: null, areCounted: true });
});

const searchOf = (address: string) => readEventSearch(new URLSearchParams(address));

test('the first call is suggested only where nothing was counted or archived', () => {
  const none = { from: null, areCounted: false };
  expect(awaitsFirstCall(searchOf('from=1000&to=9000'), none)).toBe(true);
  expect(awaitsFirstCall(searchOf('plan=pro'), none)).toBe(false);
  expect(awaitsFirstCall(searchOf(''), { from: null, areCounted: true })).toBe(false);
  expect(awaitsFirstCall(searchOf(''), { from: 5_000, areCounted: false })).toBe(false);
});

test('an empty list says from when events are archived', () => {
  const textOf = (address: string) =>
    renderToStaticMarkup(
      <MantineProvider>
        <MemoryRouter>
          <NoEvents
            search={searchOf(address)}
            listed={{ from: 5_000, areCounted: true }}
            onChange={() => {}}
          />
        </MemoryRouter>
      </MantineProvider>,
    );
  expect(textOf('from=1000&to=9000')).toMatch(
    /No events to list between .* Events before .*1970.* are archived/,
  );
  expect(textOf('plan=pro')).toMatch(/Nothing matches this search .* are archived/);
});
