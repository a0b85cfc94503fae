// Statistics and tables of the benchmark.

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Interpolated between the two nearest values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const lower = sorted[Math.floor(place)] ?? Number.NaN;
  const upper = sorted[Math.ceil(place)] ?? Number.NaN;
  return lower + (upper - lower) * (place - Math.floor(place));
}

/** Percentile of a histogram; `counts` are [value, frequency] in any order. */
export function percentile(counts: readonly (readonly [number, number])[], share: number): number {
  const sorted = [...counts].sort(([a], [b]) => a - b);
  let left = sorted.reduce((sum, [, count]) => sum + count, 0) * share;
  for (const [value, count] of sorted) {
    left -= count;
    if (left <= 0) return value;
  }
  return sorted.at(-1)?.[0] ?? Number.NaN;
}

/** Aligns the first column left and the others right. */
export function printTable(heads: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ');
  console.log([line(heads), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n'));
}
