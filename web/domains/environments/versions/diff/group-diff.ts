/** Groups a diff's items by feature, plan, workflow and workspace, in the diff's order. */
import type { DiffItem } from '#contracts/console/artifacts';
import { formatNumber } from '#web/ui/format.ts';
import { matchesSearch } from '#web/ui/lists/matches-search.ts';

export type DiffType = DiffItem['type'];

export interface DiffRow {
  readonly item: DiffItem;
  /** The item's label in its group: a property key, 'Analytics › exports'. Null for the group's own item. */
  readonly label: string | null;
}

export interface DiffGroup {
  readonly id: string;
  readonly kind: 'feature' | 'plan' | 'workflow' | 'workspace';
  readonly name: string;
  readonly rows: readonly DiffRow[];
  readonly counts: Readonly<Record<DiffType, number>>;
}

const SEPARATOR = ' › ';

interface OpenGroup {
  readonly kind: DiffGroup['kind'];
  readonly id: string;
  readonly name: string;
  /** Name prefixes of the group's items. A renamed feature's properties have the old or the new name. */
  readonly names: ReadonlySet<string>;
  readonly rows: DiffRow[];
}

/** The server sorts the items of a feature or plan directly after it, so a group is a contiguous run. */
export function groupDiff(items: readonly DiffItem[]): DiffGroup[] {
  const groups: OpenGroup[] = [];
  for (const item of items) {
    const own = ownGroup(item);
    if (own !== null) {
      groups.push(own);
      continue;
    }
    const { kind, owner, label, id } = partOf(item);
    const last = groups.at(-1);
    const belongs = last?.kind === kind && (id === null ? last.names.has(owner) : last.id === id);
    if (last !== undefined && belongs) last.rows.push({ item, label });
    else {
      groups.push({
        kind,
        id: id ?? item.itemId,
        name: owner,
        names: new Set([owner]),
        rows: [{ item, label }],
      });
    }
  }
  return groups.map(({ id, kind, name, rows }) => ({ id, kind, name, rows, counts: countsOf(rows) }));
}

/** Number of added, modified and removed items. */
export function countsOf(rows: readonly Pick<DiffRow, 'item'>[]): Record<DiffType, number> {
  const counts = { add: 0, modify: 0, remove: 0 };
  for (const { item } of rows) counts[item.type] += 1;
  return counts;
}

/** '2 added, 1 changed'. Omits zero counts. */
export function countsLabel({ add, modify, remove }: Readonly<Record<DiffType, number>>): string {
  return (
    [
      [add, 'added'],
      [modify, 'changed'],
      [remove, 'removed'],
    ] as const
  )
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${formatNumber(count)} ${word}`)
    .join(', ');
}

/** Keeps the rows that contain `search` in the group's name, the row's label or a changed value. */
export function searchDiff(groups: readonly DiffGroup[], search: string): readonly DiffGroup[] {
  if (search.trim() === '') return groups;
  return groups.flatMap((group) => {
    if (matchesSearch(group.name, search)) return [group];
    const rows = group.rows.filter(({ item, label }) =>
      [label, item.property?.name, ...item.changes.flatMap(({ from, to }) => [from, to])].some((text) =>
        matchesSearch(String(text ?? ''), search),
      ),
    );
    return rows.length === 0 ? [] : [{ ...group, rows, counts: countsOf(rows) }];
  });
}

/** Properties, and a plan's values and products, belong to the group of another item. Everything else starts one. */
function ownGroup(item: DiffItem): OpenGroup | null {
  const { itemType, itemId, itemName, changes } = item;
  if (itemType === 'feature-property' || itemType === 'plan-value' || itemType === 'plan-product')
    return null;
  const renamed = changes.find(({ path }) => path === 'name');
  const names = [itemName, renamed?.from, renamed?.to].filter((name) => typeof name === 'string');
  return {
    kind: itemType,
    id: itemId,
    name: itemName,
    names: new Set(names),
    rows: [{ item, label: null }],
  };
}

interface Part {
  readonly kind: DiffGroup['kind'];
  readonly owner: string;
  readonly label: string;
  /** The owner's id, if the item's id contains it. */
  readonly id: string | null;
}

function partOf({ itemType, itemName, itemId }: DiffItem): Part {
  // Keys contain no separator, names may: split a feature's item at the last one, a plan's at the first.
  const at = itemType === 'feature-property' ? itemName.lastIndexOf(SEPARATOR) : itemName.indexOf(SEPARATOR);
  const owner = at < 0 ? itemName : itemName.slice(0, at);
  const label = at < 0 ? itemName : itemName.slice(at + SEPARATOR.length);
  if (itemType === 'feature-property') return { kind: 'feature', owner, label, id: null };
  return { kind: 'plan', owner, label, id: itemId.split(':')[0] ?? itemId };
}
