/** Packages of the client in R2, by file name. What lock files of applications name never changes. */
export const sdkKey = (fileName: string) => `sdk/${fileName}`;

/** @returns false: another package of that name is there, and stays */
export async function keepSdkPackage(
  bucket: R2Bucket,
  fileName: string,
  bytes: ArrayBuffer,
): Promise<boolean> {
  const kept = await bucket.get(sdkKey(fileName));
  if (kept === null) {
    await bucket.put(sdkKey(fileName), bytes);
    return true;
  }
  const before = new Uint8Array(await kept.arrayBuffer());
  const now = new Uint8Array(bytes);
  return before.length === now.length && before.every((byte, at) => byte === now[at]);
}
