/** Compresses what is archived. */
export async function gzip(pieces: Iterable<string>): Promise<ArrayBuffer> {
  const encoder = new TextEncoder();
  const compression = new CompressionStream('gzip');
  const compressed = new Response(compression.readable).arrayBuffer();
  const writer = compression.writable.getWriter();
  for (const piece of pieces) await writer.write(encoder.encode(piece));
  await writer.close();
  return compressed;
}
