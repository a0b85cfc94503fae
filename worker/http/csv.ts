/**
 * Files for spreadsheets. Cells that a spreadsheet would take for a formula begin with an apostrophe, and the file with a byte order
 * mark, without which Excel does not read it as UTF-8.
 */
export type CsvColumns<Item> = readonly (readonly [
  name: string,
  read: (item: Item) => string | number | null,
])[];

export function csvHeader(columns: CsvColumns<never>): string {
  return `\ufeff${csvRow(columns.map(([name]) => name))}`;
}

export function csvRows<Item>(columns: CsvColumns<Item>, items: readonly Item[]): string {
  return items.map((item) => csvRow(columns.map(([, read]) => read(item)))).join('');
}

/** A file that is made piece by piece, as fast as it is read. */
export function downloadOf(
  pieces: AsyncGenerator<string, void, void>,
  contentType: string,
  filename: string,
): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pieces.return();
    },
  });
  return new Response(body, {
    headers: { 'content-type': contentType, 'content-disposition': `attachment; filename="${filename}"` },
  });
}

/** RFC 4180. */
function csvRow(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[\s\p{Cc}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u.test(value) ? `'${value}` : value;
  return /[",\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
