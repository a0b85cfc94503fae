/** Reverts what one of the ledger's own decisions counted, because another decision under the same key wins. */
import type { AlsoCounted, CountedPart, KeyRecord } from '#contracts/internal/ledger';
import type { CustomerMeters } from './customer-meters.ts';
import { endWhole } from './decide-hold.ts';
import { currentUse, lastUsedAt } from './resource-use.ts';
import type { Account, UpdateRecords } from './update-records.ts';

type UseChange = NonNullable<KeyRecord['holdChange']>;
type Before = UseChange['before'];

/** Call once per record: it sets `isReverted`. */
export function revertDecision(meters: CustomerMeters, record: KeyRecord, records: UpdateRecords): void {
  const { hold, also = [] } = record;
  const own = { meters, records };
  for (const part of [record, ...also]) observePart(accountOf(own, part), part);
  if (hold !== undefined) revertHold(own, hold.name);
  else for (const part of [record, ...also]) revertPart(accountOf(own, part), part, record.origin, records);
  records.putKey({ ...record, isReverted: true });
}

/** What was counted on an account stays there, however many entities the customer has meanwhile. */
function accountOf(own: Account, { entity }: Partial<AlsoCounted>): Account {
  return entity === undefined ? own : (own.records.accountOf(entity) ?? own);
}

function observePart({ meters }: Account, { propertyId, value }: CountedPart): void {
  if (value.state === 'metered') meters.observe(propertyId, value.meter);
}

/** @param decisions the records of the account that the keys are in */
function revertPart(account: Account, part: CountedPart, origin: string, decisions: UpdateRecords): void {
  const { propertyId, counted, minute, givenBack, draws = [], holdChange } = part;
  const { meters } = account;
  if (givenBack !== undefined) {
    for (const share of givenBack) meters.revert(propertyId, origin, share.minute, -share.amount);
  } else if (counted !== 0) meters.revert(propertyId, origin, minute, counted);
  meters.draw(
    propertyId,
    origin,
    draws.map((each) => ({ ...each, amount: -each.amount })),
  );
  if (holdChange !== null) revertUse(account, part, holdChange, decisions);
}

/** What was settled was used, and stays. So may what is open: whoever has this hold settles it as one that has ended. */
function revertHold({ meters, records }: Account, name: string): void {
  const known = records.findHold(name);
  if (known?.hold.end === null) endWhole({ meters, records }, known, 'replaced', known.stamp);
}

/** Does nothing if the ledger has written the use again since: the later write wins. */
function revertUse(
  { meters, records }: Account,
  part: CountedPart,
  { resourceId, stamp, before }: UseChange,
  decisions: UpdateRecords,
): void {
  const { propertyId } = part;
  const uses = records.findUses(propertyId, resourceId);
  const own = uses.find((use) => use.origin === records.origin);
  if (own?.stamp !== stamp) return;
  const restored = { ...own, ...previousUse(before, part, decisions) };
  records.putUse(restored, uses);
  const others = uses.filter((use) => use !== own);
  meters.moveUse(propertyId, lastUsedAt(currentUse(uses)), lastUsedAt(currentUse([...others, restored])));
}

/** The previous use may itself have been written by a decision that is reverted by now: goes back further. */
function previousUse(before: Before, part: Partial<AlsoCounted>, decisions: UpdateRecords): Before {
  const { key, stamp } = before;
  if (key === null) return before;
  for (const decision of decisions.findKeys(key)) {
    if (decision.origin !== decisions.origin || !decision.isReverted) continue;
    const same = [decision, ...(decision.also ?? [])].find(
      (each) => each.propertyId === part.propertyId && (each as Partial<AlsoCounted>).entity === part.entity,
    );
    if (same?.holdChange?.stamp === stamp) return previousUse(same.holdChange.before, part, decisions);
  }
  return before;
}
