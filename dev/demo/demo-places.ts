// Where the demo's customers are: cities with the traffic that comes from each, as `request.cf` describes them.
export interface DemoPlace {
  readonly country: string;
  readonly city: string;
  readonly continent: string;
  readonly latitude: number;
  readonly longitude: number;
  /** The data centre that answers. */
  readonly colo: string;
  /** Share of the traffic, relative to the others. */
  readonly weight: number;
}

const place = (
  [country, city, continent, colo]: readonly [string, string, string, string],
  [latitude, longitude]: readonly [number, number],
  weight: number,
): DemoPlace => ({ country, city, continent, latitude, longitude, colo, weight });

export const demoPlaces: readonly DemoPlace[] = [
  place(['US', 'San Francisco', 'NA', 'SFO'], [37.8, -122.4], 9),
  place(['US', 'New York', 'NA', 'EWR'], [40.7, -74], 9),
  place(['US', 'Austin', 'NA', 'DFW'], [30.3, -97.7], 4),
  place(['US', 'Chicago', 'NA', 'ORD'], [41.9, -87.6], 4),
  place(['CA', 'Toronto', 'NA', 'YYZ'], [43.7, -79.4], 4),
  place(['MX', 'Mexico City', 'NA', 'QRO'], [19.4, -99.1], 2),
  place(['BR', 'São Paulo', 'SA', 'GRU'], [-23.6, -46.6], 4),
  place(['AR', 'Buenos Aires', 'SA', 'EZE'], [-34.6, -58.4], 1),
  place(['CO', 'Bogotá', 'SA', 'BOG'], [4.7, -74.1], 1),
  place(['GB', 'London', 'EU', 'LHR'], [51.5, -0.1], 9),
  place(['IE', 'Dublin', 'EU', 'DUB'], [53.3, -6.3], 3),
  place(['PT', 'Lisbon', 'EU', 'LIS'], [38.7, -9.1], 3),
  place(['ES', 'Madrid', 'EU', 'MAD'], [40.4, -3.7], 3),
  place(['FR', 'Paris', 'EU', 'CDG'], [48.9, 2.4], 6),
  place(['DE', 'Berlin', 'EU', 'TXL'], [52.5, 13.4], 6),
  place(['NL', 'Amsterdam', 'EU', 'AMS'], [52.4, 4.9], 4),
  place(['SE', 'Stockholm', 'EU', 'ARN'], [59.3, 18.1], 2),
  place(['PL', 'Warsaw', 'EU', 'WAW'], [52.2, 21], 3),
  place(['IT', 'Milan', 'EU', 'MXP'], [45.5, 9.2], 2),
  place(['TR', 'Istanbul', 'EU', 'IST'], [41, 29], 1),
  place(['IL', 'Tel Aviv', 'AS', 'TLV'], [32.1, 34.8], 1),
  place(['AE', 'Dubai', 'AS', 'DXB'], [25.2, 55.3], 2),
  place(['NG', 'Lagos', 'AF', 'LOS'], [6.5, 3.4], 2),
  place(['KE', 'Nairobi', 'AF', 'NBO'], [-1.3, 36.8], 1),
  place(['ZA', 'Cape Town', 'AF', 'CPT'], [-33.9, 18.4], 2),
  place(['IN', 'Bengaluru', 'AS', 'BLR'], [13, 77.6], 6),
  place(['IN', 'Mumbai', 'AS', 'BOM'], [19.1, 72.9], 4),
  place(['SG', 'Singapore', 'AS', 'SIN'], [1.4, 103.8], 4),
  place(['ID', 'Jakarta', 'AS', 'CGK'], [-6.2, 106.8], 2),
  place(['JP', 'Tokyo', 'AS', 'NRT'], [35.7, 139.7], 5),
  place(['KR', 'Seoul', 'AS', 'ICN'], [37.6, 127], 3),
  place(['AU', 'Sydney', 'OC', 'SYD'], [-33.9, 151.2], 4),
  place(['NZ', 'Auckland', 'OC', 'AKL'], [-36.8, 174.8], 1),
];

/** How busy a place is at this instant: 1 in its afternoon, a tenth at its night, half of that at weekends. */
export function activityAt({ longitude }: DemoPlace, at: number): number {
  const local = new Date(at + (longitude / 15) * 3_600_000);
  const hour = local.getUTCHours() + local.getUTCMinutes() / 60;
  const daylight = 0.1 + 0.9 * Math.max(0, Math.sin(((hour - 6) / 16) * Math.PI)) ** 1.5;
  const day = local.getUTCDay();
  return day === 0 || day === 6 ? daylight / 2 : daylight;
}
