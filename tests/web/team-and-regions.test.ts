// The actions of the team's row menu by role, and the labels of data regions.
import { describe, expect, test } from 'vitest';
import type { TeamRow } from '#contracts/console/organisations';
import { LOCATIONS } from '#contracts/public/locations';
import { homeLocation, locationName } from '#engine/regions/data-locations';
import { answeredBy, REGION_GROUPS } from '../../web/domains/organisations/region-groups.ts';
import {
  COLUMNS,
  landServedBy,
  landTiles,
  ROWS,
  siteTiles,
} from '../../web/domains/organisations/world-tiles.ts';
import { actionsOf, type Viewer } from '../../web/domains/team/team-rows.ts';

const row = (change: Partial<TeamRow>): TeamRow => ({
  id: 'mem_1',
  type: 'member',
  userId: 'usr_1',
  name: 'Ada',
  email: 'ada@people.example',
  role: 'member',
  inviteStatus: null,
  memberCreatedAt: 0,
  ...change,
});
const invited = (inviteStatus: TeamRow['inviteStatus'], role: TeamRow['role'] = 'member') =>
  row({ type: 'invite', userId: null, name: null, inviteStatus, role });

const owner: Viewer = { userId: 'usr_owner', role: 'owner', canEdit: true };
const admin: Viewer = { ...owner, userId: 'usr_admin', role: 'admin' };
const member: Viewer = { userId: 'usr_member', role: 'member', canEdit: false };
const kinds = (of: TeamRow, viewer: Viewer) => actionsOf(of, viewer).map(({ kind }) => kind);

describe('the menu of a row of the team', () => {
  test.each([
    ['a member', row({}), ['change-role', 'remove']],
    ['a pending invitation', invited('pending'), ['resend', 'cancel']],
    ['a canceled invitation', invited('canceled'), ['resend', 'clear']],
    ['a rejected invitation', invited('rejected'), ['resend', 'clear']],
    ['an expired invitation', invited('expired'), ['resend', 'clear']],
  ])('offers for %s what can be done about it', (_name, of, expected) => {
    expect(kinds(of, owner)).toEqual(expected);
  });

  test('is absent on the viewer’s own row, and for viewers who may not edit the team', () => {
    expect(kinds(row({ userId: owner.userId }), owner)).toEqual([]);
    expect(kinds(row({}), member)).toEqual([]);
    expect(kinds(invited('pending'), member)).toEqual([]);
  });

  test('refuses to anybody but an owner what concerns owners, with the reason', () => {
    for (const of of [row({ role: 'owner' }), invited('pending', 'owner')]) {
      expect(actionsOf(of, admin).every(({ refusal }) => refusal !== null)).toBe(true);
      expect(actionsOf(of, owner).every(({ refusal }) => refusal === null)).toBe(true);
      expect(actionsOf(of, { ...admin, role: 'sudo' }).every(({ refusal }) => refusal === null)).toBe(true);
    }
    expect(actionsOf(row({}), admin).every(({ refusal }) => refusal === null)).toBe(true);
  });
});

describe('the data regions', () => {
  test('belong to exactly one group each, all nine', () => {
    const grouped = REGION_GROUPS.flatMap(({ locations }) => locations);
    expect(grouped.toSorted()).toEqual(LOCATIONS.toSorted());
    expect(new Set(grouped.map(locationName)).size).toBe(9);
  });

  test('are answered by themselves where on, else by the nearest that is', () => {
    expect(answeredBy('weur', ['enam', 'weur'])).toBe('weur');
    expect(answeredBy('eeur', ['enam', 'weur', 'apac'])).toBe('weur');
    expect(answeredBy('oc', ['enam', 'apac'])).toBe('apac');
    expect(answeredBy('oc', [])).toBeNull();
    expect(homeLocation(['oc', 'weur'])).toBe('weur');
  });

  test('divide the land of the map between those that are on, leaving nothing out', () => {
    const enabled = ['wnam', 'weur', 'oc'] as const;
    const served = enabled.flatMap((location) => landServedBy(location, enabled));
    expect(served).toHaveLength(landTiles.length);
    expect(new Set(served).size).toBe(landTiles.length);
    expect(landServedBy('afr', enabled)).toEqual([]);
    for (const { column, row: line } of [...landTiles, ...siteTiles]) {
      expect(column).toBeLessThan(COLUMNS);
      expect(line).toBeLessThan(ROWS);
    }
  });
});
