/**
 * Decorative world map of the data regions: a filled tile for an enabled region, a ring around the home region. It can
 * highlight the area that one region serves. The switches beside it carry the same information as text.
 */
import { Box } from '@mantine/core';
import { useMemo } from 'react';
import type { Location } from '#contracts/public/locations';
import classes from './regions.module.css';
import { COLUMNS, landServedBy, landTiles, ROWS, siteTiles, type Tile } from './world-tiles.ts';

const STEP = 10;
const SIZE = 7.5;
const INSET = (STEP - SIZE) / 2;
const RADIUS = 1.5;

export interface RegionMapProps {
  readonly enabled: readonly Location[];
  readonly home: Location | null;
  /** The region to highlight, or null. */
  readonly lit: Location | null;
}

const LAND = pathOf(landTiles);

export function RegionMap({ enabled, home, lit }: RegionMapProps) {
  const served = useMemo(
    () => (lit === null || !enabled.includes(lit) ? '' : pathOf(landServedBy(lit, enabled))),
    [lit, enabled],
  );
  return (
    <svg
      className={classes.map}
      viewBox={`0 0 ${COLUMNS * STEP} ${ROWS * STEP}`}
      aria-hidden="true"
      focusable="false"
    >
      <Box
        d={LAND}
        component="path"
        style={{ fill: 'color-mix(in srgb, var(--tile-mid) 26%, transparent)' }}
      />
      <Box d={served} component="path" style={{ fill: 'var(--accent-line)' }} />
      {siteTiles.map(({ location, column, row }) => (
        <g key={location} transform={`translate(${(column + 0.5) * STEP} ${(row + 0.5) * STEP})`}>
          {location === home && (
            <rect x={-13} y={-13} width={26} height={26} rx={7} className={classes.homeRing} />
          )}
          <rect
            x={-8}
            y={-8}
            width={16}
            height={16}
            rx={4}
            className={classes.site}
            data-on={enabled.includes(location) || undefined}
            data-lit={location === lit || undefined}
          />
        </g>
      ))}
    </svg>
  );
}

/** One path for all tiles, because more than a thousand elements would be slow to lay out. */
function pathOf(tiles: readonly Tile[]): string {
  const side = SIZE - 2 * RADIUS;
  const corner = (x: number, y: number) => `a${RADIUS} ${RADIUS} 0 0 1 ${x} ${y}`;
  return tiles
    .map(
      ({ column, row }) =>
        `M${column * STEP + INSET + RADIUS} ${row * STEP + INSET}h${side}${corner(RADIUS, RADIUS)}v${side}` +
        `${corner(-RADIUS, RADIUS)}h${-side}${corner(-RADIUS, -RADIUS)}v${-side}${corner(RADIUS, -RADIUS)}z`,
    )
    .join('');
}
