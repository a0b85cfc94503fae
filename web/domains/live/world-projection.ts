/** Gall's stereographic projection, cut to where people live, in the units of the grid of dots: one dot is 1 × 1. */
import type { Coordinates } from './place-coordinates.ts';
import { LAND_COLUMNS, LAND_ROWS } from './world-land.ts';

const NORTH = 78;
const RADIANS = Math.PI / 180;
const STEP = (2 * Math.PI * Math.SQRT1_2) / LAND_COLUMNS;

export const MAP_WIDTH = LAND_COLUMNS;
export const MAP_HEIGHT = LAND_ROWS.length;

/** @returns the position from the map's north-west corner */
export function project({ latitude, longitude }: Coordinates): { readonly x: number; readonly y: number } {
  return {
    x: ((longitude + 180) * RADIANS * Math.SQRT1_2) / STEP,
    y: Math.min(MAP_HEIGHT, Math.max(0, (heightOf(NORTH) - heightOf(latitude)) / STEP)),
  };
}

function heightOf(latitude: number): number {
  return (1 + Math.SQRT1_2) * Math.tan((latitude * RADIANS) / 2);
}

/** The land as one SVG path: a point per dot, to be drawn with round line ends. */
export function landPath(): string {
  let path = '';
  for (const [row, digits] of LAND_ROWS.entries()) {
    for (let column = 0; column < LAND_COLUMNS; column++) {
      const digit = Number.parseInt(digits.charAt(column >> 2), 16);
      if (digit & (8 >> (column & 3))) path += `M${column + 0.5} ${row + 0.5}h0`;
    }
  }
  return path;
}
