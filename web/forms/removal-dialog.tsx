/** Confirms that an item leaves the workspace: what that does, what uses it, and the environments that still have it deployed. */
import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx';
import { useLastValue } from '#web/ui/dialogs/use-last-value.ts';
import { sentence } from '#web/ui/format.ts';
import { ItemUses } from './item-uses.tsx';
import type { NamedItem } from './item-uses-query.ts';
import { StillDeployed } from './still-deployed.tsx';
import type { WorkspaceItem } from './still-deployed-query.ts';

export interface RemovalDialogProps<Item> {
  /** Null while closed. */
  readonly item: Item | null;
  readonly onClose: () => void;
  /** Begins the button's label, and the title unless there is another. */
  readonly verb: 'Delete' | 'Remove';
  readonly title?: string;
  /** Before the name in the title, where the name alone could be mistaken for another item's. */
  readonly noun?: string;
  /** How diffs name the item. */
  readonly deployedAs: (item: Item) => WorkspaceItem;
  readonly remove: {
    readonly isPending: boolean;
    readonly mutate: (item: Item, callbacks: { onSuccess: () => void }) => void;
  };
  /** Says that the item is gone. */
  readonly toast: (item: Item) => void;
  readonly onDeleted?: (() => void) | undefined;
  /** What the removal does. */
  readonly children: (item: Item) => ReactNode;
}

export function RemovalDialog<Item extends { readonly name: string }>(props: RemovalDialogProps<Item>) {
  const { item, onClose, verb, title, noun, deployedAs, remove, onDeleted, children } = props;
  const named = useLastValue(item);
  const name = named?.name ?? '';
  const deployed = item && deployedAs(item);
  const used = named === null ? undefined : asNamedItem(deployedAs(named));
  const finish = (removed: Item) => {
    props.toast(removed);
    onClose();
    onDeleted?.();
  };
  const label = sentence`${verb} ${name}`;
  return (
    <ConfirmDialog
      isOpen={item !== null}
      onClose={onClose}
      title={title ?? (noun === undefined ? `${label}?` : sentence`${verb} ${noun} ${name}?`)}
      confirmLabel={label}
      onConfirm={() => item !== null && remove.mutate(item, { onSuccess: () => finish(item) })}
      isBusy={remove.isPending}
      size={480}
    >
      {named !== null && (
        <>
          <Stack gap={8} style={{ overflowWrap: 'anywhere' }}>
            {children(named)}
          </Stack>
          {used !== undefined && <ItemUses item={item && used} />}
          <StillDeployed item={deployed} />
        </>
      )}
    </ConfirmDialog>
  );
}

/** Undefined for what no code can name. */
function asNamedItem({ itemType, itemId }: WorkspaceItem): NamedItem | undefined {
  return itemType === 'plan' || itemType === 'feature' || itemType === 'feature-property'
    ? { itemType, itemId }
    : undefined;
}
