/** A decorative background of sparse tiles, for sign-in pages and empty states. */
import { useId } from 'react';

const TILE = 28;
const STEP = 34;

export interface MosaicProps {
  readonly columns: number;
  readonly rows: number;
  /** The seed of the arrangement. */
  readonly seed: number;
  /** The share of cells with a tile, 0 to 1. */
  readonly density: number;
  readonly className?: string | undefined;
}

export function Mosaic({ columns, rows, seed, density, className }: MosaicProps) {
  const id = useId();
  const tiles = arrange(columns, rows, seed, density);
  return (
    <svg
      className={className}
      width={columns * STEP}
      height={rows * STEP}
      viewBox={`0 0 ${columns * STEP} ${rows * STEP}`}
      aria-hidden="true"
      focusable="false"
    >
      {tiles.map(({ column, row, fill, opacity }) => (
        <rect
          key={`${id}-${column}-${row}`}
          x={column * STEP}
          y={row * STEP}
          width={TILE}
          height={TILE}
          rx={5}
          fill={fill}
          opacity={opacity}
        />
      ))}
    </svg>
  );
}

interface Tile {
  readonly column: number;
  readonly row: number;
  readonly fill: string;
  readonly opacity: number;
}

/** Deterministic: the same seed gives the same mosaic. */
function arrange(columns: number, rows: number, seed: number, density: number): Tile[] {
  const tiles: Tile[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const chance = scatter(seed, column, row);
      if (chance > density) continue;
      const shade = scatter(seed + 7, column, row);
      tiles.push({
        column,
        row,
        fill: shade > 0.9 ? 'var(--accent)' : 'var(--tile-pale)',
        opacity: shade > 0.9 ? 0.5 : 0.45 + shade * 0.55,
      });
    }
  }
  return tiles;
}

/** A pseudo-random number from 0 to 1 (an integer hash). */
function scatter(seed: number, column: number, row: number): number {
  let hash =
    Math.imul(seed + 1, 374761393) + Math.imul(column + 1, 668265263) + Math.imul(row + 1, 2246822519);
  hash = Math.imul(hash ^ (hash >>> 13), 1274126177);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
