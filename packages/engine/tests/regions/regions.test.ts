import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { DATA_LOCATIONS, type DataLocation, homeLocation } from '#engine/regions/data-locations';
import { locationsByDistance, nearestLocation, type Place } from '#engine/regions/nearest-location';

const all = DATA_LOCATIONS.map(({ location }) => location);
const enabled = fc.shuffledSubarray(all, { minLength: 1 });
const place: fc.Arbitrary<Place> = fc.record(
  {
    latitude: fc.oneof(
      fc.double({ min: -90, max: 90, noNaN: true }),
      fc.constantFrom(null, '', 'north', '91', '12.5'),
    ),
    longitude: fc.oneof(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.constantFrom(null, '', 'NaN', '-77.0'),
    ),
    continent: fc.constantFrom('AF', 'AN', 'AS', 'EU', 'NA', 'OC', 'SA', 'T1', '__proto__', null),
    country: fc.constantFrom('DE', 'PL', 'AE', 'XX', 'constructor', null),
  },
  { requiredKeys: [] },
);

describe('the nearest data location', () => {
  it('is always one of those enabled, and the first by distance', () => {
    fc.assert(
      fc.property(place, enabled, (from, locations) => {
        const ordered = locationsByDistance(from, locations);
        expect(ordered.toSorted()).toEqual(locations.toSorted());
        expect(nearestLocation(from, locations)).toBe(ordered[0]);
        expect(locationsByDistance(from, locations.toReversed())).toEqual(ordered);
      }),
      { numRuns: 500 },
    );
  });

  it('is none only when none is enabled', () => {
    expect(nearestLocation({ latitude: 1, longitude: 1 }, [])).toBeNull();
    expect(locationsByDistance({}, [])).toEqual([]);
  });

  it('of the city that stands for a location is that location', () => {
    for (const { location, latitude, longitude } of DATA_LOCATIONS) {
      expect(nearestLocation({ latitude, longitude }, all)).toBe(location);
      expect(nearestLocation({ latitude: String(latitude), longitude: String(longitude) }, all)).toBe(
        location,
      );
    }
  });

  test.each<[string, Place, DataLocation[], DataLocation]>([
    ['Tokyo', { latitude: 35.68, longitude: 139.69 }, all, 'apac'],
    ['Seattle', { latitude: '47.61', longitude: '-122.33' }, all, 'wnam'],
    ['Madrid', { latitude: 40.42, longitude: -3.7 }, all, 'weur'],
    ['Kyiv', { latitude: 50.45, longitude: 30.52 }, all, 'eeur'],
    ['Nairobi', { latitude: -1.29, longitude: 36.82 }, ['weur', 'afr'], 'afr'],
    [
      'Auckland, across the date line from Fiji',
      { latitude: -36.85, longitude: 174.76 },
      ['wnam', 'oc'],
      'oc',
    ],
    [
      'Honolulu, with the date line between',
      { latitude: 21.31, longitude: -157.86 },
      ['oc', 'apac', 'enam'],
      'enam',
    ],
    ['the equator at Greenwich', { latitude: 0, longitude: 0 }, ['weur', 'enam'], 'weur'],
    ['somewhere in Europe', { continent: 'EU' }, all, 'weur'],
    ['Poland without coordinates', { continent: 'EU', country: 'PL' }, all, 'eeur'],
    ['Dubai without coordinates', { continent: 'AS', country: 'AE' }, all, 'me'],
    ['Africa where only Europe is enabled', { continent: 'AF' }, ['enam', 'weur', 'oc'], 'weur'],
    ['nowhere', {}, ['oc', 'weur', 'enam'], 'enam'],
    ['Tor', { continent: 'T1', country: 'T1' }, ['oc', 'weur'], 'weur'],
  ])('of %s', (_, from, locations, expected) => {
    expect(nearestLocation(from, locations)).toBe(expected);
  });
});

test('an organisation’s home location is its first enabled one in the table’s order', () => {
  expect(homeLocation(['oc', 'eeur', 'weur'])).toBe('weur');
  expect(homeLocation([])).toBeNull();
});

test('only the nine locations are data locations', () => {
  expect(all).toEqual(['wnam', 'enam', 'weur', 'eeur', 'apac', 'sam', 'oc', 'afr', 'me']);
});
