/** The line of a customer's ledger that a recorded call makes: what it counted, gave back, held or settled. */
import { z } from 'zod';
import type { Event } from '#contracts/console/events';
import { drawSchema } from '#contracts/public/balance-lines';
import type { LedgerLine } from '#contracts/public/customer-ledger';

const countedSchema = z.object({ feature: z.string(), property: z.string() });
/** A check says in `consume` what it counts. */
const requestSchema = z.object({
  consume: countedSchema.optional(),
  hold: z.string().optional(),
  amount: z.int().optional(),
  ...countedSchema.partial().shape,
});
const takenSchema = z.object({
  accepted: z.literal(true),
  replayed: z.literal(false),
  applied: z.int().optional(),
  released: z.int().optional(),
  draws: z.array(drawSchema).optional(),
  hold: z.object({ id: z.string(), amount: z.int(), expiresAt: z.int() }).optional(),
});
const responseSchema = z.union([z.object({ consumed: takenSchema }), takenSchema]);

/** Null: it took nothing of the meter, or its body was too long to be recorded. */
export function usageLine(
  { time: at, request, response }: Pick<Event, 'time' | 'request' | 'response'>,
  meter: z.infer<typeof countedSchema>,
): LedgerLine | null {
  const [asked, answer] = [requestSchema.safeParse(request), responseSchema.safeParse(response)];
  if (!asked.success || !answer.success) return null;
  const { feature, property } = asked.data.consume ?? asked.data;
  if (feature !== meter.feature || property !== meter.property) return null;
  const { applied, released, draws, hold } = 'consumed' in answer.data ? answer.data.consumed : answer.data;
  const shared = { at, ...(draws && { draws }) };
  if (hold === undefined) {
    if (!applied) return null;
    return { ...shared, kind: applied > 0 ? 'used' : 'returned', amount: Math.abs(applied) };
  }
  if (released !== undefined)
    return { ...shared, kind: 'settled', amount: applied ?? 0, hold: hold.id, released };
  const { amount = 0 } = asked.data;
  const held = asked.data.hold === undefined ? hold.amount : amount;
  return held === 0
    ? null
    : { ...shared, kind: 'held', amount: held, hold: hold.id, expiresAt: hold.expiresAt };
}
