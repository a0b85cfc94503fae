/** Amounts of the reference model: whole, and as large as they are. */

export const least = (one: bigint, other: bigint) => (one < other ? one : other);
export const most = (one: bigint, other: bigint) => (one > other ? one : other);

export function sum(amounts: Iterable<bigint>): bigint {
  let total = 0n;
  for (const each of amounts) total += each;
  return total;
}
